"""The gate that every input passes: first it is done, then saved, then everybody is told.

An input is whatever may change the server: a request, a lost connection, a clock that ran out, a
bot's move. What it causes to be sent is its output, one write for each receiver. Outputs go out in
order, each when everything that was recorded by its input and before is committed; with no
journal, or nothing to wait for, that is at once. While the disk takes nothing, outputs wait, what
would happen by itself is held, and only what `hurry` lets past is told.
"""

import itertools
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, ParamSpec, Protocol

from skull_protocol.codec import encode
from skull_protocol.wire import Tagged
from skull_server import logs
from skull_server.metrics import Metrics
from skull_server.schema import Statement

log = logs.get(__name__)

P = ParamSpec("P")
_STALLED = 3.0
"""Seconds after which a commit that is still not done counts as a disk that takes nothing."""


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

    address: str | None
    """Where it is; None in one process."""

    def write(self, frames: list[bytes]) -> None:
        """Send whole frames, in one write. Never waits, never raises."""

    def hang_up(self) -> None:
        """Close, once everything written has had its chance to arrive."""


class Writer(Protocol):
    """Where records go (`Journal`). It says so to `committed` when they are on the disk."""

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        """Have statements committed, after all before them; tickets grow."""


class _Output(NamedTuple):
    """What one input causes to be sent, once everything up to a ticket is committed."""

    ticket: int
    waiting: dict[Receiver, list[bytes]]
    leaving: list[Receiver]


def nothing() -> None:
    """Do nothing, where there is nobody to tell or nothing to be done."""


class Inputs:
    """Runs inputs one after the other, and sends what each caused when it is done and saved."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._waiting: dict[Receiver, list[bytes]] = {}
        self._leaving: list[Receiver] = []
        self._depth = 0
        self._stopped = False
        self.timers: set[Alarm] = set()
        """Everything that is still to happen."""
        self.metrics = Metrics()
        """Where everything that is worth counting is told."""
        self.journal: Writer | None = None
        """None: nothing is saved."""
        self.game_numbers = itertools.count(1)
        """By which games are known, in the journal and to those who played them."""
        self.failing = False
        """Whether the disk takes nothing just now: whatever would be recorded must be refused."""
        self.saving_changed: Callable[[], None] = nothing
        """Called, as an input, when `failing` has changed."""
        self._recorded: list[Statement] = []
        self._hurried = False
        self._outputs: deque[_Output] = deque()
        self._ticket = 0
        """The latest that was given to the journal."""
        self.saved = 0
        """The latest of which everything is on the disk."""
        self._watch: Alarm | None = None
        self._held: list[Alarm] = []

    def now(self) -> float:
        """The time in seconds, from an arbitrary start."""
        return self._scheduler.time()

    def run(self, step: Callable[[], None]) -> None:
        """Do one input, then send what it caused. A step that fails is logged, not raised."""
        if self._stopped:
            return
        self._depth += 1
        try:
            step()
        except Exception:  # one input's fault must not reach the others
            log.exception("input_failed")
        finally:
            self._depth -= 1
            if self._depth == 0:
                self._publish()

    def later(self, seconds: float, step: Callable[[], None], *, always: bool = False) -> "Alarm":
        """Have an input done after a while, unless the alarm is cancelled before.

        `always`: also while the disk takes nothing, since it records nothing.
        """
        alarm = Alarm(self, step, always)
        if not self._stopped:
            alarm.timer = self._scheduler.call_later(seconds, alarm.ring)
            self.timers.add(alarm)
        return alarm

    def hold(self, alarm: "Alarm") -> bool:
        """Tell whether an alarm must wait for the disk; if so, it rings when that is back."""
        if self.failing and not alarm.always:
            self._held.append(alarm)
            return True
        return False

    def send(self, receiver: Receiver, message: Tagged) -> None:
        """Send a message when this input is done."""
        self.send_frame(receiver, encode(message))

    def send_frame(self, receiver: Receiver, frame: bytes) -> None:
        """Send a frame, encoded once for many receivers, when this input is done."""
        self._waiting.setdefault(receiver, []).append(frame)

    def hang_up(self, receiver: Receiver) -> None:
        """Close a connection when this input is done and told."""
        self._leaving.append(receiver)

    def record(
        self, make: Callable[P, Sequence[Statement]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Save something with this input: `records` has a function for each kind of record."""
        if self.journal is not None:
            self._recorded += make(*args, **kwargs)

    @property
    def ticket(self) -> int:
        """What is sent now goes out once everything up to this is on the disk."""
        return self._ticket + bool(self._recorded)

    def hurry(self) -> None:
        """Let what this input sends go past all that waits for the disk, if it records nothing."""
        self._hurried = True

    def stop(self) -> None:
        """Let no input be done any more, for good."""
        self._stopped = True
        for alarm in list(self.timers):
            alarm.cancel()

    def farewell(self, message: Tagged, receivers: Sequence[Receiver]) -> None:
        """After `stop`: tell these, after all that still waits for the disk, and hang up."""
        for receiver in receivers:
            self.send(receiver, message)
            self.hang_up(receiver)
        self._hurried = self.failing
        self._publish()

    # -- what the journal reports -----------------------------------------------------------------

    def committed(self, ticket: int) -> None:
        """Everything up to this ticket is on the disk: tell what waited for it."""
        self.saved = ticket
        self._depth += 1
        while self._outputs and self._outputs[0].ticket <= ticket:
            output = self._outputs.popleft()
            self._tell(output.waiting, output.leaving)
        self._depth -= 1
        self._publish()
        if self.failing:
            log.warning("saving_again")
            self.failing = False
            held, self._held = self._held, []
            self.run(self.saving_changed)
            for alarm in held:
                if alarm in self.timers:
                    alarm.ring()

    def cannot_save(self) -> None:
        """The disk takes nothing just now."""
        if not self.failing:
            log.error("cannot_save")
            self.failing = True
            self.run(self.saving_changed)

    def _watch_disk(self, ticket: int) -> None:
        """See to it that a disk that hangs is noticed, not only one that fails."""
        self._watch = self.later(_STALLED, partial(self._look_at_disk, ticket), always=True)

    def _look_at_disk(self, ticket: int) -> None:
        self._watch = None
        if self.saved < ticket:
            self.cannot_save()
        elif self.saved < self._ticket:
            self._watch_disk(self._ticket)

    # -- telling ----------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Tell everybody, or have them told when it is saved.

        A receiver found dead while being told is the next input.
        """
        self._depth += 1
        while self._waiting or self._leaving or self._recorded:
            waiting, self._waiting = self._waiting, {}
            leaving, self._leaving = self._leaving, []
            recorded, self._recorded = self._recorded, []
            if not recorded and (self._hurried or self.saved == self._ticket):
                self._tell(waiting, leaving)
                continue
            self._ticket += bool(recorded)
            self._outputs.append(_Output(self._ticket, waiting, leaving))
            if recorded and self.journal is not None:
                self.journal.write(self._ticket, recorded)
                if self._watch is None and self.saved < self._ticket:
                    self._watch_disk(self._ticket)
        self._hurried = False
        self._depth -= 1

    def _tell(self, waiting: dict[Receiver, list[bytes]], leaving: list[Receiver]) -> None:
        for receiver, frames in waiting.items():
            receiver.write(frames)
        for receiver in leaving:
            receiver.hang_up()


class Alarm:
    """An input that is to be done later.

    Once it has rung or was cancelled it holds nothing, so that who had it set and holds it goes
    when nobody else needs them, without waiting for a search for garbage.
    """

    __slots__ = ("_inputs", "_step", "always", "timer")

    def __init__(self, inputs: Inputs, step: Callable[[], None], always: bool) -> None:
        self._inputs = inputs
        self._step = step
        self.always = always
        self.timer: Timer | None = None

    def ring(self) -> None:
        """Do it now, or as soon as the disk is back."""
        self.timer = None
        if self._inputs.hold(self):
            return
        self._inputs.timers.discard(self)
        step, self._step = self._step, nothing
        self._inputs.run(step)

    def cancel(self) -> None:
        """Make it not happen."""
        self._inputs.timers.discard(self)
        self._step = nothing
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
