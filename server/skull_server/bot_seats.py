"""The bots in the seats of one game: when they act, and what they are shown.

A bot sees its seat's view and nothing else. How long it takes is drawn from a source that only
times it, so that the time tells nothing about what it holds.
"""

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

from skull_protocol.skull import SkullAction, SkullOwn, SkullView
from skull_server.game_kinds import BotPlayer, new_bot
from skull_server.inputs import Alarm, Inputs


@dataclass
class _SeatedBot:
    player: BotPlayer
    pace: random.Random
    thinking: Alarm | None = None


class BotSeats:
    """Wakes each bot when the game waits for it."""

    def __init__(self, inputs: Inputs, delay: float, move: Callable[[int], None]) -> None:
        """`delay`: seconds that a bot takes on average. `move(seat)` is called when it is time."""
        self._inputs = inputs
        self._delay = delay
        self._move = move
        self._bots: dict[int, _SeatedBot] = {}

    def seat(self, seat: int, seed: int) -> None:
        """Put a new bot into a seat where none is."""
        seeds = random.Random(seed)
        player = new_bot(random.Random(seeds.getrandbits(128)))
        self._bots[seat] = _SeatedBot(player, random.Random(seeds.getrandbits(128)))

    def unseat(self, seat: int) -> None:
        """Send the bot in a seat away, if there is one: a person plays there again."""
        bot = self._bots.pop(seat, None)
        if bot is not None and bot.thinking is not None:
            bot.thinking.cancel()

    def seats(self) -> Collection[int]:
        """The seats that bots play."""
        return self._bots.keys()

    def decide(self, seat: int, view: SkullView, own: SkullOwn) -> SkullAction:
        """Ask a bot what it does."""
        return self._bots[seat].player.decide(view, own)

    def wake(self, awaited: Collection[int]) -> None:
        """Have the bots that the game waits for think, and the others stop."""
        for seat, bot in self._bots.items():
            if seat not in awaited:
                if bot.thinking is not None:
                    bot.thinking.cancel()
                    bot.thinking = None
            elif bot.thinking is None:
                seconds = self._delay * bot.pace.uniform(0.5, 1.5)
                bot.thinking = self._inputs.later(seconds, partial(self._thought, seat))

    def _thought(self, seat: int) -> None:
        self._bots[seat].thinking = None
        self._move(seat)
