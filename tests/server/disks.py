"""Journals and disks that do what a test says: commit by hand, fill up, hang, lie, crash."""

import os
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

from skull_server.journal import Disk, Gate, Journal
from skull_server.schema import Statement


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


class HandJournal(Journal):
    """Commits in the test's own thread: at once, or when the test says so."""

    def __init__(self, directory: Path, *, at_once: bool = True) -> None:
        self.disk = BadDisk()
        self.at_once = at_once
        self._gate: Gate | None = None
        super().__init__(directory, self.disk)
        self._connection.execute("PRAGMA synchronous = OFF")  # these tests cut no power

    def start(self, gate: Gate) -> None:
        self._gate = gate

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        super().write(ticket, statements)
        if self.at_once:
            self.commit()

    def commit(self) -> None:
        """Try to commit all that is queued, and report."""
        assert self._gate is not None
        while self._queue:
            batch = self._next_batch()
            assert batch is not None
            if not self._commit(batch[1]):
                self._queue.insert(0, batch)
                self._gate.cannot_save()
                return
            self._gate.committed(batch[0])

    def crash(self) -> None:
        """The process dies: what is not committed is gone, and so is the lock."""
        self._queue.clear()
        self._reader.close()
        self._connection.close()
        os.close(self._lock)


NewJournal = Callable[..., HandJournal]
