"""What the end of a round is worth: each player's chance of winning the game from there.

Every player has a weight, by points, discs and whether the skull is among them; a player's chance
is the share of all weights. The weights were fitted to games of trained bots (Plackett-Luce).
"""

from collections.abc import Sequence

_SIZE = 7 * 2 * 5 * 2


def slot(still_in: int, points: int, discs: int, owns: bool) -> int:
    """Number a player's standing: 2 to 6 still in, 0 or 1 point, 1 to 4 discs."""
    return ((still_in * 2 + points) * 5 + discs) * 2 + owns


def first_guess() -> list[float]:
    """Weights before anything was fitted: discs, points and a skull each make stronger."""
    weights = [0.0] * _SIZE
    for still_in in range(2, 7):
        for points in range(2):
            for discs in range(1, 5):
                for owns in (False, True):
                    power = (0, 0, 1.2, 1.4, 1.8, 2.2, 2.6)[still_in]
                    lone = 0.3 if owns and discs == 1 else 1.0
                    skull = 1.0 if owns else 0.85
                    weights[slot(still_in, points, discs, owns)] = (
                        discs**power * 2.8**points * lone * skull
                    )
    return weights


LOSES_SKULL = (0.0, 1.0, 0.7, 0.1, 0.1)
"""How often a player who may choose gives up the skull, by discs before: a last disc had better be
a flower, for a lone skull can win no challenge."""


class Equity:
    """The weights, and the chances that follow from them."""

    def __init__(self, weights: Sequence[float], start: Sequence[float]) -> None:
        """`weights` by `slot`; `start`: by how many are still in, what starting multiplies by."""
        self.weights = weights
        self.start = start

    def share(
        self, points: Sequence[int], discs: Sequence[int], owns: Sequence[bool], starter: int,
        seat: int,
    ) -> float:  # fmt: skip
        """A seat's chance of winning. Who has no discs is out."""
        still_in = len(discs) - discs.count(0)
        if still_in == 1:
            return float(discs[seat] > 0)
        weights = self.weights
        total = mine = 0.0
        base = still_in * 20
        for each, left in enumerate(discs):
            if left:
                weight = weights[base + points[each] * 10 + left * 2 + owns[each]]
                if each == starter:
                    weight *= self.start[still_in]
                total += weight
                if each == seat:
                    mine = weight
        return mine / total
