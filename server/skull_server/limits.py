"""Every limit of the server, each with its name, its default and what it is for.

The command line has a flag for each, made from this list (`Limits.hello_deadline` is
`--hello-deadline`), so `skull-server --help` always tells all of them.
"""

import argparse
from dataclasses import dataclass, field, fields
from typing import Self


def _limit(default: float, meaning: str, unit: str = "N", lowest: float = 1) -> float:
    """Describe a limit. Its type in `Limits` says whether it may be a fraction."""
    described = {"meaning": meaning, "unit": unit, "lowest": lowest}
    return field(default=default, metadata=described)


def _count(default: int, meaning: str, lowest: int = 1) -> int:
    return _limit(default, meaning, "N", lowest)  # type: ignore[return-value]


@dataclass(frozen=True)
class Limits:
    """What the server allows; times are in seconds."""

    connections: int = _count(4000, "connections at once")
    connections_per_address: int = _count(
        200, "connections at once from one address (players who share a box share its address)"
    )
    tls_burst: int = _count(200, "TLS connections that one address may begin in one go")
    tls_seconds: float = _limit(
        60, "time after which an address that began that many may begin as many again", "S", 0.01
    )
    hello_deadline: float = _limit(10, "time to say hello after connecting", "S", 0.01)
    hello_tries: int = _count(5, "refused hellos before the connection is closed")
    silence: float = _limit(60, "silence after which a connection counts as lost", "S", 0.01)
    requests_per_second: float = _limit(20, "requests a second from one connection", "N", 0.01)
    request_burst: int = _count(40, "requests that may come faster than that, in one go")
    queue_messages: int = _count(64, "messages waiting for one client before it is cut off")
    queue_bytes: int = _count(1024 * 1024, "bytes waiting for one client before it is cut off")
    farewell: float = _limit(1, "time to read the last words before the line is cut", "S", 0)
    players: int = _count(4000, "players known at once, the absent ones included")
    answers_kept: int = _count(32, "answers kept for each player, for requests sent again")
    absence: float = _limit(
        120, "time that a lost player's name and seat are kept; in a game, until a bot plays", "S"
    )
    empty_table: float = _limit(
        600, "time that a table with a game lasts while nobody at it is connected", "S"
    )
    code_seconds: float = _limit(300, "time that a code for another terminal holds", "S", 0.01)
    code_tries: int = _count(5, "wrong codes from one address in that time")
    tables: int = _count(1000, "tables at once")
    watchers: int = _count(50, "people watching one table", 0)
    bots: int = _count(5, "bots at one table", 0)
    removed_kept: int = _count(200, "removed players whom a table remembers, and keeps out")
    mutes: int = _count(100, "people whom one person may mute at a table")
    chat_burst: int = _count(10, "lines of chat that one person may say in one go")
    chat_seconds: float = _limit(
        20, "time after which one who said that many may say as many again", "S", 0.01
    )
    password_tries: int = _count(5, "wrong passwords at one table from one address")
    table_password_tries: int = _count(50, "wrong passwords at one table from everybody together")
    password_wait: float = _limit(
        300, "time after which as many wrong passwords are allowed again", "S", 0.01
    )
    bot_delay: float = _limit(1.2, "time that a bot takes to act, on average", "S", 0)
    games_kept: int = _count(10_000, "finished games kept to be looked at, the oldest dropped")
    records_kept: int = _count(10_000, "players with a record, those who played last")
    statistics_kept: int = _count(10_000, "players with statistics of their own, likewise")
    opponents_kept: int = _count(100, "opponents in one player's statistics, those met last")
    lobby_interval: float = _limit(0.1, "time between two pushes of lobby news", "S", 0)

    @classmethod
    def add_flags(cls, parser: argparse.ArgumentParser) -> None:
        """Give the command line a flag for every limit."""
        group = parser.add_argument_group("limits")
        for limit in fields(cls):
            whole = isinstance(limit.default, int) and limit.type in (int, "int")
            group.add_argument(
                f"--{limit.name.replace('_', '-')}",
                type=_number(int if whole else float, limit.metadata["lowest"]),
                default=limit.default,
                metavar=limit.metadata["unit"],
                help=f"{limit.metadata['meaning']} (default: %(default)s)",
            )

    @classmethod
    def from_flags(cls, flags: argparse.Namespace) -> Self:
        """Take the limits from a parsed command line."""
        return cls(**{limit.name: getattr(flags, limit.name) for limit in fields(cls)})


class _number:  # noqa: N801 - argparse shows the name of this type in its messages
    """A number of a flag, not below the lowest that makes sense."""

    def __init__(self, kind: type[int] | type[float], lowest: float) -> None:
        self._kind = kind
        self._lowest = lowest

    def __call__(self, text: str) -> float:
        try:
            value = self._kind(text)
        except ValueError:
            wanted = "a whole number" if self._kind is int else "a number"
            raise argparse.ArgumentTypeError(f"{text!r} is not {wanted}") from None
        if not self._lowest <= value < 1e9:
            raise argparse.ArgumentTypeError(f"must be {self._lowest} or more, not {text}")
        return value
