"""Counts on the wire: records and own statistics against a count by hand of the games as shown.

A player's own statistics are counted from what that player alone was shown, so they can tell no
more than that.
"""

import os
import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.server.evenings import Evening, all_steps, the_game
from tests.server.finished_games import durable
from tests.server.restarts import comes_back, play_on

from skull_protocol.pushes import Games, Ok, Records, Statistics, Table
from skull_protocol.requests import AskStatistics, ListGames, ListRecords, Request
from skull_protocol.skull import (
    Bid,
    BidMade,
    ChallengeLost,
    ChallengeWon,
    Place,
    SkullOptions,
    is_skull,
)
from skull_protocol.tables import GameStep, GameSummary, Opponent, PlayerRecord, TableOptions
from skull_server import journal_file

GAMES = int(os.environ.get("SKULL_HISTORY_GAMES", "24"))
WINS, WON, LOST, CAUGHT, HIT = range(5)


@dataclass
class Book:
    """What is counted by hand for one player."""

    name: str
    games: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * 5)
    held: int = 0
    others: dict[str, list[int]] = field(default_factory=dict)
    """For each opponent: games, wins, their wins, won, theirs won, stopped, stopped by."""


@pytest.mark.parametrize("block", range(4))
def test_what_is_counted_is_what_players_were_shown(tmp_path: Path, block: int) -> None:
    held = caught = stopped = 0
    for seed in range(block, GAMES, 4):
        directory = tmp_path / str(seed)
        directory.mkdir()
        evening = Evening(directory, seed)
        books: dict[int, Book] = {}
        evening.play()
        count(evening, books)
        evening.rematch()
        evening.play()
        count(evening, books)
        check(evening, books)
        evening.restart()
        check(evening, books)
        evening.world.journal.crash()
        held += sum(book.held for book in books.values())
        caught += sum(book.counts[CAUGHT] for book in books.values())
        stopped += sum(row[5] for book in books.values() for row in book.others.values())
    assert min(held, caught, stopped) > 0


def count(evening: Evening, books: dict[int, Book]) -> None:
    """Add the game that has just ended to the books of those who played it."""
    left = {person.seat: person.left for person in evening.people}
    for person in evening.people:
        game, replayed = the_game(person)
        here = [_until(left.get(seat), replayed) for seat in range(len(game.names))]
        counts = [_counts(seat, here[seat], game, replayed) for seat in range(len(game.names))]
        book = books.setdefault(person.id, Book(person.name))
        assert person.seat is not None
        mine = counts[person.seat]
        book.games += 1
        book.counts = [before + now for before, now in zip(book.counts, mine, strict=True)]
        book.held += _bluffs_over(person.seat, replayed[: here[person.seat]]) - mine[CAUGHT]
        for seat, name in enumerate(game.names):
            if seat == person.seat:
                continue
            both = replayed[: min(here[seat], here[person.seat])]
            theirs = counts[seat]
            row = [1, mine[WINS], theirs[WINS], mine[WON], theirs[WON]]
            row.append(_stopped(person.seat, seat, both))
            row.append(_stopped(seat, person.seat, both))
            before = book.others.get(name, [0] * 7)
            book.others[name] = [old + new for old, new in zip(before, row, strict=True)]


def check(evening: Evening, books: dict[int, Book]) -> None:
    """Ask for everything, and compare."""
    for person in evening.everybody():
        person.peer.do(ListRecords)
        records = {record.name: record for record in person.peer.last(Records).players}
        assert records == {
            book.name: PlayerRecord(book.name, book.games, *book.counts) for book in books.values()
        }
        person.peer.do(AskStatistics)
        told: Statistics = person.peer.last(Statistics)
        book = books.get(person.id, Book(person.name))
        wins, won, lost, caught, hit = book.counts
        assert {one.name: one for one in told.opponents} == {
            name: Opponent(name, *row) for name, row in book.others.items()
        }
        assert told == Statistics(
            book.games, wins, won, lost, book.held, caught, hit, told.opponents
        )


def _until(left: int | None, replayed: list[GameStep]) -> int:
    return len(replayed) if left is None else left + 1


def _counts(seat: int, until: int, game: GameSummary, replayed: list[GameStep]) -> list[int]:
    ends = [
        event
        for step in replayed[:until]
        for event in step.events
        if isinstance(event, ChallengeWon | ChallengeLost) and step.view.round > 0
    ]
    lost = [event for event in ends if isinstance(event, ChallengeLost)]
    return [
        int(game.winner == seat and seat not in game.left),
        sum(isinstance(event, ChallengeWon) and event.seat == seat for event in ends),
        sum(event.seat == seat for event in lost),
        sum(event.seat == event.owner == seat for event in lost),
        sum(event.owner == seat != event.seat for event in lost),
    ]


def _stopped(owner: int, challenger: int, steps: list[GameStep]) -> int:
    wanted = ChallengeLost(challenger, owner)
    return sum(wanted in step.events and step.view.round > 0 for step in steps)


def _bluffs_over(seat: int, steps: list[GameStep]) -> int:
    """Bids beyond the own skull, but for one that stands as the player leaves."""
    found, stands = 0, False
    for step in steps:
        for event in step.events:
            if isinstance(event, BidMade) and step.view.round > 0:
                stands = event.seat == seat and step.you is not None and _is_bluff(step, event)
                found += stands
        stands = stands and step.view.phase in ("bidding", "challenge")
    return found - stands


def _is_bluff(step: GameStep, bid: BidMade) -> bool:
    assert step.you is not None
    skulls = [place for place, disc in enumerate(step.you.stack) if is_skull(disc)]
    return bool(skulls) and bid.amount >= len(step.you.stack) - skulls[0]


def test_a_game_begun_before_an_upgrade_is_counted_as_a_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        past.setattr(journal_file, "MIGRATIONS", journal_file.MIGRATIONS[:1])
        before = durable(tmp_path, seed=1)
    rules = SkullOptions(first_player=0, initial="together")
    people = before.table(players=2, options=TableOptions(min_seats=2, rules=rules))
    ann, bob = people
    for peer, action in [(ann, Place("S")), (bob, Place("F")), (ann, Bid(1)), (bob, Bid(2))]:
        assert isinstance(peer.act(action), Ok)
    after = before.crash_and_restart()
    ann, bob = (comes_back(after, peer) for peer in people)
    play_on([ann, bob], random.Random(3), 1000)
    assert ann.last(Table).stage == "finished"
    [game] = _asked(ann, ListGames, Games, before=None).games
    steps = all_steps(ann, game.game)
    told = _asked(ann, AskStatistics, Statistics)
    assert told.games == 1
    assert told.bluffs_held == _bluffs_over(0, steps) - told.bluffs_caught > 0
    after.journal.crash()


def _asked(peer: Any, request: type[Request], answer: type[Any], **fields: Any) -> Any:
    peer.do(request, **fields)
    return peer.last(answer)
