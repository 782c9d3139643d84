"""The levels: easy, normal, hard. Which bot plays a seat follows from its level and character."""

from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from skull_protocol.skull import SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_server.games.skull.bots.characters import PLAIN, Character
from skull_server.games.skull.bots.duel_table import shipped
from skull_server.games.skull.bots.mats import PASS
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
_SHY = (0.0, 0.0, 6.0, 6.0, 2.0, 2.0, 2.0)
"""How much likelier it then shies away from a bid that needs discs of others than it does any
other one thing, by how many are still in."""


class EasyBot(TableBot):
    """A beginner: plays the table, but is often carried away.

    Then it lays anything or bids anything that its own skull is not in the way of, and gives up
    only against a bid that the bidder's own discs do not cover: whoever just bids on would win
    against somebody who often gives up. It flips any stack, and remembers no earlier round.
    """

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Remember nothing."""

    def weigh(
        self, view: SkullView, own: SkullOwn, at: Seating
    ) -> tuple[Sequence[int], list[float]]:
        """The table's chances, mixed with those of anything."""
        choices, chances = super().weigh(view, own, at)
        likings = [self._liking(at, choice) for choice in choices]
        total = sum(likings)
        if not total:
            return choices, chances
        first = at.mats.height[at.me] == 0
        carried = _ANY_DISC if first else _CARRIED_AWAY[at.mats.size]
        return choices, [
            (1 - carried) * chance + carried * liking / total
            for chance, liking in zip(chances, likings, strict=True)
        ]

    def _liking(self, at: Seating, choice: int) -> float:
        mats, me = at.mats, at.me
        if mats.bid and choice == PASS:
            return _SHY[mats.size] if mats.bid > mats.height[mats.bidder] else 0.0
        skull = mats.skull[me]
        in_the_way = skull > 0 and mats.amount(me, choice) > mats.height[me] - skull
        return 0.0 if in_the_way else 1.0

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
