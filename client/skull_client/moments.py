"""Places in a finished game to which one may want to go: rounds, challenges, what was marked."""

from collections.abc import Sequence

from msgspec import Struct

from skull_protocol.skull import ChallengeStarted, RoundStarted
from skull_protocol.tables import GameStep


class Mark(Struct, frozen=True):
    """A step about which there is something to say."""

    step: int
    """Counted from 0."""
    words: str


def rounds(steps: Sequence[GameStep]) -> tuple[int, ...]:
    """Return the steps with which a round begins, in order."""
    return _with(steps, RoundStarted)


def challenges(steps: Sequence[GameStep]) -> tuple[int, ...]:
    """Return the steps with which a challenge begins, in order."""
    return _with(steps, ChallengeStarted)


def after(places: Sequence[int], at: int) -> int | None:
    """Return the first of these steps behind this one; None: there is none."""
    return min((place for place in places if place > at), default=None)


def before(places: Sequence[int], at: int) -> int | None:
    """Return the last of these steps before this one; None: there is none."""
    return max((place for place in places if place < at), default=None)


def _with(
    steps: Sequence[GameStep], kind: type[RoundStarted] | type[ChallengeStarted]
) -> tuple[int, ...]:
    return tuple(
        number
        for number, step in enumerate(steps)
        if any(isinstance(event, kind) for event in step.events)
    )
