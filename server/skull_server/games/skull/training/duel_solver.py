"""The whole game between two players, solved from its end.

Every round costs a disc or earns a point, so what rounds lead to can be solved first. Which disc
was lost is hidden: a public state is discs and points of both, who starts, and how likely each is
believed to own the skull still. Beliefs are solved at the points of a grid; between them, worths
and strategies are interpolated.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from skull_server.games.skull.bots.duel import MAX_DISCS, Duel, duels
from skull_server.games.skull.bots.duel_table import belief_axis
from skull_server.games.skull.training.round_solver import RoundSolver
from skull_server.games.skull.training.round_tree import (
    Array,
    Beliefs,
    Judge,
    RoundTree,
    Strategy,
    Typed,
    Worth,
)

_AT_ONCE = 512
"""Grid points solved side by side: few enough for the arrays to stay in the cache."""


@dataclass(frozen=True)
class Settings:
    """What a solution depends on."""

    points: int = 17
    """Of the belief grid."""
    iterations: int = 600
    """More of them change little: what later rounds are worth moves with the beliefs."""
    tremble: float = 0.015
    """How often players are thought to do anything at all, so that no action is a riddle; in
    thousandths."""
    stumble: float = 0.003
    """How often they do so while it is learned how to play, so that no decision stays unlearned:
    the less, the closer to a player who never does."""
    own_skull_chosen: bool = True
    """Whether who is hit by the own skull chooses which disc to lose."""


@dataclass(frozen=True)
class Solved:
    """One public state, at the points of the grid."""

    values: Array
    """Win chances by player, skull owned or not, belief about the starter, about the other."""
    strategy: Strategy
    """With all points of the grid in one axis, the starter's belief slowest."""
    gain: float
    """What a player could gain in this round by playing otherwise, at the worst point."""


def grid(discs: int, points: int) -> Array:
    """Return the beliefs solved for: one only, while a player cannot have lost the skull."""
    return np.array(belief_axis(1 if discs == MAX_DISCS else points))


def interpolate(tables: Array, starter: Array, other: Array) -> Array:
    """Return the values of tables, whose last axes are both beliefs, at any beliefs."""
    axes = tables.shape[-2:]
    low, share = _between(axes[0], starter)
    left, part = _between(axes[1], other)
    flat = tables.reshape(*tables.shape[:-2], -1)
    at = low * axes[1] + left
    aside, step = min(1, axes[1] - 1), min(1, axes[0] - 1) * axes[1]
    here, there = flat.take(at, axis=-1), flat.take(at + aside, axis=-1)
    below = here + (there - here) * part
    here, there = flat.take(at + step, axis=-1), flat.take(at + step + aside, axis=-1)
    above = here + (there - here) * part
    found: Array = below + (above - below) * share
    return found


def _between(points: int, beliefs: Array) -> tuple[NDArray[np.int64], Array]:
    """Return the grid points just below, and how far on the way to the next the beliefs are."""
    axis = np.array(belief_axis(points))
    if points == 1:
        return np.zeros(np.shape(beliefs), np.int64), np.zeros(np.shape(beliefs))
    low = np.minimum(np.searchsorted(axis, beliefs, side="right") - 1, points - 2)
    return low, (beliefs - axis[low]) / (axis[low + 1] - axis[low])


def choose_loss(after: Array, settings: Settings, discs: int) -> Array:
    """Return how likely a player of so many discs keeps the skull after flipping it.

    By the belief about the other; `after`: the values of the state that it leads to.
    """
    points = after.shape[3]
    if not settings.own_skull_chosen:
        return np.full(points, (discs - 1) / discs)
    beliefs = np.array(belief_axis(after.shape[2]))
    best = [_best_belief(beliefs, *after[0, :, :, column]) for column in range(points)]
    return np.clip(best, settings.tremble, 1 - settings.tremble)


def _best_belief(beliefs: Array, without: Array, owning: Array) -> float:
    """Return the most profitable belief at which nobody would rather have chosen the other way."""
    better = owning - without
    candidates = []
    if better[0] <= 0:
        candidates.append((without[0], beliefs[0]))
    if better[-1] >= 0:
        candidates.append((owning[-1], beliefs[-1]))
    for i in range(len(beliefs) - 1):
        if better[i] > 0 >= better[i + 1]:
            share = better[i] / (better[i] - better[i + 1])
            worth = without[i] + share * (without[i + 1] - without[i])
            candidates.append((worth, beliefs[i] + share * (beliefs[i + 1] - beliefs[i])))
    return float(max(candidates)[1])


def judge(duel: Duel, settings: Settings, values: Callable[[Duel], Array]) -> Judge:
    """Return what the ends of challenges are worth in a state, by the values of later ones."""
    discs, points = duel.discs, duel.points
    losses = {
        challenger: values(duel.after_loss(challenger))
        for challenger in (0, 1)
        if discs[challenger] > 1
    }
    wins = {
        challenger: values(duel.after_success(challenger))
        for challenger in (0, 1)
        if points[challenger] == 0
    }
    kept = {
        challenger: choose_loss(after, settings, discs[challenger])
        for challenger, after in losses.items()
    }

    def worth(challenger: int, beliefs: Beliefs) -> Worth:
        none, all_ = np.zeros(beliefs.success_mine.shape), np.ones(beliefs.success_mine.shape)
        success: tuple[Typed, Typed] = (all_, all_), (none, none)
        if challenger in wins:
            success = at_beliefs(wins[challenger], beliefs.success_mine, beliefs.success_theirs)
        if challenger not in losses:
            return Worth(none, (all_, all_), (none, none), all_, *success)
        left = discs[challenger] - 1
        keeps = interpolate(kept[challenger][None, :], none, beliefs.own_skull_theirs)
        mine, theirs = at_beliefs(losses[challenger], keeps, beliefs.own_skull_theirs)
        blind = beliefs.their_skull_mine * left / (left + 1)
        after, their_skull = at_beliefs(losses[challenger], blind, all_)
        return Worth(
            own_skull_mine=keeps * mine[1] + (1 - keeps) * mine[0],
            own_skull_theirs=theirs,
            their_skull_mine=(after[0], (after[0] + left * after[1]) / (left + 1)),
            their_skull_theirs=their_skull[1],
            success_mine=success[0],
            success_theirs=success[1],
        )

    return worth


def at_beliefs(values: Array, starter: Array, other: Array) -> tuple[Typed, Typed]:
    """Return both players' values, by skull owned or not, at any beliefs.

    Between points of the grid they would add up to a little more than one win for both.
    """
    both = interpolate(values, starter, other)
    excess: Array = -1.0 + sum(
        (1 - belief) * player[0] + belief * player[1]
        for player, belief in zip(both, (starter, other), strict=True)
    )
    both -= excess / 2
    return (both[0, 0], both[0, 1]), (both[1, 0], both[1, 1])


def solve_state(duel: Duel, settings: Settings, values: Callable[[Duel], Array]) -> Solved:
    """Solve the round that begins in a state; `values`: those of states solved before."""
    tree = RoundTree(duel.discs)
    ends = judge(duel, settings, values)
    starter, other = (grid(discs, settings.points) for discs in duel.discs)
    priors = [axis.ravel() for axis in np.meshgrid(starter, other, indexing="ij")]
    solved: list[tuple[Array, Strategy]] = []
    gain = 0.0
    for start in range(0, len(priors[0]), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        beliefs = priors[0][part], priors[1][part]
        solver = RoundSolver(tree, ends, beliefs, settings.tremble, settings.stumble)
        solver.run(settings.iterations)
        gain = max(gain, float(solver.gains().max()))
        solved.append((solver.values(), solver.average()))
    values_ = np.concatenate([part for part, _ in solved], axis=2)
    return Solved(
        values_.reshape(2, 2, len(starter), len(other)), _joined([s for _, s in solved]), gain
    )


def _joined(parts: list[Strategy]) -> Strategy:
    first = [np.concatenate([part.first[i] for part in parts], axis=1) for i in (0, 1)]
    nodes = {
        key: np.concatenate([part.nodes[key] for part in parts], axis=3) for key in parts[0].nodes
    }
    return Strategy((first[0], first[1]), nodes)


def solve(
    settings: Settings,
    most: int = MAX_DISCS,
    known: Mapping[Duel, Solved] | None = None,
    run: Callable[..., Iterable[Solved]] = map,
) -> Iterator[tuple[Duel, Solved]]:
    """Solve all states with up to `most` discs each, but those `known`; as each is done.

    `run`: `map`, or what does the same with several processes.
    """
    found = dict(known or {})
    # Those with as many discs and points do not need each other.
    for _, group in groupby(duels(most), lambda duel: (sum(duel.discs), sum(duel.points))):
        missing = [duel for duel in group if duel not in found]
        jobs = [(duel, settings, _later(duel, found)) for duel in missing]
        for duel, solved in zip(missing, run(_solve, jobs), strict=True):
            found[duel] = solved
            yield duel, solved


def _solve(job: tuple[Duel, Settings, dict[Duel, Array]]) -> Solved:
    duel, settings, later = job
    return solve_state(duel, settings, later.__getitem__)


def _later(duel: Duel, solved: Mapping[Duel, Solved]) -> dict[Duel, Array]:
    """Return the values of the states that a round may lead to."""
    states = [duel.after_success(i) for i in (0, 1) if duel.points[i] == 0]
    states += [duel.after_loss(i) for i in (0, 1) if duel.discs[i] > 1]
    return {state: solved[state].values for state in states}
