"""Journals and disks that do what a test says: commit by hand, fill up, hang, lie, crash."""

import asyncio
import contextlib
import os
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from skull_server import records
from skull_server.journal import Gate, Journal
from skull_server.journal_file import FILE
from skull_server.journal_writer import Committed, Disk, commit, write_all
from skull_server.schema import Statement


class Waiting:
    """A gate that notes what the journal tells it."""

    def __init__(self) -> None:
        self.tickets: list[int] = []
        self.faults = 0
        self._news = asyncio.Event()

    def committed(self, ticket: int) -> None:
        self.tickets.append(ticket)
        self._news.set()

    def cannot_save(self) -> None:
        self.faults += 1
        self._news.set()

    async def until(self, ticket: int) -> None:
        while ticket not in self.tickets:
            await self.news()

    async def news(self) -> None:
        async with asyncio.timeout(20):
            await self._news.wait()
        self._news.clear()


def player(number: int) -> Sequence[Statement]:
    """What has a player saved."""
    return records.player_saved(number, f"Player {number}", [bytes(32)])


def stored(directory: Path) -> list[int]:
    """The players that are on the disk."""
    connection = sqlite3.connect(directory / FILE)
    try:
        return [row[0] for row in connection.execute("SELECT id FROM players ORDER BY id")]
    finally:
        connection.close()


class BadDisk(Disk):
    """A disk that raises `fault` while there is one, before the commit or after it."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.lies = False
        """The commit is done, and then reported as failed."""
        self.commits: list[int] = []
        """How many statements each commit had."""

    def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
        if self.fault is not None and not self.lies:
            raise self.fault
        super().commit(connection, statements)
        if self.fault is not None:
            raise self.fault
        self.commits.append(len(statements))


class ThreadedWriter(threading.Thread):
    """The writer as it is, but with a disk of the test's, so it runs in the test's process."""

    def __init__(self, disk: Disk, path: Path, line: socket.socket) -> None:
        super().__init__(daemon=True)
        self._disk, self._path, self._line = disk, path, line
        self.start()

    def run(self) -> None:
        with self._line, contextlib.suppress(SystemExit):  # so a disk makes it die
            write_all(self._line, self._path, self._disk)

    def wait(self, timeout: float) -> None:
        self.join(timeout)
        if self.is_alive():
            raise subprocess.TimeoutExpired("writer", timeout)

    def kill(self) -> None:
        """It is only killed when it has ended."""


def on(disk: Disk) -> Callable[[Path, socket.socket, int], ThreadedWriter]:
    """What launches a writer that has this disk."""
    return lambda path, line, lock: ThreadedWriter(disk, path, line.dup())


class HandJournal(Journal):
    """Commits in the test's own thread: at once, or when the test says so."""

    def __init__(self, directory: Path, *, at_once: bool = True) -> None:
        self.disk = BadDisk()
        self.at_once = at_once
        super().__init__(directory)
        self._connection.execute("PRAGMA synchronous = OFF")  # these tests cut no power

    def start(self, gate: Gate) -> None:
        self._gate = gate

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        self._queue.append((ticket, statements))
        if self.at_once:
            self.commit()

    def commit(self) -> None:
        """Try to commit all that is queued, and report."""
        while self._queue:
            batch = self._next_batch()
            if not isinstance(commit(self._connection, self.disk, batch[1]), Committed):
                self._queue.appendleft(batch)
                self._gate.cannot_save()
                return
            self._gate.committed(batch[0])

    def crash(self) -> None:
        """The process dies: what is not committed is gone, and so is the lock."""
        self._queue.clear()
        self._connection.close()
        os.close(self._lock)


NewJournal = Callable[..., HandJournal]
