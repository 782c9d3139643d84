"""The journal itself: its file, its writer, and disks that fill up, fail, hang and lie."""

import asyncio
import errno
import sqlite3
import stat
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.disks import BadDisk, Waiting, on, player, stored

from skull_server import journal_file, records, schema
from skull_server.damage import JournalDamaged
from skull_server.journal import Journal
from skull_server.journal_file import FILE, DirectoryBusy, JournalTooNew, opened
from skull_server.journal_writer import Disk
from skull_server.schema import Statement


class SlowDisk(BadDisk):
    """A disk on which each commit waits to be let through."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        self.ended = threading.Semaphore(0)

    def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
        self.begun.release()
        assert self.let_through.acquire(timeout=20)
        super().commit(connection, statements)
        self.ended.release()


async def test_what_queues_up_during_a_commit_goes_into_the_next_one(tmp_path: Path) -> None:
    disk, gate = SlowDisk(), Waiting()
    journal = Journal(tmp_path, on(disk))
    journal.start(gate)
    journal.write(1, player(1))
    await asyncio.to_thread(disk.begun.acquire)
    for number in range(2, 101):
        journal.write(number, player(number))
    assert gate.tickets == []
    disk.let_through.release(2)
    await gate.until(100)
    assert gate.tickets == [1, 100], "one message for each commit"
    assert disk.commits == [1, 99]
    assert journal.close()
    assert stored(tmp_path) == list(range(1, 101))


async def test_nothing_is_told_before_it_is_on_the_disk(tmp_path: Path) -> None:
    gate = Waiting()
    journal = Journal(tmp_path)
    journal.start(gate)
    for number in range(1, 20):
        journal.write(number, player(number))
        await gate.until(number)
        assert stored(tmp_path)[-1] == number
    journal.close()


@pytest.mark.parametrize("lies", [False, True])
@pytest.mark.parametrize(
    "fault",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        sqlite3.OperationalError("disk I/O error"),
        sqlite3.OperationalError("database or disk is full"),
        RuntimeError("whatever else"),
    ],
)
async def test_a_batch_that_fails_is_tried_until_it_is_done_and_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception, lies: bool
) -> None:
    monkeypatch.setattr("skull_server.journal_writer._FIRST_RETRY", 0.001)
    disk, gate = BadDisk(), Waiting()
    journal = Journal(tmp_path, on(disk))
    journal.start(gate)
    disk.fault, disk.lies = fault, lies
    journal.write(1, (*player(1), *records.player_gone(2)))
    journal.write(2, player(2))
    while gate.faults < 3:
        await gate.news()
    assert gate.tickets == []
    disk.fault = None
    await gate.until(2)
    assert journal.close()
    assert stored(tmp_path) == [1, 2]


async def test_a_disk_that_is_really_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skull_server.journal_writer._FIRST_RETRY", 0.001)

    class FullDisk(Disk):
        limit = True

        def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages if self.limit else 2**30}")
            super().commit(connection, statements)

    disk, gate = FullDisk(), Waiting()
    journal = Journal(tmp_path, on(disk))
    journal.start(gate)
    long = "x" * 100_000
    journal.write(1, records.player_saved(1, long, []))
    while gate.faults < 2:
        await gate.news()
    assert stored(tmp_path) == []
    FullDisk.limit = False
    await gate.until(1)
    assert journal.close()
    assert stored(tmp_path) == [1]


async def test_closing_commits_what_is_queued(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.start(Waiting())
    for number in range(1, 50):
        journal.write(number, player(number))
    assert journal.close()
    assert stored(tmp_path) == list(range(1, 50))


async def test_closing_does_not_wait_for_a_disk_that_fails_or_hangs(tmp_path: Path) -> None:
    bad, gate = BadDisk(), Waiting()
    bad.fault = OSError(errno.EIO, "I/O error")
    journal = Journal(tmp_path, on(bad))
    journal.start(gate)
    journal.write(1, player(1))
    await gate.news()
    assert not journal.close()
    slow = SlowDisk()
    journal = Journal(tmp_path, on(slow))
    journal.start(gate)
    journal.write(1, player(1))
    await asyncio.to_thread(slow.begun.acquire)
    assert not journal.close(seconds=0.01)
    slow.let_through.release()
    await asyncio.to_thread(slow.ended.acquire)
    assert stored(tmp_path) == [1], "what was under way is done all the same"


def test_the_files_are_for_their_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    files = [file for file in tmp_path.iterdir() if file.name.startswith(FILE)]
    assert {file.name for file in files} >= {FILE, f"{FILE}-wal"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    journal.close()
    (tmp_path / FILE).chmod(0o644)
    Journal(tmp_path).close()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_commits_survive_a_power_cut(tmp_path: Path) -> None:
    connection = opened(tmp_path / FILE)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()


def test_one_server_for_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_file, "_PATIENCE", 0.01)
    journal = Journal(tmp_path)
    with pytest.raises(DirectoryBusy):
        Journal(tmp_path)
    journal.close()
    Journal(tmp_path).close()


def test_a_journal_of_an_older_schema_is_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path)
    Disk().commit(journal._connection, player(7))
    journal.close()
    more = (*schema.MIGRATIONS, "CREATE TABLE more (x); INSERT INTO more SELECT id FROM players;")
    monkeypatch.setattr(journal_file, "MIGRATIONS", more)
    for _ in range(2):
        journal = Journal(tmp_path)
        assert journal.read("SELECT x FROM more") == [(7,)]
        journal.close()


def test_a_journal_of_a_newer_schema_is_left_alone(tmp_path: Path) -> None:
    connection = opened(tmp_path / FILE)
    connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    connection.close()
    with pytest.raises(JournalTooNew, match="newer server"):
        Journal(tmp_path)


@pytest.mark.parametrize(
    "content", [b"no database, but long enough" * 50, b"SQLite format 3\0" * 9]
)
def test_what_is_no_journal_is_said_to_be_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(JournalDamaged):
        Journal(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content
    with pytest.raises(JournalDamaged):
        Journal(tmp_path)  # and not that the directory is busy
