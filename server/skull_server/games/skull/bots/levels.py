"""The levels: easy, normal, hard. Which bot plays a seat follows from its level and character."""

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from skull_protocol.skull import SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_server.games.skull.bots.carried_away import carried_away
from skull_server.games.skull.bots.characters import PLAIN, Character
from skull_server.games.skull.bots.duel_table import shipped
from skull_server.games.skull.bots.search import SearchBot
from skull_server.games.skull.bots.seating import Seating
from skull_server.games.skull.bots.table import TableBot, Weights
from skull_server.games.skull.bots.two_players import TwoPlayers

Level = Literal["easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)

_CARRIED_AWAY = (0.0, 0.0, 0.6, 0.9, 0.4, 0.35, 0.25)
"""How often easy does not stop to think, by how many are still in: the more there are, the better
it does who waits for them to wear each other out."""
_ANY_DISC = 0.3
"""How often it lays any disc as the first."""


class EasyBot(TableBot):
    """A beginner: plays the table, but is often carried away.

    It flips any stack, and remembers no earlier round.
    """

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Remember nothing."""

    def weigh(
        self, view: SkullView, own: SkullOwn, at: Seating
    ) -> tuple[Sequence[int], list[float]]:
        """The table's chances, mixed with those of anything."""
        choices, chances = super().weigh(view, own, at)
        anything = carried_away(at.mats, at.me, choices)
        if not any(anything):
            return choices, chances
        first = at.mats.height[at.me] == 0
        carried = _ANY_DISC if first else _CARRIED_AWAY[at.mats.size]
        return choices, [
            (1 - carried) * chance + carried * other
            for chance, other in zip(chances, anything, strict=True)
        ]

    def flower_chances(self, view: SkullView, own: SkullOwn) -> dict[int, float]:  # noqa: ARG002
        """All alike."""
        return dict.fromkeys(own.choices.flip, 0.5)


class HardBot(SearchBot):
    """Looks ahead while three or more are in, and then plays close to an equilibrium."""

    slow = True

    def __init__(self, rng: Random, rules: SkullOptions, character: Character = PLAIN) -> None:
        """Make one; the character shows while three or more are in."""
        super().__init__(rng, rules, character)
        self._two = TwoPlayers(shipped(), rules)

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Remember what everybody saw."""
        super().see(events)
        self._two.see(events)

    def weights(self, view: SkullView, own: SkullOwn) -> Weights:
        """How often this bot would do what; see `TableBot.weights`."""
        still_in = [player for player in view.seats if not player.eliminated]
        if len(still_in) == 2 and not view.seats[own.seat].eliminated:
            return self._two.weights(view, own)
        return super().weights(view, own)


def new_bot(
    level: Level, rng: Random, rules: SkullOptions, character: Character = PLAIN
) -> TableBot:
    """Make a bot for one seat of one game."""
    match level:
        case "easy":
            return EasyBot(rng, rules, character)
        case "normal":
            return TableBot(rng, rules, character)
        case "hard":
            return HardBot(rng, rules, character)
