"""The loop: what arrives is told, what is typed is done, what is asked of the player is said.

It begins with a connection, or where one chooses where to play; whoever chose there, comes back.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from skull_client import languages
from skull_client.chosen import Chosen
from skull_client.link import NAME_TROUBLE, NOWHERE, Arrival, Link, LinkStatus
from skull_client.link_wording import not_now
from skull_client.opening import Opening, carry_out
from skull_client.plain.asking import asked
from skull_client.plain.at_start import server_line
from skull_client.plain.commands import commands, type_list, understood
from skull_client.plain.doing import (
    Ask,
    BeSomebody,
    Doing,
    GoTo,
    Here,
    Home,
    LookBack,
    LookRound,
    NotUnderstood,
    PlayOn,
    Quit,
    SetOut,
    SetTo,
    Tell,
    Wait,
)
from skull_client.plain.in_lesson import lesson_lines
from skull_client.plain.looking_back import LookingBack
from skull_client.plain.telling import refused, told
from skull_client.plain.typed import TypedLines
from skull_client.setting_out import Seen, Ways, destinations, leading_to
from skull_client.state import ClientState, arrived
from skull_client.trust import UnfitAuthority
from skull_client.wording import hurry, say
from skull_protocol.pushes import Error, Update
from skull_protocol.requests import ListGames, Mute
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
        chosen: Chosen | None = None,
        ways: Ways | None = None,
    ) -> None:
        """`write` takes one line without its end, and raises `OutputGone`.

        With the link `NOWHERE` the player chooses where to play, and `ways` lead there.
        """
        self._write_line = write
        self._chosen = chosen or Chosen()
        self._chosen.heard = self._kept
        self._ways = ways
        self._leads_back = link is NOWHERE
        self._seen: dict[str, Seen] = {}
        self._beside: set[asyncio.Task[None]] = set()
        """What is done while lines are read."""
        self._turn_to(link, opening)
        self._warning: asyncio.TimerHandle | None = None
        self._over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()
        self._asks_soon = False
        self._asked_until = 0.0
        """The moment at which all that was asked would be asked at the pace that may go on."""

    def _turn_to(self, link: Link, opening: Opening) -> None:
        """Know nothing but how to get news from there."""
        self._link = link
        self._opening = opening
        self._state = ClientState()
        self._muted: frozenset[int] = frozenset()
        self._back = LookingBack(self._ask, lambda: self._state, self._write)
        self._prompted = self._lesson_told = ""
        self._opened = False
        self._learning = opening.learning
        self._server = ""
        """The server that was set out to, to be kept once it has let this player in."""
        self._deadline: float | None = None

    async def run(self, typed: TypedLines) -> int:
        """Play until the lines end, the player quits or the connection is over; return the status.

        Hangs up at the end.
        """
        self._listen()
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
            self._hurry_no_more()
            for task in self._beside:
                task.cancel()
            await self._link.close()
        return self._over.result() if self._over.done() else ENDED_WELL

    # -- from here to there ------------------------------------------------------------------------

    def _listen(self) -> None:
        """Start the link; what a former one still has to say is nobody's business."""
        link = self._link

        def deliver(arrival: Arrival) -> None:
            if self._link is link:
                self._arrived(arrival)

        link.start(deliver)
        if link is NOWHERE:
            self._alongside(self._look_round())

    def _go(self, link: Link, opening: Opening) -> None:
        """Hang up, and turn to something else."""
        former = self._link
        self._hurry_no_more()
        self._turn_to(link, opening)
        self._alongside(former.close())
        self._listen()

    def _set_out(self, wish: SetOut) -> None:
        assert self._ways is not None
        try:
            link, opening = self._ways.to(wish.destination, self._chosen.now.name)
        except UnfitAuthority as unfit:
            self._write(refused(str(unfit)))
            return
        self._write(leading_to(wish.destination.address, "..."))
        self._go(link, replace(opening, looks_for=wish.looks_for))
        self._server = "" if wish.destination.address is None else str(wish.destination)

    def _go_home(self) -> None:
        """Back to where one chooses; whoever did not come from there has nowhere else to be."""
        if self._leads_back:
            self._go(NOWHERE, Opening())
        else:
            self._end(ENDED_WELL)

    async def _look_round(self) -> None:
        """Ask every server how it stands, all at the same time, and tell it in their order."""
        assert self._ways is not None
        kept = destinations(self._chosen.now.servers)
        looks = (self._ways.look(there) for there in kept.values())
        seen = await asyncio.gather(*looks)
        self._seen = dict(zip(kept, seen, strict=True))
        if self._link is NOWHERE:
            for number, (typed, there) in enumerate(kept.items(), 1):
                self._write(server_line(number, there.label, self._seen[typed]))

    def _alongside(self, doing: Coroutine[Any, Any, None]) -> None:
        """Do something while lines are read; its failure is the program's."""
        task = asyncio.get_running_loop().create_task(doing)
        self._beside.add(task)
        task.add_done_callback(self._done_alongside)

    def _done_alongside(self, task: asyncio.Task[None]) -> None:
        self._beside.discard(task)
        fault = None if task.cancelled() else task.exception()
        if isinstance(fault, OutputGone):
            self._end(NO_SERVER)
        elif fault is not None and not self._over.done():
            self._over.set_exception(fault)

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
                self._alongside(self._mute_again())
            hopeless = arrival.state == "refused" and arrival.code not in NAME_TROUBLE
            if arrival.state == "closed" or hopeless:
                if self._leads_back:
                    self._go_home()
                else:
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
        self._hurry_no_more()
        self._deadline = None if update.clock_ms is None else now + update.clock_ms / 1000
        own = update.you
        if self._deadline is not None and own is not None and own.seat in update.view.to_act:
            loop = asyncio.get_running_loop()
            self._warning = loop.call_at(self._deadline - LATE, self._warn)

    def _hurry_no_more(self) -> None:
        if self._warning is not None:
            self._warning.cancel()
            self._warning = None

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
            self._seconds_left(),
            self._back.past,
            opened=self._opened,
            begins=self._link is NOWHERE,
            leads_back=self._leads_back,
            learning=self._learning,
            settings=self._chosen.now,
            file=self._chosen.place,
            seen=self._seen,
        )

    def _write(self, line: str) -> None:
        """Write a line; whatever is in it, it is one line of what may be shown."""
        self._write_line(shown(line))

    def _ask_player(self) -> None:
        """Say what may be typed now, if that is not what was said last."""
        if self._over.done() or not self._takes_lines():
            return
        self._tell_lesson()
        sentence = asked(self._here())
        listed = type_list(commands(self._here()))
        line = say("{asked} Type: {forms}.", asked=sentence, forms=listed) if sentence else ""
        if line and line != self._prompted:
            self._write(f"> {line}")
        self._prompted = line

    def _tell_lesson(self) -> None:
        """Tell the step of the lesson, once."""
        if self._learning:
            lines = list(lesson_lines(self._here()))
            if lines and lines != [self._lesson_told]:
                (self._lesson_told,) = lines
                self._write(self._lesson_told)

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
                await self._back.look(doing)
            case GoTo(at=at):
                self._back.go_to(at)
            case SetOut():
                self._set_out(doing)
            case LookRound():
                await self._first(self._look_round())
            case Home():
                self._go_home()
            case PlayOn():
                self._learning = False
            case SetTo(values=values, lines=lines):
                self._set(values)
                for line in lines:
                    self._write(line)

    def _set(self, values: Mapping[str, str]) -> None:
        """Change settings; what becomes of it is told by `_kept`."""
        if values:
            self._chosen.change(**values)
            languages.use(self._chosen.language)
            self._prompted = ""

    def _kept(self, trouble: str) -> None:
        try:
            self._write(refused(trouble) if trouble else say("Your settings are kept."))
        except OutputGone:
            self._end(NO_SERVER)

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
        at_table, link = self._state.table is not None, self._link
        if self._server:
            self._chosen.note_server(self._server)
        refusal = await self._first(carry_out(link, self._opening, at_table=at_table))
        if self._link is not link:
            return
        if refusal is not None:
            self._write(refused(refusal.error.message))
            if refusal.error.code == "bad_password":
                self._write(say("Type {form}.", form="join CODE PASSWORD"))
        self._opened = True
        if self._opening.looks_for == "games" and self._state.table is None:
            await self._ask(Ask(ListGames, {"before": None}))

    async def _mute_again(self) -> None:
        """A server that was restarted has forgotten who is muted."""
        for player in self._muted:
            await self._link.ask(Mute, player=player, muted=True)

    # -- waiting -----------------------------------------------------------------------------------

    def _takes_lines(self) -> bool:
        """Whether lines are taken: not before it is known whether the server lets one in."""
        if self._link is NOWHERE:
            return True
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
