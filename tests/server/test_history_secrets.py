"""What one player hid is in nobody else's history: a game played twice, but for one disc."""

import os
import time
from pathlib import Path
from typing import Any

import pytest
from tests.server.finished_games import ReplayTwins, durable, pages
from tests.server.restarts import Durable

from skull_protocol.codec import encode
from skull_protocol.pushes import Games, GameSteps, Ok, Records, Statistics
from skull_protocol.requests import (
    AskStatistics,
    GetGame,
    LeaveTable,
    ListGames,
    ListRecords,
)
from skull_protocol.skull import Bid, Flip, Lose, Pass, Place, SkullOptions
from skull_protocol.tables import TableOptions

GAMES = int(os.environ.get("SKULL_HISTORY_GAMES", "24"))


def test_what_one_player_hid_is_in_no_byte_of_anybody_elses_history() -> None:
    lost_differently = 0
    for seed in range(GAMES * 4):
        twins = ReplayTwins(seed)
        here, there = twins.records()
        if here.inputs == there.inputs:
            continue
        lost_differently += twins.lost_differently
        for player in range(1, twins.seats + 1):
            one, other = (
                [encode(page) for page in pages(record, player)] for record in (here, there)
            )
            assert (one == other) == (player != twins.hider + 1)
    assert lost_differently > GAMES // 4, "the twins must differ for the test to mean anything"


def a_game_with_a_loss(directory: Path, lost: str) -> tuple[Durable, list[Any]]:
    """Ann loses a disc to her own skull and gives up; then Bob gives up, so Cem has won."""
    directory.mkdir()
    world = durable(directory, seed=5)
    rules = SkullOptions(first_player=0)
    people = world.table(players=3, options=TableOptions(rules=rules, leavers="forfeit"))
    ann, bob, cem = people
    for peer, action in [
        (bob, Place("F")),
        (cem, Place("F")),
        (ann, Place("S")),
        (ann, Bid(1)),
        (bob, Pass()),
        (cem, Pass()),
        (ann, Flip(0)),
        (ann, Lose(lost)),
    ]:
        answer = peer.act(action)
        assert isinstance(answer, Ok), answer
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    for peer in people:
        peer.do(ListGames, before=None)
        peer.do(GetGame, game=1, first=0)
        peer.do(ListRecords)
        peer.do(AskStatistics)
    return world, people


def a_game_with_a_bid(directory: Path, first: str) -> tuple[Durable, list[Any]]:
    """Ann bids one on a disc of hers and Bob raises; then Ann gives up, and Bob."""
    directory.mkdir()
    world = durable(directory, seed=5)
    rules = SkullOptions(first_player=0)
    options = TableOptions(rules=rules, leavers="forfeit")
    people = world.table(players=3, watchers=1, options=options)
    ann, bob, cem, _ = people
    for peer, action in [
        (bob, Place("F")),
        (cem, Place("F")),
        (ann, Place(first)),
        (ann, Bid(1)),
        (bob, Bid(2)),
    ]:
        answer = peer.act(action)
        assert isinstance(answer, Ok), answer
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    for peer in people:
        peer.do(AskStatistics)
        peer.do(ListRecords)
    return world, people


def test_a_bluff_that_held_is_in_no_byte_of_anybody_elses_counts_on_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)
    games = [a_game_with_a_bid(tmp_path / first, first) for first in ("F", "S")]
    (one, here), (other, there) = games
    for seat in (1, 2, 3):
        assert here[seat].stream == there[seat].stream
    assert [peers[0].last(Statistics).bluffs_held for _, peers in games] == [0, 1]
    assert here[0].last(Records) == there[0].last(Records)
    assert [met.name for met in here[0].last(Statistics).opponents] == ["Cem", "Bob"]
    assert here[3].last(Statistics).games == 0
    one.journal.crash()
    other.journal.crash()


def test_a_lost_disc_is_in_no_byte_of_anybody_elses_history_on_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)
    (one, here), (other, there) = (a_game_with_a_loss(tmp_path / lost, lost) for lost in ("F", "S"))
    for seat in (1, 2):
        assert here[seat].stream == there[seat].stream
    assert here[0].last(Games) == there[0].last(Games)
    mine = [peers[0].last(GameSteps).steps for peers in (here, there)]
    assert mine[0] != mine[1]
    assert [steps[8].you.lost for steps in mine] == [("F",), ("S",)]
    assert mine[0][9].you is None
    assert here[0].last(Records).players[0].name == "Cem"
    one.journal.crash()
    other.journal.crash()
