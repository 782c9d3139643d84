"""Whether a data directory is whole: what `skull-server check` tells and `--salvage` drops."""

import sqlite3
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from skull_protocol.errors import Refusal
from skull_server.damage import JournalDamaged
from skull_server.game_kinds import TableGame, new_game
from skull_server.journal_file import FILE
from skull_server.records import BegunGame, TableRecord, table_of
from skull_server.restore import Reader, begun_game, is_dropped
from skull_server.schema import MIGRATIONS

PEOPLE_ONLY = 0o077
"""The permissions that nobody but the owner may have."""


@dataclass(frozen=True)
class Problem:
    """Something that could not be restored, and which row to do without."""

    sentence: str
    table: str | None = None
    game: int | None = None


class Stored:
    """A journal that is only looked at."""

    def __init__(self, path: Path) -> None:
        """Raises `JournalDamaged`."""
        try:
            self._connection = sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)
        except sqlite3.Error as fault:
            raise JournalDamaged(str(fault)) from fault

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows that a query finds. Raises `JournalDamaged`."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as fault:
            raise JournalDamaged(" ".join(str(fault).split())) from fault

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def check(directory: Path) -> list[str]:
    """Return a sentence for each problem in a data directory; none: it is whole."""
    path = (directory / FILE).absolute()
    if not path.is_file():
        return [f"there is no {FILE} in {directory}"]
    found = []
    for kept in (directory, path):
        if stat.S_IMODE(kept.stat().st_mode) & PEOPLE_ONLY:
            found.append(f"others may look into {kept}: chmod go-rwx it")
    try:
        stored = Stored(path)
        try:
            found += _file_problems(stored)
            if not found or found[-1].startswith("others"):
                found += [problem.sentence for problem in problems(stored)]
        finally:
            stored.close()
    except JournalDamaged as damage:
        found.append(f"{FILE} cannot be read: {damage}")
    return found


def _file_problems(stored: Stored) -> list[str]:
    found = [str(row[0]) for row in stored.read("PRAGMA integrity_check")]
    if found != ["ok"]:
        return [f"{FILE} is damaged: {' '.join(line.split())}" for line in found]
    version = stored.read("PRAGMA user_version")[0][0]
    if version != len(MIGRATIONS):
        known = len(MIGRATIONS)
        return [f"{FILE} has schema {version}, and this is a server for schema {known}"]
    return []


def problems(journal: Reader) -> Iterator[Problem]:
    """Find what could not be restored. Raises `JournalDamaged` where not even that can be told."""
    players = {row[0] for row in journal.read("SELECT id FROM players")}
    played = set()
    for code, stored in journal.read("SELECT code, record FROM tables ORDER BY code"):
        try:
            table = table_of(stored)  # type: ignore[arg-type]
        except (ValueError, TypeError):
            yield Problem(f"table {code} cannot be read", table=str(code))
            continue
        played.add(table.game)
        if any(seat.player is not None and seat.player not in players for seat in table.seats):
            yield Problem(f"somebody at table {code} is not known", table=table.code)
        elif is_dropped(journal, table):
            continue
        elif table.game is not None and (problem := _table_game_problem(journal, table)):
            yield Problem(f"table {code}: {problem}", table=table.code)
    for game, ended, winner in journal.read("SELECT id, ended, winner FROM games ORDER BY id"):
        assert isinstance(game, int)
        if ended is None and game not in played:
            yield Problem(f"game {game} is not over, and no table plays it", game=game)
        else:
            try:
                again = play_again(journal, begun_game(journal, game))
            except (JournalDamaged, Refusal) as fault:
                yield Problem(f"game {game} cannot be played again: {fault}", game=game)
                continue
            if again is not None and again.winner() != winner:
                yield Problem(f"game {game} ends otherwise than it ended", game=game)


def _table_game_problem(journal: Reader, table: TableRecord) -> str | None:
    assert table.game is not None
    rows = journal.read("SELECT count(*) FROM seats WHERE game = ?", table.game)
    if not journal.read("SELECT id FROM games WHERE id = ?", table.game):
        return f"its game {table.game} is missing"
    if rows[0][0] != len(table.seats):
        return f"its game {table.game} has other seats"
    return None


def play_again(journal: Reader, begun: BegunGame) -> TableGame | None:
    """Return a game as far as it was played; None if it was played by other rules.

    Raises `Refusal` if that is no game.
    """
    seats = len(journal.read("SELECT seat FROM seats WHERE game = ?", begun.number))
    start = begun.start
    game = new_game(start.options, seats, Random(int.from_bytes(start.seed, "big")), start.flowers)
    if game.rules_version != start.rules_version:
        return None
    for seat, action in begun.inputs:
        game.apply(seat, action)
    return game
