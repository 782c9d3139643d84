"""A server with a time of its own, and peers that talk to it without a network."""

import asyncio
import contextlib
import heapq
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import HEADER, MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Error, Ok, Table, Update, Welcome
from skull_protocol.requests import (
    Act,
    AddBot,
    CreateTable,
    Hello,
    JoinTable,
    Ping,
    Request,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import SkullAction
from skull_protocol.tables import TableOptions
from skull_protocol.wire import Tagged
from skull_server.chance import Chance
from skull_server.connection import Connection
from skull_server.journal import Journal
from skull_server.limits import Limits
from skull_server.server import Server

UNHURRIED: Any = {"requests_per_second": 1e6, "request_burst": 10**6, "chat_burst": 10**6}
"""So much at once as a test may want."""


class FakeTime:
    """Time that passes only when a test says so."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._order = itertools.count()
        self._alarms: list[tuple[float, int, FakeTimer]] = []

    def time(self) -> float:
        return self._now

    def call_later(self, delay: float, callback: Callable[[], None]) -> "FakeTimer":
        timer = FakeTimer(callback)
        heapq.heappush(self._alarms, (self._now + delay, next(self._order), timer))
        return timer

    def advance(self, seconds: float = 0) -> None:
        """Let time pass; everything due in it happens, in order."""
        until = self._now + seconds
        while self._alarms and self._alarms[0][0] <= until:
            self._now, _, timer = heapq.heappop(self._alarms)
            if timer.callback is not None:
                timer.callback()
        self._now = until

    def stand_still(self, seconds: float) -> None:
        """Time passes and nothing is done in it; what was due comes late, all at once."""
        self._now += seconds
        while self._alarms and self._alarms[0][0] <= self._now:
            timer = heapq.heappop(self._alarms)[2]
            if timer.callback is not None:
                timer.callback()


class FakeTimer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class FakeTransport(asyncio.Transport):
    """Hands what is written to a peer, or keeps it waiting when the peer does not read."""

    def __init__(self, peer: "Peer") -> None:
        super().__init__()
        self._peer = peer
        self._closing = False
        self.waiting = 0
        self.writes = 0

    def write(self, data: Any) -> None:
        assert not self._closing, "written to after closing"
        self.writes += 1
        if self._peer.reads:
            self._peer.take_in(bytes(data))
        else:
            self.waiting += len(data)

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return (self._peer.address, 4711) if name == "peername" else default

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._peer.world.time.call_later(0, self._peer.lose)

    abort = close


class Peer:
    """One end of a connection to the server of a `World`."""

    def __init__(self, world: "World", address: str, first_id: int) -> None:
        self.world = world
        self.address = address
        self.reads = True
        self.open = True
        self.stream = b""
        """Every byte that came."""
        self.inbox: list[Tagged] = []
        """Every message that came."""
        self.ids = itertools.count(first_id)
        self._splitter = FrameSplitter(MAX_PUSH)
        self.transport = FakeTransport(self)
        self.connection: Connection = world.server.new_connection()
        self.connection.connection_made(self.transport)

    def take_in(self, chunk: bytes) -> None:
        self.stream += chunk
        self.inbox += [PUSHES.parse(body) for body in self._splitter.feed(chunk)]

    def send_bytes(self, raw: bytes) -> None:
        while raw and self.open:
            buffer = self.connection.get_buffer(-1)
            count = min(len(raw), len(buffer))
            buffer[:count] = raw[:count]
            self.connection.buffer_updated(count)
            raw = raw[count:]

    def send_body(self, body: bytes) -> None:
        self.send_bytes(len(body).to_bytes(HEADER, "big") + body)

    def send(self, message: Request) -> Ok | Error | None:
        """Send a request and return its answer."""
        seen = len(self.inbox)
        self.send_bytes(encode(message))
        for answer in self.inbox[seen:]:
            if isinstance(answer, Ok | Error) and answer.id == message.id:
                return answer
        return None

    def ask(self, request: type[Request], **fields: Any) -> Ok | Error | None:
        return self.send(request(id=next(self.ids), **fields))

    def do(self, request: type[Request], **fields: Any) -> None:
        """Ask for something that must be granted."""
        answer = self.ask(request, **fields)
        assert isinstance(answer, Ok), answer

    def refused(self, request: type[Request], **fields: Any) -> str:
        """Ask for something that must be refused; return the code."""
        answer = self.ask(request, **fields)
        assert isinstance(answer, Error), answer
        assert answer.message
        return answer.code

    def hello(self, name: str, token: str | None = None) -> Ok | Error | None:
        return self.ask(Hello, protocol=PROTOCOL_VERSION, name=name, token=token)

    def lose(self) -> None:
        """The connection breaks."""
        if self.open:
            self.open = False
            self.connection.connection_lost(None)

    def last(self, kind: type[Any]) -> Any:
        """The newest message of a kind."""
        return next(message for message in reversed(self.inbox) if isinstance(message, kind))

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(message, kind) for message in self.inbox)

    @property
    def token(self) -> str:
        return str(self.last(Welcome).token)

    @property
    def id(self) -> int:
        return int(self.last(Welcome).player)

    @property
    def seat(self) -> int | None:
        seats = self.last(Table).seats
        return next((seat for seat, info in enumerate(seats) if info.player == self.id), None)

    def act(self, action: SkullAction, seq: int | None = None) -> Ok | Error | None:
        return self.ask(Act, seq=self.last(Update).seq if seq is None else seq, action=action)


class World:
    """A server whose time, chance and network belong to the test."""

    def __init__(
        self, limits: Limits | None = None, seed: int = 1, journal: Journal | None = None
    ) -> None:
        self.time = FakeTime()
        self.limits = limits or Limits(**UNHURRIED)
        self.server = Server(self.limits, Chance(seed), self.time, journal)
        self._first_ids = itertools.count(1000, 10_000)

    def peer(self, address: str = "10.0.0.1") -> Peer:
        """Somebody who has connected and said nothing yet."""
        return Peer(self, address, next(self._first_ids))

    def player(self, name: str, token: str | None = None) -> Peer:
        """Somebody who has said hello."""
        peer = self.peer()
        answer = peer.hello(name, token)
        assert isinstance(answer, Ok), answer
        return peer

    def wait(self, seconds: float, *alive: Peer) -> None:
        """Let time pass, in which these people's clients say that they are alive."""
        while seconds > 0:
            self.time.advance(min(seconds, 15))
            seconds -= 15
            for peer in alive:
                peer.do(Ping)

    def table(
        self,
        players: int = 3,
        bots: int = 0,
        options: TableOptions | None = None,
        watchers: int = 0,
        start: bool = True,
    ) -> list[Peer]:
        """People at a new table, the host first and the watchers last; the game has begun."""
        names = ["Ann", "Bob", "Cem", "Dee", "Eva", "Fay", "Gus", "Hal"]
        people = [self.player(name) for name in names[: players + watchers]]
        host = people[0]
        host.do(CreateTable, options=options or TableOptions(min_seats=2))
        code = host.last(Table).code
        for guest in people[1:players]:
            guest.do(JoinTable, code=code)
        for watcher in people[players:]:
            watcher.do(WatchTable, code=code)
        for _ in range(bots):
            host.do(AddBot)
        if start:
            host.do(StartGame)
        return people

    def secrets(self) -> list[object]:
        """All that the games being played know, to see that something changed nothing."""
        found: list[object] = []
        for table in self.server.lobby.tables():
            found.append(table.summary())
            play = table._games._play
            if play is not None:
                seats = range(len(play._owns))
                found += [play._game.view(), [play._game.own_view(seat) for seat in seats]]
        return found


class SocketPeer:
    """One end of a real connection, for tests of what only a network does."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.inbox: list[Tagged] = []
        self._splitter = FrameSplitter(MAX_PUSH)
        self._ids = itertools.count(1)

    def send(self, request: type[Request], **fields: Any) -> int:
        number = next(self._ids)
        self.writer.write(encode(request(id=number, **fields)))
        return number

    async def read(self) -> bool:
        """Wait for more; False: the server has closed."""
        chunk = await self.reader.read(65536)
        self.inbox += [PUSHES.parse(body) for body in self._splitter.feed(chunk)]
        return bool(chunk)

    async def wait_for(self, wanted: Callable[[Tagged], bool]) -> Any:
        """Return the first message, old or new, that is wanted."""
        seen = 0
        while True:
            for message in self.inbox[seen:]:
                if wanted(message):
                    return message
            seen = len(self.inbox)
            assert await self.read(), "the server has closed"

    async def ask(self, request: type[Request], **fields: Any) -> Ok | Error:
        number = self.send(request, **fields)
        answer: Ok | Error = await self.wait_for(
            lambda message: isinstance(message, Ok | Error) and message.id == number
        )
        return answer

    async def hello(self, name: str) -> None:
        answer = await self.ask(Hello, protocol=PROTOCOL_VERSION, name=name, token=None)
        assert isinstance(answer, Ok), answer

    def last(self, kind: type[Any]) -> Any:
        return next(message for message in reversed(self.inbox) if isinstance(message, kind))

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


@pytest.fixture
async def dial() -> AsyncIterator[Callable[[int], Awaitable[SocketPeer]]]:
    """Connects to a port of this machine."""
    peers: list[SocketPeer] = []

    async def connect(port: int) -> SocketPeer:
        peer = SocketPeer(*await asyncio.open_connection("127.0.0.1", port))
        peers.append(peer)
        return peer

    yield connect
    for peer in peers:
        await peer.close()


@pytest.fixture
def new_world() -> Callable[..., World]:
    """Makes worlds."""
    return World


@pytest.fixture
def world() -> World:
    """A server at rest."""
    return World()
