"""What a bot is: whoever chooses for one seat, from what that seat may see and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar

from skull_protocol.skull import SkullAction, SkullEvent, SkullOptions, SkullOwn, SkullView


class Bot(ABC):
    """Plays one seat of one game. Every seat has a bot of its own, with dice of its own."""

    slow: ClassVar[bool] = False
    """Whether to decide may take longer than others should wait: then it is done elsewhere, by a
    copy of the bot with dice of its own."""

    def __init__(self, rng: Random, rules: SkullOptions) -> None:
        """`rng`: all chance that this bot uses; nobody else draws from it."""
        self.rng = rng
        self.rules = rules

    def see(self, events: Sequence[SkullEvent]) -> None:  # noqa: B027 - not every bot remembers
        """Be told what has happened, as spectators see it, oldest first.

        Called with everything from the beginning of the game on, also for a bot that sits down in
        the middle of it, and always before `decide` is asked about what it led to.
        """

    def worths(self, view: SkullView, own: SkullOwn) -> Mapping[SkullAction, float]:  # noqa: ARG002
        """How likely this bot thinks each action leads its seat to win the game, from 0 to 1.

        Empty where it does not reckon that: most bots never do.
        """
        return {}

    @abstractmethod
    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose one of `own.choices.actions()`, for a seat in `view.to_act`.

        Votes on abandoning the round are left to people. Raises `ValueError` if there is nothing
        else to choose. Asked again about the same moment, it may choose differently.
        """
