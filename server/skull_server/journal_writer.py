"""The journal's writer, a process of its own: commits what the server hands over, and says so.

In the server's own process each commit took the interpreter from the event loop again and again.
The server hands over one batch and waits for the report. When it is gone, or has closed the line,
the writer ends after the batch at hand; a batch that the disk does not take then ends with it,
since nobody was told of it.
"""

import select
import socket
import sqlite3
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from skull_protocol.codec import FrameSplitter, encode
from skull_protocol.wire import Tagged
from skull_server.journal_file import connected
from skull_server.log_lines import kind_of
from skull_server.schema import Statement

MAX_BATCH = 2**30
"""Bytes in the largest batch: no limit but that a frame has one."""
_FIRST_RETRY = 0.5
_LAST_RETRY = 5.0
"""Seconds between two tries of a batch that could not be committed: at first, and at last."""
_CHUNK = 1024 * 1024


class Batch(Tagged, frozen=True):
    """From the server: statements to be committed together."""

    statements: Sequence[Statement]


class Committed(Tagged, frozen=True):
    """To the server: the batch is on the disk."""

    seconds: float
    """How long that took."""


class NotCommitted(Tagged, frozen=True):
    """To the server: the disk does not take the batch; it is tried again until it does."""

    reason: str
    """What kind of fault it was; its text might tell of what is written."""


Report = Committed | NotCommitted

_batch = msgspec.msgpack.Decoder(Batch)
_report: msgspec.msgpack.Decoder[Report] = msgspec.msgpack.Decoder(Report)


def report_in(body: bytes) -> Report:
    """Read a report."""
    return _report.decode(body)


class Disk:
    """What the writer does to the disk; tests put a worse one in its place."""

    def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
        """Do all or nothing, durably. Raises `sqlite3.Error` or `OSError`."""
        connection.execute("BEGIN IMMEDIATE")
        for sql, values in statements:
            connection.execute(sql, values)
        connection.execute("COMMIT")


def commit(connection: sqlite3.Connection, disk: Disk, statements: Sequence[Statement]) -> Report:
    """Try to commit a batch, once."""
    began = time.monotonic()
    try:
        disk.commit(connection, statements)
    except Exception as fault:  # noqa: BLE001 - whatever it is, nothing may be acknowledged
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error as second:
            return NotCommitted(f"{kind_of(fault)}, {kind_of(second)}")
        return NotCommitted(kind_of(fault))
    return Committed(time.monotonic() - began)


def write_all(line: socket.socket, path: Path, disk: Disk) -> None:
    """Commit one batch after the other, until the server closes the line."""
    connection = connected(path)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        batches = FrameSplitter(MAX_BATCH)
        while chunk := line.recv(_CHUNK):
            for body in batches.feed(chunk):
                if not _write(line, connection, disk, _batch.decode(body).statements):
                    return
    except OSError:
        return  # the server is gone, and with it whoever waited
    finally:
        connection.close()


def _write(
    line: socket.socket,
    connection: sqlite3.Connection,
    disk: Disk,
    statements: Sequence[Statement],
) -> bool:
    """Commit a batch, however often that has to be tried; False: the server waits no more."""
    wait = _FIRST_RETRY
    while True:
        report = commit(connection, disk, statements)
        line.sendall(encode(report))
        if isinstance(report, Committed):
            return True
        # Until it hears that a batch is committed, all that the server can do is close the line.
        if select.select([line], [], [], wait)[0]:
            return False
        wait = min(wait * 2, _LAST_RETRY)


if __name__ == "__main__":
    write_all(socket.socket(fileno=sys.stdin.fileno()), Path(sys.argv[1]), Disk())
