"""How a player seems to play, by what was seen of them: from round to round it is told better.

Everybody is first taken to play the table. Some do not stop to think (`carried_away`); and some lay
their skull first far more or far less often than the table does.
"""

from collections.abc import Sequence
from operator import mul

from msgspec import Struct

_CARELESS = (0.0, 0.45, 0.9)
"""How often somebody may do what comes to mind, in place of what the table does."""
_CARELESS_BEFORE = (0.5, 0.2, 0.3)
"""How likely each of these is of somebody who was not seen to play."""
_SKULL_ODDS = (0.05, 0.3, 1.0, 3.0, 20.0)
"""How many times the table's odds of laying the skull first somebody's may be."""
_SKULL_ODDS_BEFORE = (0.2, 0.2, 0.2, 0.2, 0.2)
"""How likely each of these is of somebody whose first discs were not seen."""
_NEVER = 0.03
"""What the table never does somebody may do so often."""


class FirstDisc(Struct, frozen=True):
    """When a first disc was laid by somebody who could choose it.

    Habits are told apart by who begins and who has a point: one who knows what the others expect
    does one thing here and another there.
    """

    begins: bool
    """They began the round."""
    point: bool
    """They had one."""
    usual: float
    """How often the table lays the skull there."""


class Habits:
    """What one player may be like, and how likely each of it is."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._careless: Sequence[float] = _CARELESS_BEFORE
        self._skull_odds: dict[tuple[bool, bool], Sequence[float]] = {}

    @property
    def careless(self) -> float:
        """How often they do what comes to mind."""
        return sum(map(mul, _CARELESS, self._careless), 0.0)

    def acted(self, thought: float, whim: float) -> None:
        """Learn from what they did: how likely that is by the table, and on a whim."""
        self._careless = _learned(
            self._careless, [(1 - often) * thought + often * whim for often in _CARELESS]
        )

    def skull_chance(self, first: FirstDisc) -> float:
        """How likely they lay the skull."""
        return sum(map(mul, _skull_chances(first.usual), self._odds(first)), 0.0)

    def laid(self, first: FirstDisc, skull: float) -> None:
        """Learn from a first disc that by all that is known now was the skull that likely."""
        before = self.skull_chance(first)
        self._skull_odds[first.begins, first.point] = _learned(
            self._odds(first),
            [
                chance * skull / before + (1 - chance) * (1 - skull) / (1 - before)
                for chance in _skull_chances(first.usual)
            ],
        )

    def _odds(self, first: FirstDisc) -> Sequence[float]:
        return self._skull_odds.get((first.begins, first.point), _SKULL_ODDS_BEFORE)


def _skull_chances(usual: float) -> list[float]:
    usual = min(max(usual, _NEVER), 1 - _NEVER)
    return [usual * odds / (usual * odds + 1 - usual) for odds in _SKULL_ODDS]


def _learned(before: Sequence[float], likely: Sequence[float]) -> Sequence[float]:
    after = list(map(mul, before, likely))
    total = sum(after)
    return [each / total for each in after] if total > 0 else before
