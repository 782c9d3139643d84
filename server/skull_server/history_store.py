"""Finished games in the journal: what is written when a game ends, and how they are found again.

Whose public record it is, is told by what a name looks like: no two players have such names at one
time, and a player who was forgotten comes back as somebody new. So whoever takes a name later goes
on with its record; the server has no accounts that could tell the two apart.

Own statistics tell of bluffs that nobody saw, so they belong to a player's number, as the games do:
only a token leads to them, and never a name. The opponents in them are told apart by the looks of
their names, which is all that the player knew of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from skull_protocol.pushes import Statistics
from skull_protocol.tables import Opponent, PlayerRecord
from skull_server.history import MOST_STEPS, FinishedGame, GameRecord, PlayedSeat
from skull_server.limits import Limits
from skull_server.names import small_look
from skull_server.records import game_ended, input_of, start_of
from skull_server.schema import Statement
from skull_server.statistics import Counts, OwnCounts

Read = Callable[..., Sequence[tuple[object, ...]]]
"""Runs a query (SQL and its values) on what is committed."""

_COUNT = """
    INSERT INTO standings (
        look, name, games, wins, challenges_won, challenges_lost, bluffs_caught, skulls_hit, latest
    )
    SELECT ?, ?, 1, ?, ?, ?, ?, ?, id FROM games WHERE id = ? AND ended IS NULL
    ON CONFLICT (look) DO UPDATE SET
        name = excluded.name,
        games = games + 1,
        wins = wins + excluded.wins,
        challenges_won = challenges_won + excluded.challenges_won,
        challenges_lost = challenges_lost + excluded.challenges_lost,
        bluffs_caught = bluffs_caught + excluded.bluffs_caught,
        skulls_hit = skulls_hit + excluded.skulls_hit,
        latest = excluded.latest
"""
_COUNT_OWN = """
    INSERT INTO own_statistics
    SELECT player, 1, ?, ?, ?, ?, ?, ?, id FROM seats JOIN games ON id = game
    WHERE game = ? AND seat = ? AND ended IS NULL
    ON CONFLICT (player) DO UPDATE SET
        games = games + 1,
        wins = wins + excluded.wins,
        challenges_won = challenges_won + excluded.challenges_won,
        challenges_lost = challenges_lost + excluded.challenges_lost,
        bluffs_held = bluffs_held + excluded.bluffs_held,
        bluffs_caught = bluffs_caught + excluded.bluffs_caught,
        skulls_hit = skulls_hit + excluded.skulls_hit,
        latest = excluded.latest
"""
_COUNT_OPPONENT = """
    INSERT INTO opponents
    SELECT player, ?, ?, 1, ?, ?, ?, ?, ?, ?, id FROM seats JOIN games ON id = game
    WHERE game = ? AND seat = ? AND ended IS NULL
    ON CONFLICT (player, look) DO UPDATE SET
        name = excluded.name,
        games = games + 1,
        wins = wins + excluded.wins,
        their_wins = their_wins + excluded.their_wins,
        challenges_won = challenges_won + excluded.challenges_won,
        their_challenges_won = their_challenges_won + excluded.their_challenges_won,
        stopped = stopped + excluded.stopped,
        stopped_by = stopped_by + excluded.stopped_by,
        latest = excluded.latest
"""
_DROP_OPPONENTS = """
    DELETE FROM opponents WHERE (player, look) IN (
        SELECT player, look FROM opponents
        WHERE player = (SELECT player FROM seats WHERE game = ? AND seat = ?)
        ORDER BY latest DESC, look DESC LIMIT -1 OFFSET ?
    )
"""
_OTHERS_PLAYED_LATER = "SELECT player FROM own_statistics ORDER BY latest DESC LIMIT -1 OFFSET ?"
_TOO_OLD = """
    SELECT id FROM games WHERE ended IS NOT NULL AND id <=
        (SELECT id FROM games WHERE ended IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?)
    AND (table_code NOT IN (SELECT code FROM tables) OR id <
        (SELECT max(id) FROM games AS newer WHERE newer.table_code = games.table_code))
"""
"""Games that need not be kept. The latest of a table that is still there can be looked at there."""
_PLAYED = """
    SELECT id, table_code, ended, winner, rounds FROM seats JOIN games ON id = game
    WHERE player = ? AND game < ? AND ended IS NOT NULL ORDER BY game DESC LIMIT ?
"""


def game_over(
    game: int,
    winner: int,
    rounds: int,
    counts: Mapping[str, Counts],
    own: Mapping[int, OwnCounts],
    limits: Limits,
) -> Sequence[Statement]:
    """A game is over: count it for its players, and drop what is too old to keep.

    `counts`: what is public, by name; `own`: what is for a player alone, by seat. Counting comes
    first and asks whether the game was over already: so done twice, it counts once.
    """
    games_kept = limits.games_kept
    met = {other.name for mine in own.values() for other in mine.against}
    looks = {name: small_look(name) for name in met.union(counts)}
    return (
        *(
            (
                _COUNT,
                (
                    looks[name],
                    name,
                    some.wins,
                    some.challenges_won,
                    some.challenges_lost,
                    some.bluffs_caught,
                    some.skulls_hit,
                    game,
                ),
            )
            for name, some in counts.items()
        ),
        *(
            statement
            for seat, mine in own.items()
            for statement in _count_own(game, seat, mine, looks, limits.opponents_kept)
        ),
        *game_ended(game, winner, rounds),
        (
            "DELETE FROM former WHERE player IN "  # noqa: S608 - a constant
            f"(SELECT player FROM seats WHERE game IN ({_TOO_OLD})) AND NOT EXISTS (SELECT 1 "
            f"FROM seats WHERE seats.player = former.player AND game NOT IN ({_TOO_OLD}))",
            (games_kept, games_kept),
        ),
        (f"DELETE FROM inputs WHERE game IN ({_TOO_OLD})", (games_kept,)),  # noqa: S608 - a constant
        (f"DELETE FROM seats WHERE game IN ({_TOO_OLD})", (games_kept,)),  # noqa: S608
        (f"DELETE FROM games WHERE id IN ({_TOO_OLD})", (games_kept,)),  # noqa: S608
        (
            "DELETE FROM standings WHERE look IN "
            "(SELECT look FROM standings ORDER BY latest DESC LIMIT -1 OFFSET ?)",
            (limits.records_kept,),
        ),
        *(
            (
                f"DELETE FROM {table} WHERE player IN ({_OTHERS_PLAYED_LATER})",  # noqa: S608 - constants
                (limits.statistics_kept,),
            )
            for table in ("opponents", "own_statistics")
        ),
    )


def _count_own(
    game: int, seat: int, own: OwnCounts, looks: Mapping[str, str], opponents_kept: int
) -> Iterator[Statement]:
    """Count a game for one player alone; `looks`: of the names of those they played with."""
    mine = own.counts
    yield (
        _COUNT_OWN,
        (
            mine.wins,
            mine.challenges_won,
            mine.challenges_lost,
            own.bluffs_held,
            mine.bluffs_caught,
            mine.skulls_hit,
            game,
            seat,
        ),
    )
    for other in own.against:
        yield (
            _COUNT_OPPONENT,
            (
                looks[other.name],
                other.name,
                mine.wins,
                other.wins,
                mine.challenges_won,
                other.challenges_won,
                other.stopped,
                other.stopped_by,
                game,
                seat,
            ),
        )
    yield _DROP_OPPONENTS, (game, seat, opponents_kept)


class HistoryStore:
    """Finds finished games. Each question reads a bounded number of rows, by an index."""

    def __init__(self, read: Read) -> None:
        self._read = read

    def played_by(self, player: int, before: int | None, limit: int) -> list[FinishedGame]:
        """Games that a player played, newest first, older than the game `before`."""
        rows = self._read(_PLAYED, player, before or 2**62, limit)
        return [self._finished(row) for row in rows]

    def load(self, game: int) -> GameRecord | None:
        """A finished game; of its inputs no more than can be looked at."""
        rows = self._read(
            "SELECT id, table_code, ended, winner, rounds, start FROM games "
            "WHERE id = ? AND ended IS NOT NULL",
            game,
        )
        if not rows:
            return None
        *told, start = rows[0]
        made = start_of(_blob(start))
        inputs = self._read(
            "SELECT seat, action FROM inputs WHERE game = ? AND n < ? ORDER BY n", game, MOST_STEPS
        )
        return GameRecord(
            self._finished(told),
            made.rules_version,
            made.options,
            int.from_bytes(made.seed, "big"),
            made.flowers,
            [(_whole(seat), input_of(_blob(action))) for seat, action in inputs],
        )

    def former_player(self, token: bytes) -> int | None:
        """Who was known by this hash of a token, was forgotten since, and has games here."""
        rows = self._read("SELECT player FROM former WHERE token = ?", token)
        return _whole(rows[0][0]) if rows else None

    def records(self, limit: int) -> list[PlayerRecord]:
        """The records of the players, most wins first."""
        rows = self._read(
            "SELECT name, games, wins, challenges_won, challenges_lost, bluffs_caught, skulls_hit "
            "FROM standings ORDER BY wins DESC, games, name LIMIT ?",
            limit,
        )
        return [PlayerRecord(str(name), *map(_whole, counts)) for name, *counts in rows]

    def statistics(self, player: int, opponents: int) -> Statistics | None:
        """What is counted for a player alone, with so many opponents, those met last first."""
        rows = self._read(
            "SELECT games, wins, challenges_won, challenges_lost, bluffs_held, bluffs_caught, "
            "skulls_hit FROM own_statistics WHERE player = ?",
            player,
        )
        if not rows:
            return None
        met = self._read(
            "SELECT name, games, wins, their_wins, challenges_won, their_challenges_won, stopped, "
            "stopped_by FROM opponents WHERE player = ? ORDER BY latest DESC, look DESC LIMIT ?",
            player,
            opponents,
        )
        games, wins, won, lost, held, caught, hit = map(_whole, rows[0])
        opponents_met = tuple(Opponent(str(name), *map(_whole, counts)) for name, *counts in met)
        return Statistics(games, wins, won, lost, held, caught, hit, opponents_met)

    def _finished(self, row: Sequence[object]) -> FinishedGame:
        game, table, ended, winner, rounds = row
        seats = self._read(
            "SELECT player, name, left_at FROM seats WHERE game = ? ORDER BY seat", game
        )
        [(inputs,)] = self._read("SELECT coalesce(max(n) + 1, 0) FROM inputs WHERE game = ?", game)
        return FinishedGame(
            _whole(game),
            str(table),
            _whole(ended),
            _whole(winner),
            _whole(rounds),
            _whole(inputs),
            tuple(
                PlayedSeat(_or_none(player), str(name), _or_none(left))
                for player, name, left in seats
            ),
        )


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _or_none(value: object) -> int | None:
    return None if value is None else _whole(value)


def _blob(value: object) -> bytes:
    assert isinstance(value, bytes)
    return value
