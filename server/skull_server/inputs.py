"""The gate that every input passes: first it is done, then everybody is told.

An input is whatever may change the server: a request, a lost connection, a clock that ran out, a
bot's move. What it causes to be sent is held until it is done, and then goes out in one write
for each receiver. A journal belongs between the two: `run` does, `_publish` tells.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from skull_protocol.codec import encode
from skull_protocol.wire import Tagged

log = logging.getLogger(__name__)


class Timer(Protocol):
    """Something that will happen later, unless it is cancelled."""

    def cancel(self) -> None:
        """Make it not happen."""


class Scheduler(Protocol):
    """The clock and the alarms: an event loop, or a test's own time. Seconds."""

    def time(self) -> float:
        """The time now, which only ever grows."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back after a delay."""


class Receiver(Protocol):
    """Where frames go."""

    def write(self, frames: list[bytes]) -> None:
        """Send whole frames, in one write. Never waits, never raises."""

    def hang_up(self) -> None:
        """Close, once everything written has had its chance to arrive."""


class Inputs:
    """Runs inputs one after the other, and sends what each caused when it is done."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._waiting: dict[Receiver, list[bytes]] = {}
        self._leaving: list[Receiver] = []
        self._depth = 0
        self._stopped = False
        self.timers: set[Alarm] = set()
        """Everything that is still to happen."""

    def now(self) -> float:
        """The time in seconds, from an arbitrary start."""
        return self._scheduler.time()

    def run(self, step: Callable[[], None]) -> None:
        """Do one input, then send what it caused. A step that fails is logged, not raised."""
        self._depth += 1
        try:
            step()
        except Exception:  # one input's fault must not reach the others
            log.exception("an input failed")
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._publish()

    def later(self, seconds: float, step: Callable[[], None]) -> "Alarm":
        """Have an input done after a while, unless the alarm is cancelled before."""
        alarm = Alarm(self, step)
        if not self._stopped:
            alarm.timer = self._scheduler.call_later(seconds, alarm.ring)
            self.timers.add(alarm)
        return alarm

    def send(self, receiver: Receiver, message: Tagged) -> None:
        """Send a message when this input is done."""
        self.send_frame(receiver, encode(message))

    def send_frame(self, receiver: Receiver, frame: bytes) -> None:
        """Send a frame, encoded once for many receivers, when this input is done."""
        self._waiting.setdefault(receiver, []).append(frame)

    def hang_up(self, receiver: Receiver) -> None:
        """Close a connection when this input is done and told."""
        self._leaving.append(receiver)

    def stop(self) -> None:
        """Let nothing more happen by itself, for good."""
        self._stopped = True
        for alarm in list(self.timers):
            alarm.cancel()

    def _publish(self) -> None:
        """Tell everybody. A receiver found dead while being told is the next input."""
        self._depth += 1
        while self._waiting or self._leaving:
            waiting, self._waiting = self._waiting, {}
            leaving, self._leaving = self._leaving, []
            for receiver, frames in waiting.items():
                receiver.write(frames)
            for receiver in leaving:
                receiver.hang_up()
        self._depth -= 1


class Alarm:
    """An input that is to be done later."""

    __slots__ = ("_inputs", "_step", "timer")

    def __init__(self, inputs: Inputs, step: Callable[[], None]) -> None:
        self._inputs = inputs
        self._step = step
        self.timer: Timer | None = None

    def ring(self) -> None:
        """Do it now."""
        self._inputs.timers.discard(self)
        self._inputs.run(self._step)

    def cancel(self) -> None:
        """Make it not happen."""
        self._inputs.timers.discard(self)
        if self.timer is not None:
            self.timer.cancel()
