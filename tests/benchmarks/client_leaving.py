"""How soon the client has ended once its terminal is gone, or once it is told to.

    python -m tests.benchmarks.client_leaving

A second is promised. That it ends at all, and leaves the terminal as it was, is tested in
tests/terminals; nothing here decides whether a test passes.
"""

import os
import select
import signal
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.client_moves import running
from tests.end_to_end.conftest import CLIENT, Terminal
from tests.terminals.test_hang_up import children, ignore_hang_up, leave_the_session, stall

TIMES = 5
PATIENCE = 20.0
Start = Callable[[], None]


def nothing() -> None:
    """The client starts as any program does."""


def hang_up(terminal: Terminal) -> None:
    """The window is closed, or the line is cut."""
    terminal.hang_up()


def stall_and_hang_up(terminal: Terminal) -> None:
    """The terminal takes nothing more, and then is gone."""
    stall(terminal)
    terminal.hang_up()


def told(number: signal.Signals) -> Callable[[Terminal], None]:
    """Return what sends a signal to the client."""
    return lambda terminal: os.kill(terminal.pid, number)


WAYS: dict[str, tuple[Start, Callable[[Terminal], None]]] = {
    "hung up": (nothing, hang_up),
    "hung up, SIGHUP ignored": (ignore_hang_up, hang_up),
    "hung up outside the session": (leave_the_session, hang_up),
    "stalled, then hung up": (nothing, stall_and_hang_up),
    "stalled, then hung up, SIGHUP ignored": (ignore_hang_up, stall_and_hang_up),
    "SIGTERM": (nothing, told(signal.SIGTERM)),
    "SIGINT": (nothing, told(signal.SIGINT)),
}


def measure(start: Start, end: Callable[[Terminal], None], home: Path) -> float:
    """Milliseconds from what ends a client until its process is gone."""
    arguments, env = [*CLIENT, "--here"], {"TERM": "xterm"}
    with running(arguments, env, home, columns=200, rows=60, start=start) as terminal:
        terminal.wait_for("Place a flower")
        client = int(children(terminal.pid)[0]) if start is leave_the_session else terminal.pid
        handle = os.pidfd_open(client)
        end(terminal)
        begun = time.monotonic()
        gone, _, _ = select.select([handle], [], [], PATIENCE)
        took = time.monotonic() - begun
        os.close(handle)
        return 1000 * took if gone else float("inf")


def main() -> None:
    """Measure every way."""
    with tempfile.TemporaryDirectory() as home:
        for name, (start, end) in WAYS.items():
            took = sorted(measure(start, end, Path(home)) for _ in range(TIMES))
            print(f"{name:<40}{statistics.median(took):7.0f} ms{took[-1]:7.0f} ms at most")


if __name__ == "__main__":
    main()
