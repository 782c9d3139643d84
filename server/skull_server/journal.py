"""The journal: all that must outlive the server, and its writer.

One thread commits whatever was queued during its last commit, so one fsync serves many tables. A
batch that cannot be committed is kept and tried again until it can.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from skull_server import logs
from skull_server.damage import JournalDamaged
from skull_server.journal_file import (
    FILE,
    connected,
    lock_directory,
    opened,
    unlock_directory,
)
from skull_server.metrics import Metrics
from skull_server.schema import Statement

log = logs.get(__name__)

_FIRST_RETRY = 0.5
_LAST_RETRY = 5.0
"""Seconds between two tries of a batch that could not be committed: at first, and at last."""
_MANY_STATEMENTS = 12
_GATHER = 0.003
"""After a batch of that many the next is gathered for this long, in seconds: under load, what each
commit costs is shared by more of them; with less to do, nobody waits."""
_MOST_STATEMENTS = 5000
"""In one commit: after a long wait, what has queued up goes in pieces."""


class Gate(Protocol):
    """Who waits for commits (`Inputs`)."""

    def committed(self, ticket: int) -> None:
        """Everything up to this ticket is on the disk."""

    def cannot_save(self) -> None:
        """The disk takes nothing just now."""


class Disk:
    """What the writer does to the disk; tests put a worse one in its place."""

    def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
        """Do all or nothing, durably. Raises `sqlite3.Error` or `OSError`."""
        connection.execute("BEGIN IMMEDIATE")
        for sql, values in statements:
            connection.execute(sql, values)
        connection.execute("COMMIT")


class Journal:
    """The file in a data directory, open for the one server that may use it."""

    def __init__(self, directory: Path, disk: Disk | None = None) -> None:
        """Raises `DirectoryBusy`, `JournalDamaged`, `JournalTooNew` or `OSError`."""
        self.metrics = Metrics()
        """Told of every commit, by the writer's thread."""
        self.path = directory / FILE
        self._disk = disk or Disk()
        self._lock = lock_directory(directory)
        try:
            self._connection = opened(self.path)
            self._reader = connected(self.path)
        except BaseException:
            unlock_directory(self._lock)
            raise
        self._queue: list[tuple[int, Sequence[Statement]]] = []
        self._news = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return what is committed. For the event loop's thread. Raises `JournalDamaged`."""
        try:
            return self._reader.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as fault:
            raise JournalDamaged(str(fault)) from fault

    def start(self, gate: Gate) -> None:
        """Begin to write, and tell the gate in the running event loop."""
        call_soon = asyncio.get_running_loop().call_soon_threadsafe
        self._thread = threading.Thread(
            target=self._write_all, args=(gate, call_soon), name="journal", daemon=True
        )
        self._thread.start()

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        """Have statements committed, after all before them; tickets grow."""
        with self._news:
            self._queue.append((ticket, statements))
            self._news.notify()

    def close(self, seconds: float = 1.0) -> bool:
        """Commit what is queued and close; False: the disk did not take it in time."""
        with self._news:
            self._closing = True
            self._news.notify()
        if self._thread is not None:
            self._thread.join(seconds)
            if self._thread.is_alive():
                return False  # the file and its lock go with the process
        self._reader.close()
        self._connection.close()
        unlock_directory(self._lock)
        return not self._queue

    # -- the writer's thread ----------------------------------------------------------------------

    def _write_all(self, gate: Gate, call_soon: Callable[..., object]) -> None:
        while (batch := self._next_batch()) is not None:
            ticket, statements = batch
            wait = _FIRST_RETRY
            while not self._commit(statements):
                _tell(call_soon, gate.cannot_save)
                with self._news:
                    if self._news.wait_for(lambda: self._closing, wait):
                        self._queue.insert(0, (ticket, statements))
                        return
                wait = min(wait * 2, _LAST_RETRY)
            _tell(call_soon, gate.committed, ticket)
            if len(statements) >= _MANY_STATEMENTS:
                time.sleep(_GATHER)

    def _next_batch(self) -> tuple[int, list[Statement]] | None:
        """Wait for something to write; None: there is nothing, and nothing will come."""
        statements: list[Statement] = []
        with self._news:
            self._news.wait_for(lambda: self._queue or self._closing)
            taken = 0
            for _, some in self._queue:
                if statements and len(statements) + len(some) > _MOST_STATEMENTS:
                    break
                statements += some
                taken += 1
            if taken == 0:
                return None
            ticket = self._queue[taken - 1][0]
            del self._queue[:taken]
        return ticket, statements

    def _commit(self, statements: Sequence[Statement]) -> bool:
        began = time.monotonic()
        try:
            self._disk.commit(self._connection, statements)
        except Exception as fault:  # noqa: BLE001 - whatever it is, nothing may be acknowledged
            log.error("cannot_commit", fault)
            try:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
            except sqlite3.Error as second:
                log.error("cannot_roll_back", second)
            return False
        self.metrics.committed(time.monotonic() - began, len(statements))
        return True


def _tell(call_soon: Callable[..., object], callback: Callable[..., None], *about: int) -> None:
    try:
        call_soon(callback, *about)
    except RuntimeError:  # the event loop is closed: nobody waits any more
        log.info("journal_news_after_the_end")
