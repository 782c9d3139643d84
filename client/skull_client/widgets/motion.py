"""Discs that turn over: a moment that everybody sees. Made of two pictures and the time alone.

What is shown never waits for it, and no key does: the game has gone on already.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from skull_client.widgets.discs import Stage, Turning
from skull_protocol.skull import SkullView

Place = tuple[int, int]
"""A disc on the table: the seat, and the position in its stack from the bottom."""

STAGES: Final[tuple[tuple[float, Stage], ...]] = ((0.09, "back"), (0.18, "edge"), (0.38, "face"))
"""Until how many seconds after its beginning each stage lasts."""
LASTS: Final = STAGES[-1][0]
"""Seconds until everything lies still."""


class Motion(Struct, frozen=True):
    """Discs that began to turn over at one moment."""

    began: float
    """Seconds on the clock that `at` is asked by."""
    places: frozenset[Place]

    def at(self, now: float) -> Mapping[Place, Stage]:
        """Return how far each disc is; nothing once they lie still."""
        for until, stage in STAGES:
            if 0 <= now - self.began < until:
                return dict.fromkeys(self.places, stage)
        return {}

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds there is something new to see; None: never."""
        passed = now - self.began
        return next((until - passed for until, _ in STAGES if 0 <= passed < until), None)


def flipped_between(before: SkullView, after: SkullView) -> frozenset[Place]:
    """Tell which discs that lay face down in one picture lie face up in the next."""
    if before.round != after.round or len(before.seats) != len(after.seats):
        return frozenset()
    return frozenset(
        (seat, position)
        for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True))
        for position, (was, is_now) in enumerate(zip(old.stack, new.stack, strict=False))
        if was is None and is_now is not None
    )


def turning(stages: Mapping[Place, Stage], seat: int) -> Turning:
    """Return the discs of one stack that are being turned over."""
    return {position: stage for (owner, position), stage in stages.items() if owner == seat}
