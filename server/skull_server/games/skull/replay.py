"""A game rebuilt exactly from its record.

The record is what the game was made of and every action that was applied, by whom. An action
done for an absent player is recorded like any other: as the action that came out, not as a wish
for one. Drawing it used dice of its own, so the game's own dice stand where they stood.
"""

from collections.abc import Iterable, Sequence
from random import Random

from skull_protocol.skull import SkullOptions
from skull_server.games.skull.forfeit import SkullInput
from skull_server.games.skull.game import RULES_VERSION, SkullGame


class RulesChanged(Exception):  # noqa: N818 - says what happened
    """The record was made under other rules than these, so it might lead to another game."""


def replay(
    rules_version: int,
    options: SkullOptions,
    seats: int,
    seed: int,
    flowers: Sequence[int | None],
    actions: Iterable[tuple[int, SkullInput]],
) -> SkullGame:
    """Return the game that these inputs lead to; `actions` are (seat, action), oldest first.

    `seed` is what the game's `Random` was made from; take 128 random bits or more, or it could be
    found by trying. Raises `RulesChanged`, and `Refusal` if the record is not of a legal game.
    """
    if rules_version != RULES_VERSION:
        raise RulesChanged(f"recorded under rules {rules_version}, these are {RULES_VERSION}")
    game = SkullGame(options, seats, Random(seed), flowers)
    for seat, action in actions:
        game.apply(seat, action)
    return game
