"""`skull-server check`, and `--salvage`: what is whole, what is damaged, and what is kept of it."""

import random
import re
import sqlite3
from pathlib import Path

import pytest
from tests.server.conftest import Peer
from tests.server.restarts import Durable, comes_back, play_on

from skull_protocol.pushes import Table
from skull_protocol.requests import CreateTable, JoinTable, LeaveTable, StartGame
from skull_protocol.tables import TableOptions
from skull_server.check import check
from skull_server.damage import JournalDamaged
from skull_server.journal import Journal
from skull_server.journal_file import FILE, DirectoryBusy, opened
from skull_server.salvage import _KEYS, salvage

_made: list[tuple[dict[str, bytes], dict[str, object], list[list[Peer]]]] = []
"""What `played` makes, once: the files, and what it returns."""


def played(directory: Path) -> tuple[dict[str, object], list[list[Peer]]]:
    """A directory with a game that is over, and two that are not."""
    directory.chmod(0o700)
    if _made:
        files, everything, people = _made[0]
        for name, content in files.items():
            (directory / name).touch(mode=0o600)
            (directory / name).write_bytes(content)
        return everything, people
    world = Durable(directory)
    first = world.table(players=3, options=TableOptions(min_seats=2))
    play_on(first, random.Random(1), 10_000)
    first[0].do(StartGame)
    play_on(first, random.Random(2), 8)
    second = [world.player(name) for name in ("Yan", "Zoe")]
    _sit_and_start(second)
    play_on(second, random.Random(3), 9)
    everything = world.everything()
    world.journal.close()
    files = {file.name: file.read_bytes() for file in directory.iterdir()}
    _made.append((files, everything, [first, second]))
    return everything, [first, second]


def _sit_and_start(people: list[Peer]) -> None:
    people[0].do(CreateTable, options=TableOptions(min_seats=2))
    people[1].do(JoinTable, code=people[0].last(Table).code)
    people[0].do(StartGame)


def damage(directory: Path, sql: str) -> None:
    connection = sqlite3.connect(directory / FILE)
    with connection:
        connection.execute(sql)
    connection.close()


def scribble(directory: Path, start: int, length: int = 4096) -> None:
    path = directory / FILE
    whole = bytearray(path.read_bytes())
    whole[start : start + length] = random.Random(start).randbytes(length)
    path.write_bytes(bytes(whole))


def test_a_whole_directory_has_no_problems(tmp_path: Path) -> None:
    played(tmp_path)
    assert check(tmp_path) == []


def test_it_can_be_checked_while_a_server_uses_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    world = Durable(tmp_path)
    people = world.table(players=2, options=TableOptions(min_seats=2))
    play_on(people, random.Random(1), 5)
    assert check(tmp_path) == []
    people[0].do(LeaveTable)
    world.journal.close()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM inputs WHERE game = 2 AND n = 2", "game 2 cannot be played again"),
        ("DELETE FROM inputs WHERE game = 1 AND n > 5", "game 1 ends otherwise"),
        ("UPDATE inputs SET action = x'80' WHERE game = 1 AND n = 1", "game 1 cannot be played"),
        ("UPDATE inputs SET seat = 4 WHERE game = 3 AND n = 1", "game 3 cannot be played again"),
        ("DELETE FROM games WHERE id = 3", "its game 3 is missing"),
        ("DELETE FROM seats WHERE game = 3 AND seat = 1", "game 3 has other seats"),
        ("UPDATE tables SET record = x'80'", "cannot be read"),
        ("DELETE FROM players WHERE id = 1", "somebody at table"),
        ("DELETE FROM tables", "game 3 is not over, and no table plays it"),
        ("DROP TABLE seats", "cannot be read"),
        ("PRAGMA user_version = 99", "schema 99"),
    ],
)
def test_each_problem_has_a_line(tmp_path: Path, sql: str, words: str) -> None:
    played(tmp_path)
    damage(tmp_path, sql)
    found = check(tmp_path)
    assert any(words in problem for problem in found), found
    assert not any("\n" in problem for problem in found)


def test_others_must_not_look_in(tmp_path: Path) -> None:
    played(tmp_path)
    (tmp_path / FILE).chmod(0o640)
    assert check(tmp_path) == [f"others may look into {tmp_path / FILE}: chmod go-rwx it"]


def test_no_journal_and_a_scribbled_one(tmp_path: Path) -> None:
    assert "there is no" in check(tmp_path)[0]
    played(tmp_path)
    scribble(tmp_path, 4096)
    assert check(tmp_path)
    (tmp_path / FILE).write_bytes(b"x" * 5000)
    assert "cannot be read" in check(tmp_path)[0]


# -- salvage --------------------------------------------------------------------------------------


def test_a_game_that_is_damaged_costs_its_table_and_nothing_else(tmp_path: Path) -> None:
    everything, (first, second) = played(tmp_path)
    damage(tmp_path, "DELETE FROM inputs WHERE game = 3 AND n = 2")
    report = salvage(tmp_path)
    code = second[0].last(Table).code
    assert report[1] == "kept: 5 players, 1 tables, 2 games"
    assert any(line.startswith("lost: ") and "game 3" in line for line in report)
    assert any(line.startswith("lost: ") and f"table {code}" in line for line in report)
    assert check(tmp_path) == []
    world = Durable(tmp_path, seed=9)
    kept = first[0].last(Table).code
    assert world.everything() == {kept: everything[kept]}
    world._first_ids = second[0].world._first_ids
    assert comes_back(world, first[0]).seat == 0
    world.journal.close()


@pytest.mark.parametrize("page", range(8))
def test_whatever_page_is_scribbled_over(tmp_path: Path, page: int) -> None:
    """The damaged file is set aside as it was, and the new one is whole, whatever it holds."""
    played(tmp_path)
    size = (tmp_path / FILE).stat().st_size
    scribble(tmp_path, page * 4096 % size)
    before = (tmp_path / FILE).read_bytes()
    report = salvage(tmp_path)
    name = re.search(r"as (\S+)$", report[0])
    assert name
    assert (tmp_path / name[1]).read_bytes() == before
    assert report[1].startswith("kept: ")
    assert check(tmp_path) == []
    Durable(tmp_path, seed=9).journal.close()
    assert {file.name for file in tmp_path.iterdir()} == {FILE, "lock", name[1]}


@pytest.mark.parametrize("content", [b"", b"x" * 5000])
def test_of_what_is_no_journal_nothing_is_kept(tmp_path: Path, content: bytes) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / FILE).write_bytes(content)
    report = salvage(tmp_path)
    assert report[1] == "kept: 0 players, 0 tables, 0 games"
    if content:
        assert "lost: some of the players" in report
    assert check(tmp_path) == []


def test_what_the_log_beside_the_file_holds_is_kept(tmp_path: Path) -> None:
    """After a crash the newest commits are in the -wal file alone."""
    world = Durable(tmp_path)
    people = world.table(players=2, options=TableOptions(min_seats=2))
    play_on(people, random.Random(3), 9)
    everything = world.everything()
    copies = {file: file.read_bytes() for file in tmp_path.iterdir()}
    world.journal.crash()
    for file, content in copies.items():
        file.write_bytes(content)
    assert (tmp_path / f"{FILE}-wal").stat().st_size > 0
    salvage(tmp_path)
    world = Durable(tmp_path, seed=9)
    assert world.everything() == everything
    world.journal.close()


def test_every_table_of_the_schema_is_salvaged(tmp_path: Path) -> None:
    connection = opened(tmp_path / FILE)
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.close()
    assert {name for (name,) in found} - {"sqlite_sequence"} == set(_KEYS)


def test_a_directory_in_use_is_left_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    with pytest.raises(DirectoryBusy):
        salvage(tmp_path)
    journal.close()


def test_without_salvage_a_damaged_file_is_left_as_it_is(tmp_path: Path) -> None:
    played(tmp_path)
    scribble(tmp_path, 4096)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(JournalDamaged):
        Durable(tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
