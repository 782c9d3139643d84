"""A scripted server and a clock that tests move, with a client between them."""

import asyncio
from collections.abc import Callable

from skull_client.connection import Connection
from skull_client.dialing import Unreachable
from skull_client.link import Arrival, LinkStatus
from skull_client.tokens import TokenStore
from skull_protocol import codec
from skull_protocol.codec import FrameSplitter
from skull_protocol.pushes import Ok, Welcome
from skull_protocol.requests import REQUESTS, Hello, Ping, Request
from skull_protocol.wire import Tagged


class FakeClock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self.asked: list[float | None] = []

    def now(self) -> float:
        return self.time

    async def wait(self, event: asyncio.Future[None], seconds: float | None) -> None:
        self.asked.append(seconds)
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if seconds is not None:
            self.sleepers.append((self.time + seconds, woken))
        await asyncio.wait({event, woken}, return_when=asyncio.FIRST_COMPLETED)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass in steps small enough for everything due to happen in order."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(self.time + 0.5, end)
            for due, woken in self.sleepers:
                if due <= self.time and not woken.done():
                    woken.set_result(None)
            await settle()


async def settle() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(20):
        await asyncio.sleep(0)


class ServerSide(asyncio.Transport):
    """One connection as the server sees it: what came in, and a way to answer."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.splitter = FrameSplitter(codec.MAX_REQUEST)
        self.requests: list[Request] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.requests += [REQUESTS.parse(body) for body in self.splitter.feed(data)]

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.drop()

    def drop(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)

    def send(self, *messages: Tagged) -> None:
        self.send_bytes(b"".join(codec.encode(message) for message in messages))

    def send_bytes(self, chunk: bytes) -> None:
        self.protocol.data_received(chunk)

    @property
    def hello(self) -> Hello:
        hello = [request for request in self.requests if isinstance(request, Hello)][-1]
        assert isinstance(hello, Hello)
        return hello

    def let_in(self, token: str = "secret-1", *, resumed: bool = False) -> None:
        self.send(Welcome(7, self.hello.name, token, "0.1.0", resumed), Ok(self.hello.id))

    def asked(self) -> list[Request]:
        return [item for item in self.requests if not isinstance(item, Hello | Ping)]


class Net:
    """Every connection that was dialled, and whether dialling works."""

    def __init__(self) -> None:
        self.sides: list[ServerSide] = []
        self.failure: str | None = None

    async def dial(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        if self.failure is not None:
            raise Unreachable(self.failure)
        protocol = make_protocol()
        side = ServerSide(protocol)
        self.sides.append(side)
        protocol.connection_made(side)

    @property
    def last(self) -> ServerSide:
        return self.sides[-1]


class Player:
    """A client under test with all that it is connected to."""

    def __init__(
        self, store: TokenStore | None = None, name: str = "Ana", code: str | None = None
    ) -> None:
        self.net, self.clock = Net(), FakeClock()
        self.arrivals: list[Arrival] = []
        self.link = Connection(
            self.net.dial,
            name,
            server="box:7585",
            tokens=store,
            clock=self.clock,
            chance=lambda: 1.0,
            first_id=100,
            code=code,
        )

    async def start(self) -> "Player":
        self.link.start(self.arrivals.append)
        await settle()
        return self

    async def start_online(self) -> "Player":
        await self.start()
        self.net.last.let_in()
        await settle()
        return self

    @property
    def statuses(self) -> list[LinkStatus]:
        return [item for item in self.arrivals if isinstance(item, LinkStatus)]

    def state(self) -> str:
        return self.status.state

    @property
    def status(self) -> LinkStatus:
        return self.statuses[-1]
