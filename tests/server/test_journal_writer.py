"""The journal's writer as a process: it dies, is signalled, is stopped, outlives its server."""

import os
import signal
import socket
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.server.disks import BadDisk, Waiting, on, player, stored

from skull_server import journal_file
from skull_server.journal import Journal, Process, launch_writer
from skull_server.journal_file import DirectoryBusy
from skull_server.schema import Statement


def writer_of(journal: Journal) -> int:
    """The number of its process."""
    return int(journal._process.pid)  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skull_server.journal._REPLACE", 0.001)


async def test_a_writer_that_dies_is_replaced_and_nothing_is_lost(tmp_path: Path) -> None:
    journal, gate = Journal(tmp_path), Waiting()
    journal.start(gate)
    writers = set()
    for number in range(1, 7):
        writers.add(writer_of(journal))
        if number % 2:
            os.kill(writer_of(journal), signal.SIGKILL)  # with a batch to come, or with one done
        journal.write(number, player(number))
        await gate.until(number)
    assert len(writers) > 3
    assert gate.faults == 0
    assert journal.close()
    assert stored(tmp_path) == [1, 2, 3, 4, 5, 6]


async def test_a_writer_that_dies_in_the_middle_has_its_batch_done_again(tmp_path: Path) -> None:
    journal, gate = Journal(tmp_path), Waiting()
    journal.start(gate)
    journal.write(1, player(1))
    await gate.until(1)
    os.kill(writer_of(journal), signal.SIGSTOP)
    journal.write(2, player(2))
    journal._hand_over()
    journal.write(3, player(3))
    os.kill(writer_of(journal), signal.SIGKILL)
    await gate.until(3)
    assert journal.close()
    assert stored(tmp_path) == [1, 2, 3]


async def test_what_ends_the_server_leaves_its_writer_to_do_its_work(tmp_path: Path) -> None:
    journal, gate = Journal(tmp_path), Waiting()
    journal.start(gate)
    first = writer_of(journal)
    for ticket, number in enumerate((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), 1):
        os.kill(first, number)
        journal.write(ticket, player(ticket))
        await gate.until(ticket)
    assert writer_of(journal) == first
    assert journal.close()


async def test_no_other_server_begins_before_the_writer_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "_PATIENCE", 0.01)
    journal, gate = Journal(tmp_path), Waiting()
    journal.start(gate)
    journal.write(1, player(1))
    await gate.until(1)
    writer = writer_of(journal)
    os.kill(writer, signal.SIGSTOP)
    journal.write(2, player(2))
    assert not journal.close(seconds=0.01), "it was not said to be saved"
    with pytest.raises(DirectoryBusy):
        Journal(tmp_path)
    monkeypatch.setattr(journal_file, "_PATIENCE", 20)
    os.kill(writer, signal.SIGCONT)
    after = Journal(tmp_path)
    assert after.read("SELECT id FROM players") == [(1,), (2,)], "but it is"
    after.close()
    journal._process.wait(20)


async def test_a_batch_may_be_larger_than_what_the_line_holds(tmp_path: Path) -> None:
    journal, gate = Journal(tmp_path), Waiting()
    journal.start(gate)
    long = "x" * 1_000_000
    for number in range(1, 11):
        journal.write(number, ((_PUT, (number, long)),))
    await gate.until(10)
    assert journal.read("SELECT sum(length(name)) FROM players") == [(10_000_000,)]
    journal.write(11, ((_PUT, (11, long)),))
    assert journal.close(seconds=20)
    assert stored(tmp_path)[-1] == 11


_PUT = "INSERT OR REPLACE INTO players VALUES (?, ?, '')"


async def test_a_writer_that_cannot_be_started_is_started_later(tmp_path: Path) -> None:
    tries = 0

    def launch(path: Path, line: socket.socket, lock: int) -> Process:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise BlockingIOError("Resource temporarily unavailable")
        return launch_writer(path, line, lock)

    journal, gate = Journal(tmp_path, launch), Waiting()
    journal.start(gate)
    journal.write(1, player(1))
    await gate.until(1)
    assert tries == 3
    assert journal.close()


async def test_without_a_writer_nothing_is_said_to_be_saved(tmp_path: Path) -> None:
    def launch(path: Path, line: socket.socket, lock: int) -> Process:
        raise BlockingIOError("Resource temporarily unavailable")

    journal = Journal(tmp_path, launch)
    journal.start(Waiting())
    journal.write(1, player(1))
    assert not journal.close()
    assert stored(tmp_path) == []


async def test_closing_does_not_wait_for_a_writer_that_dies(tmp_path: Path) -> None:
    class Deadly(BadDisk):
        def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
            raise SystemExit

    journal = Journal(tmp_path, on(Deadly()))
    journal.start(Waiting())
    journal.write(1, player(1))
    journal._hand_over()
    assert not journal.close(seconds=20)
    assert stored(tmp_path) == []


async def test_the_writer_waits_for_the_platters(tmp_path: Path) -> None:
    class Asked(BadDisk):
        def commit(self, connection: sqlite3.Connection, statements: Sequence[Statement]) -> None:
            self.found = connection.execute("PRAGMA synchronous").fetchone()
            super().commit(connection, statements)

    disk, gate = Asked(), Waiting()
    journal = Journal(tmp_path, on(disk))
    journal.start(gate)
    journal.write(1, player(1))
    await gate.until(1)
    assert disk.found == (2,), "FULL"
    assert journal.close()
