"""The coach: what a hard bot would do in the place of somebody who plays alone with bots.

It is asked like any bot, about the view of one seat and what everybody saw, so it knows no more
than whom it advises. Nothing of this is ever told to anybody else.
"""

import random
from collections.abc import Sequence

from msgspec import Struct

from skull_protocol.skull import SkullAction, SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_protocol.tables import BotLevel
from skull_server.game_kinds import BotPlayer, new_bot

LEVEL: BotLevel = "hard"


class Advised(Struct, frozen=True):
    """What the coach would do."""

    action: SkullAction
    chance: float | None
    """Of winning the game then; None where that is not reckoned."""


class Counsel(Struct, frozen=True):
    """What is best for this seat now?"""

    view: SkullView
    own: SkullOwn

    def __call__(self, bot: BotPlayer) -> Advised:
        """Ask a bot."""
        worths = bot.worths(self.view, self.own)
        if not worths:
            return Advised(bot.decide(self.view, self.own), None)
        best = max(worths, key=lambda action: worths[action])
        return Advised(best, worths[best])


class Moment(Struct, frozen=True):
    """A decision that somebody made in a game."""

    step: int
    """The step of the game that it led to."""
    seen: Sequence[SkullEvent]
    """What everybody saw between the moment before and this one."""
    view: SkullView
    own: SkullOwn
    action: SkullAction


class Missed(Struct, frozen=True):
    """A decision that was worth less than another."""

    step: int
    better: SkullAction
    cost: float
    """How much of the chance to win the game it cost, from 0 to 1."""


class Review(Struct, frozen=True):
    """Which decisions of a game cost most?"""

    moments: Sequence[Moment]
    most: int
    """How many are named."""
    least: float
    """What cost less than this is not named: reckoning is not as exact as that."""

    def __call__(self, bot: BotPlayer) -> tuple[Missed, ...]:
        """Ask a bot that has seen nothing yet; the answer has the dearest first."""
        found = []
        for moment in self.moments:
            bot.see(moment.seen)
            worths = bot.worths(moment.view, moment.own)
            if moment.action in worths:
                best = max(worths, key=lambda action: worths[action])
                cost = worths[best] - worths[moment.action]
                if cost >= self.least:
                    found.append(Missed(moment.step, best, cost))
        return tuple(sorted(found, key=lambda missed: -missed.cost)[: self.most])


def new_coach(rules: SkullOptions, seed: int) -> BotPlayer:
    """Make a coach, who has seen nothing yet."""
    return new_bot(LEVEL, "", random.Random(seed), rules)
