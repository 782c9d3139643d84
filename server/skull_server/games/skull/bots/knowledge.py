"""What was learned of rounds, read once, when the first bot needs it: table, beliefs, equity.

The file beside this one is made by `python -m skull_server.games.skull.training table`;
`rounds.json` says how, and what it must hash to.
"""

import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path

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


class Rows:
    """For each situation, how often each choice is taken. Not a dict: that takes 2 MB more."""

    def __init__(self, numbers: "array[int]", chances: bytes) -> None:
        """`numbers`: of the situations, lowest first; `chances`: as `Stored.rows`."""
        self._numbers = numbers
        self._chances = chances

    def __len__(self) -> int:
        """How many situations there are."""
        return len(self._numbers)

    def of(self, number: int) -> bytes | None:
        """What is done in a situation, in 255ths; None if it was never met."""
        at = bisect_left(self._numbers, number)
        if at == len(self._numbers) or self._numbers[at] != number:
            return None
        return self._chances[at * ROW : (at + 1) * ROW]


class Knowledge:
    """The table (what to do in which situation) and what it rests on."""

    def __init__(self, rows: Rows, beliefs: Beliefs, equity: Equity) -> None:
        """`rows`: the table."""
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
        row = self.rows.of(situation(mats, place, starter))
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
    rows = Rows(array("I", accumulate(stored.steps)), stored.rows)
    return Knowledge(rows, Beliefs(stored.beliefs), Equity(stored.weights, stored.start))


@cache
def knowledge() -> Knowledge:
    """What comes with the game."""
    return unpack(Path(__file__).with_name("rounds.bin").read_bytes())
