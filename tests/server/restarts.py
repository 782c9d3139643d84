"""Servers that end and begin again on the same data directory, in a test's own time."""

import random
from pathlib import Path
from typing import Any

from tests.server.conftest import UNHURRIED, Peer, World
from tests.server.disks import HandJournal

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.skull import Abandon, SkullAction
from skull_server.limits import Limits

LIMITS = Limits(**UNHURRIED)


class Durable(World):
    """A world whose server has a journal."""

    def __init__(self, directory: Path, *, seed: int = 1, at_once: bool = True) -> None:
        self.directory = directory
        self.journal = HandJournal(directory, at_once=at_once)
        super().__init__(LIMITS, seed, self.journal)

    def crash_and_restart(self, seed: int = 2) -> "Durable":
        """The process is killed; another starts where it was."""
        self.journal.crash()
        after = Durable(self.directory, seed=seed)
        after._first_ids = self._first_ids
        return after

    def everything(self) -> dict[str, object]:
        """All that a restart must not change, of every table."""
        found: dict[str, object] = {}
        for table in self.server.lobby.tables():
            play = table._games._play
            found[table.code] = [table.record(), table.summary()]
            if play is not None:
                found[table.code] += [  # type: ignore[operator]
                    play.number,
                    play._seq,
                    play._first_seq,
                    play._game.view(),
                    [play._game.own_view(seat) for seat in range(len(play._owns))],
                    play._view,
                    list(play._owns),
                    list(play._encoded_owns),
                    list(play._choices_since),
                    sorted(play._bots.seats()),
                    play._game._state.rng.getstate(),  # type: ignore[attr-defined]
                ]
        return found


def choices_of(peer: Peer) -> tuple[SkullAction, ...]:
    """What a player may do by the latest update they got."""
    you = peer.last(Update).you
    return () if you is None else you.choices.actions()


def play_on(people: list[Peer], dice: random.Random, moves: int) -> None:
    """Have people do so many things at random, legal ones; or until the game is over."""
    for _ in range(moves):
        able = [(peer, choices_of(peer)) for peer in people]
        able = [(peer, found) for peer, found in able if found]
        if not able:
            return
        peer, found = dice.choice(able)
        # Votes to abandon would make most of a random game.
        calm = [action for action in found if not isinstance(action, Abandon)]
        action = dice.choice(calm if calm and dice.random() < 0.97 else found)
        answer: Any = peer.act(action)
        assert isinstance(answer, Ok), answer


def comes_back(world: World, gone: Peer) -> Peer:
    """The same player's client, connected again."""
    return world.player(gone.last(Table).code, gone.token)
