"""How the process ends when it is told to, or when its terminal has gone: always, and soon.

SIGHUP is left as it was found: at its default it ends the process by itself. Where it is ignored
(nohup, some `su`), or never sent, the hang-up of the terminal itself is noticed.
"""

import os
import select
import signal
import termios
import threading
import time
from collections.abc import Callable
from types import FrameType

from skull_client import terminal

PATIENCE = 1.5
"""Seconds that leaving in good order may take after a signal; then the process just ends."""
PATIENCE_GONE = 0.6
"""The same when there is no terminal any more: nobody waits, and nothing need be restored."""
GONE_STATUS = 128 + signal.SIGHUP
"""The exit status when the terminal has gone, as shells count it."""


class Leaving:
    """Watches over one terminal; to be begun in the main thread, before anything is changed."""

    def __init__(self, keyboard: int, screen: int) -> None:
        """Both are file descriptors of the terminal."""
        self._keyboard = keyboard
        self._screen = screen
        self._before = termios.tcgetattr(keyboard)
        self.status = GONE_STATUS
        """The exit status of who leaves now."""
        self.politely: Callable[[int], object] | None = None
        """Asks the screen to close, with an exit status; from any thread. None: there is none."""

    def begin(self) -> None:
        """Take over SIGTERM and SIGINT, and watch the terminal."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._signalled)
        threading.Thread(target=self._watch, name="skull-hangup", daemon=True).start()

    def _signalled(self, number: int, _frame: FrameType | None) -> None:
        self.status = status = 128 + number
        self._end_later(status)
        if self.politely is None:
            raise SystemExit(status)
        self.politely(status)

    def _end_later(self, status: int) -> None:
        def end() -> None:
            terminal.leave_signals_to_others()
            time.sleep(PATIENCE)
            self._restore()
            os._exit(status)

        threading.Thread(target=end, name="skull-last-resort", daemon=True).start()

    def _restore(self) -> None:
        """Leave the terminal as it was, without waiting for it."""
        try:
            termios.tcsetattr(self._keyboard, termios.TCSANOW, self._before)
            if select.select([], [self._screen], [], 0)[1]:
                os.write(self._screen, terminal.LEAVE.encode("ascii"))
        except (OSError, termios.error):
            return  # it has gone

    def _watch(self) -> None:
        terminal.leave_signals_to_others()
        poll = select.poll()
        poll.register(self._keyboard, 0)  # a hang-up is told without being asked for
        poll.poll()
        if self.politely is not None:
            self.politely(GONE_STATUS)
            time.sleep(PATIENCE_GONE)
        os._exit(GONE_STATUS)
