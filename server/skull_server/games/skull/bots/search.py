"""Hard: looks where the skulls may be, then tries each choice and plays the round out, often."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp
from random import Random

from skull_protocol.skull import (
    Bid,
    Pass,
    Place,
    SkullAction,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.characters import PLAIN, Character
from skull_server.games.skull.bots.equity import Equity
from skull_server.games.skull.bots.knowledge import Knowledge
from skull_server.games.skull.bots.mats import PASS, PLACE_FLOWER, PLACE_SKULL, Mats
from skull_server.games.skull.bots.posterior import Players, closest, posterior
from skull_server.games.skull.bots.seating import Seating, seating
from skull_server.games.skull.bots.table import TableBot

SAMPLES = 30
"""How often each choice is tried: always so many, however long it takes."""
_KEENNESS = 0.015
"""A choice that is worse by so much of a game won is taken 1/e as often, compared to the table."""
_UNUSUAL = 0.01
"""Added to the table's chances: what it never does is done where it is clearly better."""
_FLOOR = 0.01
"""How much of all choosing is spread evenly, so that nothing is never done."""


class SearchBot(TableBot):
    """Hard, as long as three or more are still in."""

    slow = True

    def __init__(
        self,
        rng: Random,
        rules: SkullOptions,
        character: Character = PLAIN,
        known: Knowledge | None = None,
        samples: int = SAMPLES,
    ) -> None:
        """`samples`: how often each choice is tried."""
        super().__init__(rng, rules, character, known)
        self._samples = samples

    def weigh(
        self, view: SkullView, own: SkullOwn, at: Seating
    ) -> tuple[Sequence[int], list[float]]:
        """The table's chances, changed by what became of each choice."""
        choices, chances = super().weigh(view, own, at)
        if len(choices) == 1 or at.mats.height[at.me] == 0:
            return choices, chances
        values = self.values(view, own, choices)
        best = max(values)
        keen = [
            (chance + _UNUSUAL) * exp((value - best) / _KEENNESS)
            for chance, value in zip(chances, values, strict=True)
        ]
        total = sum(keen)
        even = _FLOOR / len(choices)
        return choices, [(1 - _FLOOR) * each / total + even for each in keen]

    def values(self, view: SkullView, own: SkullOwn, choices: Sequence[int]) -> list[float]:
        """This seat's chance of winning the game after each choice of a turn, as it seems.

        `choices`: as `Mats.choices` has them.
        """
        imagined = posterior(view, own, self.memory, self.known)
        at = imagined.at
        tried = Rollouts(
            Players(self.known, imagined.careless),
            self.known.equity,
            self.rng,
            self.rules.own_skull == "random",
            at.starter,
        )
        drawn = [(list(where), list(accumulate(where.values()))) for where in imagined.wheres]
        sums = [0.0] * len(choices)
        for _ in range(self._samples):
            skulls = [self.rng.choices(skulls, cum_weights=chances)[0] for skulls, chances in drawn]
            for index, choice in enumerate(choices):
                mats = at.mats.copy()
                mats.skull = skulls[:]
                sums[index] += tried.value(mats, at.me, choice)
        return [each / self._samples for each in sums]

    def worths(self, view: SkullView, own: SkullOwn) -> Mapping[SkullAction, float]:
        """The chance of winning that each disc, bid or pass leads to, but for first discs."""
        offered = own.choices
        if not (offered.bid is not None or offered.may_pass) or not own.stack:
            return {}
        at = seating(view, own, self.memory, self.known.beliefs)
        choices = at.mats.choices(at.me)
        values = dict(zip(choices, self.values(view, own, choices), strict=True))
        found: dict[SkullAction, float] = {}
        for action in offered.actions():
            if isinstance(action, Bid):
                meant = closest(at.mats, at.me, choices, action.amount)
            elif isinstance(action, Place):
                meant = PLACE_SKULL if is_skull(action.disc) else PLACE_FLOWER
            elif isinstance(action, Pass):
                meant = PASS
            else:
                continue
            if meant in values:
                found[action] = values[meant]
        return found

    def flower_chances(self, view: SkullView, own: SkullOwn) -> dict[int, float]:
        """By all that the owners did in this round."""
        imagined = posterior(view, own, self.memory, self.known)
        seats, wheres = imagined.at.seats, imagined.wheres
        # The discs flipped are the top ones, so the next lies as high as there are face-down ones.
        return {
            seat: 1 - wheres[seats.index(seat)].get(view.seats[seat].stack.count(None), 0.0)
            for seat in own.choices.flip
        }


class Rollouts:
    """Plays a round out as the players seem to play, again and again from one moment."""

    def __init__(
        self, players: Players, equity: Equity, rng: Random, random_loss: bool, starter: int
    ) -> None:
        """`random_loss`: the rules draw the disc that is lost to the own skull."""
        self._players = players
        self._equity = equity
        self._rng = rng
        self._random_loss = random_loss
        self._starter = starter
        self._met: dict[int, tuple[Sequence[int], list[float]]] = {}
        """What was reckoned already, by the choices that led there and the skull of who chooses."""

    def value(self, mats: Mats, me: int, choice: int) -> float:
        """The chance of winning the game of who is to choose, after one way it may go on."""
        met, random = self._met, self._rng.random
        path = choice + 1
        while not mats.do(mats.turn, choice):
            place = mats.turn
            number = path * 8 + mats.skull[place] + 1
            known = met.get(number)
            if known is None:
                choices = mats.choices(place)
                chances = self._players.chances(mats, place, self._starter, choices)
                known = met[number] = (choices, list(accumulate(chances)))
            left = random()
            for choice, upto in zip(*known, strict=True):  # noqa: B007 - the last one if none
                if left < upto:
                    break
            path = path * 8 + choice + 1
        return mats.worth(self._equity, me, mats.skull_found(), self._random_loss)
