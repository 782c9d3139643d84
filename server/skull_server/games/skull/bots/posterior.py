"""Where each opponent's skull may be, given all they did in this round, if they play the table.

Opponents lay and bid without seeing each other's discs, so given what is public, where one's skull
is tells nothing of another's: each is reckoned alone.
"""

from collections.abc import Sequence

from skull_protocol.skull import SkullOwn, SkullView, is_skull
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

Where = dict[int, float]
"""The chance of each place of a skull, as `Mats.skull` has it; they add up to 1."""


def posterior(
    view: SkullView, own: SkullOwn, memory: Memory, known: Knowledge
) -> tuple[Seating, list[Where]]:
    """The round as it stands, and by place where each skull may be; the own one is known."""
    at = seating(view, own, memory, known.beliefs)
    past = empty_seating(view, own, memory, known.beliefs)
    found = _by_moves(past, memory.moves, known)
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
    return at, wheres


def _by_looks(mats: Mats, place: int) -> Where:
    chances = mats.beliefs.where(mats.seen(place), mats.owns[place])
    return {skull: chance for skull, chance in enumerate(chances, NO_SKULL) if chance > 0}


def _by_moves(past: Seating, moves: Sequence[Move], known: Knowledge) -> list[Where]:
    """Go through the moves again; `past` is the round as it began, and is played on."""
    mats = past.mats
    wheres: list[Where] = [
        {NO_SKULL: 1 - owns, IN_HAND: owns} if owns < 1 else {IN_HAND: 1.0} for owns in mats.owns
    ]
    for move in moves:
        if move.seat not in past.seats:
            continue
        place = past.seats.index(move.seat)
        if place != past.me:
            wheres[place] = _after(mats, place, past.starter, wheres[place], move, known)
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
    mats: Mats, place: int, starter: int, where: Where, move: Move, known: Knowledge
) -> Where:
    found: Where = {}
    height = mats.height[place]
    first = kind(mats, place) == FIRST
    for skull, chance in where.items():
        if chance <= 0:
            continue
        mats.skull[place] = skull
        choices = mats.choices(place)
        if len(choices) == 1 and not (first or move.amount == LAID):
            found[skull] = chance
            continue
        taken = dict(zip(choices, known.chances(mats, place, starter, choices), strict=True))
        some = _ANYTHING / len(choices)
        if move.amount == LAID:
            for choice in (PLACE_FLOWER, PLACE_SKULL):
                if choice in taken:
                    then = height + 1 if choice == PLACE_SKULL else skull
                    found[then] = chance * ((1 - _ANYTHING) * taken[choice] + some)
        else:
            choice = closest(mats, place, choices, move.amount)
            found[skull] = chance * ((1 - _ANYTHING) * taken.get(choice, 0.0) + some)
    total = sum(found.values())
    return {skull: chance / total for skull, chance in found.items()} if total > 0 else where


def closest(mats: Mats, place: int, choices: Sequence[int], amount: int) -> int:
    """The choice that an amount comes closest to; -1: none. 0 is a pass."""
    if amount == 0:
        return PASS
    bids = [choice for choice in choices if mats.amount(place, choice)]
    return min(bids, key=lambda choice: abs(mats.amount(place, choice) - amount), default=-1)
