"""One round between two players as arrays: its public states, who gets there, what it is worth.

All points of the belief grid of one public state stand side by side: every array ends with two
axes, the histories of bids that lead to the same bid and the points of the grid. How nodes and
states are numbered: `bots/duel.py`; here every state has a row, also where nobody can be in it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skull_server.games.skull.bots.duel import (
    IN_HAND,
    MAX_DISCS,
    NO_SKULL,
    UNDER,
    heights,
    may_place_flower,
    most_placed,
    opener,
    total,
)

Array = NDArray[np.float64]
Key = tuple[int, int, int]
"""Discs placed, the last bid (0: none), and 1 if who opened the bidding made it, else 0."""
Reach = tuple[Array, Array]
"""How likely each player plays so as to get somewhere, by state, history and grid point."""
Typed = tuple[Array, Array]
"""By whether a player owns the skull: no, yes."""

_NEVER = 1e-100


@dataclass(frozen=True)
class Worth:
    """What the ways a challenge may end are worth, by history and grid point.

    `mine` is for the challenger, `theirs` for the other. Who was hit by the own skull, or whose
    skull was hit, owns it; for all else it depends.
    """

    own_skull_mine: Array
    own_skull_theirs: Typed
    their_skull_mine: Typed
    their_skull_theirs: Array
    success_mine: Typed
    success_theirs: Typed


@dataclass(frozen=True)
class Beliefs:
    """That a player owns the skull at the end of a challenge, by how it ended."""

    own_skull_theirs: Array
    their_skull_mine: Array
    success_mine: Array
    success_theirs: Array


Judge = Callable[[int, Beliefs], Worth]
"""What the end of a challenge is worth, by the challenger, 0 or 1, and what it tells."""


@dataclass(frozen=True)
class Group:
    """Nodes with the same discs on the mats, the same bid, and the same player to act."""

    key: Key
    actor: int
    legal: NDArray[np.float64]
    """By action and state: 1 or 0."""


@dataclass(frozen=True)
class Strategy:
    """How both players play a round."""

    first: tuple[Array, Array]
    """By player: how likely who owns the skull keeps it in hand, or places it; by grid point."""
    nodes: dict[Key, Array]
    """By action, state, history and grid point."""


class RoundTree:
    """The nodes of a round between players of so many discs, in groups."""

    def __init__(self, discs: tuple[int, int]) -> None:
        self.discs = discs
        self.most = most_placed(discs)
        self.first = tuple(
            np.array([[1.0 if count > 1 else 0.0], [1.0]]) for count in discs
        )  # keep in hand, place: the last disc must be placed
        self.groups = {group.key: group for group in self._groups()}

    def _groups(self) -> Iterator[Group]:
        for placed in range(self.most + 1):
            all_discs, first = total(placed), opener(placed)
            yield Group((placed, 0, 0), first, self._legal_openings(placed))
            for bid in range(1, all_discs):
                for by_opener in (1, 0) if bid > 1 else (1,):
                    actor = first ^ by_opener
                    legal = np.ones((1 + all_discs - bid, self.rows(placed, actor)))
                    yield Group((placed, bid, by_opener), actor, legal[:, :, None, None])

    def _legal_openings(self, placed: int) -> Array:
        player = opener(placed)
        discs, height = self.discs[player], heights(placed)[player]
        legal = np.ones((2 + total(placed), self.rows(placed, player)))
        for state in range(legal.shape[1]):
            legal[0, state] = may_place_flower(discs, height, state)
            legal[1, state] = state == IN_HAND and discs > height
        return legal[:, :, None, None]

    def rows(self, placed: int, player: int) -> int:
        """Return how many states there are, with those that cannot be."""
        return UNDER + 1 + heights(placed)[player]

    def may_place(self, placed: int) -> bool:
        """Tell whether whose turn it is has a disc left to place."""
        return placed < self.most

    # -- down and up the tree --------------------------------------------------------------------

    def reach(self, strategy: Strategy, start: tuple[Array, Array]) -> dict[Key, Reach]:
        """Return how likely each player gets to each group, and to bids of all discs.

        `start`: by player, how likely the player is without the skull, and with it; by grid
        point.
        """
        here = tuple(
            np.stack([start[i][0], start[i][1] * first[0], start[i][1] * first[1]])[:, None, :]
            for i, first in enumerate(strategy.first)
        )
        found: dict[Key, Reach] = {}
        for placed in range(self.most + 1):
            found[placed, 0, 0] = (here[0], here[1])
            self._reach_bids(strategy, placed, (here[0], here[1]), found)
            if self.may_place(placed):
                player = opener(placed)
                moved = _placed(here[player], strategy.nodes[placed, 0, 0])
                here = (moved, here[1]) if player == 0 else (here[0], moved)
        return found

    def _reach_bids(
        self, strategy: Strategy, placed: int, here: Reach, found: dict[Key, Reach]
    ) -> None:
        all_discs, first = total(placed), opener(placed)
        points = here[0].shape[2]
        for bid in range(1, all_discs + 1):
            for by_opener in (0, 1):
                shape = histories(bid, by_opener), points
                found[placed, bid, by_opener] = (
                    np.empty((len(here[0]), *shape)),
                    np.empty((len(here[1]), *shape)),
                )
        opening = strategy.nodes[placed, 0, 0]
        for bid in range(1, all_discs + 1):
            into = found[placed, bid, 1]
            into[first][:, :1] = here[first] * opening[1 + bid]
            into[1 - first][:, :1] = here[1 - first]
        for bid in range(1, all_discs):
            for by_opener in (1, 0) if bid > 1 else (1,):
                acting = first ^ by_opener
                source, nodes = (
                    found[placed, bid, by_opener],
                    strategy.nodes[placed, bid, by_opener],
                )
                at = _slot(bid, by_opener)
                for raised in range(bid + 1, all_discs + 1):
                    into = found[placed, raised, 1 - by_opener]
                    into[acting][:, at] = source[acting] * nodes[raised - bid]
                    into[1 - acting][:, at] = source[1 - acting]

    def challenges(
        self, strategy: Strategy, reached: dict[Key, Reach]
    ) -> Iterator[tuple[Key, int, Reach]]:
        """Go through how the bidding may end: the last bid, the challenger, and how likely."""
        for placed in range(self.most + 1):
            for bid in range(1, total(placed) + 1):
                for by_opener in (1, 0) if bid > 1 else (1,):
                    key = (placed, bid, by_opener)
                    challenger = opener(placed) ^ 1 ^ by_opener
                    reach = reached[key]
                    if bid < total(placed):
                        passed = strategy.nodes[key][0]
                        other = reach[1 - challenger] * passed
                        reach = (reach[0], other) if challenger == 0 else (other, reach[1])
                    yield key, challenger, reach

    def beliefs(
        self, key: Key, challenger: int, reach: Reach, priors: tuple[Array, Array]
    ) -> Beliefs:
        """Return what the ways to end a challenge tell."""
        placed, bid, _ = key
        other = 1 - challenger
        own_hit, other_hit = hits(placed, bid, challenger)
        mine, theirs = reach[challenger], reach[other]
        nothing = slice(0, 0)
        return Beliefs(
            own_skull_theirs=self._belief(placed, other, theirs, nothing, priors),
            their_skull_mine=self._belief(placed, challenger, mine, own_hit, priors),
            success_mine=self._belief(placed, challenger, mine, own_hit, priors),
            success_theirs=self._belief(placed, other, theirs, other_hit, priors),
        )

    def _belief(
        self, placed: int, player: int, reach: Array, seen: slice, priors: tuple[Array, Array]
    ) -> Array:
        """Return how likely a player owns the skull, which is not in one of the states `seen`.

        Where the strategy never leads there, it is what it was before the round.
        """
        if self.discs[player] == MAX_DISCS:
            return np.ones(reach.shape[1:])
        rows = [row for row in range(UNDER + 1, len(reach)) if not seen.start <= row < seen.stop]
        if self.discs[player] > heights(placed)[player]:
            rows.append(IN_HAND)
        owning = sum((reach[row] for row in rows), np.zeros(reach.shape[1:]))
        if not rows:
            return owning
        everything = owning + reach[NO_SKULL]
        certain = np.maximum(everything, _NEVER)
        return np.where(everything > _NEVER, owning / certain, priors[player])

    def worths(
        self,
        player: int,
        strategy: Strategy,
        reached: dict[Key, Reach],
        judged: dict[Key, Worth],
        choose: Callable[[Key, Array], Array],
    ) -> Array:
        """Return what a player's first three states are worth.

        `choose(key, worths)`: the worth of a node to its actor from those of its actions. All
        count as much as the other player gets there.
        """
        ended = {
            key: _ended(key, challenger, player, reach[1 - player], judged[key])
            for key, challenger, reach in self.challenges(strategy, reached)
        }
        placing: Array | None = None
        for placed in range(self.most, -1, -1):
            all_discs, first = total(placed), opener(placed)
            worth: dict[tuple[int, int], Array] = {
                (all_discs, by_opener): ended[placed, all_discs, by_opener] for by_opener in (0, 1)
            }
            for bid in range(all_discs - 1, 0, -1):
                for by_opener in (1, 0) if bid > 1 else (1,):
                    key = (placed, bid, by_opener)
                    at = _slot(bid, by_opener)
                    actions = [ended[key]] + [
                        worth[raised, 1 - by_opener][:, at]
                        for raised in range(bid + 1, all_discs + 1)
                    ]
                    if first ^ by_opener == player:
                        worth[bid, by_opener] = choose(key, np.stack(actions))
                    else:
                        worth[bid, by_opener] = sum(actions[1:], actions[0])
            bids = [worth[bid, 1][:, :1] for bid in range(1, all_discs + 1)]
            if first == player:
                flower, skull = _unplaced(placing, bids[0])
                placing = choose((placed, 0, 0), np.stack([flower, skull, *bids]))
            else:
                placing = sum(bids[1:], bids[0] if placing is None else bids[0] + placing)
        assert placing is not None
        return placing[:, 0]


def hits(placed: int, bid: int, challenger: int) -> tuple[slice, slice]:
    """Return the states in which a challenge hits the challenger's own skull, and the other's."""
    own, other = heights(placed)[challenger], heights(placed)[1 - challenger]
    of_own = min(bid, own)
    of_other = bid - of_own
    top = UNDER + 1
    return slice(top + own - of_own, top + own), slice(top + other - of_other, top + other)


def histories(bid: int, by_opener: int) -> int:
    """Return how many ways of bidding lead to a bid of the player who opened, or the other."""
    return by_opener if bid == 1 else int(2 ** (bid - 2))


def _slot(bid: int, by_opener: int) -> slice:
    """Return where the histories of a bid come among those of any bid that raises it."""
    start = 0 if bid == 1 else 2 ** (bid - 2)
    return slice(start, start + histories(bid, by_opener))


def _placed(reach: Array, node: Array) -> Array:
    """Return a player's reach after placing one more disc."""
    after = np.empty((len(reach) + 1, *reach.shape[1:]))
    np.multiply(reach, node[0], out=after[:-1])
    np.multiply(reach[IN_HAND], node[1, IN_HAND], out=after[-1])
    return after


def _unplaced(after: Array | None, like: Array) -> tuple[Array, Array]:
    """Return what placing a flower or the skull is worth from the worths after it."""
    nothing = np.zeros_like(like)
    if after is None:
        return nothing, nothing
    skull = nothing.copy()
    skull[IN_HAND] = after[-1]
    return after[:-1], skull


def _ended(key: Key, challenger: int, player: int, reach: Array, worth: Worth) -> Array:
    """Return what the end of the bidding is worth to a player, by state."""
    placed, bid, _ = key
    own_hit, other_hit = hits(placed, bid, challenger)
    found = np.empty((UNDER + 1 + heights(placed)[player], *reach.shape[1:]))
    if player == challenger:
        hit = reach[other_hit].sum(axis=0)
        everything = reach.sum(axis=0)
        free = everything - hit
        for owning in (0, 1):
            value = hit * worth.their_skull_mine[owning] + free * worth.success_mine[owning]
            found[IN_HAND if owning else NO_SKULL] = value
        found[UNDER + 1 :] = found[IN_HAND]
        found[own_hit] = everything * worth.own_skull_mine
        return found
    failed = reach[own_hit].sum(axis=0)
    free = reach.sum(axis=0) - failed
    for owning in (0, 1):
        value = failed * worth.own_skull_theirs[owning] + free * worth.success_theirs[owning]
        found[IN_HAND if owning else NO_SKULL] = value
    found[UNDER + 1 :] = found[IN_HAND]
    found[other_hit] = failed * worth.own_skull_theirs[1] + free * worth.their_skull_theirs
    return found


def trembling(tree: RoundTree, strategy: Strategy, tremble: float) -> Strategy:
    """Return how it looks if players now and then do anything that is allowed."""
    first = [_mixed(strategy.first[i], tree.first[i], tremble) for i in (0, 1)]
    nodes = {
        key: _mixed(strategy.nodes[key], group.legal, tremble) for key, group in tree.groups.items()
    }
    return Strategy((first[0], first[1]), nodes)


def _mixed(shares: Array, legal: Array, tremble: float) -> Array:
    even: Array = legal * tremble / np.maximum(legal.sum(axis=0), 1)
    return even + shares * (1 - tremble)


def best_of(worths: Array, legal: Array) -> Array:
    """Return the most that a legal action, in the first axis, is worth."""
    found: Array = np.where(legal > 0, worths, -1.0).max(axis=0)
    return found
