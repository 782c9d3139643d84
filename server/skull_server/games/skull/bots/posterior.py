"""Where each opponent's skull may be, given all they did, and how careless they seem.

Opponents lay and bid without seeing each other's discs, so given what is public, where one's skull
is tells nothing of another's: each is reckoned alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from skull_protocol.skull import SkullOwn, SkullView, is_skull
from skull_server.games.skull.bots.carried_away import carried_away
from skull_server.games.skull.bots.knowledge import Knowledge
from skull_server.games.skull.bots.mats import (
    FIRST,
    IN_HAND,
    NO_SKULL,
    PASS,
    PLACE_FLOWER,
    PLACE_SKULL,
    Mats,
)
from skull_server.games.skull.bots.memory import LAID, Memory, Move
from skull_server.games.skull.bots.seating import Seating, empty_seating, seating
from skull_server.games.skull.bots.situations import kind

_ANYTHING = 0.06
"""How often anybody is thought to do anything at all: nobody plays quite by the table."""
_CARELESS = (0.0, 0.45, 0.9)
"""How often somebody may do what comes to mind, in place of what the table does."""
_BEFORE = (0.5, 0.2, 0.3)
"""How likely each of these is of somebody who was not seen to play."""
_HARDLY = 0.02
"""Whoever is less careless is taken to play the table: it takes half the time to reckon."""

Where = dict[int, float]
"""The chance of each place of a skull, as `Mats.skull` has it; they add up to 1."""
Habits = dict[int, list[float]]
"""By seat, how likely each of `_CARELESS` is."""


@dataclass(frozen=True)
class Imagined:
    """The round as it stands, and what may be thought of each player in it."""

    at: Seating
    wheres: list[Where]
    """By place: where each skull may be; the own one is known."""
    careless: list[float]
    """By place: how often each does what comes to mind (`carried_away`); 0 for oneself."""


class Players:
    """What each does: the table, and carelessly by how much they were seen to."""

    def __init__(self, known: Knowledge, careless: Sequence[float]) -> None:
        """`careless`: by place."""
        self._known = known
        self._careless = careless

    def chances(
        self, mats: Mats, place: int, starter: int, choices: Sequence[int]
    ) -> Sequence[float]:
        """How likely a player takes each choice; they add up to 1."""
        chances = self._known.chances(mats, place, starter, choices)
        careless = self._careless[place]
        if careless < _HARDLY or len(choices) == 1:
            return chances
        anything = carried_away(mats, place, choices)
        if not any(anything):
            return chances
        return [
            (1 - careless) * chance + careless * other
            for chance, other in zip(chances, anything, strict=True)
        ]


def posterior(view: SkullView, own: SkullOwn, memory: Memory, known: Knowledge) -> Imagined:
    """Go through what everybody did, in this round and in those before."""
    at = seating(view, own, memory, known.beliefs)
    past = empty_seating(view, own, memory, known.beliefs)
    habits: Habits = {seat: list(_BEFORE) for seat in at.seats if seat != own.seat}
    for played in memory.rounds:
        began = Mats(
            known.beliefs, played.points, played.discs, played.owns,
            [NO_SKULL] * len(played.seats), 0,
        )  # fmt: skip
        starter = played.seats.index(played.starter) if played.starter in played.seats else 0
        _by_moves(began, played.seats, starter, played.moves, known, habits)
    found = _by_moves(past.mats, past.seats, past.starter, memory.moves, known, habits)
    wheres: list[Where] = []
    for place, seat in enumerate(at.seats):
        if place == at.me:
            wheres.append({at.mats.skull[place]: 1.0})
            continue
        where = found[place]
        stack = view.seats[seat].stack
        if past.mats.height[place] != len(stack):  # this bot has not seen all of the round
            where = _by_looks(at.mats, place)
        # A skull in a stack is neither where a flower was seen, nor elsewhere once it was.
        for height, disc in enumerate(stack, 1):
            if disc is not None and is_skull(disc):
                where = {height: 1.0}
            elif disc is not None:
                where = {skull: chance for skull, chance in where.items() if skull != height}
        total = sum(where.values())
        if total <= 0:
            where, total = {NO_SKULL: 1.0}, 1.0
        wheres.append({skull: chance / total for skull, chance in where.items()})
    careless = [_usually(habits[seat]) if seat in habits else 0.0 for seat in at.seats]
    return Imagined(at, wheres, careless)


def _usually(likely: Sequence[float]) -> float:
    return sum(map(mul, _CARELESS, likely), 0.0) / sum(likely)


def _by_looks(mats: Mats, place: int) -> Where:
    chances = mats.beliefs.where(mats.seen(place), mats.owns[place])
    return {skull: chance for skull, chance in enumerate(chances, NO_SKULL) if chance > 0}


def _by_moves(
    mats: Mats,
    seats: Sequence[int],
    starter: int,
    moves: Sequence[Move],
    known: Knowledge,
    habits: Habits,
) -> list[Where]:
    """Go through a round again; `mats` is as it began, and is played on. `habits` are learned."""
    wheres: list[Where] = [
        {NO_SKULL: 1 - owns, IN_HAND: owns} if owns < 1 else {IN_HAND: 1.0} for owns in mats.owns
    ]
    for move in moves:
        if move.seat not in seats:
            continue
        place = seats.index(move.seat)
        likely = habits.get(move.seat)
        if likely is not None:
            wheres[place] = _after(mats, place, starter, wheres[place], move, known, likely)
        _redo(mats, place, move)
    return wheres


def _redo(mats: Mats, place: int, move: Move) -> None:
    mats.skull[place] = NO_SKULL
    if move.amount == LAID:
        mats.lay(place, skull=False)
    elif move.amount:
        mats.make_bid(place, move.amount)
    else:
        mats.give_up(place)


def _after(
    mats: Mats,
    place: int,
    starter: int,
    where: Where,
    move: Move,
    known: Knowledge,
    likely: list[float],
) -> Where:
    """Return where the skull may be after a move, and learn from it how careless its owner is."""
    by_table: Where = {}
    by_whim: Where = {}
    height = mats.height[place]
    first = kind(mats, place) == FIRST
    for skull, chance in where.items():
        if chance <= 0:
            continue
        mats.skull[place] = skull
        choices = mats.choices(place)
        if len(choices) == 1 and not (first or move.amount == LAID):
            by_table[skull] = by_whim[skull] = chance
            continue
        thought = known.chances(mats, place, starter, choices)
        whims: Sequence[float] = thought if first else carried_away(mats, place, choices)
        if not any(whims):
            whims = thought
        some = _ANYTHING / len(choices)
        if move.amount == LAID:
            taken = [choice for choice in (PLACE_FLOWER, PLACE_SKULL) if choice in choices]
        else:
            taken = [closest(mats, place, choices, move.amount)]
        for choice in taken:
            then = height + 1 if move.amount == LAID and choice == PLACE_SKULL else skull
            at = choices.index(choice) if choice in choices else -1
            for found, chances in ((by_table, thought), (by_whim, whims)):
                often = chances[at] if at >= 0 else 0.0
                found[then] = chance * ((1 - _ANYTHING) * often + some)
    tables, whim = sum(by_table.values()), sum(by_whim.values())
    if tables <= 0:
        return where
    for index, careless in enumerate(_CARELESS):
        likely[index] *= (1 - careless) * tables + careless * whim
    total = sum(likely)
    likely[:] = [each / total for each in likely]
    careless = _usually(likely)
    mixed = {
        skull: (1 - careless) * chance + careless * by_whim[skull]
        for skull, chance in by_table.items()
    }
    total = sum(mixed.values())
    return {skull: chance / total for skull, chance in mixed.items()}


def closest(mats: Mats, place: int, choices: Sequence[int], amount: int) -> int:
    """The choice that an amount comes closest to; -1: none. 0 is a pass."""
    if amount == 0:
        return PASS
    bids = [choice for choice in choices if mats.amount(place, choice)]
    return min(bids, key=lambda choice: abs(mats.amount(place, choice) - amount), default=-1)
