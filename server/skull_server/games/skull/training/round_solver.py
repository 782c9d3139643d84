"""One round between two players, solved by counterfactual regret minimisation (CFR+).

What a round leads to is worth what the next one is worth at the beliefs that it leaves; these
follow from the average strategy so far. By what the strategies of the moment would tell, values
come out alike, but the outcome was easier to exploit.
"""

import numpy as np

from skull_server.games.skull.bots.duel import NO_SKULL
from skull_server.games.skull.training.round_tree import (
    Array,
    Judge,
    Key,
    RoundTree,
    Strategy,
    Worth,
    best_of,
    histories,
    trembling,
)

_EVERY = 2
"""After so many iterations it is found anew what the end of a round is worth."""


class RoundSolver:
    """Finds how to play a round: both players' average strategies over many iterations."""

    def __init__(
        self,
        tree: RoundTree,
        judge: Judge,
        priors: tuple[Array, Array],
        tremble: float,
        stumble: float,
    ) -> None:
        """`priors`: by player and grid point, the belief that the player owns the skull.

        `tremble`: how often a player is thought to act at random; `stumble`: how often one does
        while this is learned.
        """
        self._tree, self._judge, self._priors = tree, judge, priors
        self._tremble, self._stumble = tremble, stumble
        points = len(priors[0])
        ones = np.ones(points)
        self._all = np.stack([ones, ones])
        self._start = tuple(np.stack([1 - prior, prior]) for prior in priors)
        self._first_regrets = [np.zeros((2, points)) for _ in range(2)]
        self._first_sums = [np.zeros((2, points)) for _ in range(2)]
        shapes = {
            key: (*group.legal.shape[:2], histories(*key[1:]) if key[1] else 1, points)
            for key, group in tree.groups.items()
        }
        self._regrets = {key: np.zeros(shape) for key, shape in shapes.items()}
        self._sums = {key: np.zeros(shape) for key, shape in shapes.items()}

    def run(self, iterations: int) -> None:
        """Improve the strategies."""
        now = self._current((0, 1), None)
        judged = self._judged(now)
        for iteration in range(1, iterations + 1):
            for player in (0, 1):
                self._improve(player, now, judged, float(iteration))
                now = self._current((player,), now)
            if iteration % _EVERY == 0:
                judged = self._judged(self.average())

    def average(self) -> Strategy:
        """Return the average strategy so far, without trembling."""
        return Strategy(
            (self._share(self._first_sums[0], 0), self._share(self._first_sums[1], 1)),
            {
                key: _normal(self._sums[key], group.legal)
                for key, group in self._tree.groups.items()
            },
        )

    def values(self) -> Array:
        """Return what the average strategies are worth: by player, skull owned or not, point."""
        strategy = self.average()
        judged = self._judged(strategy)
        return np.stack([self._value(strategy, judged, player, False) for player in (0, 1)])

    def gains(self) -> Array:
        """Return what each player could gain in the round, by playing otherwise; by point."""
        strategy = self.average()
        judged = self._judged(strategy)
        gain = [
            self._value(strategy, judged, player, True)
            - self._value(strategy, judged, player, False)
            for player in (0, 1)
        ]
        return np.stack([(gain[i] * self._start[i]).sum(axis=0) for i in (0, 1)])

    def _value(
        self, strategy: Strategy, judged: dict[Key, Worth], player: int, best: bool
    ) -> Array:
        """Return what a player's ways to start are worth; with the best actions or as usual."""

        def usual(key: Key, worths: Array) -> Array:
            return _sum(worths, strategy.nodes[key])

        def most(key: Key, worths: Array) -> Array:
            return best_of(worths, self._tree.groups[key].legal)

        reached = self._tree.reach(strategy, self._against(player))
        states = self._tree.worths(player, strategy, reached, judged, most if best else usual)
        first = strategy.first[player]
        owner = states[1:]
        kept = best_of(owner, self._tree.first[player]) if best else (owner * first).sum(axis=0)
        return np.stack([states[NO_SKULL], kept])

    def _against(self, player: int) -> tuple[Array, Array]:
        """Start with a player in every state alike, and the other as is believed."""
        return (self._all, self._start[1]) if player == 0 else (self._start[0], self._all)

    def _current(self, players: tuple[int, ...], before: Strategy | None) -> Strategy:
        nodes = {
            key: _normal(self._regrets[key], group.legal)
            if before is None or group.actor in players
            else before.nodes[key]
            for key, group in self._tree.groups.items()
        }
        first = [self._share(self._first_regrets[i], i) for i in (0, 1)]
        return Strategy((first[0], first[1]), nodes)

    def _share(self, weights: Array, player: int) -> Array:
        return _normal(weights, self._tree.first[player])

    def _improve(self, player: int, now: Strategy, judged: dict[Key, Worth], weight: float) -> None:
        shaky = trembling(self._tree, now, self._stumble)
        reached = self._tree.reach(shaky, self._against(player))

        def regret(key: Key, worths: Array) -> Array:
            shares, regrets = now.nodes[key], self._regrets[key]
            value = _sum(worths, shares)
            worths -= value
            worths *= self._tree.groups[key].legal
            regrets += worths
            np.maximum(regrets, 0, out=regrets)
            self._sums[key] += shares * (reached[key][player] * weight)
            return value

        owner = self._tree.worths(player, shaky, reached, judged, regret)[1:]
        first = now.first[player]
        better = (owner - (owner * first).sum(axis=0)) * self._tree.first[player]
        self._first_regrets[player] = np.maximum(self._first_regrets[player] + better, 0)
        self._first_sums[player] += first * weight

    def _judged(self, strategy: Strategy) -> dict[Key, Worth]:
        shaky = trembling(self._tree, strategy, self._tremble)
        reached = self._tree.reach(shaky, (self._start[0], self._start[1]))
        return {
            key: self._judge(challenger, self._tree.beliefs(key, challenger, reach, self._priors))
            for key, challenger, reach in self._tree.challenges(shaky, reached)
        }


def _sum(worths: Array, shares: Array) -> Array:
    """Return what actions are worth that are done so often."""
    found: Array = np.einsum("ashp,ashp->shp", worths, shares)
    return found


def _normal(weights: Array, legal: Array) -> Array:
    """Return weights as shares of their sum; where there are none, all that is legal alike."""
    weight = weights.sum(axis=0)
    even = legal / np.maximum(legal.sum(axis=0), 1)
    return np.where(weight > 0, weights / np.where(weight > 0, weight, 1), even)
