"""The games that can be played at a table: which rules and which bots belong to which options."""

import random
from collections.abc import Sequence
from typing import Protocol

from skull_protocol.skull import SkullAction, SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_server.games.base import Game
from skull_server.games.skull.bots import Bot
from skull_server.games.skull.forfeit import SkullInput
from skull_server.games.skull.game import SkullGame
from skull_server.games.skull.setup import check_options

TableGame = Game[SkullInput, SkullEvent, SkullView, SkullOwn]


class BotPlayer(Protocol):
    """Somebody who plays from the view of one seat, and knows nothing else."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose one of the actions that `own.choices` allows."""


def new_game(
    rules: SkullOptions, seats: int, rng: random.Random, flowers: Sequence[int | None]
) -> TableGame:
    """Begin a game. `flowers`: days since each seat last gave flowers; None: no answer.

    Raises `Refusal` with `bad_options`.
    """
    return SkullGame(rules, seats, rng, flowers)


def new_bot(rng: random.Random) -> BotPlayer:
    """Make somebody to play a seat of a game."""
    return Bot(rng)


def check_rules(rules: SkullOptions, seats: int) -> None:
    """Raise `Refusal` with `bad_options` if so many could never play by these rules."""
    check_options(rules, seats)
