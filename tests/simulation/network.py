"""A network of its own moods: bytes are late, torn and lost with their connection, never changed.

Each direction of a connection keeps its order, as TCP does; between connections, and between the
two directions of one, anything may overtake anything.
"""

import asyncio
import hashlib
from collections.abc import Callable
from random import Random

from skull_client.dialing import Unreachable
from skull_server.server import Server


class Network:
    """Everything between the clients and the server of the moment."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self.server: Server | None = None
        """None while it is down: then nobody can connect."""
        self.open = True
        """False: nobody can connect, though the server runs."""
        self.delay = 0.05
        """How long bytes take at most, in seconds."""
        self.links: list[Link] = []
        self.trace = hashlib.sha256()
        """All that was delivered, and when: the same seed must give the same."""
        self._dialled = 0

    async def dial(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        """Connect a client (see `dialing.Dial`)."""
        await asyncio.sleep(self._dice.uniform(0, self.delay))
        if self.server is None or not self.open:
            raise Unreachable("Nothing answers.")
        self._dialled += 1
        self.links.append(Link(self, self._dialled, make_protocol(), self.server.new_connection()))

    def break_all(self, server_dies: bool = False) -> None:
        """Every connection is lost; with its server, the server's ends are gone at once."""
        for link in list(self.links):
            link.sever(0.0 if server_dies else None, None)

    def latency(self) -> float:
        """How long the next bytes take."""
        return self._dice.uniform(0, self.delay)

    def torn(self, chunk: bytes) -> list[bytes]:
        """The same bytes in one piece or in two."""
        if len(chunk) > 1 and self._dice.random() < 0.2:
            cut = self._dice.randrange(1, len(chunk))
            return [chunk[:cut], chunk[cut:]]
        return [chunk]


class Link:
    """One connection, from the moment that it was made until both ends know that it is over."""

    def __init__(
        self,
        network: Network,
        number: int,
        client: asyncio.Protocol,
        server: asyncio.BufferedProtocol,
    ) -> None:
        self.network = network
        self.cut = False
        """Nothing more gets through."""
        self.client = End(self, f"{number}<", client)
        self.server = End(self, f"{number}>", server)
        self.client.other, self.server.other = self.server, self.client
        server.connection_made(self.server)
        client.connection_made(self.client)

    def sever(self, server_notices: float | None, client_notices: float | None) -> None:
        """Lose the connection and all that is on its way; an end may notice after these seconds.

        None: it never hears of it, and has to find out by the silence.
        """
        self.cut = True
        if self in self.network.links:
            self.network.links.remove(self)
        loop = asyncio.get_running_loop()
        for end, seconds in ((self.server, server_notices), (self.client, client_notices)):
            if seconds == 0:
                end.end()
            elif seconds is not None:
                loop.call_later(seconds, end.end)


class End(asyncio.Transport):
    """One end of a link, as its protocol sees it."""

    other: "End"

    def __init__(
        self, link: Link, name: str, protocol: asyncio.Protocol | asyncio.BufferedProtocol
    ) -> None:
        super().__init__()
        self._link = link
        self._name = name
        self._protocol = protocol
        self._closing = False
        self._ended = False
        self._arrival = 0.0
        """When the last bytes written here arrive."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send bytes on their way."""
        if self._closing or self._link.cut:
            return
        for chunk in self._link.network.torn(bytes(data)):
            self._deliver(lambda chunk=chunk: self.other.receive(chunk))  # type: ignore[misc]

    def close(self) -> None:
        """Hang up at both ends, after everything that was written has arrived."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_soon(self.end)
            self._deliver(self._hang_up_there)

    abort = close

    def is_closing(self) -> bool:
        """Tell whether this end has hung up."""
        return self._closing

    def get_write_buffer_size(self) -> int:
        """Return 0: what is written is on its way."""
        return 0

    def receive(self, chunk: bytes) -> None:
        """Take in what the other end wrote, unless this end has hung up meanwhile."""
        trace = self._link.network.trace
        trace.update(f"{self._name} {asyncio.get_running_loop().time()!r} ".encode() + chunk)
        if isinstance(self._protocol, asyncio.Protocol):
            if not self._closing:
                self._protocol.data_received(chunk)
            return
        while chunk and not self._closing:
            buffer = memoryview(self._protocol.get_buffer(len(chunk)))
            count = min(len(buffer), len(chunk))
            buffer[:count] = chunk[:count]
            self._protocol.buffer_updated(count)
            chunk = chunk[count:]

    def end(self) -> None:
        """Tell the protocol that the connection is over, once."""
        if not self._ended:
            self._closing = self._ended = True
            self._protocol.connection_lost(None)

    def _deliver(self, callback: Callable[[], None]) -> None:
        """Have something happen at the other end, after all that was sent there before."""
        loop = asyncio.get_running_loop()
        self._arrival = max(self._arrival + 1e-6, loop.time() + self._link.network.latency())

        def arrive() -> None:
            if not self._link.cut:
                callback()

        loop.call_at(self._arrival, arrive)

    def _hang_up_there(self) -> None:
        if self._link in self._link.network.links:
            self._link.network.links.remove(self._link)
        self.other.end()
