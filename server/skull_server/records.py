"""What the journal keeps, and the statements that write it.

Every statement may be done twice with the same effect as once: after a disk fault nobody knows
whether a commit got through, so it is done again.
"""

import time
from collections.abc import Sequence

import msgspec

from skull_protocol.skull import SkullOptions
from skull_protocol.tables import BotLevel, TableOptions, TableStage
from skull_protocol.wire import Wire
from skull_server.games.skull.forfeit import SkullInput
from skull_server.schema import Statement

_SEED_BYTES = 32


class SeatRecord(Wire, frozen=True):
    """Who sits in a seat of a table."""

    player: int | None
    name: str
    flowers: int | None
    answered: bool
    bot_plays: bool
    gone: bool
    level: BotLevel | None = None
    """How well the bot plays that sits here."""


class TableRecord(Wire, frozen=True):
    """A table as it is rebuilt after a restart."""

    code: str
    host: int
    options: TableOptions
    stage: TableStage
    games: int
    next_seq: int
    """At least: a running game's inputs have used up more."""
    seats: tuple[SeatRecord, ...]
    password: bytes | None
    removed: tuple[int | str, ...]
    """Who must not come back: players by number, and looks of names."""
    game: int | None
    """The game that is played, or was played last and can still be seen."""


class GameStart(Wire, frozen=True):
    """What a game was made of."""

    rules_version: int
    options: SkullOptions
    seed: bytes
    """Big-endian."""
    flowers: tuple[int | None, ...]
    first_seq: int
    """The number of the update that told of its beginning."""
    began: int
    """Seconds since 1970, UTC."""


class BegunGame(msgspec.Struct, frozen=True):
    """A game as it has been recorded so far."""

    number: int
    start: GameStart
    inputs: tuple[tuple[int, SkullInput], ...]
    """Seat and input, oldest first."""
    people: tuple[tuple[int, str, int | None], ...]
    """Seat and name of everybody who began it, and after how many inputs they left for good."""
    bots: tuple[tuple[int, str], ...]
    """Seat and name of the bots that began it."""


_pack = msgspec.msgpack.Encoder().encode
_unpack_table = msgspec.msgpack.Decoder(TableRecord).decode
_unpack_start = msgspec.msgpack.Decoder(GameStart).decode
_unpack_input: msgspec.msgpack.Decoder[SkullInput] = msgspec.msgpack.Decoder(SkullInput)


def player_saved(player: int, name: str, tokens: Sequence[bytes]) -> Sequence[Statement]:
    """Somebody is known, by these hashes of tokens."""
    return (("INSERT OR REPLACE INTO players VALUES (?, ?, ?)", (player, name, b"".join(tokens))),)


def player_gone(player: int, tokens: Sequence[bytes] = ()) -> Sequence[Statement]:
    """Somebody was away for long; their finished games stay, and tokens that lead to them."""
    return (
        *(
            (
                "INSERT OR REPLACE INTO former SELECT ?, ? WHERE EXISTS (SELECT 1 FROM seats "
                "JOIN games ON id = game WHERE player = ? AND ended IS NOT NULL)",
                (token, player, player),
            )
            for token in tokens
        ),
        ("DELETE FROM players WHERE id = ?", (player,)),
        ("DELETE FROM answers WHERE player = ?", (player,)),
    )


def player_again(player: int) -> Sequence[Statement]:
    """Somebody who was gone long ago has come back."""
    return (("DELETE FROM former WHERE player = ?", (player,)),)


def request_done(
    player: int, n: int, kept: int, request: int, digest: bytes
) -> Sequence[Statement]:
    """A request was done, and is not to be done again; the last `kept` are remembered."""
    values = (player, n % kept, n, request, digest)
    return (("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", values),)


def table_saved(record: TableRecord) -> Sequence[Statement]:
    """A table is new or has changed."""
    return (("INSERT OR REPLACE INTO tables VALUES (?, ?)", (record.code, _pack(record))),)


def table_gone(code: str) -> Sequence[Statement]:
    """Nobody is left at a table; a game that was not over is gone with it."""
    unfinished = "(SELECT id FROM games WHERE table_code = ? AND ended IS NULL)"
    return (
        (f"DELETE FROM inputs WHERE game IN {unfinished}", (code,)),  # noqa: S608 - a constant
        (f"DELETE FROM seats WHERE game IN {unfinished}", (code,)),  # noqa: S608
        ("DELETE FROM games WHERE table_code = ? AND ended IS NULL", (code,)),
        ("DELETE FROM tables WHERE code = ?", (code,)),
    )


def game_begun(
    game: int, table: str, start: GameStart, seats: Sequence[tuple[int | None, str]]
) -> Sequence[Statement]:
    """A game has begun; `seats` are player (None: a bot) and name."""
    return (
        (
            "INSERT OR REPLACE INTO games VALUES (?, ?, ?, NULL, NULL, NULL)",
            (game, table, _pack(start)),
        ),
        *(
            ("INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, NULL)", (game, seat, player, name))
            for seat, (player, name) in enumerate(seats)
        ),
    )


def game_start(
    rules_version: int,
    options: SkullOptions,
    seed: int,
    flowers: Sequence[int | None],
    first_seq: int,
) -> GameStart:
    """Put together what a game is made of, now."""
    packed = seed.to_bytes(_SEED_BYTES, "big")
    began = int(time.time())
    return GameStart(rules_version, options, packed, tuple(flowers), first_seq, began)


def input_done(
    game: int, n: int, seat: int, action: SkullInput, player: int | None
) -> Sequence[Statement]:
    """The game took its input number `n`, from 0."""
    values = (game, n, seat, _pack(action), player)
    return (("INSERT OR REPLACE INTO inputs VALUES (?, ?, ?, ?, ?)", values),)


def seat_left(game: int, seat: int, inputs: int) -> Sequence[Statement]:
    """The player of a seat left for good when the game had had so many inputs."""
    return (("UPDATE seats SET left_at = ? WHERE game = ? AND seat = ?", (inputs, game, seat)),)


def game_ended(game: int, winner: int, rounds: int) -> Sequence[Statement]:
    """A game is over."""
    values = (int(time.time()), winner, rounds, game)
    return (("UPDATE games SET ended = ?, winner = ?, rounds = ? WHERE id = ?", values),)


def table_of(stored: bytes) -> TableRecord:
    """Read a table back. Raises `msgspec.DecodeError`, as the next two do."""
    return _unpack_table(stored)


def start_of(stored: bytes) -> GameStart:
    """Read back what a game was made of."""
    return _unpack_start(stored)


def input_of(stored: bytes) -> SkullInput:
    """Read back an input of a game."""
    return _unpack_input.decode(stored)
