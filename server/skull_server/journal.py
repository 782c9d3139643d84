"""The journal: all that must outlive the server, read here and written by a process of its own.

The writer gets whatever was queued during its last commit, so one fsync serves many tables. One
that dies is replaced, and what it had not yet reported is done again.
"""

import asyncio
import contextlib
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from skull_protocol.codec import FrameSplitter, encode
from skull_server import logs
from skull_server.damage import JournalDamaged
from skull_server.journal_file import FILE, lock_directory, opened, unlock_directory
from skull_server.journal_writer import MAX_BATCH, Batch, NotCommitted, Report, report_in
from skull_server.metrics import Metrics
from skull_server.schema import Statement

log = logs.get(__name__)

_MOST_STATEMENTS = 5000
"""In one commit: after a long wait, what has queued up goes in pieces."""
_REPLACE = 0.5
"""Seconds after which a writer that has died is replaced."""
_DYING = 0.1
"""Seconds that a writer that was killed may take to be gone."""
_CHUNK = 4096
_WRITER = (sys.executable, "-P", "-m", "skull_server.journal_writer")
_NOT_FOR_THE_WRITER = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
"""What ends the server reaches its writer as well, which has still to commit what was done."""


class Gate(Protocol):
    """Who waits for commits (`Inputs`)."""

    def committed(self, ticket: int) -> None:
        """Everything up to this ticket is on the disk."""

    def cannot_save(self) -> None:
        """The disk takes nothing just now."""


class Process(Protocol):
    """A running writer."""

    def wait(self, timeout: float) -> object:
        """Wait until it has ended. Raises `subprocess.TimeoutExpired`."""

    def kill(self) -> None:
        """End it at once."""


Launch = Callable[[Path, socket.socket, int], Process]
"""Starts a writer for a file, with its end of the line and the lock that it is to hold as well."""


def launch_writer(path: Path, line: socket.socket, lock: int) -> Process:
    """Start the writer's process. Raises `OSError`.

    It holds the lock for as long as it lives, so no other server begins before the last commit.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _NOT_FOR_THE_WRITER)
    try:
        return subprocess.Popen(  # noqa: S603 - a program of our own
            [*_WRITER, str(path)],
            stdin=line.fileno(),
            stdout=subprocess.DEVNULL,
            pass_fds=(lock,),
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


class Journal:
    """The file in a data directory, open for the one server that may use it."""

    def __init__(self, directory: Path, launch: Launch = launch_writer) -> None:
        """Raises `DirectoryBusy`, `JournalDamaged`, `JournalTooNew` or `OSError`."""
        self.metrics = Metrics()
        """Told of every commit."""
        self.path = directory / FILE
        self._launch = launch
        self._lock = lock_directory(directory)
        try:
            self._connection = opened(self.path)
        except BaseException:
            unlock_directory(self._lock)
            raise
        self._queue: deque[tuple[int, Sequence[Statement]]] = deque()
        self._at_writer: tuple[int, Sequence[Statement]] | None = None
        """The batch of which a report is awaited."""
        self._unsent = memoryview(b"")
        """What of it does not fit into the line yet."""
        self._line: socket.socket | None = None
        """This end of it, while there is a writer."""
        self._replacing: asyncio.TimerHandle | None = None
        self._disk_fails = False

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return what is committed. Raises `JournalDamaged`."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as fault:
            raise JournalDamaged(str(fault)) from fault

    def start(self, gate: Gate) -> None:
        """Begin to write, and tell the gate in the running event loop."""
        self._gate = gate
        self._loop = asyncio.get_running_loop()
        self._start_writer()

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        """Have statements committed, after all before them; tickets grow."""
        self._queue.append((ticket, statements))
        if self._at_writer is None and len(self._queue) == 1:
            self._loop.call_soon(self._hand_over)  # with whatever else is done in this turn

    def close(self, seconds: float = 1.0) -> bool:
        """Commit what is queued and close; False: the disk did not take it in time."""
        deadline = time.monotonic() + seconds
        if self._replacing is not None:
            self._replacing.cancel()
        if self._line is not None:
            self._leave_line_to_itself()
            with contextlib.suppress(OSError):  # no time is left, or no writer
                self._write_last(self._line, deadline)
            self._line.close()
            self._line = None
            with contextlib.suppress(subprocess.TimeoutExpired):  # it goes when its commit is done
                self._process.wait(max(0.0, deadline - time.monotonic()))
        self._connection.close()
        unlock_directory(self._lock)
        return not self._queue and self._at_writer is None

    def _write_last(self, line: socket.socket, deadline: float) -> None:
        """Have everything committed that the disk takes by then. Raises `OSError`."""
        while (self._at_writer is not None or self._queue) and not self._disk_fails:
            if self._at_writer is None:
                self._unsent = self._next_frame()
            line.settimeout(max(0.001, deadline - time.monotonic()))
            line.sendall(self._unsent)
            self._unsent = memoryview(b"")
            chunk = line.recv(_CHUNK)
            if not chunk:
                return  # the writer has died
            for body in self._reports.feed(chunk):
                self._committed(report_in(body))

    # -- the writer -------------------------------------------------------------------------------

    def _start_writer(self) -> None:
        self._reports = FrameSplitter(MAX_BATCH)
        ours, its = socket.socketpair()
        try:
            self._process = self._launch(self.path, its, self._lock)
        except OSError as fault:
            log.error("no_writer", fault)
            ours.close()
            self._replacing = self._loop.call_later(_REPLACE, self._start_writer)
            return
        finally:
            its.close()
        ours.setblocking(False)
        self._line = ours
        self._loop.add_reader(ours, self._hear, ours)
        self._hand_over()

    def _hand_over(self) -> None:
        """Give the writer what has queued up, unless it is busy."""
        if self._line is not None and self._at_writer is None and self._queue:
            self._unsent = self._next_frame()
            self._send(self._line)
            if self._unsent:
                self._loop.add_writer(self._line, self._send_rest, self._line)

    def _next_frame(self) -> memoryview:
        self._at_writer = self._next_batch()
        return memoryview(encode(Batch(self._at_writer[1])))

    def _next_batch(self) -> tuple[int, Sequence[Statement]]:
        """Take what has queued up, or as much of it as may go in one commit."""
        ticket, first = self._queue.popleft()
        statements = list(first)
        while self._queue and len(statements) + len(self._queue[0][1]) <= _MOST_STATEMENTS:
            ticket, some = self._queue.popleft()
            statements += some
        return ticket, statements

    def _send(self, line: socket.socket) -> None:
        with contextlib.suppress(OSError):  # it is full; or the writer is gone, as will be heard
            self._unsent = self._unsent[line.send(self._unsent) :]

    def _send_rest(self, line: socket.socket) -> None:
        self._send(line)
        if not self._unsent:
            self._loop.remove_writer(line)

    def _hear(self, line: socket.socket) -> None:
        """Take in what the writer reports."""
        try:
            chunk = line.recv(_CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            self._replace_writer(line)
            return
        for body in self._reports.feed(chunk):
            report = report_in(body)
            batch = self._committed(report)
            if isinstance(report, NotCommitted):
                log.error("cannot_commit", reason=report.reason)
                self._gate.cannot_save()
            elif batch is not None:
                ticket, statements = batch
                self._hand_over()
                self.metrics.committed(report.seconds, len(statements))
                self._gate.committed(ticket)

    def _committed(self, report: Report) -> tuple[int, Sequence[Statement]] | None:
        """Take note of a report, and return the batch that is on the disk by it, if one is."""
        self._disk_fails = isinstance(report, NotCommitted)
        if self._disk_fails:
            return None
        batch, self._at_writer = self._at_writer, None
        return batch

    def _replace_writer(self, line: socket.socket) -> None:
        """The writer has died: another is to do again what this one may not have done."""
        log.error("writer_died")
        self._leave_line_to_itself()
        line.close()
        self._line = None
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # it is stuck in the disk
            self._process.wait(_DYING)
        if self._at_writer is not None:
            self._queue.appendleft(self._at_writer)
            self._at_writer = None
        self._replacing = self._loop.call_later(_REPLACE, self._start_writer)

    def _leave_line_to_itself(self) -> None:
        assert self._line is not None
        self._loop.remove_reader(self._line)
        self._loop.remove_writer(self._line)
