"""One connection: bytes to requests and frames to bytes, and how long and how much a peer may.

It never waits for a peer. One that does not read is cut off when too much is waiting for it; one
that is silent, or too fast, or speaks nonsense, is told so and cut off. Nobody else notices.
"""

import asyncio
import socket
from collections import deque
from typing import Protocol

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import (
    MAX_REQUEST,
    BadFrame,
    BadMessage,
    FrameSplitter,
    encode,
    unpack,
)
from skull_protocol.errors import ErrorCode, Refusal, msg
from skull_protocol.pushes import Goodbye, refused
from skull_protocol.requests import REQUESTS, Request
from skull_protocol.wire import Tagged
from skull_server import logs
from skull_server.inputs import Alarm, Inputs
from skull_server.limits import Limits
from skull_server.metrics import CutOff
from skull_server.sessions import Session

log = logs.get(__name__)

RECEIVE_BUFFER = 64 * 1024
_SEND_BUFFER = 64 * 1024
"""Bytes that the kernel takes for a peer; by default it hides megabytes of lag."""


class Listener(Protocol):
    """Who is told what happens on a connection."""

    def opened(self, connection: "Connection") -> None:
        """Somebody has connected."""

    def heard(self, connection: "Connection", request: Request) -> None:
        """A well-formed request came in."""

    def closed(self, connection: "Connection") -> None:
        """The connection is gone."""


def release(transport: asyncio.BaseTransport) -> None:
    """Have a transport whose connection was lost go at once.

    asyncio's own keep methods of themselves (CPython issue 100348), so they would wait for a search
    for garbage.
    """
    kept = vars(transport)
    for name in [name for name, held in kept.items() if getattr(held, "__self__", 0) is transport]:
        del kept[name]


class Connection(asyncio.BufferedProtocol):
    """What is between one peer and the server.

    The transport may be a socket's, or anything that has `write`, `close`, `abort`,
    `is_closing`, `get_write_buffer_size` and `get_extra_info`. It must not deliver anything
    from within `write`.
    """

    __slots__ = (
        "_alarm",
        "_allowance",
        "_buffer",
        "_closing",
        "_ends",
        "_heard_at",
        "_inputs",
        "_limits",
        "_listener",
        "_splitter",
        "_transport",
        "address",
        "refused_hellos",
        "session",
    )

    def __init__(
        self, listener: Listener, inputs: Inputs, limits: Limits, buffer: memoryview
    ) -> None:
        """`buffer` may be shared by all connections: it is used up before anything else comes."""
        self.session: Session | None = None
        """Whose connection it is, after the hello."""
        self.address: str | None = None
        """Where the peer is; None in one process."""
        self.refused_hellos = 0
        self._listener = listener
        self._inputs = inputs
        self._limits = limits
        self._buffer = buffer
        self._splitter = FrameSplitter(MAX_REQUEST)
        self._transport: asyncio.Transport | None = None
        self._alarm: Alarm | None = None
        self._closing = False
        self._heard_at = inputs.now()
        self._allowance = float(limits.request_burst)
        self._ends: deque[int] = deque()
        """Where each frame that is still waiting ends, in bytes; empty while the peer keeps up."""

    # -- called by the transport ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for the hello."""
        self._transport = transport  # type: ignore[assignment]
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if isinstance(peer, tuple) else None
        self._alarm = self._inputs.later(
            self._limits.hello_deadline, self._check_silence, always=True
        )
        self._listener.opened(self)

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 - asyncio's signature
        """Lend the shared buffer for what has come in."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Take in bytes, and do every request that is complete."""
        if self._closing:
            return
        try:
            for body in self._splitter.feed(self._buffer[:nbytes]):
                self._take(body)
                if self._closing:
                    return
        except BadFrame as fault:
            self.refuse(
                "bad_frame", "This is a Skull server: use skull-client. (Got {what}.)", what=fault
            )

    def eof_received(self) -> None:
        """Let the transport close: a peer that will say nothing more has left."""

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        """Forget about this peer."""
        self._closing = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._transport is not None:
            release(self._transport)
            self._transport = None
        self._listener.closed(self)

    # -- called by the server ---------------------------------------------------------------------

    def write(self, frames: list[bytes]) -> None:
        """Send frames in one write; cut off a peer for whom too much is waiting."""
        if self._closing or self._transport is None or self._transport.is_closing():
            return
        self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        waiting = self._transport.get_write_buffer_size()
        if waiting == 0:
            self._ends.clear()
        else:
            self._count_waiting(frames, waiting)

    def _count_waiting(self, frames: list[bytes], waiting: int) -> None:
        """Cut off the peer if too many frames, or bytes, are waiting, the ones just sent included.

        `_ends` counts from an arbitrary point in the stream.
        """
        end = self._ends[-1] if self._ends else 0
        for frame in frames:
            end += len(frame)
            self._ends.append(end)
        while self._ends and self._ends[0] <= end - waiting:
            self._ends.popleft()
        limits = self._limits
        if waiting > limits.queue_bytes or len(self._ends) > limits.queue_messages:
            self._note_cut_off("slow")
            self.abort()

    def hang_up(self) -> None:
        """Close, but give the last words a moment to be read."""
        if self._closing or self._transport is None:
            return
        self._closing = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._transport.get_extra_info("socket") is None or not self._transport.can_write_eof():
            self._transport.close()
            return
        # Closed with unread bytes, a socket resets the peer, who may then lose the last words.
        try:
            self._transport.write_eof()
        except OSError:  # the peer broke off, of which the event loop has not heard yet
            self._transport.abort()
            return
        self._alarm = self._inputs.later(self._limits.farewell, self._transport.abort, always=True)

    def abort(self) -> None:
        """Close at once."""
        self._closing = True
        if self._transport is not None:
            self._transport.abort()

    def refuse(
        self, code: ErrorCode, form: str, request_id: int | None = None, **blanks: object
    ) -> None:
        """Say why not, in a sentence and what fills its blanks, and hang up."""
        self._note_refusal(code)
        self._tell(refused(request_id, Refusal(code, form, **blanks)))
        self.hang_up()

    def turn_away(self, code: ErrorCode) -> None:
        """Close at once, where to say why would cost as much as to let the peer in."""
        self._note_refusal(code)
        self.abort()

    def _note_refusal(self, code: ErrorCode) -> None:
        if not self._closing:
            self._inputs.metrics.refused(code)
            log.info("refused", reason=code, address=self.address)

    def _note_cut_off(self, reason: CutOff) -> None:
        self._inputs.metrics.cut_off(reason)
        log.info("cut_off", reason=reason, player=None if self.session is None else self.session.id)

    # -- what a peer may --------------------------------------------------------------------------

    def _take(self, body: bytes) -> None:
        """Do one frame. Raises `BadFrame`."""
        if not self._may_ask():
            self.refuse("too_fast", "That was too much at once: wait a moment, then reconnect.")
            return
        try:
            request = self._parse(body)
        except BadMessage as fault:
            words = msg("That was no request that this server knows: {what}")
            if self.session is None:
                self.refuse("bad_message", words, fault.id, what=fault)
            else:
                refusal = Refusal("bad_message", words, what=fault)
                self._tell(refused(fault.id, refusal))
            return
        if request is not None:
            self._listener.heard(self, request)

    def _parse(self, body: bytes) -> Request | None:
        """Return the request in a frame; None if it was a hello in another protocol.

        A hello of another version may have other fields, so its version is looked at first.
        Raises `BadFrame` or `BadMessage`.
        """
        if self.session is None:
            fields = unpack(body)
            version = fields.get("protocol")
            if (
                fields.get("type") == "hello"
                and type(version) is int
                and version != PROTOCOL_VERSION
            ):
                old = "skull-client" if version < PROTOCOL_VERSION else "skull-server"
                self.refuse(
                    "version_mismatch",
                    "Client and server do not fit: upgrade {old}. "
                    "(The server speaks protocol {ours}, the client {theirs}.)",
                    old=old,
                    ours=PROTOCOL_VERSION,
                    theirs=version,
                )
                return None
        return REQUESTS.parse(body)

    def _may_ask(self) -> bool:
        """Take one request off the allowance, which grows with time up to the burst."""
        now = self._inputs.now()
        grown = (now - self._heard_at) * self._limits.requests_per_second
        self._heard_at = now
        self._allowance = min(self._allowance + grown, self._limits.request_burst)
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _check_silence(self) -> None:
        if self.session is None:
            self.refuse("hello_timeout", "Nobody said hello in time: please connect again.")
            return
        left = self._heard_at + self._limits.silence - self._inputs.now()
        if left > 0:
            self._alarm = self._inputs.later(left, self._check_silence, always=True)
        else:
            self._note_cut_off("silent")
            self._tell(Goodbye("Nothing was heard from you for too long.", retry=True))
            self.hang_up()

    def _tell(self, message: Tagged) -> None:
        self.write([encode(message)])
