"""From a solution to the file that is shipped, and back: see `bots/duel_table.py`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from skull_server.games.skull.bots.duel import (
    MAX_DISCS,
    Duel,
    duels,
    rows,
)
from skull_server.games.skull.bots.duel_table import FULL, DuelTable, Layout
from skull_server.games.skull.training.duel_solver import Settings, Solved, choose_loss, interpolate
from skull_server.games.skull.training.round_tree import (
    Array,
    Key,
    RoundTree,
    Strategy,
    histories,
    trembling,
)


def pack(solved: Mapping[Duel, Solved], settings: Settings, unit: int) -> bytes:
    """Return the content of the file, uncompressed.

    `unit`: probabilities are counted in 1/`unit`, up to 1/255.
    """
    parts = [bytes([settings.points, unit, round(1000 * settings.tremble)])]
    for duel in duels():
        state, layout = solved[duel], Layout(duel.discs, settings.points)
        words = np.rint(np.clip(state.values, 0, 1) * FULL).astype("<u2")
        parts.append(words.tobytes())
        for player, discs in enumerate(duel.discs):
            if discs > 1:
                parts.append(_counted(state.strategy.first[player], unit)[1].tobytes())
        for (placed, bids, holds), (_, allowed) in layout.rows.items():
            key, history = place_of(placed, bids)
            shares = state.strategy.nodes[key][list(allowed), holds, history]
            parts.append(_counted(shares, unit)[:-1].tobytes())
        if duel.starter_discs < MAX_DISCS:
            keeps = choose_loss(state.values, settings, duel.starter_discs + 1)
            parts.append(np.rint(keeps * unit).astype(np.uint8).tobytes())
    return b"".join(parts)


def _counted(shares: Array, unit: int) -> NDArray[np.uint8]:
    """Return shares of 1, in the first axis, as whole numbers that add up to `unit`."""
    sums = np.cumsum(shares, axis=0)
    return np.diff(np.rint(sums * unit), axis=0, prepend=0).astype(np.uint8)


def place_of(placed: int, bids: int) -> tuple[Key, int]:
    """Return the group of a node, and which of its histories it is."""
    bid = bids.bit_length()
    below = bids - (1 << bid >> 1)
    return (placed, bid, bids.bit_count() % 2), below >> 1


@dataclass(frozen=True)
class _Node:
    """Where a group of nodes is among the lines of a table: one for each action but a last one."""

    shape: tuple[int, ...]
    lines: NDArray[np.int64]
    at: tuple[NDArray[np.int64], ...]
    """Of each line, the action, state and history."""
    last: tuple[NDArray[np.int64], ...]
    """Of each decision the last action, state and history."""


@cache
def _nodes(discs: tuple[int, int]) -> dict[Key, _Node]:
    lines: dict[Key, list[tuple[int, int, int, int]]] = {}
    last: dict[Key, list[tuple[int, int, int]]] = {}
    line = 0
    for row in rows(discs):
        key, history = place_of(row.placed, row.bids)
        for column in row.allowed[:-1]:
            lines.setdefault(key, []).append((line, column, row.state, history))
            line += 1
        last.setdefault(key, []).append((row.allowed[-1], row.state, history))
    found = {}
    for key, group in RoundTree(discs).groups.items():
        numbers, *at = np.array(lines[key]).T
        shape = (*group.legal.shape[:2], max(1, histories(*key[1:])))
        found[key] = _Node(shape, numbers, tuple(at), tuple(np.array(last[key]).T))
    return found


def strategy_at(table: DuelTable, duel: Duel, beliefs: tuple[Array, Array]) -> Strategy:
    """Return how a table plays a round at any beliefs.

    Between points of the table's grid one of the plans around is drawn for the whole round.
    """
    layout, _, _ = table.part(duel)
    tree, plans = RoundTree(duel.discs), _plans(table, duel)
    shaky, ones = trembling(tree, plans, table.tremble), np.ones((2, layout.points))
    reached = tree.reach(shaky, (ones, ones))
    # How much each point of the table's grid counts, for each of the beliefs.
    weights = interpolate(np.eye(layout.points).reshape(-1, *layout.axes), *beliefs)
    nodes = {}
    for key, group in tree.groups.items():
        reach = reached[key][group.actor]
        played, there = (plans.nodes[key] * reach) @ weights, reach @ weights
        nodes[key] = played / np.where(there > 0, there, 1)
    return Strategy((plans.first[0] @ weights, plans.first[1] @ weights), nodes)


def _plans(table: DuelTable, duel: Duel) -> Strategy:
    """Return how a table plays a round at the points of its grid."""
    layout, part, unit = table.part(duel)
    content = np.frombuffer(part, np.uint8) / unit
    first = []
    for start in layout.first:
        lays = np.ones(layout.points)
        if start is not None:
            lays = content[start : start + layout.points]
        first.append(np.stack([1 - lays, lays]))
    lines = content[layout.choices : layout.keeps].reshape(-1, layout.points)
    nodes = {}
    for key, where in _nodes(duel.discs).items():
        node = nodes[key] = np.zeros((*where.shape, layout.points))
        node[where.at] = lines[where.lines]
        node[where.last] = np.maximum(1 - node.sum(axis=0)[where.last[1:]], 0)
    return Strategy((first[0], first[1]), nodes)


def keeps_at(table: DuelTable, after: Duel, beliefs: Array) -> Array:
    """Return how likely the starter of `after` has kept the skull, by beliefs about the other."""
    layout, part, unit = table.part(after)
    line = np.frombuffer(part, np.uint8)[layout.keeps : layout.keeps + layout.axes[1]] / unit
    return interpolate(line[None, :], np.zeros_like(beliefs), beliefs)
