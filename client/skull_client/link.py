"""What the screens need of a connection, whatever is behind it: a socket, a server in this
process, or a test."""

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from skull_protocol.pushes import Error
from skull_protocol.requests import Request
from skull_protocol.wire import Tagged


class LinkStatus(Struct, frozen=True):
    """How the connection stands.

    `connecting` for the first time; `online`; `lost` and being retried; `refused` or `closed` for
    good. `detail` is a sentence for people, saying what is being done or what to do next.
    """

    state: Literal["connecting", "online", "lost", "refused", "closed"]
    detail: str = ""
    code: str = ""
    """Why it was refused, as a protocol error code; empty otherwise."""


NAME_TROUBLE = ("bad_name", "name_taken", "bad_code", "too_many_tries")
"""Refusals, by their code, after which the player can say anew who they are."""

Arrival = Tagged | LinkStatus
"""Anything that reaches the screens from a link: a server's message, or a change of the link."""


class Link(Protocol):
    """A connection to a server, as the screens see it."""

    def start(self, deliver: Callable[[Arrival], None]) -> None:
        """Connect, and hand over everything that arrives, in order, on the event loop."""

    async def ask(self, request: type[Request], **fields: object) -> Error | None:
        """Send a request with these fields and wait for its answer: None for ok.

        Survives a lost connection: the request is sent again, and the server does it once.
        """

    def rename(self, name: str) -> None:
        """After a refusal: try again as somebody else."""

    def use_code(self, code: str) -> None:
        """After a refusal: try again as whoever got this code on another terminal."""

    async def close(self) -> None:
        """Hang up for good."""


class Nowhere:
    """The link of somebody who is not connected to anything, and has not asked to be."""

    def start(self, deliver: Callable[[Arrival], None]) -> None:
        """Nothing ever arrives."""

    async def ask(self, request: type[Request], **_fields: object) -> Error | None:
        """Nobody is there to ask. Raises `LookupError`: the screens ask only who is there."""
        raise LookupError(request.__name__)

    def rename(self, name: str) -> None:
        """Nobody wants to know."""

    def use_code(self, code: str) -> None:
        """Nobody wants to know."""

    async def close(self) -> None:
        """There is nothing to hang up."""


NOWHERE = Nowhere()
