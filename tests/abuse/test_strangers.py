"""Whoever connects and is no player: silent, slow, or speaking another language."""

import asyncio
import resource
import struct
from collections.abc import Callable

import msgpack
import pytest
from tests.abuse.conftest import (
    FREELY,
    PATIENCE,
    ServerProcess,
    bystanders,
    dial,
    errors,
    read_to_end,
)

from skull_protocol.pushes import Goodbye

Start = Callable[..., ServerProcess]


def framed(body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + body


NONSENSE = {
    "http": b"GET / HTTP/1.1\r\nHost: skull\r\nUser-Agent: curl/8\r\n\r\n",
    "http2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "tls hello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(505),
    "four billion": b"\xff\xff\xff\xff" + b"x" * 1000,
    "minus one": b"\x80\x00\x00\x00",
    "empty": bytes(4),
    "one byte too long": framed(b"\x80" * 4097),
    "a thousand deep": framed(b"\x81\xa1x" + b"\x91" * 1000 + b"\xc0"),
    "a thousand maps deep": framed(b"\x81\xa1x" * 1000 + b"\xc0"),
    "a map that says four billion": framed(b"\xdf\xff\xff\xff\xff\xa1x"),
    "a string that says four billion": framed(b"\x81\xa1x\xdb\xff\xff\xff\xff"),
    "duplicate keys": framed(b"\x82\xa4type\xa4ping\xa4type\xa4ping"),
    "nan": framed(msgpack.packb({"type": "ping", "id": float("nan")})),
    "extension": framed(msgpack.packb({"type": "ping", "id": msgpack.ExtType(1, b"x")})),
    "timestamp": framed(msgpack.packb({"type": "ping", "id": msgpack.Timestamp(1)})),
    "a key that is a list": framed(b"\x81\x90\xc0"),
    "never used": framed(b"\xc1"),
}
LIST_OF_EMPTY_MAPS = framed(b"\x81\xa1x\xdd" + struct.pack(">I", 4000) + b"\x80" * 4000)
MANY_EMPTY_MAPS = framed(b"\x80") * 12_000  # 60 kB


@pytest.mark.parametrize("greeted", [False, True], ids=["stranger", "player"])
async def test_nonsense_is_answered_and_closed(start_server: Start, greeted: bool) -> None:
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        for letter, (name, raw) in zip("abcdefghkmnpqrtuwxyz", NONSENSE.items(), strict=False):
            peer = await dial(server.port)
            if greeted:
                await peer.hello(f"Mallory {letter}")
            peer.writer.write(raw)
            async with asyncio.timeout(PATIENCE):
                await read_to_end(peer)
            assert [error.code for error in errors(peer)] == ["bad_frame"], name
            await table.play_on(2)


async def test_a_list_of_empty_maps_is_no_frame(start_server: Start) -> None:
    """To look at it to its end would keep everybody waiting."""
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        peer = await dial(server.port)
        await peer.hello("Mallory")
        peer.writer.write(LIST_OF_EMPTY_MAPS * 15)
        async with asyncio.timeout(PATIENCE):
            await read_to_end(peer)
        assert [error.code for error in errors(peer)] == ["bad_frame"]
        await table.play_on(5)


@pytest.mark.parametrize("greeted", [False, True], ids=["stranger", "player"])
async def test_60_kb_of_empty_maps(start_server: Start, greeted: bool) -> None:
    server = start_server()
    async with bystanders(server.port, pause=0.06) as table:
        peer = await dial(server.port)
        if greeted:
            await peer.hello("Mallory")
        peer.writer.write(MANY_EMPTY_MAPS)
        async with asyncio.timeout(PATIENCE):
            await read_to_end(peer)
        codes = [error.code for error in errors(peer)]
        assert codes[-1] == ("too_fast" if greeted else "bad_message")
        assert len(codes) < 60
        await table.play_on(5)


async def test_500_silent_sockets(start_server: Start) -> None:
    """They are too many for one address, and the rest has to say hello in time."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = start_server("--hello-deadline", "2", *FREELY)
    async with bystanders(server.port) as table:
        silent = [await dial(server.port) for _ in range(500)]
        await table.play_on()
        neighbour = await dial(server.port, "127.0.0.3")
        await neighbour.hello("Neighbour")
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(read_to_end(peer) for peer in silent))
        codes = [error.code for peer in silent for error in errors(peer)]
        assert codes.count("too_many_connections") == 300
        assert codes.count("hello_timeout") == 200
        await table.play_on()
        late = await dial(server.port)
        await late.hello("Late")


async def test_one_byte_at_a_time(start_server: Start) -> None:
    """Bytes that make no request win no time: neither before the hello nor after it."""
    server = start_server("--hello-deadline", "1", "--silence", "2", *FREELY)
    async with bystanders(server.port) as table:
        stranger, player = await dial(server.port), await dial(server.port)
        await player.hello("Mallory")
        for peer in (stranger, player):
            ended = asyncio.create_task(read_to_end(peer))
            async with asyncio.timeout(PATIENCE):
                for byte in (b"\0\0\x0f\xff" + b"\x80" * 4000)[:4000]:
                    if ended.done():
                        break
                    peer.writer.write(bytes([byte]))
                    await table.play_on(1)
                    await asyncio.wait({ended}, timeout=0.1)
                await ended
        assert errors(stranger)[-1].code == "hello_timeout"
        goodbye = player.inbox[-1]
        assert isinstance(goodbye, Goodbye)
        assert goodbye.retry
