"""Who can be sent into the arena, by name: the levels, the yardsticks, and anybody's own bot."""

import importlib
from functools import partial
from random import Random

from skull_protocol.skull import SkullOptions
from skull_server.arena.expected_value import ExpectedValue
from skull_server.arena.match import MakeBot
from skull_server.arena.yardsticks import AlwaysBids, AlwaysRaises, Anything, NeverBids, Timid
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.characters import CHARACTERS, PLAIN, Character
from skull_server.games.skull.bots.levels import LEVELS, Level, new_bot

YARDSTICKS: dict[str, type[Bot]] = {
    "random": Anything,
    "timid": Timid,
    "expected-value": ExpectedValue,
    "always-bids": AlwaysBids,
    "never-bids": NeverBids,
    "always-raises": AlwaysRaises,
}


class Unknown(ValueError):  # noqa: N818 - says what is wrong
    """There is no such contestant; says which there are."""


def maker(name: str) -> MakeBot:
    """Find out how to make a contestant.

    `name`: a level, also with a character (`hard-Ana`) or with anybody's, drawn for each game
    (`hard-any`); a yardstick; or `package.module:Class` for a bot of one's own. Raises `Unknown`.
    """
    level, _, character = name.partition("-")
    for known in LEVELS:
        if level == known:
            return partial(_level_bot, known, character)
    if name in YARDSTICKS:
        return YARDSTICKS[name]
    module, colon, made = name.partition(":")
    if colon:
        try:
            found = getattr(importlib.import_module(module), made)
        except (ImportError, AttributeError) as fault:
            raise Unknown(f"cannot find {name}: {fault}") from fault
        if isinstance(found, type) and issubclass(found, Bot):
            return found
        raise Unknown(f"{name} is no class of bots: let it extend {Bot.__module__}.Bot")
    known_names = ", ".join([*LEVELS, *YARDSTICKS])
    raise Unknown(f"nobody is called {name}: try {known_names}, or module:Class")


def _level_bot(level: Level, character: str, rng: Random, rules: SkullOptions) -> Bot:
    return new_bot(level, rng, rules, _character(character, rng))


def _character(name: str, rng: Random) -> Character:
    if not name:
        return PLAIN
    if name == "any":
        return rng.choice(CHARACTERS)
    for character in CHARACTERS:
        if character.name == name:
            return character
    raise Unknown(f"no bot is called {name}: try {', '.join(c.name for c in CHARACTERS)}")
