"""What is written to the terminal, from a thread of its own, which alone waits for slow ones.

Of what a terminal has not taken yet, so much is kept and no more; beyond that it is forgotten, and
the screen is asked for as a whole once the terminal takes something again.
"""

import os
import select
import threading
from collections.abc import Callable

from skull_client import terminal

MOST_WAITING = 256 * 1024
"""Bytes that wait for a slow terminal: some whole pictures of a large one."""
_PARTING = 0.3
"""Seconds that the last bytes may take when the screen closes."""


class Outlet:
    """Writes text to a file descriptor, in order, and never makes the caller wait.

    `missed()` is called, in the thread of the outlet, when something was forgotten and the terminal
    takes bytes again. A terminal that has gone takes everything: there is nobody to tell.
    """

    def __init__(self, screen: int, missed: Callable[[], None]) -> None:
        self._screen = screen
        self._missed = missed
        self._change = threading.Condition()
        self._waiting: list[bytes] = []
        self._size = 0
        self._forgotten = self._closed = self._gone = False
        self._thread = threading.Thread(target=self._run, name="skull-screen", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Write this as UTF-8, once it is its turn."""
        piece = text.encode("utf-8", "replace")
        with self._change:
            if self._gone or self._closed:
                return
            if self._size + len(piece) > MOST_WAITING:
                self._waiting.clear()
                self._size = 0
                self._forgotten = True
            self._waiting.append(piece)
            self._size += len(piece)
            self._change.notify()

    def close(self) -> None:
        """Write what is left, unless the terminal takes nothing, and write nothing ever after."""
        with self._change:
            self._closed = True
            self._change.notify()
        self._thread.join(_PARTING)

    def _run(self) -> None:
        terminal.leave_signals_to_others()
        while True:
            with self._change:
                while not self._waiting and not self._closed:
                    self._change.wait()
                if not self._waiting:
                    return
                pieces = b"".join(self._waiting)
                self._waiting.clear()
                self._size = 0
            if not self._put(pieces):
                return
            with self._change:
                missed = self._forgotten and not self._waiting and not self._closed
                self._forgotten = self._forgotten and not missed
            if missed:
                self._missed()

    def _put(self, pieces: bytes) -> bool:
        """Write it all; False when the terminal has gone."""
        rest = memoryview(pieces)
        try:
            while rest:
                try:
                    rest = rest[os.write(self._screen, rest) :]
                except BlockingIOError:  # somebody else made the terminal non-blocking
                    select.select([], [self._screen], [])
        except OSError:
            with self._change:
                self._gone = True
                self._waiting.clear()
            return False
        return True
