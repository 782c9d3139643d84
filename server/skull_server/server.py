"""The server, put together: connections on one side, players and tables on the other."""

import asyncio
import ssl
from collections import Counter
from typing import TYPE_CHECKING, get_args

from skull_protocol import PROTOCOL_VERSION, VERSION
from skull_protocol.errors import Refusal, msg
from skull_protocol.pushes import Error, Glimpse, Goodbye, Ok, Welcome, refused
from skull_protocol.requests import (
    AskResumeCode,
    Hello,
    Mute,
    Peek,
    Ping,
    Request,
    Say,
    SayPhrase,
)
from skull_protocol.tables import TableStage
from skull_server import logs
from skull_server.allowances import Allowances
from skull_server.chance import Chance
from skull_server.connection import RECEIVE_BUFFER, Connection
from skull_server.damage import JournalDamaged
from skull_server.dispatch import LOOKS, carry_out
from skull_server.history import History
from skull_server.history_store import HistoryStore
from skull_server.inputs import Inputs, Scheduler, nothing
from skull_server.limits import Limits
from skull_server.lobby import Lobby
from skull_server.metrics import Metrics, Outcome, Sample
from skull_server.restore import restore
from skull_server.sessions import Session, Sessions
from skull_server.thinking import Mind, QuickMind
from skull_server.tls import TlsTransport

if TYPE_CHECKING:  # a server that saves nothing does without SQLite
    from skull_server.journal import Journal

log = logs.get(__name__)

_BACKLOG = 1024
_STOP_SECONDS = 0.5
"""How long a stopping server waits for its last words to be read."""
_UNSAVED = LOOKS | {Say, SayPhrase, Mute, AskResumeCode}
"""Requests that leave nothing to be saved, so they are done whatever the disk does."""
_SAMPLE_SECONDS = 2.0
"""How often it is counted how much there is of everything, where somebody wants to know."""


class Server:
    """Every table and every player of one process."""

    def __init__(
        self,
        limits: Limits | None = None,
        chance: Chance | None = None,
        scheduler: Scheduler | None = None,
        journal: "Journal | None" = None,
        mind: Mind | None = None,
    ) -> None:
        """`scheduler`: the running event loop, unless a test has its own time.

        `mind`: where bots think; in the event loop, if nothing is said.

        With a journal, everything is as it was when its former server ended; `JournalDamaged` is
        raised if that cannot be.
        """
        self.limits = limits or Limits()
        chance = chance or Chance()
        self.inputs = Inputs(scheduler or asyncio.get_running_loop())
        self._mind = mind or QuickMind()
        self.lobby = Lobby(self.inputs, self.limits, chance, self._mind)
        finished = None if journal is None else HistoryStore(journal.read)
        self.history = History(finished, self._mind, self.inputs.run)
        self.sessions = Sessions(
            self.inputs,
            self.limits,
            chance,
            self.lobby.let_go,
            None if finished is None else finished.former_player,
        )
        self._buffer = memoryview(bytearray(RECEIVE_BUFFER))
        self._connections: set[Connection] = set()
        self._players_here: set[Connection] = set()
        """Connections that have said hello: counted by whoever peeks, so it must cost nothing."""
        self._per_address: Counter[str] = Counter()
        self._listeners: list[asyncio.Server] = []
        self._closed_one = asyncio.Event()
        self._journal = journal
        self.inputs.saving_changed = self._saving_changed
        if journal is not None:
            self.inputs.journal = journal
            try:
                restore(journal, self.inputs, self.sessions, self.lobby)
            except JournalDamaged:
                self.inputs.stop()
                raise
            journal.start(self.inputs)
            self.inputs.run(nothing)  # saves what restoring has changed

    def new_connection(self) -> Connection:
        """Return the protocol for one more connection, over whatever transport."""
        return Connection(self, self.inputs, self.limits, self._buffer)

    async def serve(
        self, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> tuple[str, int]:
        """Listen, and return the address that was taken. Port 0: any free one. Raises `OSError`.

        `tls`: with which certificate to speak TLS; None for plain connections.
        """

        limits = self.limits
        handshakes = Allowances(self.inputs.now, limits.tls_burst, limits.tls_seconds)

        def new_protocol() -> Connection | TlsTransport:
            connection = self.new_connection()
            return connection if tls is None else TlsTransport(tls, connection, handshakes)

        loop = asyncio.get_running_loop()
        listener = await loop.create_server(new_protocol, host, port, backlog=_BACKLOG)
        self._listeners.append(listener)
        address = listener.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    def count_with(self, metrics: Metrics) -> None:
        """Tell these metrics from now on what happens, and now and then how much there is."""
        self.inputs.metrics = metrics
        if self._journal is not None:
            self._journal.metrics = metrics
        self._sample()

    def _sample(self) -> None:
        tables = dict.fromkeys(get_args(TableStage), 0)
        for table in self.lobby.tables():
            tables[table.stage] += 1
        self.inputs.metrics.sampled(
            Sample(
                connections=len(self._connections),
                players=len(self.sessions),
                tables=tables,
                timers=len(self.inputs.timers),
                saving=not self.inputs.failing,
            )
        )
        self.inputs.later(_SAMPLE_SECONDS, self._sample, always=True)

    async def stop(self) -> None:
        """Tell everybody that the server stops, and close soon."""
        for listener in self._listeners:
            listener.close()
        self.inputs.stop()
        farewell = Goodbye("The server is stopping: wait a little, it may be back soon.", True)
        self.inputs.farewell(farewell, list(self._connections))
        if not await self._all_gone(_STOP_SECONDS):
            for connection in list(self._connections):
                connection.abort()
            await self._all_gone(_STOP_SECONDS / 10)
        self._mind.close()
        if self._journal is not None and not self._journal.close():
            log.error("not_all_saved")

    async def _all_gone(self, seconds: float) -> bool:
        """Wait until no connection is left, but not longer than this; tell whether it is so."""
        if self._connections:
            self._closed_one.clear()
            try:
                async with asyncio.timeout(seconds):
                    while self._connections:
                        await self._closed_one.wait()
                        self._closed_one.clear()
            except TimeoutError:
                return False
        return True

    # -- what connections report ------------------------------------------------------------------

    def opened(self, connection: Connection) -> None:
        """Somebody has connected: see whether there is room for them."""
        self._connections.add(connection)
        address = connection.address
        if address is not None:
            self._per_address[address] += 1
            if self._per_address[address] > self.limits.connections_per_address:
                words = msg("Too many connections come from where you are: close one.")
                connection.refuse("too_many_connections", words)
        if len(self._connections) > self.limits.connections:
            connection.refuse("server_full", "This server is full: please try again later.")

    def heard(self, connection: Connection, request: Request) -> None:
        """Do a request, tell everybody what it changed, and answer it."""
        self.inputs.run(lambda: self._answer(connection, request))

    def closed(self, connection: Connection) -> None:
        """A connection is gone: hold the player's place, unless they are back on another one."""
        self._connections.discard(connection)
        self._players_here.discard(connection)
        self._closed_one.set()
        if connection.address is not None:
            self._per_address[connection.address] -= 1
            if not self._per_address[connection.address]:
                del self._per_address[connection.address]
        session = connection.session
        if session is not None and session.connection is connection:
            self.inputs.run(lambda: self._lost(session))

    # -- requests ---------------------------------------------------------------------------------

    def _answer(self, connection: Connection, request: Request) -> None:
        session = connection.session
        if session is None:
            self._first_request(connection, request)
            return
        if session.connection is not connection:
            return  # replaced by a newer connection, and about to be closed
        try:
            answer = session.answered(request)
        except Refusal as refusal:
            self._note(session, request, refusal.code)
            self.inputs.send(connection, refused(request.id, refusal))
            return
        if isinstance(request, Ping) or (answer is None and self.inputs.failing):
            self.inputs.hurry()
            if type(request) not in _UNSAVED:
                self._note(session, request, "cannot_save")
                self._refuse_unsaved(connection, request)
                return
        if answer is None:
            answer = self._outcome(request, session)
            if type(request) not in LOOKS:
                session.remember(request, answer, record=type(request) not in _UNSAVED)
        self._note(session, request, answer.code if isinstance(answer, Error) else "ok")
        self.inputs.send(connection, answer)

    def _note(self, session: Session | None, request: Request, outcome: Outcome) -> None:
        kind = type(request).__name__
        self.inputs.metrics.answered(kind, outcome)
        player = None if session is None else session.id
        log.debug("answered", player=player, request=kind, outcome=outcome)

    def _outcome(self, request: Request, session: Session) -> Ok | Error:
        try:
            if isinstance(request, AskResumeCode):
                self.sessions.give_code(session)
                return Ok(request.id)
            if isinstance(request, Peek):
                session.tell(self._glimpse())
                return Ok(request.id)
            carry_out(request, session, self.lobby, self.history)
        except Refusal as refusal:
            return refused(request.id, refusal)
        except Exception:  # the others play on
            log.exception("request_failed", player=session.id, request=type(request).__name__)
            return Error(request.id, "internal", "The server made a mistake: please try again.")
        return Ok(request.id)

    def _first_request(self, connection: Connection, request: Request) -> None:
        """Let somebody in who says hello; tell a stranger who peeks how it stands, and hang up."""
        if isinstance(request, Peek):
            if self.inputs.failing:
                self.inputs.hurry()
            self._note(None, request, "ok")
            self.inputs.send(connection, self._glimpse())
            self.inputs.send(connection, Ok(request.id))
            self.inputs.hang_up(connection)
            return
        if not isinstance(request, Hello):
            connection.refuse("hello_first", "Say hello first, then ask.", request.id)
            return
        if self.inputs.failing:
            self.inputs.hurry()
            self._note(None, request, "cannot_save")
            self._refuse_unsaved(connection, request)
            self.inputs.hang_up(connection)
            return
        try:
            session, token, resumed = self.sessions.enter(request, connection, connection.address)
        except JournalDamaged as fault:  # who it is cannot be looked up just now
            log.error("cannot_read", fault)
            self._note(None, request, "cannot_save")
            self._refuse_unsaved(connection, request)
            self.inputs.hang_up(connection)
            return
        except Refusal as refusal:
            connection.refused_hellos += 1
            self._note(None, request, refusal.code)
            self.inputs.send(connection, refused(request.id, refusal))
            too_often = connection.refused_hellos >= self.limits.hello_tries
            if too_often or refusal.code == "server_full":
                self.inputs.hang_up(connection)
            return
        connection.session = session
        self._players_here.add(connection)
        self._note(session, request, "ok")
        log.info("player_in", player=session.id, resumed=resumed)
        session.tell(Welcome(session.id, session.name, token, VERSION, resumed))
        self.lobby.arrive(session)
        session.tell(Ok(request.id))

    def _glimpse(self) -> Glimpse:
        players = len(self._players_here)
        return Glimpse(PROTOCOL_VERSION, VERSION, len(self.lobby.tables()), players)

    def _refuse_unsaved(self, connection: Connection, request: Request) -> None:
        words = msg("The server cannot save anything just now: please try again in a while.")
        self.inputs.send(connection, Error(request.id, "cannot_save", words))

    def _saving_changed(self) -> None:
        """The disk takes nothing any more, or takes it again: tell every table."""
        if self.inputs.failing:
            self.inputs.hurry()  # else what is shown has its turn after what still is to be saved
        for table in self.lobby.tables():
            table.saving_changed()

    def _lost(self, session: Session) -> None:
        log.info("player_lost", player=session.id)
        self.sessions.gone(session)
        self.lobby.lost(session)
