"""The words for a table's options: a label, a meaning in one line, and the same for each value."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from skull_client.wording import say
from skull_protocol.tables import TableOptions


@dataclass(frozen=True)
class ValueWording:
    """One value of an option: its short label, and what it means in one line."""

    label: str
    meaning: str


@dataclass(frozen=True)
class OptionWording:
    """One option of a table: its short label, what it decides, and its values by name.

    Numbers without an entry in `values` are told by `number`, with `{n}` for them.
    """

    label: str
    meaning: str
    values: Mapping[object, ValueWording]
    number: ValueWording | None = None


TABLE_OPTIONS: Final[Mapping[str, OptionWording]] = {
    "min_seats": OptionWording(
        "Players needed",
        "The game can start with this many.",
        {},
        ValueWording("{n}", "The game needs {n} players to start."),
    ),
    "max_seats": OptionWording(
        "Seats",
        "This many can sit at the table; others watch.",
        {},
        ValueWording("{n}", "At most {n} players sit at the table."),
    ),
    "turn_seconds": OptionWording(
        "Turn clock",
        "Out of time: a default move is made for you.",
        {0: ValueWording("off", "Everybody takes the time they need.")},
        ValueWording("{n} s", "Each decision may take {n} seconds."),
    ),
    "pause_seconds": OptionWording(
        "Pause",
        "The longest pause between two rounds.",
        {},
        ValueWording("{n} s", "The next round begins after {n} seconds at the latest."),
    ),
    "leavers": OptionWording(
        "Leavers",
        "What happens when a player leaves a running game for good.",
        {
            "bot": ValueWording("a bot plays on", "A bot takes over the seat and plays on."),
            "forfeit": ValueWording("out", "They are out; an undecided round is taken back."),
        },
    ),
    "watching": OptionWording(
        "Watching",
        "Whether others may watch.",
        {
            True: ValueWording("on", "Others may watch; what is secret stays secret."),
            False: ValueWording("off", "Nobody may watch."),
        },
    ),
    "watchers_talk": OptionWording(
        "Watchers talk",
        "Whether those who watch may talk.",
        {
            True: ValueWording("on", "Those who watch may talk to the table."),
            False: ValueWording("off", "Those who watch may listen, and not talk."),
        },
    ),
}
"""Fields of `TableOptions` other than `rules`."""

SKULL_OPTIONS: Final[Mapping[str, OptionWording]] = {
    "first_player": OptionWording(
        "First player",
        "Who starts the first round.",
        {
            "flowers": ValueWording("flowers", "Whoever last gave somebody flowers starts."),
            "random": ValueWording("random", "The first player is drawn at random."),
        },
        ValueWording("seat {n}", "The player in seat {n} starts."),
    ),
    "initial": OptionWording(
        "First discs",
        "When the starter places the first disc of a round.",
        {
            "starter_last": ValueWording("starter last", "The starter places after all others."),
            "together": ValueWording("together", "Everybody places at the same time."),
        },
    ),
    "own_skull": OptionWording(
        "Own skull",
        "How a disc is lost to one's own skull.",
        {
            "choose": ValueWording("choose", "The challenger chooses the disc to lose, in secret."),
            "random": ValueWording("random", "The disc to lose is drawn at random."),
        },
    ),
    "self_elimination_starter": OptionWording(
        "After own skull",
        "Who starts after a player is out by their own skull.",
        {
            "choose": ValueWording("choose", "The player who is out names the next starter."),
            "left": ValueWording("next clockwise", "The next player clockwise starts."),
        },
    ),
    "last_chance": OptionWording(
        "Last Chance",
        "Help for a player down to one disc.",
        {
            True: ValueWording("on", "Down to one disc: one more flower for the next round."),
            False: ValueWording("off", "Down to one disc: no help."),
        },
    ),
    "equipment": OptionWording(
        "Play with",
        "Discs, or the travel set of playing cards.",
        {
            "discs": ValueWording("discs", "Three flowers and a skull each."),
            "cards": ValueWording("cards", "Number cards are flowers; jack, queen, king skulls."),
        },
    ),
    "practice": OptionWording(
        "Practice round",
        "A first round that does not count.",
        {
            True: ValueWording("on", "The first round costs and earns nothing."),
            False: ValueWording("off", "The first round counts."),
        },
    ),
}
"""Fields of `SkullOptions`."""


def option_value(option: OptionWording, value: object) -> ValueWording:
    """Return the words for one value of an option. Raises `KeyError` for one it cannot have."""
    if value in option.values:
        return option.values[value]
    if option.number is None or not isinstance(value, int):
        raise KeyError(value)
    # Seats are counted from 0 by the protocol and from 1 by people.
    number = value + 1 if option is SKULL_OPTIONS["first_player"] else value
    return ValueWording(say(option.number.label, n=number), say(option.number.meaning, n=number))


def unusual_options(options: TableOptions) -> str:
    """Return what differs from the printed rules and usual settings, in one short line."""
    parts = [
        say("{label}: {value}", label=told.label, value=told.value)
        for told in options_told(options)
        if not told.usual
    ]
    return ", ".join(parts)


@dataclass(frozen=True)
class OptionTold:
    """One option of a table in words, as it is set."""

    label: str
    value: str
    meaning: str
    usual: bool


def options_told(options: TableOptions) -> tuple[OptionTold, ...]:
    """Return every option in words: those of the rules first."""
    usual = TableOptions()
    return tuple(
        OptionTold(say(words.label), told.label, told.meaning, value == getattr(plain, field))
        for table, own, plain in (
            (SKULL_OPTIONS, options.rules, usual.rules),
            (TABLE_OPTIONS, options, usual),
        )
        for field, words in table.items()
        for value in (getattr(own, field),)
        for told in (option_value(words, value),)
    )
