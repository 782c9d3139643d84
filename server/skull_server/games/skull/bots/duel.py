"""A round between two players as its public tree: what can happen, numbered, and what it tells.

Everybody sees who placed how many discs and who bid what. That alone names a node, so the solver
and the bot number nodes alike and need no tree in memory:

- `placed` counts the discs placed after the first ones. Player 0, the starter, and player 1 take
  turns, so it also says how high both stacks are and who opens the bidding.
- `bids` is a set of bits: bit `n - 1` stands for a bid of `n`. Bids only rise and players take
  turns, so the set says who bid what; 0: nobody has bid yet.

What a player knows besides is a `state`: no skull any more, the skull in hand, or its position in
the own stack, from 1, the bottom.
"""

from collections.abc import Iterator
from typing import NamedTuple

NO_SKULL = 0
IN_HAND = 1
UNDER = 1
"""State `UNDER + position`: the skull lies there."""
MAX_DISCS = 4


def heights(placed: int) -> tuple[int, int]:
    """Return how many discs lie on the starter's mat, and on the other's."""
    return 1 + (placed + 1) // 2, 1 + placed // 2


def total(placed: int) -> int:
    """Return how many discs lie on both mats."""
    return 2 + placed


def opener(placed: int) -> int:
    """Return who places or opens the bidding after so many further discs: 0, the starter, or 1."""
    return placed % 2


def actor(placed: int, bids: int) -> int:
    """Return whose turn it is: 0, the starter, or 1."""
    return (placed + bids.bit_count()) % 2


def most_placed(discs: tuple[int, int]) -> int:
    """Return how many further discs can be placed until somebody has none left in hand."""
    placed = 0
    while discs[opener(placed)] > heights(placed)[opener(placed)]:
        placed += 1
    return placed


def states(discs: int, height: int) -> list[int]:
    """Return the states that a player of so many discs, of which `height` are placed, can be in.

    A player of four discs has lost none, and so owns the skull.
    """
    found = [] if discs == MAX_DISCS else [NO_SKULL]
    if discs > height:
        found.append(IN_HAND)
    return found + [UNDER + position for position in range(1, height + 1)]


class Step(NamedTuple):
    """An action that led to a node: where it was done, by whom in what state, and its column."""

    placed: int
    bids: int
    state: int
    column: int


def steps_to(placed: int, bids: int, state: int) -> Iterator[Step]:
    """Go through what whose turn it is at a node has done before, but for the first disc."""
    player = actor(placed, bids)
    for before in range(placed):
        if opener(before) == player:
            disc = UNDER + heights(before)[player] + 1
            yield Step(before, 0, min(state, IN_HAND) if state >= disc else state, state == disc)
    before = 0
    for amount in range(1, bids.bit_length() + 1):
        if bids >> (amount - 1) & 1:
            if actor(placed, before) == player:
                yield Step(placed, before, state, bid_column(before, amount))
            before |= 1 << (amount - 1)


def may_place_flower(discs: int, height: int, state: int) -> bool:
    """Tell whether a player in this state has a flower in hand."""
    return discs - height - (state == IN_HAND) > 0


def columns(placed: int, bids: int) -> int:
    """Return how many kinds of action a node has, allowed in every state or not.

    Before the first bid: place a flower, place the skull, bid 1, 2 and so on; after it: pass, bid
    one more, two more and so on; both up to all discs on the mats.
    """
    return total(placed) + 2 if not bids else total(placed) - bids.bit_length() + 1


def bid_column(bids: int, amount: int) -> int:
    """Return the column of a bid of so much, after these."""
    return amount - bids.bit_length() + (not bids)


class Duel(NamedTuple):
    """A public state between rounds, but for beliefs: player 0 starts the next round."""

    starter_discs: int
    other_discs: int
    starter_points: int
    other_points: int

    @property
    def discs(self) -> tuple[int, int]:
        """Discs left, by player."""
        return self.starter_discs, self.other_discs

    @property
    def points(self) -> tuple[int, int]:
        """Points, by player."""
        return self.starter_points, self.other_points

    def after_success(self, challenger: int) -> "Duel":
        """Return the state after a challenge that did not win the game."""
        discs, points = self._from(challenger)
        return Duel(*discs, points[0] + 1, points[1])

    def after_loss(self, challenger: int) -> "Duel":
        """Return the state after a failed challenge of a player who had a disc to spare."""
        discs, points = self._from(challenger)
        return Duel(discs[0] - 1, discs[1], *points)

    def _from(self, challenger: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return discs and points with the challenger first: the challenger starts next."""
        if challenger == 0:
            return self.discs, self.points
        return self.discs[::-1], self.points[::-1]


def duels(most: int = MAX_DISCS) -> list[Duel]:
    """Return all public states with up to so many discs each, those nearest to the end first."""
    pairs = [(a, b) for a in range(1, most + 1) for b in range(1, most + 1)]
    points = [(1, 1), (0, 1), (1, 0), (0, 0)]
    found = [Duel(*pair, *scored) for pair in pairs for scored in points]
    return sorted(found, key=lambda duel: (sum(duel.discs), -sum(duel.points)))


class Row(NamedTuple):
    """A decision of a round: where, and what who decides there holds."""

    placed: int
    bids: int
    state: int
    allowed: tuple[int, ...]
    """Which of the node's columns."""


def rows(discs: tuple[int, int]) -> list[Row]:
    """Return all decisions but the first disc, in a fixed order; each leaves a choice."""
    found = []
    for placed in range(most_placed(discs) + 1):
        for bids in range(2 ** (total(placed) - 1)):
            player = actor(placed, bids)
            height = heights(placed)[player]
            for state in states(discs[player], height):
                allowed = allowed_columns(discs[player], placed, bids, state)
                found.append(Row(placed, bids, state, allowed))
    return found


def allowed_columns(discs: int, placed: int, bids: int, state: int) -> tuple[int, ...]:
    """Return which columns of a node are allowed to a player of so many discs in a state."""
    everything = range(columns(placed, bids))
    if bids:
        return tuple(everything)
    height = heights(placed)[opener(placed)]
    flower = may_place_flower(discs, height, state)
    skull = state == IN_HAND and discs > height
    return tuple(column for column in everything if (flower, skull, True)[min(column, 2)])
