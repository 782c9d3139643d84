"""Finished games by lines: one is fetched, then told, written to a file, or gone through."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from skull_client import export
from skull_client.coaching import marks
from skull_client.history_wording import only_bots
from skull_client.plain.doing import Ask, LookBack, Past
from skull_client.plain.going_through import forms, step_lines
from skull_client.plain.telling import refused
from skull_client.state import ClientState
from skull_client.wording import say
from skull_protocol.requests import GetGame, ListGames, ReviewGame
from skull_protocol.tables import GameStep, GameSummary


class LookingBack:
    """The finished game that is looked at step by step, and how others are got."""

    def __init__(
        self,
        ask: Callable[[Ask], Awaitable[bool]],
        known: Callable[[], ClientState],
        write: Callable[[str], None],
    ) -> None:
        """`ask` says what was refused, and returns whether it was done; `known` tells the state."""
        self._ask = ask
        self._known = known
        self._write = write
        self._past: Past | None = None

    @property
    def past(self) -> Past | None:
        """The game that is gone through, with what the coach says about it by now."""
        past = self._past
        if past is None:
            return None
        return replace(past, marks=marks(past.game, past.steps, self._known().review))

    async def look(self, wish: LookBack) -> None:
        """Do what was wished with a finished game."""
        if self._known().games is None and not await self._ask(Ask(ListGames, {"before": None})):
            return
        known = self._known().games
        games = known.games if known is not None else ()
        if wish.number > len(games) or not games[wish.number - 1].steps:
            self._write(refused(say("Your list has no such game: type {form}.", form="games")))
            return
        game = games[wish.number - 1]
        steps = await self._steps(game)
        if steps is None:
            return
        if wish.how == "go through":
            await self._begin(Past(game, steps))
            return
        if wish.how == "tell":
            for line in export.game_text(game, steps).splitlines():
                self._write(line)
            return
        try:
            self._write(say("Written to {path}", path=export.keep(game, steps)))
        except export.NotKept as why:
            self._write(refused(str(why)))

    def go_to(self, at: int) -> None:
        """Tell a step of the game that is gone through, and remember where one is in it."""
        assert self._past is not None
        self._past = replace(self._past, at=at)
        past = self.past
        assert past is not None
        for line in step_lines(past):
            self._write(line)

    async def _begin(self, past: Past) -> None:
        """Go through a game; the coach may look at it only where all others were bots."""
        self._past = past
        self.go_to(0)
        self._write(say("Type {form}.", form=forms(past)))
        if only_bots(past.game):
            await self._ask(Ask(ReviewGame, {"game": past.game.game}))

    async def _steps(self, game: GameSummary) -> tuple[GameStep, ...] | None:
        """Ask for all the steps of a game; None if they cannot be had."""
        steps: tuple[GameStep, ...] = ()
        while len(steps) < game.steps:
            if not await self._ask(Ask(GetGame, {"game": game.game, "first": len(steps)})):
                return None
            known = self._known().steps
            if known is None or len(known.steps) <= len(steps):
                return None
            steps = known.steps
        return steps
