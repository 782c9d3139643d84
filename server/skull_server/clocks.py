"""The clock of those who are to act at one table."""

from collections.abc import Callable

from skull_protocol.skull import Abandon, Show
from skull_server.games.skull.forfeit import SkullInput
from skull_server.inputs import Alarm, Inputs, nothing

_ASIDES = (Abandon, Show)
"""Actions that decide nothing that the game waits for: they leave a running clock alone."""
_AS_GOOD_AS_NOW = 0.001
"""Seconds: an event loop may ring a little early."""
_LOOK = 5.0
"""Seconds, at most, between two looks at whether the server stood still meanwhile."""
_LATE = 1.0
"""Seconds by which an alarm is late if the server stood still, and was not only busy."""


class TurnClock:
    """Runs out for everybody who is to act, at the same time.

    It is started afresh with nearly every action, so its alarm is left to ring too early, and
    only then set to when it should. It also rings now and then to see whether the server stood
    still: nobody could act meanwhile, so that time is given back.
    """

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._ran_out = self._set_back = nothing
        """Known while it runs."""
        self._alarm: Alarm | None = None
        self._looked = 0.0
        self._rings_at = 0.0
        self._started = 0.0
        self._deadline = 0.0

    def start(
        self, seconds: float, ran_out: Callable[[], None], set_back: Callable[[], None]
    ) -> None:
        """Start afresh; 0 seconds: no clock.

        `set_back()` is called when time was given back, for everybody to be told.
        """
        if seconds == 0:
            self.stop()
            return
        self._ran_out, self._set_back = ran_out, set_back
        self._started = self._inputs.now()
        self._deadline = self._started + seconds
        if self._alarm is None or self._rings_at > self._deadline:
            self._set_alarm(seconds)

    def stop(self) -> None:
        """Let it not run out."""
        self._drop_alarm()
        self._ran_out = self._set_back = nothing

    def _drop_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def left_ms(self) -> int | None:
        """Milliseconds until it runs out; None: it does not run."""
        if self._alarm is None:
            return None
        return max(0, round((self._deadline - self._inputs.now()) * 1000))

    def _set_alarm(self, left: float) -> None:
        self._drop_alarm()
        seconds = min(left, _LOOK)
        self._looked = self._inputs.now()
        self._rings_at = self._looked + seconds
        self._alarm = self._inputs.later(seconds, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        now = self._inputs.now()
        stood_still = now - self._rings_at > _LATE
        if stood_still:
            self._deadline += now - max(self._looked, self._started)
        left = self._deadline - now
        if left <= _AS_GOOD_AS_NOW:
            self._ran_out()
            return
        self._set_alarm(left)
        if stood_still:
            self._set_back()


def is_new_decision(
    actor: int, action: SkullInput, before: frozenset[int], after: frozenset[int]
) -> bool:
    """Tell whether the seats in `after` face another choice than those in `before` did.

    While several choose at once, one who has chosen leaves the others' clock running. (A new
    phase is a new decision as well, whoever is to act.)
    """
    decided = not isinstance(action, _ASIDES)
    return not after <= before or (decided and actor in after)
