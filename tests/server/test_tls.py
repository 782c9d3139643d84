"""The server with TLS: a whole game, strangers, deadlines, and clients that do not read."""

import asyncio
import contextlib
import errno
import random
import socket
import ssl
from asyncio import selector_events
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.test_sockets import at_table, play

from skull_protocol.pushes import Error, Goodbye, Ok, Table
from skull_protocol.requests import Ping
from skull_server.chance import Chance
from skull_server.limits import Limits
from skull_server.server import Server
from skull_server.tls import UnfitCertificate, server_context

CERTIFICATES = Path(__file__).parent.parent / "certificates"
CERTIFICATE, KEY = CERTIFICATES / "test-only.cert.pem", CERTIFICATES / "test-only.key.pem"
LIMITS: Any = {"bot_delay": 0, "requests_per_second": 1e6, "request_burst": 10**6, "farewell": 600}


class Served:
    """A server with TLS on a free port."""

    def __init__(self, server: Server, port: int) -> None:
        self.server = server
        self.port = port
        self.context = ssl.create_default_context(cafile=str(CERTIFICATE))

    async def connect(self, peer: type[Any], **options: Any) -> Any:
        """Somebody who speaks TLS."""
        options = {"ssl": self.context, "server_hostname": "localhost", **options}
        if "sock" not in options:
            options |= {"host": "127.0.0.1", "port": self.port}
        return peer(*await asyncio.open_connection(**options))


async def serve(encrypted: bool = True, scheduler: Any = None, **limits: Any) -> Served:
    server = Server(Limits(**{**LIMITS, **limits}), Chance(5), scheduler)
    tls = server_context(CERTIFICATE, KEY) if encrypted else None
    _, port = await server.serve("127.0.0.1", 0, tls)
    return Served(server, port)


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    made = await serve(hello_deadline=600)
    yield made
    await made.server.stop()


@pytest.fixture
async def kind(dial: Any) -> type[Any]:
    """What a test talks through."""
    here = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    peer = await dial(here.sockets[0].getsockname()[1])
    here.close()
    return type(peer)


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_a_whole_game(served: Served, kind: type[Any], newest: ssl.TLSVersion) -> None:
    served.context.maximum_version = newest

    async def connect(port: int) -> Any:
        return await served.connect(kind)

    people = await at_table(connect, served.port, players=2, bots=1, watchers=1)
    assert people[0].writer.get_extra_info("ssl_object").version() == newest.name.replace("_", ".")
    async with asyncio.TaskGroup() as group:
        for seat, person in enumerate(people[:2]):
            group.create_task(play(person, seat, random.Random(seat)))
    await people[2].wait_for(lambda m: isinstance(m, Table) and m.stage == "finished")
    for person in people:
        hang_up(person)


class Clock:
    """The loop's time, and a test's."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._loop = asyncio.get_running_loop()

    def time(self) -> float:
        return self._loop.time() + self.ahead

    def call_later(self, delay: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(delay, callback)


async def test_an_address_may_begin_so_many_handshakes_and_more_as_time_passes(
    kind: type[Any], dial: Any
) -> None:
    clock = Clock()
    made = await serve(scheduler=clock, hello_deadline=9000, tls_burst=3, tls_seconds=3000)
    ann = await made.connect(kind)
    await ann.hello("Ann")
    others = [await made.connect(kind) for _ in range(2)]
    for _ in range(5):
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await made.connect(kind)
    stranger = await dial(made.port)
    stranger.writer.write(b"hello?")
    error = await stranger.wait_for(lambda message: isinstance(message, Error))
    assert error.code == "tls_needed", "who speaks no TLS costs nothing, and is told"
    assert isinstance(await ann.ask(Ping), Ok), "who is in, stays"
    clock.ahead = 1000.0  # a third of the time
    others.append(await made.connect(kind))
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await made.connect(kind)
    for peer in (ann, *others):
        hang_up(peer)
    await made.server.stop()


async def test_tls_1_1_is_too_old(served: Served, kind: type[Any]) -> None:
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        served.context.maximum_version = ssl.TLSVersion.TLSv1_1
    served.context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await served.connect(kind)
    await gone(served)


def hang_up(peer: Any) -> None:
    peer.writer.transport.abort()


async def gone(served: Served) -> None:
    """Wait until no connection is left."""
    assert await served.server._all_gone(30)
    assert not served.server._per_address


@pytest.mark.parametrize(
    "raw", [b"\0\0\0\x05\x81\xa1a\xa1b", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100_000]
)
async def test_who_speaks_no_tls_is_told_so_in_plain(
    served: Served, dial: Any, kind: type[Any], raw: bytes
) -> None:
    ann = await served.connect(kind)
    await ann.hello("Ann")
    stranger = await dial(served.port)
    stranger.writer.write(raw)
    error = await stranger.wait_for(lambda message: isinstance(message, Error))
    assert error.code == "tls_needed"
    assert "--tls" in error.message
    assert not await stranger.read()
    assert isinstance(await ann.ask(Ping), Ok)
    hang_up(ann)


@pytest.mark.parametrize(
    "raw",
    [b"\x16\x03\x01\x02\x00" + b"x" * 600, b"\x16" * 5, b"\x16\x03\x01\x00\x05hello"],
    ids=["nonsense", "short", "hello"],
)
async def test_a_broken_handshake_costs_only_that_peer(
    served: Served, kind: type[Any], raw: bytes
) -> None:
    ann = await served.connect(kind)
    await ann.hello("Ann")
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(raw)
    writer.write_eof()
    with contextlib.suppress(ConnectionError):
        await reader.read()
    writer.close()
    assert isinstance(await ann.ask(Ping), Ok)
    hang_up(ann)
    await gone(served)


async def test_rubbish_after_the_handshake_costs_only_that_peer(
    served: Served, kind: type[Any]
) -> None:
    """The stream is broken below TLS."""
    ann, bob = await served.connect(kind), await served.connect(kind)
    await ann.hello("Ann")
    await bob.hello("Bob")
    below = socket.dup(bob.writer.get_extra_info("socket").fileno())
    with socket.socket(fileno=below) as sock:
        sock.send(b"\x17\x03\x03\x00\x10" + bytes(16))
    with contextlib.suppress(ssl.SSLError, ConnectionError):
        while await bob.read():
            pass
    assert isinstance(await ann.ask(Ping), Ok)
    bob.writer.transport.abort()
    hang_up(ann)
    await gone(served)


@pytest.mark.parametrize("said", [b"", b"\x16", b"\x16\x03\x01"])
async def test_the_hello_deadline_covers_the_handshake(said: bytes) -> None:
    served = await serve(hello_deadline=0.05, farewell=0)
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(said)
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()
    await gone(served)
    await served.server.stop()


async def test_who_is_silent_after_the_handshake_is_told(kind: type[Any]) -> None:
    served = await serve(hello_deadline=0.5)
    peer = await served.connect(kind)
    assert (await peer.wait_for(lambda m: isinstance(m, Error))).code == "hello_timeout"
    assert not await peer.read()
    hang_up(peer)
    await gone(served)
    await served.server.stop()


async def test_handshakes_count_as_connections_and_the_refused_hear_why(kind: type[Any]) -> None:
    served = await serve(hello_deadline=600, connections_per_address=1)
    _, silent = await asyncio.open_connection("127.0.0.1", served.port)
    peer = await served.connect(kind)
    assert (await peer.wait_for(lambda m: isinstance(m, Error))).code == "too_many_connections"
    assert not await peer.read()
    hang_up(peer)
    silent.close()
    await gone(served)
    await served.server.stop()


async def test_the_last_words_arrive(kind: type[Any]) -> None:
    served = await serve(hello_deadline=600)
    ann = await served.connect(kind)
    await ann.hello("Ann")
    stopping = asyncio.ensure_future(served.server.stop())
    while await ann.read():
        pass
    assert isinstance(ann.inbox[-1], Goodbye)
    hang_up(ann)
    await stopping


@pytest.mark.parametrize("encrypted", [False, True])
async def test_a_peer_that_breaks_off_during_its_last_words_troubles_nobody(
    kind: type[Any], monkeypatch: pytest.MonkeyPatch, encrypted: bool
) -> None:
    """The system knows of it before the event loop does."""
    served = await serve(encrypted=encrypted)
    options = {} if encrypted else {"ssl": None, "server_hostname": None}
    ann = await served.connect(kind, **options)
    await ann.hello("Ann")

    def broken_off(transport: asyncio.Transport) -> None:
        raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    monkeypatch.setattr(selector_events._SelectorSocketTransport, "write_eof", broken_off)  # type: ignore[attr-defined]
    await served.server.stop()
    await gone(served)
    hang_up(ann)


async def test_a_peer_that_never_reads_is_cut_off_and_holds_nobody_up(kind: type[Any]) -> None:
    served = await serve(hello_deadline=600, queue_bytes=50_000, queue_messages=100_000)
    ann = await served.connect(kind)
    await ann.hello("Ann")
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.setblocking(False)
    await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", served.port))
    deaf = await served.connect(kind, sock=sock, limit=2048)
    await deaf.hello("Deaf")
    deaf.writer.transport.pause_reading()
    asked = 0
    while len(served.server._connections) == 2:
        for _ in range(100):
            deaf.send(Ping)
        asked += 100
        assert isinstance(await ann.ask(Ping), Ok)
        # Some 40 bytes each: 50 kB wait here, and 64 and 4 KiB in the kernels, which double them.
        assert asked * 40 < 600_000
    hang_up(deaf)
    hang_up(ann)
    await served.server.stop()


# -- certificates --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("certificate", "key", "hint"),
    [
        ("missing.pem", "test-only.key.pem", "cannot read .*missing.pem: No such file"),
        ("test-only.cert.pem", "missing.pem", "cannot read .*missing.pem: No such file"),
        ("test-only.cert.pem", ".", "cannot read .*: Is a directory"),
        ("test-only.cert.pem", "test-only-another.key.pem", "another.key.pem is not the key of"),
        ("test-only.key.pem", "test-only.key.pem", "must be PEM files"),
        ("test-only.cert.pem", "test-only.cert.pem", "must be PEM files"),
        ("test-only.cert.pem", "test-only-locked.key.pem", "must have no passphrase"),
    ],
)
def test_files_that_do_not_fit_are_told_by_name(certificate: str, key: str, hint: str) -> None:
    with pytest.raises(UnfitCertificate, match=hint):
        server_context(CERTIFICATES / certificate, CERTIFICATES / key)
