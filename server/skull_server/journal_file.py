"""The journal's file in a data directory: its lock, its schema, and how it is opened."""

import fcntl
import os
import sqlite3
import time
from pathlib import Path

from skull_server.damage import JournalDamaged
from skull_server.schema import MIGRATIONS

FILE = "journal.sqlite3"
_LOCK = "lock"
_PATIENCE = 3.0
"""Seconds for which a directory may be busy: the writer of a killed server may still need them."""


class JournalTooNew(Exception):  # noqa: N818 - names what was found
    """The file was written by a newer server."""


class DirectoryBusy(Exception):  # noqa: N818 - names what was found
    """Another server uses the data directory."""


def lock_directory(directory: Path) -> int:
    """Take a data directory for this process; the lock is the descriptor returned.

    Raises `DirectoryBusy` or `OSError`.
    """
    lock = os.open(directory / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + _PATIENCE
    try:
        while not _locked(lock):
            if time.monotonic() > deadline:
                raise DirectoryBusy(f"another server uses {directory}")
            time.sleep(_PATIENCE / 300)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def unlock_directory(lock: int) -> None:
    """Let another process have a data directory."""
    os.close(lock)


def opened(path: Path) -> sqlite3.Connection:
    """Open the journal to write, making or upgrading it.

    Raises `JournalDamaged`, `JournalTooNew` or `OSError`.
    """
    # SQLite gives the files that it puts beside it the same mode.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    path.chmod(0o600)
    connection = connected(path)
    try:
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}")
        found = [str(row[0]) for row in connection.execute("PRAGMA quick_check(1)")]
        if found != ["ok"]:
            raise JournalDamaged(" ".join(found[0].split()))
        _migrate(connection)
    except sqlite3.OperationalError as fault:
        connection.close()
        raise OSError(None, str(fault), str(path)) from fault
    except sqlite3.DatabaseError as fault:
        connection.close()
        raise JournalDamaged(str(fault)) from fault
    except (JournalDamaged, JournalTooNew):
        connection.close()
        raise
    return connection


def connected(path: Path) -> sqlite3.Connection:
    """Open the journal as it is, with no transactions but our own."""
    return sqlite3.connect(path, isolation_level=None)


def _migrate(connection: sqlite3.Connection) -> None:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise JournalTooNew(f"the journal was written by a newer server (schema {version})")
    for number, script in enumerate(MIGRATIONS[version:], version + 1):
        connection.executescript(f"BEGIN;{script};PRAGMA user_version = {number};COMMIT;")
