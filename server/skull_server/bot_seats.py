"""The bots in the seats of one game: when they act, and what they are shown.

A bot sees its seat's view and what everybody saw happen, and nothing else. How long it takes is
drawn, before it thinks, from a source that only times it, so that the time tells nothing about
what it holds.
"""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from skull_protocol.skull import Choices, SkullAction, SkullEvent, SkullOwn, SkullView
from skull_server.game_kinds import BotPlayer
from skull_server.inputs import Alarm, Inputs
from skull_server.thinking import Decision, Mind, Thought

BotMoves = Callable[[int, SkullAction | None], None]
"""Called with seat and action, as an input, when it is time to act; None: the bot has failed."""


@dataclass
class _SeatedBot:
    player: BotPlayer
    pace: random.Random
    alarm: Alarm | None = None
    """Rings when it is time to act; None: the bot is not awaited, or is late."""
    thought: Thought[SkullAction] | None = None
    """None: the bot is not awaited."""
    asked: Choices | None = None
    """What it chooses among."""

    def rest(self) -> None:
        """It is not awaited any more."""
        self.forget()
        if self.alarm is not None:
            self.alarm.cancel()
            self.alarm = None

    def forget(self) -> None:
        """What it thinks about is over."""
        if self.thought is not None:
            self.thought.drop()
            self.thought = None


class BotSeats:
    """Wakes each bot when the game waits for it."""

    def __init__(self, inputs: Inputs, mind: Mind, delay: float) -> None:
        """`delay`: seconds that a bot takes on average."""
        self._inputs = inputs
        self._mind = mind
        self._delay = delay
        self._bots: dict[int, _SeatedBot] = {}
        self.told: list[SkullEvent] = []
        """What everybody saw, from the beginning of the game on."""

    def seat(self, seat: int, player: BotPlayer, pace: random.Random) -> None:
        """Put a bot into a seat where none is, and tell it how the game went. `pace` times it."""
        player.see(self.told)
        self._bots[seat] = _SeatedBot(player, pace)

    def unseat(self, seat: int) -> None:
        """Send the bot in a seat away, if there is one: a person plays there again."""
        bot = self._bots.pop(seat, None)
        if bot is not None:
            bot.rest()

    def seats(self) -> Collection[int]:
        """The seats that bots play."""
        return self._bots.keys()

    def tell(self, events: Sequence[SkullEvent]) -> None:
        """Everybody saw this happen."""
        self.told += events
        for bot in self._bots.values():
            bot.player.see(events)

    def rest(self) -> None:
        """Have all bots stop."""
        for bot in self._bots.values():
            bot.rest()

    def wake(
        self, awaited: Collection[int], view: SkullView, owns: Sequence[SkullOwn], move: BotMoves
    ) -> None:
        """Have the bots that the game waits for think, and the others stop."""
        for seat, bot in self._bots.items():
            if seat not in awaited:
                bot.rest()
                continue
            if bot.thought is not None and bot.asked == owns[seat].choices:
                continue
            bot.forget()
            if bot.alarm is None:
                seconds = self._delay * bot.pace.uniform(0.5, 1.5)
                bot.alarm = self._inputs.later(seconds, partial(self._due, bot, seat, move))
            bot.asked = owns[seat].choices
            bot.thought = self._mind.ask(bot.player, Decision(view, owns[seat]))

    def _due(self, bot: _SeatedBot, seat: int, move: BotMoves) -> None:
        bot.alarm = None
        if bot.thought is None:
            return
        if not bot.thought.done:
            bot.thought.then(partial(self._late, bot, seat, move))
            return
        action = bot.thought.answer
        bot.forget()
        move(seat, action)

    def _late(self, bot: _SeatedBot, seat: int, move: BotMoves) -> None:
        bot.alarm = self._inputs.later(0.0, partial(self._due, bot, seat, move))
