"""From the start screen to a game: where one can go, how it stands there, and the way.

A destination is kept and typed as on the command line: `box`, `box:7585`, `box --tls`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from skull_client import lesson, trust
from skull_client.address import Address, parse_address
from skull_client.clock import RealClock
from skull_client.connection import Connection
from skull_client.dialing import Dial, Unreachable, tcp
from skull_client.link import Link
from skull_client.opening import PLAY_HERE, Opening
from skull_client.tokens import TokenStore
from skull_client.wire import Wire
from skull_client.wording import say
from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Glimpse
from skull_protocol.requests import Peek
from skull_protocol.wire import Tagged

PEEK_SECONDS = 3.0
"""How long a server may take to say how it stands."""
_TLS = "--tls"


@dataclass(frozen=True)
class Destination:
    """A server, or this computer."""

    address: Address | None
    """None: here, without a network."""
    tls: bool = False
    bots: int = 0
    """Here: against how many."""
    learning: bool = False
    """Here: to have the game explained."""

    def __str__(self) -> str:
        """As it is typed and kept."""
        return f"{self.address} {_TLS}" if self.tls else str(self.address)


def here(bots: int = PLAY_HERE) -> Destination:
    """Against so many bots, without a network."""
    return Destination(None, bots=bots)


def to_learn() -> Destination:
    """The lesson, without a network."""
    return Destination(None, bots=lesson.BOTS, learning=True)


def parse_destination(typed: str) -> Destination:
    """Return what was typed. Raises `BadAddress`."""
    words = typed.split()
    tls = _TLS in words
    return Destination(parse_address(" ".join(word for word in words if word != _TLS)), tls)


@dataclass(frozen=True)
class Seen:
    """How a server stands.

    `asking`: not known yet; `silent`: nothing answers; `there`: something does, and says no more;
    `unfit`: another version of the protocol; `open`: `glimpse` says the rest.
    """

    state: Literal["asking", "silent", "there", "unfit", "open"] = "asking"
    glimpse: Glimpse | None = None


class Ways(Protocol):
    """How the screens get somewhere."""

    def to(self, destination: Destination, name: str) -> tuple[Link, Opening]:
        """Return a connection that can be started, and what to do at its other end."""

    async def look(self, destination: Destination) -> Seen:
        """Tell how a server stands, without saying who asks. Raises nothing."""


class Outward:
    """The real ways: over the network, or to a server in this process."""

    def to(self, destination: Destination, name: str) -> tuple[Link, Opening]:
        """Return a connection that can be started, and what to do at its other end."""
        if destination.address is None:
            label = say("this computer")
            opening = Opening(
                bots=destination.bots,
                learning=destination.learning,
                start_now=True,
                server_label=label,
            )
            return connection_here(opening, name), opening
        label = str(destination.address)
        opening = Opening(server_label=label, tls=destination.tls)
        return connection(destination.address, _dial(destination), name, tls=opening.tls), opening

    async def look(self, destination: Destination) -> Seen:
        """Tell how a server stands, without saying who asks. Raises nothing."""
        return await peek(lambda: _dial(destination))


def connection_here(opening: Opening, name: str) -> Connection:
    """Return the connection to a server in this process, with bots that know their parts."""
    from skull_client.embedded import EmbeddedServer  # loads the server

    here = EmbeddedServer(lesson.part if opening.learning else None)
    return Connection(here.dial, name, server=opening.server_label)


def connection(
    address: Address, dial: Dial, name: str, *, tls: bool, code: str | None = None
) -> Connection:
    """Return the connection to a server, with the tokens that are kept for it."""
    # Another server as far as tokens go: one that came encrypted is never sent in the clear.
    server = f"{address} with TLS" if tls else str(address)
    return Connection(dial, name, server=server, tokens=TokenStore(), code=code)


async def peek(dialling: Callable[[], Dial], seconds: float = PEEK_SECONDS) -> Seen:
    """Ask a server how it stands, and hang up. Sends a `peek` and nothing else, ever."""
    heard: list[Tagged] = []

    def arrived(message: Tagged) -> None:
        heard.append(message)
        wire.abort()  # the first word is all that is wanted, whatever else comes

    wire = Wire(RealClock(), arrived)
    try:
        async with asyncio.timeout(seconds):
            await dialling()(lambda: wire)
            wire.send(Peek(1))
            await wire.lost
    except (Unreachable, trust.UnfitAuthority, TimeoutError):
        return Seen("silent")
    finally:
        wire.abort()
    if not heard or not isinstance(heard[0], Glimpse):
        return Seen("there")
    fits = heard[0].protocol == PROTOCOL_VERSION
    return Seen("open" if fits else "unfit", heard[0])


def _dial(destination: Destination) -> Dial:
    """Raises `trust.UnfitAuthority`."""
    assert destination.address is not None
    return tcp(destination.address, trust.trusting(None) if destination.tls else None)
