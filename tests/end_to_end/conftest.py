"""Real processes: a server on a free port, and clients whose screens are read."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyte
import pytest

CLIENT = (str(Path(sys.executable).with_name("skull-client")),)
PATIENCE = 60.0
"""Seconds before a wait is given up: far above what any step takes, so that it never decides."""


class Terminal:
    """A program in a pseudo-terminal, with the screen that a person would see.

    `start` runs in the new process, just before it becomes the program.
    """

    def __init__(
        self,
        arguments: list[str],
        env: dict[str, str],
        *,
        columns: int = 80,
        rows: int = 24,
        start: Callable[[], object] = lambda: None,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.fd, inside = pty.openpty()
        self.settings = termios.tcgetattr(inside)
        """How the terminal was set before the program did anything to it."""
        self.settings_at_end: list[object] | None = None
        self.everything = bytearray()
        """All bytes that the program has written."""
        self._set_size(columns, rows)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.fd)
            os.login_tty(inside)
            start()
            os.execvpe(arguments[0], arguments, env)
        os.close(inside)
        self.screen.write_process_input = self.answer
        self.status: int | None = None
        self.bytes_seen = 0
        self.read_at = 0.0
        """When the latest of them came, by the monotonic clock: before they were drawn here."""
        self.modes: dict[int, bool] = {}
        """The private modes that the program has set (True) or reset, by their number."""

    def answer(self, words: str) -> None:
        """Answer what the program asked its terminal."""
        os.write(self.fd, words.encode())

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        """Become larger or smaller; the program is told. Nothing at all is 0x0."""
        self.screen.resize(max(rows, 1), max(columns, 1))
        self._set_size(columns, rows)

    def hang_up(self) -> None:
        """Be gone, as when the window is closed or the line is cut."""
        os.close(self.fd)
        self.fd = -1

    def gone(self, seconds: float = PATIENCE) -> int | None:
        """Wait for the end of the process, without reading; None if it still runs."""
        handle = os.pidfd_open(self.pid)
        try:
            if not select.select([handle], [], [], seconds)[0]:
                return None
        finally:
            os.close(handle)
        return self.reap()

    def text(self) -> str:
        """The screen, a line each, as it is now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def press(self, *keys: str) -> None:
        """Send keys: plain characters, or the names below."""
        for key in keys:
            os.write(self.fd, KEYS.get(key, key).encode())

    def read(self, seconds: float) -> bool:
        """Take in what the program writes, for at most this long; False once it has hung up."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            chunk = os.read(self.fd, 65536)
        except OSError:
            return False
        if not chunk:
            return False
        self.read_at = time.monotonic()
        self.bytes_seen += len(chunk)
        self.everything += chunk
        for mode, setting in _MODE.findall(chunk):
            self.modes[int(mode)] = setting == b"h"
        self._stream.feed(_for_pyte(chunk))
        return True

    def wait(self, condition: Callable[[str], object], what: str) -> str:
        """Read until the screen fulfils the condition, and return it."""
        deadline = time.monotonic() + PATIENCE
        while not condition(self.text()):
            if time.monotonic() > deadline or not self.read(0.2):
                raise AssertionError(f"never saw {what}; the screen is\n{self.text()}")
        return self.text()

    def wait_for(self, *patterns: str) -> str:
        """Read until every pattern is on the screen."""
        return self.wait(lambda text: all(re.search(p, text) for p in patterns), repr(patterns))

    def finish(self) -> int:
        """Read until the program ends, and return its exit status."""
        deadline = time.monotonic() + PATIENCE
        while self.read(0.2):
            assert time.monotonic() < deadline, f"still running:\n{self.text()}"
        return self.reap()

    def reap(self) -> int:
        """Wait for the process itself."""
        if self.status is None:
            _, status = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
            if self.fd >= 0:
                self.settings_at_end = termios.tcgetattr(self.fd)
                os.close(self.fd)
        return self.status

    def kill(self) -> None:
        """End the program whatever it does."""
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.reap()


KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "backspace": "\x7f",
    "f2": "\x1bOQ",
}

_MODE = re.compile(rb"\x1b\[\?([0-9]+)([hl])")
_UNKNOWN_TO_PYTE = re.compile(
    rb"\x1b\[[<>=?][0-9;]*[uqmp]|\x1bP.*?\x1b\\|\x1b\][^\x07]*?(\x07|\x1b\\)"
)


def _for_pyte(chunk: bytes) -> bytes:
    """Drop the private sequences that pyte would print as text (keyboard modes, queries)."""
    return _UNKNOWN_TO_PYTE.sub(b"", chunk)


class ServerProcess:
    """A real `skull-server` on a port of its own."""

    def __init__(self, data_dir: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [
                str(Path(sys.executable).with_name("skull-server")),
                *("--host", "127.0.0.1", "--port", "0", "--data-dir", str(data_dir)),
                *arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.ready = self.process.stdout.readline().strip()
        assert self.ready.startswith("skull-server listening on "), self.ready
        self.address = self.ready.rsplit(" ", 1)[1]

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that is stopped after the test, and must end well."""
    process = ServerProcess(tmp_path / "server")
    yield process
    if process.process.poll() is None:
        assert process.stop() == 0


@pytest.fixture
def open_client(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Start `skull-client` in a pseudo-terminal, as often as the test likes."""
    opened: list[Terminal] = []

    def start(
        *arguments: str,
        program: Sequence[str] = CLIENT,
        columns: int = 80,
        rows: int = 24,
        start: Callable[[], object] = lambda: None,
        kind: type[Terminal] = Terminal,
        **env: str,
    ) -> Terminal:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        terminal = kind(
            [*program, *arguments],
            {
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "TERM": "xterm-256color",
                "LANG": "C.UTF-8",
                **env,
            },
            columns=columns,
            rows=rows,
            start=start,
        )
        opened.append(terminal)
        return terminal

    yield start
    for terminal in opened:
        terminal.kill()
