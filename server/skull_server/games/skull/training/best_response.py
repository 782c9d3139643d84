"""How much somebody who knows the two-player bot could win against it, at most.

A best response knows the bot's strategy and the beliefs that it goes by, which follow from what
everybody sees, but not its discs. Its chances are found from the end of the game backwards, at the
points of a belief grid of its own, which may be finer than the bot's.
"""

from collections.abc import Iterator

import numpy as np

from skull_server.games.skull.bots.duel import MAX_DISCS, NO_SKULL, Duel, duels
from skull_server.games.skull.bots.duel_table import DuelTable
from skull_server.games.skull.training.duel_solver import grid, interpolate
from skull_server.games.skull.training.packing import keeps_at, strategy_at
from skull_server.games.skull.training.round_tree import (
    Array,
    Beliefs,
    Key,
    RoundTree,
    Strategy,
    Typed,
    Worth,
    best_of,
    trembling,
)


class BestResponse:
    """The best anybody can do against a table."""

    def __init__(self, table: DuelTable, points: int, own_skull_chosen: bool = True) -> None:
        """`points`: of the belief grid."""
        self._table, self._points, self._chosen = table, points, own_skull_chosen
        self.values: dict[Duel, Array] = {}
        """Win chances of the best response in the seat of either player: by player, skull owned
        or not, and both beliefs."""
        self._trees: dict[tuple[int, int], RoundTree] = {}

    def solve(self, most: int = MAX_DISCS) -> Iterator[Duel]:
        """Go through all states, the last rounds first."""
        for duel in duels(most):
            axes = [grid(discs, self._points) for discs in duel.discs]
            starter, other = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
            found = [self.round(duel, player, (starter, other)).start for player in (0, 1)]
            self.values[duel] = np.stack(found).reshape(2, 2, len(axes[0]), len(axes[1]))
            yield duel

    def win_chance(self) -> tuple[float, float]:
        """Return what it wins of whole games, as the starter and as the other."""
        starter, other = self.values[Duel(MAX_DISCS, MAX_DISCS, 0, 0)][:, 1, 0, 0]
        return float(starter), float(other)

    def round(self, duel: Duel, player: int, beliefs: tuple[Array, Array]) -> "Response":
        """Find the best a player can do in a round that begins at these beliefs."""
        if duel.discs not in self._trees:
            self._trees[duel.discs] = RoundTree(duel.discs)
        tree = self._trees[duel.discs]
        strategy = strategy_at(self._table, duel, beliefs)
        seen = trembling(tree, strategy, self._table.tremble)
        start = tuple(np.stack([1 - belief, belief]) for belief in beliefs)
        judged = {
            key: self._judge(
                duel, player, challenger, tree.beliefs(key, challenger, reach, beliefs)
            )
            for key, challenger, reach in tree.challenges(
                seen, tree.reach(seen, (start[0], start[1]))
            )
        }
        return Response(tree, player, strategy, judged, (start[0], start[1]))

    def _judge(self, duel: Duel, player: int, challenger: int, beliefs: Beliefs) -> Worth:
        none, all_ = np.zeros(beliefs.success_mine.shape), np.ones(beliefs.success_mine.shape)
        mine = int(player != challenger)  # whose values count: the challenger starts next
        success: Typed = (none, none) if mine else (all_, all_)
        if duel.points[challenger] == 0:
            after = self.values[duel.after_success(challenger)][mine]
            success = self._typed(after, beliefs.success_mine, beliefs.success_theirs)
        if duel.discs[challenger] == 1:
            return Worth(none, (all_, all_), (none, none), all_, success, success)
        later, left = duel.after_loss(challenger), duel.discs[challenger] - 1
        after = self.values[later][mine]
        if self._chosen:
            keeps = keeps_at(self._table, later, beliefs.own_skull_theirs)
        else:
            keeps = all_ * left / (left + 1)
        without, owning = own = self._typed(after, keeps, beliefs.own_skull_theirs)
        if self._chosen:
            hit = np.maximum(without, owning)
        else:
            hit = (without + left * owning) / (left + 1)
        blind = self._typed(after, beliefs.their_skull_mine * left / (left + 1), all_)
        return Worth(
            own_skull_mine=hit,
            own_skull_theirs=own,
            their_skull_mine=(blind[0], (blind[0] + left * blind[1]) / (left + 1)),
            their_skull_theirs=blind[1],
            success_mine=success,
            success_theirs=success,
        )

    @staticmethod
    def _typed(after: Array, starter: Array, other: Array) -> Typed:
        return interpolate(after[0], starter, other), interpolate(after[1], starter, other)


class Response:
    """The best a player can do in one round, at some beliefs."""

    def __init__(
        self,
        tree: RoundTree,
        player: int,
        strategy: Strategy,
        judged: dict[Key, Worth],
        start: tuple[Array, Array],
    ) -> None:
        self.actions: dict[Key, Array] = {}
        """What actions are worth, times how likely the bot gets there; -1: not allowed."""

        def choose(key: Key, worths: Array) -> Array:
            legal = tree.groups[key].legal
            self.actions[key] = np.where(legal > 0, worths, -1.0)
            return best_of(worths, legal)

        both = np.ones_like(start[0])
        against = (both, start[1]) if player == 0 else (start[0], both)
        reached = tree.reach(strategy, against)
        states = tree.worths(player, strategy, reached, judged, choose)
        self.first = np.where(tree.first[player] > 0, states[1:], -1.0)
        """What keeping the skull in hand, or laying it first, is worth."""
        self.start: Array = np.stack([states[NO_SKULL], self.first.max(axis=0)])
        """What the round is worth without the skull and with it."""
