"""History: what a player can look at afterwards is what they were sent, and nothing more."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.server.evenings import Evening, Person, the_game

from skull_protocol.pushes import Games
from skull_protocol.requests import GetGame, ListGames
from skull_protocol.skull import DiscLost, Placed
from skull_protocol.tables import GameStep

GAMES = int(os.environ.get("SKULL_HISTORY_GAMES", "24"))


@dataclass
class Compared:
    """What the comparisons came to."""

    steps: int = 0
    on_coming_back: int = 0
    left: int = 0
    watched: int = 0
    sat_down: int = 0
    """Watchers who played in the next game."""


@pytest.mark.parametrize("block", range(4))
def test_a_replay_shows_view_by_view_what_was_sent(tmp_path: Path, block: int) -> None:
    compared = Compared()
    for seed in range(block, GAMES, 4):
        directory = tmp_path / str(seed)
        directory.mkdir()
        evening = Evening(directory, seed)
        [watcher] = evening.watchers
        evening.play()
        compare(evening, compared)
        evening.rematch()
        evening.play()
        compare(evening, compared)
        compared.sat_down += watcher in evening.people
        evening.world.journal.crash()
    assert compared.steps > 500
    assert min(vars(compared).values()) > 0, compared


def compare(evening: Evening, compared: Compared) -> None:
    """The game just ended, for everybody at the table."""
    for person in evening.people:
        game, replayed = the_game(person)
        assert game.seat == person.seat
        assert set(game.left) == {p.seat for p in evening.people if p.left is not None}
        compare_seat(evening, person, replayed, compared)
        if person.left is None:
            assert replayed[-1].view.winner == game.winner
        else:
            compared.left += 1
            compare_after_leaving(evening, replayed[person.left + 1 :], person.left + 1, compared)
    some_game, _ = the_game(evening.people[0])
    for watcher in evening.watchers:
        watcher.peer.do(ListGames, before=None)
        assert not watcher.peer.last(Games).games, "they have played none yet"
        assert watcher.peer.refused(GetGame, game=some_game.game, first=0) == "no_such_game"


def compare_seat(
    evening: Evening, person: Person, replayed: list[GameStep], compared: Compared
) -> None:
    """All that a seat was sent as long as its player was there, pictures on coming back too."""
    happened = []
    for number, update in person.updates(evening.first_seq):
        step = replayed[number]
        assert (step.view, step.you) == (update.view, update.you)
        assert update.events in (step.events, ())
        compared.steps += 1
        if update.events:
            happened.append(number)
        else:
            compared.on_coming_back += 1
    if not person.was_lost:
        assert happened == list(range(len(happened)))
        assert len(happened) == (len(replayed) if person.left is None else person.left + 1)


def compare_after_leaving(
    evening: Evening, after: list[GameStep], first: int, compared: Compared
) -> None:
    """Whoever left sees the rest as those who only watched."""
    assert all(step.you is None for step in after)
    assert not any(_tells_a_secret(step) for step in after)
    for watcher in evening.watchers:
        for number, update in watcher.updates(evening.first_seq):
            if number >= first:
                step = after[number - first]
                assert step.view == update.view
                assert update.events in (step.events, ())
                compared.watched += 1


def _tells_a_secret(step: GameStep) -> bool:
    return any(
        isinstance(event, Placed | DiscLost) and event.disc is not None for event in step.events
    )
