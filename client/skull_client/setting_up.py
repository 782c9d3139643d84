"""The options of a table, one by one: which values are offered, how one is read and changed."""

from typing import Any

import msgspec

from skull_client.option_wording import SKULL_OPTIONS, TABLE_OPTIONS, OptionWording
from skull_client.wording import say
from skull_protocol.tables import TableOptions

VALUES: dict[str, tuple[object, ...]] = {
    "min_seats": (2, 3, 4, 5, 6),
    "max_seats": (2, 3, 4, 5, 6),
    "turn_seconds": (0, 30, 60, 90),
    "pause_seconds": (10, 20, 30, 60, 120),
    "leavers": ("bot", "forfeit"),
    "watching": (True, False),
    "watchers_talk": (True, False),
    "coach": (False, True),
    "first_player": ("flowers", "random", 0, 1, 2, 3, 4, 5),
    "initial": ("starter_last", "together"),
    "own_skull": ("choose", "random"),
    "self_elimination_starter": ("choose", "left"),
    "last_chance": (False, True),
    "equipment": ("discs", "cards"),
    "practice": (False, True),
}
"""The values offered for each option, in the order that the arrows go through them."""


def words_of(field: str) -> OptionWording:
    """The words of an option of the table or of its game."""
    return TABLE_OPTIONS[field] if field in TABLE_OPTIONS else SKULL_OPTIONS[field]


def value_of(options: TableOptions, field: str) -> object:
    """The value of an option of the table or of its game."""
    return getattr(options if field in TABLE_OPTIONS else options.rules, field)


def with_value(options: TableOptions, field: str, value: Any) -> TableOptions:
    """The options with one of them changed."""
    if field in TABLE_OPTIONS:
        return msgspec.structs.replace(options, **{field: value})
    rules = msgspec.structs.replace(options.rules, **{field: value})
    return msgspec.structs.replace(options, rules=rules)


def contradiction(options: TableOptions) -> str:
    """Say what does not go together; empty when all is well."""
    if options.min_seats > options.max_seats:
        return say("More players needed than there are seats: change one of them.")
    if options.rules.last_chance and options.rules.equipment == "cards":
        return say("Last Chance cannot be played with cards: change one of them.")
    return ""
