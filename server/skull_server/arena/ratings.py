"""From who won which games to figures with their uncertainty."""

from collections import Counter
from collections.abc import Sequence
from math import log10, sqrt
from random import Random

Z95 = 1.96
Tally = Counter[tuple[tuple[str, ...], str]]
"""How often, at a table of these names in order of the alphabet, this one won."""

_RESAMPLES = 100
_STEPS = 60


def interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate of winning (Wilson). Raises `ValueError` without games."""
    if games <= 0:
        raise ValueError("no games, no rate")
    rate, square = wins / games, Z95 * Z95
    middle = (rate + square / (2 * games)) / (1 + square / games)
    reach = Z95 * sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    reach /= 1 + square / games
    return max(0.0, middle - reach), min(1.0, middle + reach)


def strengths(tally: Tally) -> dict[str, float]:
    """Plackett-Luce strengths: who is at a table wins in proportion to theirs.

    On the scale of Elo: 400 points are ten times the chances; the mean is 0. Whoever never won or
    never lost is held back by one imagined draw against the field.
    """
    names = sorted({name for table, _ in tally for name in table})
    won: Counter[str] = Counter()
    for (_, winner), times in tally.items():
        won[winner] += times
    strength = dict.fromkeys(names, 1.0)
    tables: Counter[tuple[str, ...]] = Counter()
    for (table, _), times in tally.items():
        tables[table] += times
    for _ in range(_STEPS):
        expected = {name: 1 / (strength[name] + 1) for name in names}
        for table, times in tables.items():
            total = sum(strength[name] for name in table)
            for name in table:
                expected[name] += times / total
        strength = {name: (won[name] + 0.5) / expected[name] for name in names}
    logs = {name: 400 * log10(each) for name, each in strength.items()}
    mean = sum(logs.values()) / len(logs)
    return {name: each - mean for name, each in logs.items()}


def rated(tally: Tally, rng: Random) -> dict[str, tuple[float, float, float]]:
    """For each name its strength, and the 95 % interval around it (bootstrap)."""
    best = strengths(tally)
    outcomes, times = list(tally), list(tally.values())
    drawn: dict[str, list[float]] = {name: [] for name in best}
    for _ in range(_RESAMPLES):
        again: Tally = Counter(rng.choices(outcomes, times, k=sum(times)))
        for name, each in strengths(again).items():
            drawn[name].append(each)
    return {name: (each, *_middle(drawn[name])) for name, each in best.items()}


def _middle(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    cut = len(ordered) // 40
    return ordered[cut], ordered[-1 - cut]
