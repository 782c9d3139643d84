"""The server, put together: connections on one side, players and tables on the other."""

import asyncio
import logging
from collections import Counter
from importlib.metadata import version

from skull_protocol.errors import Refusal
from skull_protocol.pushes import Error, Goodbye, Ok, Welcome
from skull_protocol.requests import Hello, Ping, Request
from skull_server.chance import Chance
from skull_server.connection import RECEIVE_BUFFER, Connection
from skull_server.dispatch import carry_out
from skull_server.inputs import Inputs, Scheduler
from skull_server.limits import Limits
from skull_server.lobby import Lobby
from skull_server.sessions import Session, Sessions

log = logging.getLogger(__name__)

_BACKLOG = 1024
_STOP_SECONDS = 0.5
"""How long a stopping server waits for its last words to be read."""


class Server:
    """Every table and every player of one process."""

    def __init__(
        self,
        limits: Limits | None = None,
        chance: Chance | None = None,
        scheduler: Scheduler | None = None,
    ) -> None:
        """`scheduler`: the running event loop, unless a test has its own time."""
        self.limits = limits or Limits()
        chance = chance or Chance()
        self.inputs = Inputs(scheduler or asyncio.get_running_loop())
        self.lobby = Lobby(self.inputs, self.limits, chance)
        self.sessions = Sessions(self.inputs, self.limits, chance, self.lobby.let_go)
        self._version = version("skull-terminal")
        self._buffer = memoryview(bytearray(RECEIVE_BUFFER))
        self._connections: set[Connection] = set()
        self._per_address: Counter[str] = Counter()
        self._listeners: list[asyncio.Server] = []
        self._closed_one = asyncio.Event()

    def new_connection(self) -> Connection:
        """Return the protocol for one more connection, over whatever transport."""
        return Connection(self, self.inputs, self.limits, self._buffer)

    async def serve(self, host: str, port: int) -> tuple[str, int]:
        """Listen, and return the address that was taken. Port 0: any free one. Raises `OSError`."""
        loop = asyncio.get_running_loop()
        listener = await loop.create_server(self.new_connection, host, port, backlog=_BACKLOG)
        self._listeners.append(listener)
        address = listener.sockets[0].getsockname()
        return str(address[0]), int(address[1])

    async def stop(self) -> None:
        """Tell everybody that the server stops, and close soon."""
        for listener in self._listeners:
            listener.close()
        self.inputs.stop()
        farewell = Goodbye("The server is stopping: wait a little, it may be back soon.", True)
        for connection in list(self._connections):
            self.inputs.send(connection, farewell)
            self.inputs.hang_up(connection)
        self.inputs.run(lambda: None)
        if not await self._all_gone(_STOP_SECONDS):
            for connection in list(self._connections):
                connection.abort()
            await self._all_gone(_STOP_SECONDS / 10)

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
                words = "Too many connections come from where you are: close one, then try again."
                connection.refuse("too_many_connections", words)
        if len(self._connections) > self.limits.connections:
            connection.refuse("server_full", "This server is full: please try again later.")

    def heard(self, connection: Connection, request: Request) -> None:
        """Do a request, tell everybody what it changed, and answer it."""
        self.inputs.run(lambda: self._answer(connection, request))

    def closed(self, connection: Connection) -> None:
        """A connection is gone: hold the player's place, unless they are back on another one."""
        self._connections.discard(connection)
        self._closed_one.set()
        if connection.address is not None:
            self._per_address[connection.address] -= 1
            self._per_address += Counter()  # drops the zeros
        session = connection.session
        if session is not None and session.connection is connection:
            self.inputs.run(lambda: self._lost(session))

    # -- requests ---------------------------------------------------------------------------------

    def _answer(self, connection: Connection, request: Request) -> None:
        session = connection.session
        if session is None:
            self._first_request(connection, request)
            return
        try:
            answer = session.answered(request)
        except Refusal as refusal:
            self.inputs.send(connection, Error(request.id, refusal.code, refusal.sentence))
            return
        if answer is None:
            answer = self._outcome(request, session)
            if not isinstance(request, Ping):
                session.remember(request, answer)
        self.inputs.send(connection, answer)

    def _outcome(self, request: Request, session: Session) -> Ok | Error:
        try:
            carry_out(request, session, self.lobby)
        except Refusal as refusal:
            return Error(request.id, refusal.code, refusal.sentence)
        except Exception:  # the others play on
            log.exception("a %s of player %d failed", type(request).__name__, session.id)
            return Error(request.id, "internal", "The server made a mistake: please try again.")
        return Ok(request.id)

    def _first_request(self, connection: Connection, request: Request) -> None:
        """Let somebody in who says hello."""
        if not isinstance(request, Hello):
            connection.refuse("hello_first", "Say hello first, then ask.", request.id)
            return
        try:
            session, token, resumed = self.sessions.enter(request, connection)
        except Refusal as refusal:
            connection.refused_hellos += 1
            self.inputs.send(connection, Error(request.id, refusal.code, refusal.sentence))
            too_often = connection.refused_hellos >= self.limits.hello_tries
            if too_often or refusal.code == "server_full":
                self.inputs.hang_up(connection)
            return
        connection.session = session
        log.info("player %d %s", session.id, "is back" if resumed else "is new")
        session.tell(Welcome(session.id, session.name, token, self._version, resumed))
        self.lobby.arrive(session)
        session.tell(Ok(request.id))

    def _lost(self, session: Session) -> None:
        log.info("player %d is not connected", session.id)
        self.sessions.gone(session)
        self.lobby.lost(session)
