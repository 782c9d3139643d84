"""The loop: what arrives is told, what is typed is done, what is asked of the player is said."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeVar

from skull_client import export
from skull_client.link import NAME_TROUBLE, Arrival, Link, LinkStatus
from skull_client.link_wording import link_banner, not_now
from skull_client.opening import Opening, carry_out
from skull_client.plain.at_table import seated
from skull_client.plain.commands import commands, type_list, understood
from skull_client.plain.doing import (
    Ask,
    BeSomebody,
    Doing,
    GoTo,
    Here,
    LookBack,
    NotUnderstood,
    Past,
    Quit,
    Tell,
    Wait,
)
from skull_client.plain.going_through import FORMS, step_lines
from skull_client.plain.telling import refused, told
from skull_client.plain.typed import TypedLines
from skull_client.state import ClientState, arrived
from skull_client.wording import hurry, prompt, say, say_count
from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Error, Update
from skull_protocol.requests import GetGame, ListGames, Mute
from skull_protocol.tables import GameStep, GameSummary
from skull_protocol.text import shown

LATE = 10
"""Seconds before the clock of this player runs out at which it is said."""
BURST, A_SECOND = 30, 15.0
"""Requests that may be made in one go, and for long: a server cuts off who asks faster (by default
40, and 20 a second), and a script can type faster than that."""
ENDED_WELL, NO_SERVER = 0, 1
"""Exit statuses: the player quit or the lines ended; the connection is over for good."""

Result = TypeVar("Result")


class OutputGone(Exception):  # noqa: N818 - says what happened
    """Nobody reads what is written any more."""


class PlainSession:
    """One player, by lines."""

    def __init__(
        self,
        link: Link,
        opening: Opening,
        write: Callable[[str], None],
        phrases: tuple[str, ...] = PHRASES,
    ) -> None:
        """`write` takes one line without its end, and raises `OutputGone`."""
        self._link = link
        self._opening = opening
        self._write_line = write
        self._phrases = phrases
        self._state = ClientState()
        self._muted: frozenset[int] = frozenset()
        self._past: Past | None = None
        """The finished game that is looked at step by step."""
        self._prompted = ""
        self._opened = False
        self._deadline: float | None = None
        self._warning: asyncio.TimerHandle | None = None
        self._over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()
        self._asks_soon = False
        self._asked_until = 0.0
        """The moment at which all that was asked would be asked at the pace that may go on."""

    async def run(self, typed: TypedLines) -> int:
        """Play until the lines end, the player quits or the connection is over; return the status.

        The caller hangs up.
        """
        self._link.start(self._arrived)
        try:
            while await self._until(self._takes_lines):
                if self._state.link.state == "online" and not self._opened:
                    await self._open()
                self._ask_player()
                line = await self._first(typed.next())
                if line is None:
                    break
                if line.strip():
                    await self._take(line)
        except OutputGone:
            return NO_SERVER
        finally:
            if self._warning is not None:
                self._warning.cancel()
        return self._over.result() if self._over.done() else ENDED_WELL

    # -- what arrives ------------------------------------------------------------------------------

    def _arrived(self, arrival: Arrival) -> None:
        before = self._state
        now = asyncio.get_running_loop().time()
        self._state = arrived(before, arrival, now)
        if isinstance(arrival, Update):
            self._set_clock(arrival, now)
        if self._state.table is None or before.table is None:
            self._muted = frozenset()
        try:
            for line in told(before, self._here(), arrival):
                self._write(line)
        except OutputGone:
            self._end(NO_SERVER)
        if isinstance(arrival, LinkStatus):
            if arrival.state == "online" and self._muted:
                again = asyncio.get_running_loop().create_task(self._mute_again())
                again.add_done_callback(self._muted_again)
            hopeless = arrival.state == "refused" and arrival.code not in NAME_TROUBLE
            if arrival.state == "closed" or hopeless:
                self._end(NO_SERVER)
        self._news.set()
        if not self._asks_soon:
            self._asks_soon = True
            asyncio.get_running_loop().call_soon(self._ask_after_news)

    def _ask_after_news(self) -> None:
        """Ask once all that came together is told."""
        self._asks_soon = False
        try:
            self._ask_player()
        except OutputGone:
            self._end(NO_SERVER)

    def _set_clock(self, update: Update, now: float) -> None:
        if self._warning is not None:
            self._warning.cancel()
            self._warning = None
        self._deadline = None if update.clock_ms is None else now + update.clock_ms / 1000
        own = update.you
        if self._deadline is not None and own is not None and own.seat in update.view.to_act:
            loop = asyncio.get_running_loop()
            self._warning = loop.call_at(self._deadline - LATE, self._warn)

    def _warn(self) -> None:
        table = self._state.table
        if table is None or not table.saving or self._state.link.state != "online":
            return
        try:
            self._write(hurry(self._seconds_left() or 0))
        except OutputGone:
            self._end(NO_SERVER)

    def _seconds_left(self) -> int | None:
        if self._deadline is None:
            return None
        return max(0, math.ceil(self._deadline - asyncio.get_running_loop().time()))

    # -- what is said ------------------------------------------------------------------------------

    def _here(self) -> Here:
        return Here(
            self._state,
            self._opening,
            self._muted,
            self._phrases,
            self._seconds_left(),
            self._past,
        )

    def _write(self, line: str) -> None:
        """Write a line; whatever is in it, it is one line of what may be shown."""
        self._write_line(shown(line))

    def _ask_player(self) -> None:
        """Say what may be typed now, if that is not what was said last."""
        if self._over.done() or not self._takes_lines():
            return
        sentence = self._asked()
        listed = type_list(commands(self._here()))
        line = say("{asked} Type: {forms}.", asked=sentence, forms=listed) if sentence else ""
        if line and line != self._prompted:
            self._write(f"> {line}")
        self._prompted = line

    def _asked(self) -> str:
        """Say what the player is asked for; empty while it is nothing."""
        state = self._state
        if state.link.state == "refused":
            return link_banner(state.link)
        if not self._opened:
            return ""
        if state.table is None:
            return say("Choose a table, or set one up.")
        if state.table.stage != "playing":
            return self._asked_for_start()
        if state.game is None or state.game.you is None:
            return ""
        if state.bot_plays:
            return say("A bot plays for you.")
        view, own = state.game.view, state.game.you
        if own.seat not in view.to_act:
            return ""
        return prompt(view, own, self._here().names, own.seat)

    def _asked_for_start(self) -> str:
        table = self._state.table
        assert table is not None
        if self._state.seat is None:
            return say("You are watching.")
        missing = table.options.min_seats - seated(table)
        if not self._state.is_host:
            host = next((info.name for info in table.seats if info.player == table.host), "")
            return say("{host} starts the game.", host=shown(host)) if missing <= 0 else ""
        if missing > 0:
            return say_count(missing, "{n} player is missing.", "{n} players are missing.")
        return say("The game can start.")

    # -- what is typed -----------------------------------------------------------------------------

    async def _take(self, line: str) -> None:
        """Do what a line asks for."""
        try:
            await self._do(understood(self._here(), line))
        except NotUnderstood as fault:
            self._write(refused(str(fault)))

    async def _do(self, doing: Doing) -> None:
        match doing:
            case Ask():
                await self._ask(doing)
            case Tell(lines=lines):
                for line in lines:
                    self._write(line)
            case Wait():
                await self._until(self._is_asked)
            case Quit():
                self._end(ENDED_WELL)
            case BeSomebody(name=name, code=code):
                self._state = replace(self._state, link=LinkStatus("connecting"))
                if code:
                    self._link.use_code(code)
                else:
                    self._link.rename(name)
            case LookBack():
                await self._look_back(doing)
            case GoTo(at=at):
                assert self._past is not None
                self._go_through(replace(self._past, at=at))

    async def _ask(self, asking: Ask) -> bool:
        """Ask the server, and say what it refused; return whether it did it."""
        if self._state.link.state != "online":
            self._write(refused(not_now()))
            return False
        await self._pace()
        error = await self._first(self._link.ask(asking.request, **asking.fields))
        if isinstance(error, Error):
            self._write(refused(error.message))
            if error.code != "stale":  # then what is asked now has been said already
                self._prompted = ""
            return False
        if asking.mutes is not None:
            player, muted = asking.mutes
            self._muted = self._muted | {player} if muted else self._muted - {player}
        if asking.done:
            self._write(asking.done)
        return not self._over.done()

    async def _pace(self) -> None:
        """Wait as long as it takes not to ask too fast."""
        now = asyncio.get_running_loop().time()
        self._asked_until = max(self._asked_until, now) + 1 / A_SECOND
        ahead = self._asked_until - now - BURST / A_SECOND
        if ahead > 0:
            await self._first(asyncio.sleep(ahead))

    async def _open(self) -> None:
        """Do what the command line asked for."""
        at_table = self._state.table is not None
        refusal = await self._first(carry_out(self._link, self._opening, at_table=at_table))
        if refusal is not None:
            self._write(refused(refusal.error.message))
            if refusal.error.code == "bad_password":
                self._write(say("Type {form}.", form="join CODE PASSWORD"))
        self._opened = True

    async def _mute_again(self) -> None:
        """A server that was restarted has forgotten who is muted."""
        for player in self._muted:
            await self._link.ask(Mute, player=player, muted=True)

    def _muted_again(self, task: asyncio.Task[None]) -> None:
        fault = None if task.cancelled() else task.exception()
        if fault is not None and not self._over.done():
            self._over.set_exception(fault)

    async def _look_back(self, wish: LookBack) -> None:
        if self._state.games is None and not await self._ask(Ask(ListGames, {"before": None})):
            return
        games = self._state.games.games if self._state.games is not None else ()
        if wish.number > len(games) or not games[wish.number - 1].steps:
            self._write(refused(say("Your list has no such game: type {form}.", form="games")))
            return
        game = games[wish.number - 1]
        steps = await self._steps(game)
        if steps is None:
            return
        if wish.how == "go through":
            self._go_through(Past(game, steps))
            self._write(say("Type {form}.", form=FORMS))
            return
        text = export.game_text(game, steps)
        if wish.how == "tell":
            for line in text.splitlines():
                self._write(line)
            return
        try:
            path = export.save(text, export.file_name(game))
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            folder = export.path_words(export.folder())
            words = say("Cannot write to {folder}: {reason}.", folder=folder, reason=reason)
            self._write(refused(words))
            return
        self._write(say("Written to {path}", path=export.path_words(path)))

    def _go_through(self, past: Past) -> None:
        """Tell a step of a finished game, and remember where one is in it."""
        self._past = past
        for line in step_lines(past):
            self._write(line)

    async def _steps(self, game: GameSummary) -> tuple[GameStep, ...] | None:
        """Ask for all the steps of a game; None if they cannot be had."""
        steps: tuple[GameStep, ...] = ()
        while len(steps) < game.steps:
            if not await self._ask(Ask(GetGame, {"game": game.game, "first": len(steps)})):
                return None
            known = self._state.steps
            if known is None or len(known.steps) <= len(steps):
                return None
            steps = known.steps
        return steps

    # -- waiting -----------------------------------------------------------------------------------

    def _takes_lines(self) -> bool:
        """Whether lines are taken: not before it is known whether the server lets one in."""
        link = self._state.link.state
        return link in ("online", "refused") or (link == "lost" and self._opened)

    def _is_asked(self) -> bool:
        table, game = self._state.table, self._state.game
        if table is None or table.stage == "finished":
            return True
        if game is None or game.you is None:
            return False
        return not self._state.bot_plays and game.you.seat in game.view.to_act

    async def _until(self, condition: Callable[[], bool]) -> bool:
        """Wait until something is so; False if all is over before."""
        while not self._over.done():
            if condition():
                return True
            self._news.clear()
            await self._first(self._news.wait())
        return False

    async def _first(self, awaited: Awaitable[Result]) -> Result | None:
        """Wait for something; None if all is over before."""
        task = asyncio.ensure_future(awaited)
        either: set[asyncio.Future[Any]] = {task, self._over}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        task.cancel()
        return None

    def _end(self, status: int) -> None:
        if not self._over.done():
            self._over.set_result(status)
