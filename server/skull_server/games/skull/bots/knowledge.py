"""What was learned of rounds, read once, when the first bot needs it: table, beliefs, equity.

The file beside this one is made by `python -m skull_server.games.skull.training table`;
`rounds.json` says how, and what it must hash to.
"""

import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate

import msgspec

from skull_server.games.skull.bots.beliefs import Beliefs
from skull_server.games.skull.bots.equity import Equity
from skull_server.games.skull.bots.mats import Mats
from skull_server.games.skull.bots.situations import situation

ROW = 6
"""The most choices that a decision has."""
_UNHEARD_OF = 0.7
"""How often, in a situation never met, the calmest choice is taken: a flower, or a pass."""


class Stored(msgspec.Struct, array_like=True):
    """The file, before it is packed."""

    steps: list[int]
    """From each situation's number to the next, lowest first."""
    rows: bytes
    """For each situation, how often each choice is taken, in 255ths."""
    beliefs: dict[int, list[float]]
    weights: list[float]
    start: list[float]

    def packed(self) -> bytes:
        """As it is kept."""
        return zlib.compress(msgspec.msgpack.encode(self), 9)


class Knowledge:
    """The table (what to do in which situation) and what it rests on."""

    def __init__(self, rows: Mapping[int, bytes], beliefs: Beliefs, equity: Equity) -> None:
        """`rows`: for each situation how often each choice is taken, in 255ths."""
        self.rows = rows
        self.beliefs = beliefs
        self.equity = equity

    def __reduce__(self) -> tuple[object, ...]:
        """Sent to another process, what comes with the game is read there."""
        if self is knowledge():
            return knowledge, ()
        return Knowledge, (self.rows, self.beliefs, self.equity)

    def chances(
        self, mats: Mats, place: int, starter: int, choices: Sequence[int]
    ) -> Sequence[float]:
        """How likely the table takes each of a player's choices; they add up to 1."""
        if len(choices) == 1:
            return (1.0,)
        row = self.rows.get(situation(mats, place, starter))
        if row is not None:
            taken = [row[choice] for choice in choices]
            total = sum(taken)
            if total:
                return [each / total for each in taken]
        rest = (1 - _UNHEARD_OF) / (len(choices) - 1)
        return [_UNHEARD_OF, *[rest] * (len(choices) - 1)]


def unpack(packed: bytes) -> Knowledge:
    """Read what `Stored.packed` wrote."""
    stored = msgspec.msgpack.decode(zlib.decompress(packed), type=Stored)
    rows = stored.rows
    table = {
        number: rows[index * ROW : (index + 1) * ROW]
        for index, number in enumerate(accumulate(stored.steps))
    }
    return Knowledge(table, Beliefs(stored.beliefs), Equity(stored.weights, stored.start))


@cache
def knowledge() -> Knowledge:
    """What comes with the game."""
    return unpack(files(__package__).joinpath("rounds.bin").read_bytes())
