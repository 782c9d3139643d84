"""The solution of the game between two players, as it is shipped: read once, when first needed.

The file is one stream compressed by lzma. It begins with three bytes: points of the belief grid
(`belief_axis`), what probabilities are counted in, and how often players are thought to do anything
at all, in thousandths. Then follow the public states in the order of `duel.duels`; for
each, at all points of its grid, the beliefs about the starter slowest:

- win chances in 1/65535, two bytes each, low byte first: of the starter without the skull, with
  it, of the other without it, with it;
- how likely either player with the skull lays it first, if there is a choice, the starter first;
- of every decision in the order of `duel.rows`, how likely each allowed action is but the last.

Last, if the starter has fewer than four discs, how likely the starter has just kept the skull,
having lost a disc by it: by the belief about the other only.
"""

from bisect import bisect
from functools import cache
from lzma import decompress
from math import pi, sin
from pathlib import Path
from typing import NamedTuple

from skull_server.games.skull.bots.duel import (
    IN_HAND,
    MAX_DISCS,
    UNDER,
    Duel,
    actor,
    columns,
    duels,
    rows,
    steps_to,
)

FULL = 65535
"""What a win chance of 1 is written as."""
_FILE = "two_players.bin"
_VALUES = 4


class Corners(NamedTuple):
    """Where beliefs lie between points of the grid: up to four of them, and their shares."""

    points: tuple[int, ...]
    shares: tuple[float, ...]


class Layout:
    """Where what is in the part of the file that is about a pair of disc counts."""

    def __init__(self, discs: tuple[int, int], points: int) -> None:
        """`points`: of the belief grid."""
        self.discs = discs
        self.axes = tuple(1 if count == MAX_DISCS else points for count in discs)
        self.points = self.axes[0] * self.axes[1]
        self.first: list[int | None] = []
        """Where the first discs begin, by player; None: no choice."""
        at = 2 * _VALUES * self.points
        for count in discs:
            self.first.append(at if count > 1 else None)
            at += self.points if count > 1 else 0
        self.choices = at
        """Where the decisions begin."""
        self.rows: dict[tuple[int, int, int], tuple[int, tuple[int, ...]]] = {}
        """Where each decision begins, and its allowed columns, by discs placed, bids and state."""
        for row in rows(discs):
            self.rows[row.placed, row.bids, row.state] = at, row.allowed
            at += (len(row.allowed) - 1) * self.points
        self.keeps = at
        """Where it begins how likely the skull was kept."""
        self.size = at + (self.axes[1] if discs[0] < MAX_DISCS else 0)


class DuelTable:
    """What to do, and what it is worth, in a game between two players."""

    def __init__(self, content: bytes) -> None:
        """`content`: the uncompressed file."""
        self._bytes = content
        points, self._unit = content[0], content[1]
        self._tremble = content[2] / 1000
        self._layouts: dict[tuple[int, int], Layout] = {}
        self._starts: dict[Duel, int] = {}
        at = 3
        for duel in duels():
            if duel.discs not in self._layouts:
                self._layouts[duel.discs] = Layout(duel.discs, points)
            self._starts[duel] = at
            at += self._layouts[duel.discs].size
        if at != len(content):
            raise ValueError(f"{at} bytes were expected, not {len(content)}")

    def __reduce__(self) -> tuple[object, ...]:
        """Sent to another process, what comes with the game is read there."""
        return (shipped, ()) if self is shipped() else (DuelTable, (self._bytes,))

    @property
    def tremble(self) -> float:
        """How often players are thought to do anything at all."""
        return self._tremble

    def part(self, duel: Duel) -> tuple[Layout, bytes, int]:
        """Return where what is, and the bytes, of one public state, and what these count in."""
        layout, start = self._layouts[duel.discs], self._starts[duel]
        return layout, self._bytes[start : start + layout.size], self._unit

    def corners(self, duel: Duel, beliefs: tuple[float, float]) -> Corners:
        """Return where beliefs that the starter and the other own the skull lie on the grid."""
        axes = self._layouts[duel.discs].axes
        (low, share), (left, part) = (
            _between(points, belief) for points, belief in zip(axes, beliefs, strict=True)
        )
        found: list[tuple[int, float]] = []
        for step, weight in ((0, 1 - share), (1, share)):
            for aside, half in ((0, 1 - part), (1, part)):
                if weight * half > 0:
                    found.append(((low + step) * axes[1] + left + aside, weight * half))
        return Corners(tuple(point for point, _ in found), tuple(share for _, share in found))

    def values(self, duel: Duel, beliefs: tuple[float, float]) -> tuple[float, float, float, float]:
        """Return win chances: the starter's without the skull and with it, then the other's.

        Weighted by beliefs, both players' add up to 1.
        """
        start, points = self._starts[duel], self._layouts[duel.discs].points
        corners = self.corners(duel, beliefs)
        found = []
        for kind in range(_VALUES):
            at = start + 2 * kind * points
            words = (
                int.from_bytes(self._bytes[at + 2 * point : at + 2 * point + 2], "little")
                for point in corners.points
            )
            found.append(sum(map(float.__mul__, corners.shares, map(float, words))) / FULL)
        shares = (1 - beliefs[0], beliefs[0], 1 - beliefs[1], beliefs[1])
        # Between points of the grid they add up to a little more.
        excess = sum(map(float.__mul__, found, shares)) - 1
        without, owning, other_without, other_owning = (value - excess / 2 for value in found)
        return without, owning, other_without, other_owning

    def lays_skull(
        self, duel: Duel, player: int, corners: Corners, trembling: bool = False
    ) -> float:
        """Return how likely a player (0: the starter) with the skull lays it first.

        `trembling`: as it looks to others, who think that anybody may do anything now and then.
        """
        at = self._layouts[duel.discs].first[player]
        if at is None:
            return 1.0
        share = self._look_up(self._starts[duel] + at, corners)
        return share + self._tremble * (0.5 - share) * trembling

    def shares(
        self,
        duel: Duel,
        placed: int,
        bids: int,
        state: int,
        corners: Corners,
        trembling: bool = False,
    ) -> list[float]:
        """Return how likely each column of a node is, in a state of whose turn it is.

        `trembling`: see `lays_skull`.
        """
        where = self._as_played(duel, placed, bids, state, corners)
        return self._mixed(duel, placed, bids, state, where, trembling)

    def _as_played(
        self, duel: Duel, placed: int, bids: int, state: int, corners: Corners
    ) -> Corners:
        """Return corners in the shares in which somebody who got here plays as there.

        Between points of the grid one of the plans around is drawn for a whole round: decision by
        decision, something may come out that is in none of them.
        """
        if len(corners.points) == 1:
            return corners
        player = actor(placed, bids)
        steps = list(steps_to(placed, bids, state))
        reach = []
        for point, share in zip(corners.points, corners.shares, strict=True):
            alone = Corners((point,), (1.0,))
            if state >= IN_HAND:
                lays = self.lays_skull(duel, player, alone, trembling=True)
                share *= lays if state == UNDER + 1 else 1 - lays
            for step in steps:
                share *= self._mixed(duel, *step[:3], alone, trembling=True)[step.column]
            reach.append(share)
        everything = sum(reach)
        return Corners(corners.points, tuple(share / everything for share in reach))

    def _mixed(
        self, duel: Duel, placed: int, bids: int, state: int, corners: Corners, trembling: bool
    ) -> list[float]:
        found = [0.0] * columns(placed, bids)
        layout = self._layouts[duel.discs]
        at, allowed = layout.rows[placed, bids, state]
        at += self._starts[duel]
        left = 1.0
        for column in allowed[:-1]:
            found[column] = share = self._look_up(at, corners)
            left -= share
            at += layout.points
        found[allowed[-1]] = max(left, 0.0)
        if trembling:
            for column in allowed:
                found[column] += self._tremble * (1 / len(allowed) - found[column])
        return found

    def keeps_skull(self, after: Duel, belief: float) -> float:
        """Return how likely the starter of `after` has just kept the skull, losing a disc by it.

        `belief`: that the other owns the skull.
        """
        layout = self._layouts[after.discs]
        low, share = _between(layout.axes[1], belief)
        at = self._starts[after] + layout.keeps + low
        above = self._bytes[at + 1] if share else 0
        return (self._bytes[at] * (1 - share) + above * share) / self._unit

    def _look_up(self, at: int, corners: Corners) -> float:
        found = 0.0
        for point, share in zip(corners.points, corners.shares, strict=True):
            found += self._bytes[at + point] * share
        return found / self._unit


@cache
def belief_axis(points: int) -> tuple[float, ...]:
    """Return the beliefs of a grid along one axis; one point is the belief of 1.

    They are closer together near 0 and 1: how to play against somebody who cannot have the skull is
    another matter than against somebody who hardly can. Of an odd number one is 0.5; those of
    `points` are among those of `2 * points - 1`.
    """
    if points == 1:
        return (1.0,)
    return tuple(round(sin(pi / 2 * i / (points - 1)) ** 2, 9) for i in range(points))


def _between(points: int, belief: float) -> tuple[int, float]:
    """Return the point of an axis just below, and how far on the way to the next the belief is."""
    if points == 1:
        return 0, 0.0
    axis = belief_axis(points)
    low = min(bisect(axis, belief) - 1, points - 2)
    return low, (belief - axis[low]) / (axis[low + 1] - axis[low])


@cache
def shipped() -> DuelTable:
    """Read the table that comes with the game, once."""
    return DuelTable(decompress(Path(__file__).with_name(_FILE).read_bytes()))
