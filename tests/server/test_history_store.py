"""Finished games in the journal's file: found by those who played them, counted once, bounded."""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from skull_protocol.pushes import Statistics
from skull_protocol.skull import Bid, Place, SkullOptions
from skull_protocol.tables import Opponent, PlayerRecord
from skull_server import journal_file, records, schema
from skull_server.games.skull.game import RULES_VERSION
from skull_server.history import FinishedGame, PlayedSeat
from skull_server.history_store import HistoryStore, game_over
from skull_server.journal_file import opened
from skull_server.limits import Limits
from skull_server.schema import Statement
from skull_server.statistics import Against, Counts, OwnCounts

START = records.GameStart(
    RULES_VERSION, SkullOptions(first_player=1), b"\x01\x02", (3, None), first_seq=4, began=500
)


class Shelf:
    """A journal's file without its writer."""

    def __init__(self, path: Path) -> None:
        self.connection = opened(path)
        self.store = HistoryStore(self.read)

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return self.connection.execute(sql, values).fetchall()

    def write(self, statements: Sequence[Statement]) -> None:
        for sql, values in statements:
            self.connection.execute(sql, values)

    def begin(self, game: int, *players: tuple[int | None, str]) -> None:
        self.write(records.game_begun(game, "BCDF", START, players or ((1, "Ann"), (2, "Bob"))))

    def end(self, game: int, kept: int = 100, records_kept: int = 100, **counts: Counts) -> None:
        limits = Limits(games_kept=kept, records_kept=records_kept)
        self.write(game_over(game, 1, 3, counts, {}, limits))

    def count(self, game: int, own: dict[int, OwnCounts], **limits: int) -> None:
        self.write(game_over(game, 1, 3, {}, own, Limits(**limits)))  # type: ignore[arg-type]

    def rows(self, table: str) -> int:
        [(count,)] = self.read(f"SELECT count(*) FROM {table}")
        assert isinstance(count, int)
        return count


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "journal.sqlite3")
    yield shelf
    shelf.connection.close()


def test_a_finished_game_is_found_as_it_was_played(shelf: Shelf) -> None:
    shelf.begin(7, (1, "Ann"), (None, "Bot Ben"))
    shelf.write(records.input_done(7, 0, 0, Place("F"), 1))
    shelf.write(records.input_done(7, 1, 1, Bid(2), None))
    shelf.write(records.seat_left(7, 0, 1))
    shelf.end(7)
    record = shelf.store.load(7)
    assert record is not None
    finished = record.finished
    assert finished.ended > 1_600_000_000
    assert finished == FinishedGame(
        7,
        "BCDF",
        finished.ended,
        1,
        3,
        2,
        (PlayedSeat(1, "Ann", left=1), PlayedSeat(None, "Bot Ben")),
    )
    assert list(record.inputs) == [(0, Place("F")), (1, Bid(2))]
    assert (record.rules_version, record.options) == (START.rules_version, START.options)
    assert (record.seed, record.flowers) == (0x0102, (3, None))
    assert shelf.store.played_by(1, None, 5) == [finished]


def test_a_game_that_is_still_played_cannot_be_looked_at(shelf: Shelf) -> None:
    shelf.begin(7)
    assert shelf.store.load(7) is None
    assert shelf.store.played_by(1, None, 5) == []


def test_a_list_holds_only_own_games_newest_first(shelf: Shelf) -> None:
    for game in range(1, 9):
        shelf.begin(game, (1 if game % 2 else 3, "Ann"), (2, "Bob"))
        shelf.end(game)
    assert [game.game for game in shelf.store.played_by(1, None, 3)] == [7, 5, 3]
    assert [game.game for game in shelf.store.played_by(1, 5, 3)] == [3, 1]
    assert [game.game for game in shelf.store.played_by(2, None, 100)] == list(range(8, 0, -1))


def test_counts_add_up_by_the_look_of_a_name(shelf: Shelf) -> None:
    shelf.begin(1)
    shelf.end(1, Ann=Counts(1, 2, 3, 2, 1), Bob=Counts())
    shelf.begin(2)
    shelf.end(2, ANN=Counts(0, 1, 0, 0, 4))
    assert shelf.store.records(10) == [
        PlayerRecord("ANN", 2, 1, 3, 3, 2, 5),
        PlayerRecord("Bob", 1, 0, 0, 0, 0, 0),
    ]
    assert len(shelf.store.records(1)) == 1


def test_a_game_that_is_written_twice_is_counted_once(shelf: Shelf) -> None:
    shelf.begin(1)
    for _ in range(3):
        shelf.end(1, Ann=Counts(wins=1))
    assert shelf.store.records(10) == [PlayerRecord("Ann", 1, 1, 0, 0, 0, 0)]


def test_the_oldest_games_are_dropped_and_their_counts_stay(shelf: Shelf) -> None:
    for game in range(1, 8):
        shelf.begin(game)
        shelf.write(records.input_done(game, 0, 0, Place("F"), 1))
        if game != 1:  # it is still played
            shelf.end(game, kept=3, Ann=Counts(wins=1))
    assert [game.game for game in shelf.store.played_by(1, None, 100)] == [7, 6, 5]
    assert [shelf.rows(table) for table in ("games", "seats", "inputs")] == [4, 8, 4]
    assert shelf.store.records(10)[0].wins == 6


def test_the_latest_game_of_a_table_that_is_still_there_is_kept(shelf: Shelf) -> None:
    """It can be looked at at that table, also after a restart."""
    shelf.write([("INSERT INTO tables VALUES ('BCDF', x'00')", ())])
    for game in (1, 2):
        shelf.begin(game)
        shelf.end(game, kept=1)
    shelf.write(records.game_begun(3, "GHJK", START, ((1, "Ann"),)))
    shelf.end(3, kept=1)
    assert [game.game for game in shelf.store.played_by(1, None, 100)] == [3, 2]


def test_a_token_leads_to_games_as_long_as_they_are_kept(shelf: Shelf) -> None:
    shelf.begin(1)
    shelf.end(1, kept=2)
    shelf.write(records.player_gone(1, [b"one", b"two"]))
    shelf.write(records.player_gone(9, [b"nine"]))
    assert [shelf.store.former_player(t) for t in (b"one", b"two", b"nine")] == [1, 1, None]
    shelf.begin(2, (2, "Bob"))
    shelf.end(2, kept=2)
    assert shelf.store.former_player(b"one") == 1
    shelf.begin(3, (2, "Bob"))
    shelf.end(3, kept=2)
    assert shelf.rows("former") == 0


def test_records_of_those_who_played_last_are_kept(shelf: Shelf) -> None:
    for game, name in enumerate(("Ann", "Bob", "Cem", "Ann", "Dee"), 1):
        shelf.begin(game)
        shelf.end(game, records_kept=3, **{name: Counts()})
    assert {record.name for record in shelf.store.records(10)} == {"Ann", "Cem", "Dee"}


def own(*others: str, wins: int = 0, held: int = 0) -> OwnCounts:
    """A game in which this player did some things, and the others too."""
    met = tuple(Against(name, 1 - wins, 3, stopped=2, stopped_by=1) for name in others)
    return OwnCounts(Counts(wins, 4, 5, 2, 6), held, met)


def test_own_statistics_add_up(shelf: Shelf) -> None:
    shelf.begin(1, (1, "Ann"), (2, "Bob"), (None, "Bot Ana"))
    shelf.count(1, {0: own("Bob", "Bot Ana", wins=1, held=3), 1: own("Ann", "Bot Ana")})
    shelf.begin(2, (2, "BOB"), (1, "Ann"))
    shelf.count(2, {0: own("Ann"), 1: own("BOB", held=1)})
    assert shelf.store.statistics(1, 10) == Statistics(
        *(2, 1, 8, 10, 4, 4, 12),
        (Opponent("BOB", 2, 1, 1, 8, 6, 4, 2), Opponent("Bot Ana", 1, 1, 0, 4, 3, 2, 1)),
    )
    found = shelf.store.statistics(2, 10)
    assert found is not None
    assert (found.games, found.bluffs_held) == (2, 0)
    assert shelf.store.statistics(3, 10) is None


def test_own_statistics_of_a_game_written_twice_are_counted_once(shelf: Shelf) -> None:
    shelf.begin(1)
    for _ in range(3):
        shelf.count(1, {0: own("Bob", held=1)})
    found = shelf.store.statistics(1, 10)
    assert found is not None
    assert (found.games, found.bluffs_held, found.opponents[0].games) == (1, 1, 1)


def test_own_statistics_go_by_the_player_and_not_by_the_name(shelf: Shelf) -> None:
    shelf.begin(1, (1, "Ann"), (2, "Bob"))
    shelf.count(1, {0: own("Bob"), 1: own("Ann")})
    shelf.begin(2, (7, "Ann"), (2, "Bob"))
    shelf.count(2, {0: own("Bob"), 1: own("Ann")})
    for player, games in ((1, 1), (7, 1), (2, 2)):
        found = shelf.store.statistics(player, 10)
        assert found is not None
        assert (found.games, found.opponents[0].games) == (games, games)


def test_statistics_of_those_who_played_last_are_kept(shelf: Shelf) -> None:
    for game, player in enumerate((1, 2, 3, 1, 4), 1):
        shelf.begin(game, (player, "Ann"), (None, "Bot Ana"))
        shelf.count(game, {0: own("Bot Ana")}, statistics_kept=3)
    kept = [player for player in range(1, 5) if shelf.store.statistics(player, 10) is not None]
    assert kept == [1, 3, 4]
    assert shelf.rows("opponents") == 3


def test_the_opponents_met_last_are_kept(shelf: Shelf) -> None:
    for game, name in enumerate(("Bob", "Cem", "Dee", "Bob", "Eva"), 1):
        shelf.begin(game, (1, "Ann"), (2, name))
        shelf.count(game, {0: own(name), 1: own("Ann")}, opponents_kept=3)
    found = shelf.store.statistics(1, 10)
    assert found is not None
    assert [one.name for one in found.opponents] == ["Eva", "Bob", "Dee"]
    assert found.games == 5
    fewer = shelf.store.statistics(1, 2)
    assert fewer is not None
    assert fewer.opponents == found.opponents[:2]


def test_a_journal_of_the_first_schema_keeps_all_and_counts_from_now_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as past:
        past.setattr(journal_file, "MIGRATIONS", schema.MIGRATIONS[:1])
        old = Shelf(tmp_path / "journal.sqlite3")
    tables = {name for (name,) in old.read("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert "standings" in tables
    assert "own_statistics" not in tables
    old.begin(1)
    old.write(records.input_done(1, 0, 0, Place("F"), 1))
    old.write(records.game_ended(1, 1, 3))
    old.write([("INSERT INTO standings VALUES ('bob', 'Bob', 1, 1, 0, 0, 0, 0, 1)", ())])
    old.begin(2)
    old.connection.close()

    now = Shelf(tmp_path / "journal.sqlite3")
    assert now.read("PRAGMA user_version") == [(len(schema.MIGRATIONS),)]
    assert [game.game for game in now.store.played_by(1, None, 10)] == [1]
    assert now.store.records(10) == [PlayerRecord("Bob", 1, 1, 0, 0, 0, 0)]
    assert now.store.statistics(1, 10) is None
    now.count(2, {0: own("Bob", held=2)})
    found = now.store.statistics(1, 10)
    assert found is not None
    assert (found.games, found.bluffs_held) == (1, 2)
    now.connection.close()


def test_every_question_is_answered_by_an_index(shelf: Shelf) -> None:
    asked: list[tuple[str, tuple[object, ...]]] = []

    def read(sql: str, *values: object) -> list[tuple[object, ...]]:
        asked.append((sql, values))
        return shelf.read(sql, *values)

    shelf.begin(1)
    shelf.end(1)
    store = HistoryStore(read)
    store.played_by(1, None, 5)
    store.load(1)
    shelf.begin(2)
    shelf.count(2, {0: own("Bob")})
    assert store.statistics(1, 5) is not None
    for sql, values in asked:
        plan = shelf.connection.execute(f"EXPLAIN QUERY PLAN {sql}", values).fetchall()
        for *_, step in plan:
            assert not str(step).startswith("SCAN"), (sql, step)
            assert "TEMP B-TREE" not in str(step), (sql, step)


def test_a_broken_file_is_an_error_and_no_wrong_answer(shelf: Shelf) -> None:
    shelf.write([("DROP TABLE seats", ())])
    with pytest.raises(sqlite3.Error):
        shelf.store.played_by(1, None, 5)
