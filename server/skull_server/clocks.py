"""The clock of those who are to act at one table."""

from collections.abc import Callable

from skull_protocol.skull import Abandon, Show, SkullAction
from skull_server.inputs import Alarm, Inputs

_ASIDES = (Abandon, Show)
"""Actions that decide nothing that the game waits for: they leave a running clock alone."""


class TurnClock:
    """Runs out for everybody who is to act, at the same time."""

    def __init__(self, inputs: Inputs, ran_out: Callable[[], None]) -> None:
        self._inputs = inputs
        self._ran_out = ran_out
        self._alarm: Alarm | None = None
        self._deadline = 0.0

    def start(self, seconds: float) -> None:
        """Start afresh; 0 seconds: no clock."""
        self.stop()
        if seconds > 0:
            self._deadline = self._inputs.now() + seconds
            self._alarm = self._inputs.later(seconds, self._ring)

    def stop(self) -> None:
        """Let it not run out."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def left_ms(self) -> int | None:
        """Milliseconds until it runs out; None: it does not run."""
        if self._alarm is None:
            return None
        return max(0, round((self._deadline - self._inputs.now()) * 1000))

    def _ring(self) -> None:
        self._alarm = None
        self._ran_out()


def is_new_decision(
    actor: int, action: SkullAction, before: frozenset[int], after: frozenset[int]
) -> bool:
    """Tell whether the seats in `after` face another choice than those in `before` did.

    While several choose at once, one who has chosen leaves the others' clock running. (A new
    phase is a new decision as well, whoever is to act.)
    """
    decided = not isinstance(action, _ASIDES)
    return not after <= before or (decided and actor in after)
