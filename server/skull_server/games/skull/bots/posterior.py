"""Where each opponent's skull may be, given all they did and how they seem to play.

Opponents lay and bid without seeing each other's discs, so given what is public, where one's skull
is tells nothing of another's: each is reckoned alone.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from skull_protocol.skull import SkullOwn, SkullView, is_skull
from skull_server.games.skull.bots.carried_away import carried_away
from skull_server.games.skull.bots.habits import FirstDisc, Habits
from skull_server.games.skull.bots.knowledge import Knowledge
from skull_server.games.skull.bots.mats import (
    IN_HAND,
    NO_SKULL,
    PASS,
    PLACE_FLOWER,
    PLACE_SKULL,
    Mats,
)
from skull_server.games.skull.bots.memory import LAID, Memory, Move
from skull_server.games.skull.bots.seating import Seating, empty_seating, seating

_ANYTHING = 0.06
"""How often anybody is thought to do anything at all: nobody plays quite by the table."""
_HARDLY = 0.02
"""Whoever is less careless is taken to play the table: it takes half the time to reckon."""

Where = dict[int, float]
"""The chance of each place of a skull, as `Mats.skull` has it; they add up to 1."""


class Imagined(Struct, frozen=True):
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
    habits = {seat: Habits() for seat in at.seats if seat != own.seat}
    for played in memory.rounds:
        began = Mats(
            known.beliefs, played.points, played.discs, played.owns,
            [NO_SKULL] * len(played.seats), 0,
        )  # fmt: skip
        starter = played.seats.index(played.starter) if played.starter in played.seats else 0
        firsts = _firsts(began, played.seats, starter, known)
        found = _by_moves(began, played.seats, starter, played.moves, known, habits, firsts)
        for seat, where, seen, first in zip(played.seats, found, played.seen, firsts, strict=True):
            if first is not None and seat in habits:
                where = _narrowed(where, seen)
                if (owned := 1 - where.get(NO_SKULL, 0.0)) > 0:
                    habits[seat].laid(first, where.get(1, 0.0) / owned)
    firsts = _firsts(past.mats, past.seats, past.starter, known)
    found = _by_moves(past.mats, past.seats, past.starter, memory.moves, known, habits, firsts)
    wheres: list[Where] = []
    for place, seat in enumerate(at.seats):
        if place == at.me:
            wheres.append({at.mats.skull[place]: 1.0})
            continue
        where = found[place]
        stack = view.seats[seat].stack
        if past.mats.height[place] != len(stack):  # this bot has not seen all of the round
            where = _by_looks(at.mats, place)
        seen = {height: is_skull(disc) for height, disc in enumerate(stack, 1) if disc is not None}
        wheres.append(_narrowed(where, seen))
    careless = [habits[seat].careless if seat in habits else 0.0 for seat in at.seats]
    return Imagined(at, wheres, careless)


def _narrowed(where: Where, seen: Mapping[int, bool]) -> Where:
    """Where the skull may be after some discs were seen (by height: whether they were the skull).

    It is neither where a flower was seen, nor elsewhere once it was.
    """
    for height, skull in seen.items():
        if skull:
            return {height: 1.0}
        where = {each: chance for each, chance in where.items() if each != height}
    total = sum(where.values())
    if total <= 0:
        return {NO_SKULL: 1.0}
    return {skull: chance / total for skull, chance in where.items()}


def _firsts(
    mats: Mats, seats: Sequence[int], starter: int, known: Knowledge
) -> list[FirstDisc | None]:
    """Look at each place before anything is laid; None: there is nothing to choose."""
    found: list[FirstDisc | None] = []
    for place in range(len(seats)):
        mats.skull[place] = IN_HAND
        choices = mats.choices(place)
        if len(choices) == 1:
            found.append(None)
        else:
            usual = known.chances(mats, place, starter, choices)[choices.index(PLACE_SKULL)]
            found.append(FirstDisc(place == starter, mats.points[place] > 0, usual))
        mats.skull[place] = NO_SKULL
    return found


def _by_looks(mats: Mats, place: int) -> Where:
    chances = mats.beliefs.where(mats.seen(place), mats.owns[place])
    return {skull: chance for skull, chance in enumerate(chances, NO_SKULL) if chance > 0}


def _by_moves(
    mats: Mats,
    seats: Sequence[int],
    starter: int,
    moves: Sequence[Move],
    known: Knowledge,
    habits: Mapping[int, Habits],
    firsts: Sequence[FirstDisc | None],
) -> list[Where]:
    """Go through a round again; `mats` is as it began, and is played on. `habits` are learned."""
    wheres: list[Where] = [
        {NO_SKULL: 1 - owns, IN_HAND: owns} if owns < 1 else {IN_HAND: 1.0} for owns in mats.owns
    ]
    for move in moves:
        if move.seat not in seats:
            continue
        place = seats.index(move.seat)
        habit = habits.get(move.seat)
        if habit is None:
            pass
        elif mats.height[place] == 0:
            first = firsts[place]
            skull = habit.skull_chance(first) if first is not None else 1.0
            wheres[place] = _after_first(wheres[place], skull)
        else:
            wheres[place] = _after(mats, place, starter, wheres[place], move, known, habit)
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


def _after_first(where: Where, skull: float) -> Where:
    """Return where the skull may be after the first disc, which it is with this chance."""
    had = where.get(IN_HAND, 0.0)
    after = {**where, IN_HAND: had * (1 - skull), 1: had * skull}
    return {each: chance for each, chance in after.items() if chance > 0}


def _after(
    mats: Mats,
    place: int,
    starter: int,
    where: Where,
    move: Move,
    known: Knowledge,
    habit: Habits,
) -> Where:
    """Return where the skull may be after a move, and learn from it how careless its owner is."""
    by_table: Where = {}
    by_whim: Where = {}
    height = mats.height[place]
    for skull, chance in where.items():
        if chance <= 0:
            continue
        mats.skull[place] = skull
        choices = mats.choices(place)
        if len(choices) == 1 and move.amount != LAID:
            by_table[skull] = by_whim[skull] = chance
            continue
        thought = known.chances(mats, place, starter, choices)
        whims: Sequence[float] = carried_away(mats, place, choices)
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
    habit.acted(tables, whim)
    careless = habit.careless
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
