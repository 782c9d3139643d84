"""A server in a process of its own, and what the kernel says it uses."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BARE = [sys.executable, str(Path(__file__).with_name("bare_server.py"))]
UNSAVED = [sys.executable, str(Path(__file__).with_name("unsaved_server.py"))]
COMPILED = Path(".venv-compiled/bin")
"""Where `make` has installed the server compiled."""
_UNLIMITED = (
    "--requests-per-second=100000000",
    "--request-burst=100000000",
    "--connections-per-address=100000",
    "--connections=100000",
    "--players=100000",
    "--tables=100000",
)
"""The limits of one client, raised: here one address plays for everybody, as fast as it can."""


class ServerProcess:
    """A running server."""

    def __init__(self, pid: int, port: int) -> None:
        self.port = port
        self._proc = Path(f"/proc/{pid}")

    def cpu(self) -> float:
        """Seconds of CPU used so far, by all threads of the server and of what it has started."""
        return _nanoseconds(self._proc) / 1e9

    def memory(self) -> int:
        """Resident bytes."""
        pages = int(self._proc.joinpath("statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def _nanoseconds(process: Path) -> int:
    spent = 0
    for thread in process.joinpath("task").iterdir():
        spent += int(thread.joinpath("schedstat").read_text().split()[0])
        for child in thread.joinpath("children").read_text().split():
            spent += _nanoseconds(process.with_name(child))
    return spent


def skull(data: str, *flags: str, compiled: bool = False) -> list[str]:
    """Return the command of our server; `compiled`: of the one with its busiest rooms compiled."""
    programs = COMPILED if compiled else Path(sys.executable).parent
    program = str(programs / "skull-server")
    return [program, "--host=127.0.0.1", "--port=0", f"--data-dir={data}", *_UNLIMITED, *flags]


@contextmanager
def running(command: list[str], log: int | None = None) -> Iterator[ServerProcess]:
    """Start a server, wait until it listens, and end it afterwards.

    `log`: where it logs to, as for `subprocess`; None: where we do.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if "listening on" not in line:
                raise SystemExit(f"{command[0]} did not start")
            yield ServerProcess(process.pid, int(line.rpartition(":")[2]))
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
