"""After a restart: everybody and every table as the journal has them.

Running games are played again from their records. All players are absent until they come back,
clocks start afresh, and bots sit down anew.
"""

import itertools
from typing import Protocol

import msgspec

from skull_protocol.errors import Refusal
from skull_server import logs, records
from skull_server.damage import JournalDamaged
from skull_server.inputs import Inputs
from skull_server.lobby import Lobby
from skull_server.records import BegunGame, TableRecord
from skull_server.sessions import Session, Sessions

log = logs.get(__name__)

_HASH = 32
"""Bytes in the hash of a token."""


class Reader(Protocol):
    """What is committed (`Journal`)."""

    def read(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Return the rows that a query finds."""


def restore(journal: Reader, inputs: Inputs, sessions: Sessions, lobby: Lobby) -> None:
    """Bring everything back. Raises `JournalDamaged`."""
    people = _restore_people(journal, sessions)
    for (game,) in journal.read("SELECT seq FROM sqlite_sequence WHERE name = 'games'"):
        inputs.game_numbers = itertools.count(_int(game) + 1)
    for table in stored_tables(journal):
        game = None
        if table.game is not None and not is_dropped(journal, table):
            game = begun_game(journal, table.game)
        try:
            lobby.restore(table, people, game)
        except (Refusal, LookupError, ValueError) as fault:
            raise JournalDamaged(f"table {table.code} cannot be set up again") from fault


def stored_tables(journal: Reader) -> list[TableRecord]:
    """Every table there is. Raises `JournalDamaged`."""
    found = []
    for code, stored in journal.read("SELECT code, record FROM tables ORDER BY code"):
        try:
            found.append(records.table_of(_bytes(stored)))
        except msgspec.DecodeError as fault:
            raise JournalDamaged(f"table {code} cannot be read") from fault
    return found


def is_dropped(journal: Reader, table: TableRecord) -> bool:
    """Whether a table's game was over so long ago that it is no longer kept."""
    return table.stage == "finished" and not journal.read(
        "SELECT id FROM games WHERE id = ?", table.game
    )


def begun_game(journal: Reader, game: int) -> BegunGame:
    """A game as far as it has been played. Raises `JournalDamaged`."""
    rows = journal.read("SELECT start FROM games WHERE id = ?", game)
    if not rows:
        raise JournalDamaged(f"game {game} is missing")
    inputs = []
    try:
        start = records.start_of(_bytes(rows[0][0]))
        for n, (number, seat, action) in enumerate(
            journal.read("SELECT n, seat, action FROM inputs WHERE game = ? ORDER BY n", game)
        ):
            if number != n:
                raise JournalDamaged(f"input {n} of game {game} is missing")
            inputs.append((_int(seat), records.input_of(_bytes(action))))
    except msgspec.DecodeError as fault:
        raise JournalDamaged(f"game {game} cannot be read") from fault
    people = journal.read(
        "SELECT seat, name, left_at FROM seats WHERE game = ? AND player IS NOT NULL", game
    )
    bots = journal.read("SELECT seat, name FROM seats WHERE game = ? AND player IS NULL", game)
    return BegunGame(
        game,
        start,
        tuple(inputs),
        tuple(
            (_int(seat), str(name), None if left is None else _int(left))
            for seat, name, left in people
        ),
        tuple((_int(seat), str(name)) for seat, name in bots),
    )


def _restore_people(journal: Reader, sessions: Sessions) -> dict[int, Session]:
    people = {}
    for player, name, tokens in journal.read("SELECT id, name, tokens FROM players ORDER BY id"):
        hashes = _bytes(tokens)
        if not isinstance(name, str) or len(hashes) % _HASH:
            raise JournalDamaged(f"player {player} cannot be read")
        each = (hashes[start : start + _HASH] for start in range(0, len(hashes), _HASH))
        people[_int(player)] = sessions.restore(_int(player), name, each)
    for (player,) in journal.read(
        "SELECT seq FROM sqlite_sequence WHERE name = 'players'"
        " UNION SELECT max(player) FROM seats HAVING max(player) IS NOT NULL"
    ):
        sessions.restore_next_id(_int(player) + 1)
    for player, n, request, digest in journal.read(
        "SELECT player, n, request, digest FROM answers ORDER BY player, n"
    ):
        if (session := people.get(_int(player))) is not None:
            session.restore_done([(_int(n), _int(request), _bytes(digest))])
    return people


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise JournalDamaged("there is something else where a number should be")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise JournalDamaged("there is something else where a record should be")
    return value
