"""Trains what easy, normal and hard know of rounds: the table, the beliefs and the equity.

Work is cut into shards that depend on the seed and the number of the iteration alone; what they
learned is added up in order. So any number of processes makes the same tables, and a run that was
stopped goes on where it was.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import exp, log
from pathlib import Path
from random import Random

import msgspec

from skull_server.games.skull.bots.beliefs import Beliefs, Counts
from skull_server.games.skull.bots.equity import Equity, first_guess, slot
from skull_server.games.skull.bots.mats import Mats
from skull_server.games.skull.bots.situations import situation
from skull_server.games.skull.training.rounds import (
    CHOICES,
    TREMBLE,
    Entry,
    Learner,
    Standing,
    averaged,
    count,
    play_round,
)

SHARDS = 4
_SEATS = (2, 3, 3, 4, 4, 5, 6, 6)
_SOMEWHERE = 0.2
"""How many games begin somewhere in the middle."""
_FORGET = 0.7
"""What counts of earlier iterations are multiplied by, once for each: beliefs follow the table."""

Record = tuple[tuple[int, ...], int, int]
"""A moment between rounds: each player's `slot`, who starts, who won in the end."""


@dataclass
class Learned:
    """All that training knows, and how far it has come."""

    seed: int
    games: int
    """How many are played in each shard of an iteration."""
    iteration: int = 0
    seconds: float = 0.0
    """How long all of it has taken."""
    entries: dict[int, Entry] = field(default_factory=dict)
    counts: Counts = field(default_factory=dict)
    weights: list[float] = field(default_factory=first_guess)
    start: list[float] = field(default_factory=lambda: [1.0] * 7)
    records: list[Record] = field(default_factory=list)


@dataclass
class Shard:
    """What one piece of work found out."""

    changes: dict[int, Entry]
    counts: Counts
    records: list[Record]


def work(learned: Learned, shard: int) -> Shard:
    """Play games, traversing each round for each player."""
    rng = Random(f"{learned.seed} {learned.iteration} {shard}")
    beliefs, equity = Beliefs(learned.counts), Equity(learned.weights, learned.start)
    entries = {number: entry[:] for number, entry in learned.entries.items()}
    learner = Learner(entries, equity, rng, weight=learned.iteration + 1.0)
    found = Shard({}, {}, [])

    def strategy(mats: Mats, place: int, starter: int) -> tuple[Sequence[int], Sequence[float]]:
        choices = mats.choices(place)
        if len(choices) == 1:
            return choices, (1.0,)
        return choices, averaged(entries.get(situation(mats, place, starter)), choices)

    for _ in range(learned.games):
        seats = rng.choice(_SEATS)
        odd = rng.random() < _SOMEWHERE
        standing = Standing.somewhere(seats, rng) if odd else Standing.fresh(seats, rng)
        met: list[tuple[tuple[int, ...], int, list[int]]] = []
        names = list(range(seats))
        winner = None
        while winner is None:
            met.append((_slots(standing), standing.starter, names[:]))
            for me in range(len(standing.points)):
                learner.traverse_round(standing.deal(beliefs), me)
            mats = standing.deal(beliefs)
            skull = play_round(mats, strategy, rng, TREMBLE, partial(count, counts=found.counts))
            before = len(standing.points)
            winner = standing.end(mats, skull, rng)
            if len(standing.points) < before:
                del names[mats.bidder]
        found.records += [
            (slots, starter, there.index(names[winner]))
            for slots, starter, there in met
            if names[winner] in there
        ]
    for number, old in learner.touched.items():
        new = entries[number]
        found.changes[number] = [a - b for a, b in zip(new, old, strict=True)]
    return found


def _slots(standing: Standing) -> tuple[int, ...]:
    size = len(standing.points)
    return tuple(
        slot(size, *each)
        for each in zip(standing.points, standing.discs, standing.has_skull, strict=True)
    )


def add(learned: Learned, shards: Iterable[Shard]) -> None:
    """Put together what the shards of one iteration found, and go on to the next."""
    learned.counts = {
        number: [_FORGET * case for case in cases] for number, cases in learned.counts.items()
    }
    learned.records = learned.records[-40_000:]
    for shard in shards:
        for number, change in shard.changes.items():
            _add_up(learned.entries, number, change)
        for number, cases in shard.counts.items():
            _add_up(learned.counts, number, cases)
        learned.records += shard.records
    learned.iteration += 1
    rng = Random(f"{learned.seed} {learned.iteration} fit")
    fit(learned.weights, learned.start, learned.records, rng, 0.03 / learned.iteration**0.5)


def _add_up(sums: dict[int, Entry], number: int, more: Sequence[float]) -> None:
    old = sums.get(number)
    sums[number] = list(more) if old is None else [a + b for a, b in zip(old, more, strict=True)]


def fit(
    weights: list[float], start: list[float], records: Sequence[Record], rng: Random, step: float
) -> None:
    """Move the weights to where the winners are likelier (Plackett-Luce), in place."""
    logs = [log(weight) if weight > 0 else 0.0 for weight in weights]
    first = [log(each) for each in start]
    for number in rng.sample(range(len(records)), len(records)):
        slots, starter, winner = records[number]
        size = len(slots)
        powers = [exp(logs[each] + (place == starter) * first[size])
                  for place, each in enumerate(slots)]  # fmt: skip
        total = sum(powers)
        for place, each in enumerate(slots):
            slope = step * ((place == winner) - powers[place] / total)
            logs[each] += slope
            if place == starter:
                first[size] += slope
    for number, weight in enumerate(weights):
        if weight > 0:
            weights[number] = exp(logs[number])
    start[:] = [exp(each) for each in first]


Mapped = Callable[[Callable[[int], Shard], Iterable[int]], Iterable[Shard]]
"""`map`, perhaps over several processes."""


def train(
    learned: Learned, iterations: int, mapped: Mapped, done: Callable[[Learned], None]
) -> None:
    """Train up to so many iterations. `done` is called after each."""
    while learned.iteration < iterations:
        # All of them first: adding up changes what they start from.
        add(learned, list(mapped(partial(work, learned), range(SHARDS))))
        done(learned)


def save(learned: Learned, path: Path) -> None:
    """Write all that is learned, to go on from there."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(msgspec.msgpack.encode(learned))
    fresh.replace(path)


def load(path: Path) -> Learned:
    """Read what `save` wrote. Raises `msgspec.DecodeError` if it is something else."""
    return msgspec.msgpack.decode(path.read_bytes(), type=Learned)


def visits(entry: Entry) -> float:
    """How often a situation was met."""
    return entry[2 * CHOICES]
