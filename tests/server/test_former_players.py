"""Somebody who was away for so long that they were forgotten still finds the games they played."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.restarts import Durable

from skull_protocol.pushes import Error, Games, Ok, Records, Statistics, Table, Welcome
from skull_protocol.requests import (
    AskStatistics,
    CreateTable,
    GetGame,
    JoinTable,
    LeaveTable,
    ListGames,
    ListRecords,
    StartGame,
)
from skull_protocol.tables import TableOptions


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Durable]:
    """A server on which Bob has won against Ann, who gave up; Ann has stayed, Bob is forgotten."""
    house = Durable(tmp_path)
    ann, bob = house.table(players=2, options=TableOptions(min_seats=2, leavers="forfeit"))
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    bob.lose()
    house.wait(house.limits.absence + 1, ann)
    house.bob, house.ann = bob, ann  # type: ignore[attr-defined]
    yield house
    house.journal.crash()


def games(peer: Any) -> list[int]:
    peer.do(ListGames, before=None)
    return [game.game for game in peer.last(Games).games]


def test_the_token_of_a_forgotten_player_leads_to_their_games(house: Any) -> None:
    back = house.player("Bob", house.bob.token)
    assert not back.last(Welcome).resumed
    assert back.id == house.bob.id
    assert games(back) == games(house.ann) == [1]
    back.do(GetGame, game=1, first=0)


def counted(peer: Any) -> tuple[int, int, list[str]]:
    peer.do(AskStatistics)
    told = peer.last(Statistics)
    return told.games, told.wins, [opponent.name for opponent in told.opponents]


def test_it_leads_to_their_statistics_too(house: Any) -> None:
    assert counted(house.player("Bob", house.bob.token)) == (1, 1, ["Ann"])


def test_it_does_so_after_a_restart(house: Any) -> None:
    after = house.crash_and_restart()
    back = after.player("Bob", house.bob.token)
    assert games(back) == [1]
    assert counted(back) == (1, 1, ["Ann"])
    house.journal = after.journal


def test_without_the_token_nobody_finds_them(house: Any) -> None:
    impostor = house.player("Bob")
    assert impostor.id != house.bob.id
    assert games(impostor) == []
    assert counted(impostor) == (0, 0, [])
    assert impostor.refused(GetGame, game=1, first=0) == "no_such_game"


def test_a_name_that_somebody_took_meanwhile_is_theirs(house: Any) -> None:
    house.player("Bob")
    refused = house.peer().hello("Bob", house.bob.token)
    assert isinstance(refused, Error)
    assert refused.code == "name_taken"
    back = house.player("Bobby", house.bob.token)
    assert games(back) == [1]


def test_who_came_back_is_known_as_everybody_else(house: Any) -> None:
    back = house.player("Bob", house.bob.token)
    again = house.player("?", house.bob.token)
    assert again.last(Welcome).resumed
    assert again.id == back.id
    newest = house.player("?", again.token)
    assert newest.last(Welcome).resumed


def test_who_is_forgotten_twice_still_finds_them(house: Any) -> None:
    back = house.player("Bob", house.bob.token)
    back.lose()
    house.wait(house.limits.absence + 1, house.ann)
    again = house.player("Bob", back.token)
    assert not again.last(Welcome).resumed
    assert games(again) == [1]


def test_who_played_no_game_to_its_end_is_forgotten_wholly(house: Any) -> None:
    cem = house.player("Cem")
    cem.do(CreateTable, options=TableOptions(min_seats=2))
    cem.do(LeaveTable)
    cem.lose()
    house.wait(house.limits.absence + 1, house.ann)
    refused = house.peer().hello("Cem", cem.token)
    assert isinstance(refused, Error)
    assert refused.code == "bad_token"
    assert isinstance(house.peer().hello("Cem"), Ok)


def test_a_new_player_under_an_old_name_goes_on_with_its_record(house: Any) -> None:
    def record_of(name: str) -> tuple[int, int]:
        house.ann.do(ListRecords)
        [found] = [r for r in house.ann.last(Records).players if r.name == name]
        return found.games, found.wins

    assert record_of("Bob") == (1, 1)
    assert record_of("Ann") == (1, 0)
    bob = house.player("BOB")
    bob.do(CreateTable, options=TableOptions(min_seats=2, leavers="forfeit"))
    cem = house.player("Cem")
    cem.do(JoinTable, code=bob.last(Table).code)
    bob.do(StartGame)
    bob.do(LeaveTable)
    assert record_of("BOB") == (2, 1)
    assert record_of("Cem") == (1, 1)
