"""A damaged journal set aside unharmed, and a new one begun with whatever can be read of it."""

import shutil
import sqlite3
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from skull_server.check import Stored, problems
from skull_server.journal_file import FILE, lock_directory, opened, unlock_directory

_SUFFIXES = ("", "-wal", "-shm")
_KEYS = {
    "players": ("id",),
    "answers": ("player", "slot"),
    "tables": ("code",),
    "games": ("id",),
    "seats": ("game", "seat"),
    "inputs": ("game", "n"),
    "former": ("token",),
    "standings": ("look",),
    "own_statistics": ("player",),
    "opponents": ("player", "look"),
}
"""Every table and the order it lies in on the disk, so that it can be read from both ends."""


def salvage(directory: Path) -> list[str]:
    """Set the journal aside and begin another; return sentences that say what was done.

    Raises `DirectoryBusy` or `OSError`.
    """
    lock = lock_directory(directory)
    try:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        aside = directory / f"{FILE}.damaged-{stamp}"
        with tempfile.TemporaryDirectory(dir=directory) as workshop:
            # SQLite writes even where it only reads: so it gets a copy.
            copy, fresh = Path(workshop) / "damaged", Path(workshop) / FILE
            for suffix in _SUFFIXES:
                if (found := directory / f"{FILE}{suffix}").exists():
                    shutil.copyfile(found, f"{copy}{suffix}")
            report = _rescue(copy, fresh)
            for suffix in _SUFFIXES:
                if (found := directory / f"{FILE}{suffix}").exists():
                    found.rename(f"{aside}{suffix}")
            fresh.rename(directory / FILE)
    finally:
        unlock_directory(lock)
    return [f"the damaged journal is kept, unharmed, as {aside.name}", *report]


def _rescue(copy: Path, fresh: Path) -> list[str]:
    lost: list[str] = []
    new = opened(fresh)
    try:
        old = sqlite3.connect(copy)
        # Text that is no UTF-8 is damage, to be found when it is looked at.
        old.text_factory = lambda raw: raw.decode(errors="replace")
        try:
            new.execute("BEGIN")
            for table, key in _KEYS.items():
                if not _copy_rows(old, new, table, key):
                    lost.append(f"lost: some of the {table}")
            _copy_counters(old, new)
            new.execute("COMMIT")
        finally:
            old.close()
    finally:
        new.close()
    lost += [f"lost: {sentence}" for sentence in _drop_problems(fresh)]
    stored = Stored(fresh)
    counts = {
        table: stored.read(f"SELECT count(*) FROM {table}")[0][0]  # noqa: S608 - a constant
        for table in ("players", "tables", "games")
    }
    stored.close()
    return [f"kept: {', '.join(f'{count} {table}' for table, count in counts.items())}", *lost]


def _copy_rows(
    old: sqlite3.Connection, new: sqlite3.Connection, table: str, key: tuple[str, ...]
) -> bool:
    """Copy what can be read, from the first row and then from the last; tell whether that is all.

    Damage in the middle makes what comes after it unreachable from the front.
    """
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{column} {direction}" for column in key)
        try:
            rows = old.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608 - constants
            columns = ", ".join(column[0] for column in rows.description)
            marks = ", ".join("?" * len(rows.description))
            for row in rows:
                new.execute(
                    f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})",  # noqa: S608
                    row,
                )
        except sqlite3.DatabaseError:
            continue
        return direction == "ASC"
    return False


def _copy_counters(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Give no number to anybody that somebody had before, as far as that can be read."""
    try:
        counters = old.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    except sqlite3.DatabaseError:
        return  # `restore` then looks at who is named anywhere
    for name, last in counters:
        new.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
        new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, last))


def _drop_problems(path: Path) -> list[str]:
    """Take out what could not be restored, until all that is left can."""
    sentences: list[str] = []
    while True:
        stored = Stored(path)
        found = list(problems(stored))
        stored.close()
        if not found:
            return sentences
        with sqlite3.connect(path) as connection:
            for problem in found:
                sentences.append(problem.sentence)
                connection.execute("DELETE FROM tables WHERE code = ?", (problem.table,))
                for table, column in (("games", "id"), ("seats", "game"), ("inputs", "game")):
                    connection.execute(
                        f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608 - constants
                        (problem.game,),
                    )
        connection.close()
