"""Playing here, without a network: a server in this process, reached through memory.

The only module of the client that knows the server. The server does not know: it gets a protocol
object per connection and a transport, as it does from the network.
"""

import asyncio
from collections.abc import Callable
from typing import cast

from skull_protocol.skull import SkullAction, SkullOwn, SkullView
from skull_server.chance import Chance
from skull_server.game_kinds import BotPlayer
from skull_server.limits import Limits
from skull_server.server import Server
from skull_server.thinking import Decision, Mind, Question, QuickMind, T, Thought, WorkerMind

Part = Callable[[SkullView, SkullOwn], SkullAction | None]
"""What a bot does, from what its seat sees; None: what it likes."""
SEED = 1
"""Of all chance in a game with a script: in the lesson, the disc that is lost is a flower."""


class EmbeddedServer:
    """A server that lives as long as this process, with one client at most at a time."""

    def __init__(self, part: Part | None = None, limits: Limits | None = None) -> None:
        """`part`: what a bot does where a script says so; None: what it likes."""
        self._mind: Mind = WorkerMind() if part is None else _Script(part)
        # What follows a script leaves nothing to chance either.
        self._chance = None if part is None else Chance(SEED)
        self._limits = limits
        self._server: Server | None = None

    async def dial(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        """Connect a new protocol to the server (see `dialing.Dial`)."""
        if self._server is None:
            self._server = Server(self._limits, self._chance, mind=self._mind)
        connect(make_protocol(), self._server.new_connection())


class _Script:
    """Has bots play their parts, and where they have none, as they like."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._own_will = QuickMind()

    def ask(self, bot: BotPlayer, question: Question[T]) -> Thought[T]:
        """Return what the script says, or what the bot wants."""
        if isinstance(question, Decision):
            action = self._part(question.view, question.own)
            if action is not None:
                return self._own_will.ask(bot, cast("Question[T]", lambda _: action))
        return self._own_will.ask(bot, question)

    def close(self) -> None:
        """There is nothing to end."""


def connect(here: asyncio.Protocol, there: asyncio.BufferedProtocol) -> None:
    """Connect two protocols through memory: bytes arrive in order, in later turns of the loop."""
    loop = asyncio.get_running_loop()
    client_end, server_end = _End(loop, here), _End(loop, there)
    client_end.other, server_end.other = server_end, client_end
    there.connection_made(server_end)
    here.connection_made(client_end)


class _End(asyncio.Transport):
    """One end of a connection in memory. Nothing is ever buffered, so nothing is slow."""

    other: "_End"

    def __init__(
        self, loop: asyncio.AbstractEventLoop, protocol: asyncio.Protocol | asyncio.BufferedProtocol
    ) -> None:
        super().__init__()
        self._loop = loop
        self._protocol = protocol
        self._closing = False
        self._ended = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Hand bytes to the other end."""
        if not self._closing:
            self._loop.call_soon(self.other.receive, bytes(data))

    def close(self) -> None:
        """Hang up at both ends, after everything that was written has arrived."""
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self.end)
            self._loop.call_soon(self.other.end)

    def abort(self) -> None:
        """Hang up: there is nothing buffered that could be dropped."""
        self.close()

    def is_closing(self) -> bool:
        """Tell whether either end has hung up."""
        return self._closing

    def get_write_buffer_size(self) -> int:
        """Return 0: what is written is on its way."""
        return 0

    def receive(self, chunk: bytes) -> None:
        """Take in what the other end wrote, unless this end has hung up meanwhile."""
        if self._closing:
            return
        if isinstance(self._protocol, asyncio.Protocol):
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
