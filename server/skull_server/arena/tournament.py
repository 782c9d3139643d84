"""Many games, over several processes. The outcome hangs on the seed, not on how many there are."""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from skull_protocol.skull import SkullOptions
from skull_server.arena.contestants import maker
from skull_server.arena.match import play

_AT_ONCE = 10
"""So many games are handed to a process at once."""


@dataclass(frozen=True)
class Pairing:
    """One game to be played: who sits where, and its seed."""

    seats: tuple[str, ...]
    seed: str


def duel(hero: str, villain: str, seats: int, games: int, seed: int) -> list[Pairing]:
    """One hero among villains, in each seat equally often."""
    return [
        Pairing(
            tuple(hero if seat == game % seats else villain for seat in range(seats)),
            f"{seed} {hero} {villain} {seats} {game}",
        )
        for game in range(games)
    ]


def mixed(names: Sequence[str], seats: int, games: int, seed: int) -> list[Pairing]:
    """Tables drawn from all the names, each as likely as the next for every seat."""
    rng = Random(f"{seed} {seats} tables")
    return [
        Pairing(tuple(rng.choice(names) for _ in range(seats)), f"{seed} mixed {seats} {game}")
        for game in range(games)
    ]


def run(
    pairings: Sequence[Pairing],
    rules: SkullOptions,
    processes: int,
    done: Callable[[int], None],
) -> list[int]:
    """Play them all; return the winning seat of each. `done` is told how many are over."""
    pieces = [pairings[at : at + _AT_ONCE] for at in range(0, len(pairings), _AT_ONCE)]
    winners: list[int] = []
    if processes == 1:
        for piece in pieces:
            winners += _play(rules, piece)
            done(len(winners))
        return winners
    with ProcessPoolExecutor(processes) as pool:
        for won in pool.map(partial(_play, rules), pieces):
            winners += won
            done(len(winners))
    return winners


def _play(rules: SkullOptions, pairings: Sequence[Pairing]) -> list[int]:
    return [play([maker(name) for name in each.seats], rules, each.seed) for each in pairings]
