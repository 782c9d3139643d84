"""The real journal on a disk that is slow, refuses, and forgets what was not committed."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from random import Random

from skull_server.inputs import Inputs
from skull_server.journal import Journal
from skull_server.journal_writer import Committed, Disk, commit
from skull_server.schema import Statement


class MoodyDisk(Disk):
    """Takes a commit, or does not, or takes it and says that it did not."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self.broken = False

    def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
        """Do all or nothing."""
        if self.broken and self._dice.random() < 0.8:
            raise sqlite3.OperationalError("database or disk is full")
        super().commit(connection, statements)
        if self.broken:
            raise sqlite3.OperationalError("disk I/O error")


class SimulatedJournal(Journal):
    """A journal whose writer is not a process but alarms of the virtual loop."""

    def __init__(self, directory: Path, dice: Random) -> None:
        self._dice = dice
        self.moods = MoodyDisk(dice)
        super().__init__(directory)
        self._connection.execute("PRAGMA synchronous = OFF")  # the crash is simulated as well
        self.slowest = 0.01
        """How long an fsync takes at most, in seconds."""
        self._started = False
        self._batch: tuple[int, Sequence[Statement]] | None = None
        self._crashed = False

    def start(self, gate: object) -> None:
        """Begin to write."""
        assert isinstance(gate, Inputs)
        self._gate = gate
        self._started = True
        self._write_next()

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        """Have statements committed, after all before them."""
        self._queue.append((ticket, statements))
        self._write_next()

    def crash(self) -> None:
        """Lose all that is not committed, and tell nobody of what is."""
        self._crashed = True
        self._queue.clear()
        self.close()

    def _write_next(self) -> None:
        if self._batch is None and self._queue and self._started:
            self._batch = self._next_batch()
            self._in(self.slowest, self._try)

    def _try(self) -> None:
        assert self._batch is not None
        if isinstance(commit(self._connection, self.moods, self._batch[1]), Committed):
            self._in(0.001, self._tell)
        else:
            self._gate.cannot_save()
            self._in(5.0, self._try)

    def _tell(self) -> None:
        assert self._batch is not None
        ticket, self._batch = self._batch[0], None
        self._write_next()
        self._gate.committed(ticket)

    def _in(self, longest: float, step: object) -> None:
        assert callable(step)

        def do() -> None:
            if not self._crashed:
                step()

        asyncio.get_running_loop().call_later(self._dice.uniform(0, longest), do)
