"""The games that can be played at a table: which rules and which bots belong to which options."""

import random
from collections.abc import Sequence

from skull_protocol.skull import SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_protocol.tables import BotLevel
from skull_server.games.base import Game
from skull_server.games.skull.bots import levels
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.characters import CHARACTERS, PLAIN
from skull_server.games.skull.forfeit import SkullInput
from skull_server.games.skull.game import SkullGame
from skull_server.games.skull.setup import check_options

TableGame = Game[SkullInput, SkullEvent, SkullView, SkullOwn]
BotPlayer = Bot
"""Somebody who plays from the view of one seat, and knows nothing else."""
BOT_NAMES = tuple(f"Bot {character.name}" for character in CHARACTERS)
"""What bots are called; each name has a character."""


def new_game(
    rules: SkullOptions, seats: int, rng: random.Random, flowers: Sequence[int | None]
) -> TableGame:
    """Begin a game. `flowers`: days since each seat last gave flowers; None: no answer.

    Raises `Refusal` with `bad_options`.
    """
    return SkullGame(rules, seats, rng, flowers)


def new_bot(level: BotLevel, name: str, rng: random.Random, rules: SkullOptions) -> BotPlayer:
    """Make somebody to play a seat of a game; with a name of a bot's, in the way of that one."""
    named = zip(BOT_NAMES, CHARACTERS, strict=True)
    character = next((character for known, character in named if known == name), PLAIN)
    return levels.new_bot(level, rng, rules, character)


def check_rules(rules: SkullOptions, seats: int) -> None:
    """Raise `Refusal` with `bad_options` if so many could never play by these rules."""
    check_options(rules, seats)
