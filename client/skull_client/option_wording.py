"""The words for a table's options: a label, a meaning in one line, and the same for each value."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from skull_client.wording import msg, say
from skull_protocol.tables import BotLevel, TableOptions


class ValueWording(Struct, frozen=True):
    """One value of an option: its short label, and what it means in one line, to be said."""

    label: str
    meaning: str


class OptionWording(Struct, frozen=True):
    """One option of a table: its short label, what it decides, and its values by name.

    Numbers without an entry in `values` are told by `number`, with `{n}` for them.
    """

    name: str
    decides: str
    values: Mapping[object, ValueWording]
    number: ValueWording | None = None

    @property
    def label(self) -> str:
        """The short label, said."""
        return say(self.name)

    @property
    def meaning(self) -> str:
        """What it decides, said."""
        return say(self.decides)


TABLE_OPTIONS: Final[Mapping[str, OptionWording]] = {
    "min_seats": OptionWording(
        msg("Players needed"),
        msg("The game can start with this many."),
        {},
        ValueWording(msg("{n}"), msg("The game needs {n} players to start.")),
    ),
    "max_seats": OptionWording(
        msg("Seats"),
        msg("This many can sit at the table; others watch."),
        {},
        ValueWording(msg("{n}"), msg("At most {n} players sit at the table.")),
    ),
    "turn_seconds": OptionWording(
        msg("Turn clock"),
        msg("Out of time: a default move is made for you."),
        {0: ValueWording(msg("off"), msg("Everybody takes the time they need."))},
        ValueWording(msg("{n} s"), msg("Each decision may take {n} seconds.")),
    ),
    "pause_seconds": OptionWording(
        msg("Pause"),
        msg("The longest pause between two rounds."),
        {},
        ValueWording(msg("{n} s"), msg("The next round begins after {n} seconds at the latest.")),
    ),
    "leavers": OptionWording(
        msg("Leavers"),
        msg("What happens when a player leaves a running game for good."),
        {
            "bot": ValueWording(
                msg("a bot plays on"), msg("A bot takes over the seat and plays on.")
            ),
            "forfeit": ValueWording(
                msg("out"), msg("They are out; an undecided round is taken back.")
            ),
        },
    ),
    "watching": OptionWording(
        msg("Watching"),
        msg("Whether others may watch."),
        {
            True: ValueWording(msg("on"), msg("Others may watch; what is secret stays secret.")),
            False: ValueWording(msg("off"), msg("Nobody may watch.")),
        },
    ),
    "watchers_talk": OptionWording(
        msg("Watchers talk"),
        msg("Whether those who watch may talk."),
        {
            True: ValueWording(msg("on"), msg("Those who watch may talk to the table.")),
            False: ValueWording(msg("off"), msg("Those who watch may listen, and not talk.")),
        },
    ),
    "coach": OptionWording(
        msg("Coach"),
        msg("Whether who is alone with bots may ask a coach."),
        {
            True: ValueWording(msg("on"), msg("Alone with bots, ask what a hard one would do.")),
            False: ValueWording(msg("off"), msg("Nobody is advised.")),
        },
    ),
}
"""Fields of `TableOptions` other than `rules`."""

SKULL_OPTIONS: Final[Mapping[str, OptionWording]] = {
    "first_player": OptionWording(
        msg("First player"),
        msg("Who starts the first round."),
        {
            "flowers": ValueWording(
                msg("flowers"), msg("Whoever last gave somebody flowers starts.")
            ),
            "random": ValueWording(msg("random"), msg("The first player is drawn at random.")),
        },
        ValueWording(msg("seat {n}"), msg("The player in seat {n} starts.")),
    ),
    "initial": OptionWording(
        msg("First discs"),
        msg("When the starter places the first disc of a round."),
        {
            "starter_last": ValueWording(
                msg("starter last"), msg("The starter places after all others.")
            ),
            "together": ValueWording(msg("together"), msg("Everybody places at the same time.")),
        },
    ),
    "own_skull": OptionWording(
        msg("Own skull"),
        msg("How a disc is lost to one's own skull."),
        {
            "choose": ValueWording(
                msg("choose"), msg("The challenger chooses the disc to lose, in secret.")
            ),
            "random": ValueWording(msg("random"), msg("The disc to lose is drawn at random.")),
        },
    ),
    "self_elimination_starter": OptionWording(
        msg("After own skull"),
        msg("Who starts after a player is out by their own skull."),
        {
            "choose": ValueWording(
                msg("choose"), msg("The player who is out names the next starter.")
            ),
            "left": ValueWording(msg("next clockwise"), msg("The next player clockwise starts.")),
        },
    ),
    "last_chance": OptionWording(
        msg("Last Chance"),
        msg("Help for a player down to one disc."),
        {
            True: ValueWording(
                msg("on"), msg("Down to one disc: one more flower for the next round.")
            ),
            False: ValueWording(msg("off"), msg("Down to one disc: no help.")),
        },
    ),
    "equipment": OptionWording(
        msg("Play with"),
        msg("Discs, or the travel set of playing cards."),
        {
            "discs": ValueWording(msg("discs"), msg("Three flowers and a skull each.")),
            "cards": ValueWording(
                msg("cards"), msg("Number cards are flowers; jack, queen, king skulls.")
            ),
        },
    ),
    "practice": OptionWording(
        msg("Practice round"),
        msg("A first round that does not count."),
        {
            True: ValueWording(msg("on"), msg("The first round costs and earns nothing.")),
            False: ValueWording(msg("off"), msg("The first round counts.")),
        },
    ),
}
"""Fields of `SkullOptions`."""

LEVELS: Final[Mapping[BotLevel, ValueWording]] = {
    "easy": ValueWording(msg("easy"), msg("a beginner, who is often carried away")),
    "normal": ValueWording(msg("normal"), msg("knows the odds, and bluffs at times")),
    "hard": ValueWording(msg("hard"), msg("remembers what you did, and looks ahead")),
}
"""How well a bot can play, in the order in which it is offered."""


def option_value(option: OptionWording, value: object) -> ValueWording:
    """Return the words for one value of an option, said.

    Raises `KeyError` for a value that it cannot have.
    """
    if value in option.values:
        words = option.values[value]
        return ValueWording(say(words.label), say(words.meaning))
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


class OptionTold(Struct, frozen=True):
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
