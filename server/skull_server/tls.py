"""TLS between the network and a connection, by the `ssl` module's engine without I/O.

asyncio's own TLS would hide from a connection what it has to see: peers would count, and their time
to say hello would run, only after the handshake; bytes waiting for one that does not read would
not all be counted; and a client without TLS could not be told why it is refused.
"""

import asyncio
import ssl
from pathlib import Path
from typing import cast

from skull_protocol.errors import msg
from skull_server import logs
from skull_server.allowances import Allowances
from skull_server.connection import Connection, release

log = logs.get(__name__)

_HANDSHAKE = 0x16
"""The first byte of every TLS connection. A Skull client's is 0, HTTP's a letter."""


class UnfitCertificate(Exception):  # noqa: N818 - says what the files are
    """The certificate or its key cannot be used; the message says why."""


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return how to serve with a certificate chain and its key, both in PEM files.

    TLS 1.2 or newer. Raises `UnfitCertificate`.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    for file in (certificate, key):
        try:
            file.read_bytes()  # `load_cert_chain` does not tell which one it cannot read
        except OSError as fault:
            raise UnfitCertificate(f"cannot read {file}: {fault.strerror}") from fault
    try:
        # An empty passphrase: without it OpenSSL would ask the terminal for one.
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as fault:
        if fault.reason == "KEY_VALUES_MISMATCH":
            raise UnfitCertificate(f"{key} is not the key of {certificate}") from fault
        raise UnfitCertificate(
            f"cannot use {certificate} with {key}: they must be PEM files, "
            "and the key must have no passphrase"
        ) from fault
    return context


class TlsTransport(asyncio.Transport, asyncio.BufferedProtocol):
    """The protocol of a socket below, and the transport of a connection above.

    The connection is made as soon as the socket is: what it says before the handshake is done is
    held until then. Bytes waiting are counted encrypted, some 22 for each message more than plain.
    """

    def __init__(
        self, context: ssl.SSLContext, connection: Connection, handshakes: Allowances
    ) -> None:
        """`handshakes`: how many each address may begin, since one takes a millisecond."""
        super().__init__()
        self._connection = connection
        self._handshakes = handshakes
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._below: asyncio.Transport
        self._untried = True
        """Nothing has come yet."""
        self._open = False
        """The handshake is done."""
        self._plain = False
        """The peer does not speak TLS, or not well enough: what is left to say goes out plain."""
        self._ended = False
        """The last word was said."""
        self._held: list[bytes] = []
        self._end_held = False

    # -- called by the socket's transport ---------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Make the connection, and wait for the handshake."""
        self._below = transport  # type: ignore[assignment]
        self._connection.connection_made(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Lend the connection's buffer, once for what came in and then for what it says."""
        return self._connection.get_buffer(sizehint)

    def buffer_updated(self, nbytes: int) -> None:
        """Take in bytes, and hand over what they say."""
        if self._ended or self._plain:
            return
        came = self._connection.get_buffer(-1)[:nbytes]
        if self._untried and came[0] != _HANDSHAKE:
            self._speak_plain()
            words = msg("This server speaks TLS only: start skull-client with --tls.")
            self._connection.refuse("tls_needed", words)
            return
        if self._untried and not self._handshakes.take(self._connection.address):
            self._connection.turn_away("too_fast")
            return
        self._untried = False
        self._incoming.write(came)
        try:
            if self._open or self._shake_hands():
                self._hand_over()
        except ssl.SSLError as fault:
            self._fail(fault)
        self._flush()

    def eof_received(self) -> None:
        """Let the socket close: a peer that will say nothing more has left."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the connection."""
        release(self._below)
        self._connection.connection_lost(exc)

    # -- called by the connection -----------------------------------------------------------------

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Encrypt and send."""
        if self._plain:
            self._below.write(data)
        elif not self._open:
            self._held.append(bytes(data))
        elif not self._ended:
            rest = memoryview(data)
            try:
                while rest:
                    rest = rest[self._tls.write(rest) :]
            except ssl.SSLError as fault:
                self._fail(fault)
            self._flush()

    def can_write_eof(self) -> bool:
        """Tell that the last word can be marked as such."""
        return True

    def write_eof(self) -> None:
        """Say that nothing more will come."""
        if self._plain:
            self._end_below()
        elif not self._open:
            self._end_held = True
        elif not self._ended:
            self._ended = True
            try:
                self._tls.unwrap()
            except ssl.SSLError:
                log.debug("tls_end_unanswered")  # as it should be: nobody waits for the answer
            self._flush()
            self._end_below()

    def get_write_buffer_size(self) -> int:
        """Return how many bytes wait for the peer to read."""
        return self._below.get_write_buffer_size()

    def get_extra_info(self, name: str, default: object = None) -> object:
        """Return what the socket's transport knows."""
        return self._below.get_extra_info(name, default)

    def is_closing(self) -> bool:
        """Tell whether the socket closes."""
        return self._below.is_closing()

    def close(self) -> None:
        """Close the socket once everything is sent."""
        self._below.close()

    def abort(self) -> None:
        """Close the socket at once."""
        self._below.abort()

    # -- TLS --------------------------------------------------------------------------------------

    def _shake_hands(self) -> bool:
        """Go on with the handshake; True once it is done. Raises `ssl.SSLError`."""
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        self._open = True
        for data in self._held:
            self.write(data)
        self._held.clear()
        if self._end_held:
            self.write_eof()
        return True

    def _hand_over(self) -> None:
        """Let the connection have everything that came, decrypted. Raises `ssl.SSLError`."""
        buffer = self._connection.get_buffer(-1)
        while not (self._ended or self._plain):
            try:
                # typeshed thinks that bytes come back even with a buffer
                count = cast("int", self._tls.read(len(buffer), buffer))
            except ssl.SSLWantReadError:
                return
            except ssl.SSLZeroReturnError:
                count = 0
            if count == 0:
                self._connection.hang_up()
                return
            self._connection.buffer_updated(count)

    def _speak_plain(self) -> None:
        """Give TLS up, and let out what was held."""
        self._plain = True
        for data in self._held:
            self._below.write(data)
        self._held.clear()
        if self._end_held:
            self._end_below()

    def _fail(self, fault: ssl.SSLError) -> None:
        """Tell the peer by TLS's own alert, and hang up."""
        log.debug("tls_failed", reason=fault.reason)
        self._flush()
        self._held.clear()
        self._speak_plain()
        self._connection.hang_up()

    def _end_below(self) -> None:
        try:
            self._below.write_eof()
        except OSError:  # the peer broke off, of which the event loop has not heard yet
            self._below.abort()

    def _flush(self) -> None:
        if self._outgoing.pending:
            self._below.write(self._outgoing.read())
