"""One attempt at a connection: bytes to messages and back, until it is lost."""

import asyncio
from collections.abc import Callable
from typing import Literal

import msgspec

from skull_client import link_wording
from skull_client.clock import Clock
from skull_protocol import codec
from skull_protocol.codec import BadFrame, BadMessage, FrameSplitter
from skull_protocol.errors import ErrorCode
from skull_protocol.pushes import PUSHES
from skull_protocol.requests import Request
from skull_protocol.text import shown
from skull_protocol.wire import Tagged


class Wire(asyncio.Protocol):
    """The protocol object of one attempt; what arrives goes to `arrived`, made safe to show."""

    def __init__(self, clock: Clock, arrived: Callable[[Tagged], None]) -> None:
        self._clock = clock
        self._arrived = arrived
        self._splitter = FrameSplitter(codec.MAX_PUSH)
        self._transport: asyncio.Transport | None = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.heard = self.sent = clock.now()
        self.hello_id: int | None = None
        self.reason = ""
        """Why it ended, as a sentence; empty when nobody said."""
        self.code: ErrorCode | Literal[""] = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what to write to (called by asyncio)."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self.heard = self.sent = self._clock.now()

    def data_received(self, chunk: bytes) -> None:
        """Hand over every message that is complete (called by asyncio)."""
        self.heard = self._clock.now()
        try:
            for body in self._splitter.feed(chunk):
                if self.lost.done():
                    return
                message = PUSHES.parse(body)
                self._arrived(safe_to_show(message))
        except (BadFrame, BadMessage):
            self.fail(link_wording.unreadable(), "bad_frame")

    def connection_lost(self, fault: Exception | None) -> None:
        """Note the end (called by asyncio)."""
        del fault  # people are told that the connection is lost; the errno helps nobody
        self._end()

    def send(self, message: Request) -> None:
        """Send a request; one that cannot be sent any more is sent again later."""
        self.sent = self._clock.now()
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(codec.encode(message))

    def fail(self, reason: str, code: ErrorCode | Literal[""] = "") -> None:
        """Give the connection up, for a reason told as a sentence and by its code."""
        self.reason, self.code = reason, code
        self.abort()

    def abort(self) -> None:
        """Hang up now; nothing more is taken from this wire."""
        if self._transport is not None:
            self._transport.abort()
        self._end()

    def _end(self) -> None:
        if not self.lost.done():
            self.lost.set_result(None)


def safe_to_show(message: Tagged) -> Tagged:
    """Return a message with everything that must not reach a terminal taken out of its texts."""
    cleaned = _cleaned(message)
    assert isinstance(cleaned, Tagged)
    return cleaned


def _cleaned(value: object) -> object:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, tuple):
        return tuple(_cleaned(item) for item in value)
    if isinstance(value, msgspec.Struct):
        fields = {field: _cleaned(getattr(value, field)) for field in value.__struct_fields__}
        return type(value)(**fields)
    return value
