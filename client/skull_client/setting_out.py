"""From the start screen to a game: where one can go, how it stands there, and the way.

A destination is kept and typed as on the command line: `box`, `box:7585`, `box --tls`,
`box --tls --tls-ca FILE`.
"""

import asyncio
import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from skull_client import lesson, trust
from skull_client.address import Address, BadAddress, parse_address
from skull_client.clock import RealClock
from skull_client.connection import Connection
from skull_client.dialing import Dial, Unreachable, tcp
from skull_client.link import Link
from skull_client.opening import PLAY_HERE, Opening
from skull_client.tokens import TokenStore
from skull_client.wire import Wire
from skull_client.wording import say, say_count
from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Glimpse
from skull_protocol.requests import Peek
from skull_protocol.wire import Tagged

PEEK_SECONDS = 3.0
"""How long a server may take to say how it stands."""
_TLS, _AUTHORITY = "--tls", "--tls-ca"


class Destination(Struct, frozen=True):
    """A server, or this computer."""

    address: Address | None
    """None: here, without a network."""
    tls: bool = False
    authority: Path | None = None
    """With TLS: the file with the certificate to trust; None: whom this machine trusts."""
    bots: int = 0
    """Here: against how many."""
    learning: bool = False
    """Here: to have the game explained."""

    def __str__(self) -> str:
        """As it is typed and kept."""
        if self.authority is None:
            return self.label
        return f"{self.label} {_AUTHORITY} {shlex.quote(str(self.authority))}"

    @property
    def label(self) -> str:
        """As people call it: without the file of a certificate."""
        return f"{self.address} {_TLS}" if self.tls else str(self.address)


def here(bots: int = PLAY_HERE) -> Destination:
    """Against so many bots, without a network."""
    return Destination(None, bots=bots)


def to_learn() -> Destination:
    """The lesson, without a network."""
    return Destination(None, bots=lesson.BOTS, learning=True)


def parse_destination(typed: str) -> Destination:
    """Return what was typed. Raises `BadAddress`."""
    try:
        words = shlex.split(typed)
    except ValueError as fault:  # a quote that does not end
        raise BadAddress(_what_to_type()) from fault
    tls, authority = _TLS in words, None
    if _AUTHORITY in words:
        at = words.index(_AUTHORITY)
        if not tls:
            raise BadAddress(certificate_without_tls())
        if at + 1 == len(words):
            raise BadAddress(_what_to_type())
        authority = Path(words[at + 1]).absolute()
        del words[at : at + 2]
    address = parse_address(" ".join(word for word in words if word != _TLS))
    return Destination(address, tls, authority)


def certificate_without_tls() -> str:
    """Say that a certificate alone does not encrypt anything."""
    return say("A certificate is for an encrypted connection: add --tls to --tls-ca FILE.")


def _what_to_type() -> str:
    return say("Type HOST or HOST:PORT; behind it, --tls and --tls-ca FILE if you need them.")


def destinations(servers: Iterable[str]) -> dict[str, Destination]:
    """Return the servers that were kept, as they were; without those that make no sense."""
    found = {}
    for typed in servers:
        try:
            found[typed] = parse_destination(typed)
        except BadAddress:
            continue
    return found


class Seen(Struct, frozen=True):
    """How a server stands.

    `asking`: not known yet; `silent`: nothing answers; `there`: something does, and says no more;
    `unfit`: another version of the protocol; `open`: `glimpse` says the rest.
    """

    state: Literal["asking", "silent", "there", "unfit", "open"] = "asking"
    glimpse: Glimpse | None = None


def standing(seen: Seen, dots: str) -> str:
    """Say in a few words how a server stands."""
    glimpse = seen.glimpse
    if seen.state == "asking":
        return say("asking{dots}", dots=dots)
    if seen.state == "silent":
        return say("does not answer")
    if seen.state == "unfit":
        return say("another version")
    if glimpse is None:
        return say("is there")
    tables = say_count(glimpse.tables, "{n} table", "{n} tables")
    players = say_count(glimpse.players, "{n} player", "{n} players")
    return say("{tables}, {players}", tables=tables, players=players)


def liveliest(servers: Mapping[str, Destination], seen: Mapping[str, Seen]) -> Destination | None:
    """Return the server at which there is most to watch; the first of equals, None of none.

    Which games may be watched a server tells only those whom it lets in.
    """

    def tables(server: str) -> int:
        glimpse = seen.get(server, Seen()).glimpse
        return 0 if glimpse is None or seen[server].state != "open" else glimpse.tables

    return servers[max(servers, key=tables)] if servers else None


def leading_to(address: Address | None, dots: str) -> str:
    """Say what is being done while one is on the way there."""
    if address is None:
        return say("Setting the table{dots}", dots=dots)
    return say("Connecting to {server}{dots}", server=address, dots=dots)


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
    tls = trust.trusting(destination.authority) if destination.tls else None
    return tcp(destination.address, tls)
