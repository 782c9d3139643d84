"""Requests of every kind as strategies: what a person at a keyboard, or a joker, may ask for.

Which table, player or update is meant is drawn as a number and looked up when the request is
made, so that a failing run stays readable and shrinks well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from hypothesis import strategies as st

from skull_protocol.phrases import PHRASES
from skull_protocol.requests import REQUESTS, Request
from skull_protocol.skull import (
    Abandon,
    Bid,
    Flip,
    Lose,
    NameStarter,
    Pass,
    Pick,
    Place,
    Ready,
    Show,
    SkullOptions,
)
from skull_protocol.tables import BotLevel, TableOptions

NUMBERS = st.integers(0, 7)
DISCS = st.sampled_from(["F", "S", "7h", "Jc"])
TEXTS = st.sampled_from(["hello", "[b]x[/b]", "\x1b[31m", "", "a" * 300, "é" * 20, "\u202eab"])
PASSWORDS = st.sampled_from([None, "open", "sesame", "", "x" * 64])


def rules() -> st.SearchStrategy[SkullOptions]:
    """The options of the rules, the contradictory ones included. Mostly cards: see `watching`."""
    return st.builds(
        SkullOptions,
        first_player=st.sampled_from(["flowers", "random", 0, 5]),
        initial=st.sampled_from(["starter_last", "together"]),
        own_skull=st.sampled_from(["choose", "random"]),
        self_elimination_starter=st.sampled_from(["choose", "left"]),
        last_chance=st.sampled_from([False, False, True]),
        equipment=st.sampled_from(["cards", "cards", "discs"]),
        practice=st.booleans(),
    )


def options() -> st.SearchStrategy[TableOptions]:
    """The options of a table, the contradictory ones included."""
    return st.builds(
        TableOptions,
        rules=rules(),
        min_seats=st.sampled_from([2, 2, 2, 3, 6]),
        max_seats=st.sampled_from([6, 6, 4, 2]),
        turn_seconds=st.sampled_from([0, 30, 90]),
        pause_seconds=st.sampled_from([5, 30]),
        leavers=st.sampled_from(["bot", "forfeit"]),
        watching=st.booleans(),
        coach=st.booleans(),
        watchers_talk=st.booleans(),
    )


def sound_options() -> st.SearchStrategy[TableOptions]:
    """Options with which two or more people can begin."""
    return options().filter(
        lambda table: (
            table.min_seats == 2
            and table.max_seats == 6
            and table.rules.first_player != 5
            and not (table.rules.last_chance and table.rules.equipment == "cards")
        )
    )


def actions() -> st.SearchStrategy[object]:
    """Every action of the game, whether or not it may be done now."""
    seats = st.integers(0, 5)
    return st.one_of(
        st.builds(Place, DISCS),
        st.builds(Bid, st.sampled_from([-1, 0, 1, 2, 3, 5, 24, 2**53 - 1])),
        st.just(Pass()),
        st.builds(Flip, seats),
        st.builds(Pick, st.integers(0, 3)),
        st.builds(Lose, DISCS),
        st.builds(NameStarter, seats),
        st.builds(Show, st.integers(0, 3)),
        st.just(Ready()),
        st.builds(Abandon, st.booleans()),
    )


@dataclass(frozen=True)
class Latest:
    """An update's number, counted from the latest that the sender saw."""

    offset: int


@dataclass(frozen=True)
class Nth:
    """Something that exists when the request is made: a table's code, a player's id."""

    number: int

    def among(self, known: Sequence[Any], unknown: object) -> Any:
        """The one that is meant, or what does not exist."""
        return known[self.number] if self.number < len(known) else unknown


CODES = st.builds(Nth, st.sampled_from([0, 0, 0, 1, 2, 9]))
PLAYERS = st.builds(Nth, NUMBERS)
FIELDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "hello": {
        "protocol": st.just(1),
        "name": st.just("Again"),
        "token": st.none(),
        "code": st.none(),
    },
    "peek": {},
    "ping": {},
    "create_table": {"options": options(), "password": PASSWORDS},
    "join_table": {"code": CODES, "password": PASSWORDS},
    "watch_table": {"code": CODES, "password": PASSWORDS},
    "take_seat": {},
    "leave_table": {},
    "change_options": {"options": options()},
    "set_password": {"password": PASSWORDS},
    "remove_player": {"player": PLAYERS},
    "hand_to_bot": {"player": PLAYERS},
    "take_back": {},
    "mute": {"player": PLAYERS, "muted": st.booleans()},
    "add_bot": {"level": st.sampled_from(get_args(BotLevel))},
    "remove_bot": {"seat": st.integers(0, 5)},
    "answer_flowers": {"days": st.sampled_from([None, 0, 3, 36_500])},
    "start_game": {},
    "say": {"text": TEXTS},
    "say_phrase": {"phrase": st.sampled_from(PHRASES)},
    "ask_resume_code": {},
    "list_games": {"before": st.sampled_from([None, 1, 2, 3, 2**53 - 1])},
    "get_game": {"game": st.integers(1, 4), "first": st.sampled_from([0, 1, 50, 2**31])},
    "ask_coach": {},
    "review_game": {"game": st.integers(1, 4)},
    "list_records": {},
    "ask_statistics": {},
    "act": {"seq": st.builds(Latest, st.sampled_from([0, 0, 0, -1, -3, 1])), "action": actions()},
}
"""What each field of each request may hold."""


@dataclass(frozen=True)
class Asked:
    """A request that is to be made, of a type and with these fields."""

    kind: str
    fields: dict[str, Any]

    def made(self, number: int, codes: Sequence[str], players: Sequence[int], seq: int) -> Request:
        """The request as it is sent now, with this id."""
        known: dict[str, tuple[Sequence[Any], Any]] = {
            "code": (codes, "ZZZZ"),
            "player": (players, 2**53 - 1),
        }
        fields = {}
        for name, value in self.fields.items():
            if isinstance(value, Nth):
                fields[name] = value.among(*known[name])
            elif isinstance(value, Latest):
                fields[name] = max(0, seq + value.offset)
            else:
                fields[name] = value
        return REQUESTS.types[self.kind](id=number, **fields)


def asked(*kinds: str) -> st.SearchStrategy[Asked]:
    """Requests of these kinds, or of any kind."""
    return st.sampled_from(sorted(kinds or FIELDS)).flatmap(
        lambda kind: st.builds(Asked, st.just(kind), st.fixed_dictionaries(FIELDS[kind]))
    )
