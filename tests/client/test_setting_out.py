"""From the start screen outwards: what a look at a server sends, and what it makes of it."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skull_client.address import BadAddress
from skull_client.dialing import tcp
from skull_client.setting_out import Outward, Seen, here, parse_destination, peek
from skull_client.trust import UnfitAuthority
from skull_protocol import PROTOCOL_VERSION, codec
from skull_protocol.codec import FrameSplitter
from skull_protocol.pushes import Error, Glimpse, Goodbye, Ok
from skull_protocol.requests import REQUESTS, Peek, Request
from skull_server.limits import Limits
from skull_server.server import Server
from skull_server.tls import server_context

OLD = Error(1, "bad_message", "That was no request that this server knows.")
BUSY = Glimpse(PROTOCOL_VERSION, "0.1.0", 3, 5)
NEWER = Glimpse(PROTOCOL_VERSION + 1, "9.0", 1, 1)


@asynccontextmanager
async def answering(answer: bytes | None) -> Any:
    """A server that answers anything with these bytes, or not at all; and what it has heard."""
    heard: list[Request] = []

    class There(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport, self.splitter = transport, FrameSplitter(codec.MAX_REQUEST)

        def data_received(self, data: bytes) -> None:
            heard.extend(REQUESTS.parse(body) for body in self.splitter.feed(data))
            if answer is not None:
                assert isinstance(self.transport, asyncio.Transport)
                self.transport.write(answer)

    server = await asyncio.get_running_loop().create_server(There, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", heard
    finally:
        server.close()


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (codec.encode(BUSY) + codec.encode(Ok(1)), Seen("open", BUSY)),
        (codec.encode(NEWER), Seen("unfit", NEWER)),
        (codec.encode(OLD), Seen("there")),
        (codec.encode(Goodbye("Stopping.", retry=True)), Seen("there")),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Seen("there")),
        (codec.encode(Ok(1)) * 10_000, Seen("there")),
    ],
)
async def test_what_a_server_answers(answer: bytes, seen: Seen) -> None:
    async with answering(answer) as (address, heard):
        assert await Outward().look(parse_destination(address)) == seen
        assert heard == [Peek(1)]  # no name, no token, nothing else


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    async with answering(None) as (address, heard):
        dial = tcp(parse_destination(address).address)  # type: ignore[arg-type]
        assert await peek(lambda: dial, 0.2) == Seen("silent")
        assert heard == [Peek(1)]


async def test_where_nothing_listens_nothing_answers() -> None:
    async with answering(None) as (address, _):
        pass
    assert await Outward().look(parse_destination(address)) == Seen("silent")


async def test_a_plain_server_is_never_asked_in_the_clear_where_tls_is_wanted() -> None:
    async with answering(b"") as (address, heard):
        assert await Outward().look(parse_destination(f"{address} --tls")) == Seen("silent")
        assert heard == []


async def test_a_real_server_tells_how_it_stands() -> None:
    server = Server(Limits())
    host, port = await server.serve("127.0.0.1", 0)
    try:
        seen = await Outward().look(parse_destination(f"{host}:{port}"))
        assert seen.state == "open"
        assert seen.glimpse is not None
        assert (seen.glimpse.tables, seen.glimpse.players) == (0, 0)
    finally:
        await server.stop()


@pytest.mark.parametrize(
    "typed",
    [
        "box",
        "box:80",
        "box --tls",
        "--tls box:80",
        "[::1]:9",
        "box --tls --tls-ca /a/b.pem",
        "--tls-ca '/a b/it'\"'\"'s.pem' box --tls",
    ],
)
def test_a_destination_is_kept_as_it_can_be_typed(typed: str) -> None:
    there = parse_destination(typed)
    assert parse_destination(str(there)) == there
    assert there.tls is ("--tls" in typed)
    assert (there.authority is not None) is ("--tls-ca" in typed)


@pytest.mark.parametrize("typed", ["box --tls-ca /a.pem", "box --tls --tls-ca", "box 'a"])
def test_half_a_destination_is_refused(typed: str) -> None:
    with pytest.raises(BadAddress, match=r"--tls-ca FILE"):
        parse_destination(typed)


async def test_a_kept_certificate_opens_the_server_again_and_a_lost_one_is_said(
    tmp_path: Path,
) -> None:
    folder = Path(__file__).parents[1] / "certificates"
    tls = server_context(folder / "test-only.cert.pem", folder / "test-only.key.pem")
    server = Server(Limits())
    _, port = await server.serve("127.0.0.1", 0, tls=tls)
    kept = f"localhost:{port} --tls"
    authority = tmp_path / "our certificate.pem"
    authority.write_bytes((folder / "test-only.cert.pem").read_bytes())
    there = parse_destination(f"{kept} --tls-ca '{authority}'")
    try:
        assert (await Outward().look(parse_destination(kept))).state == "silent"
        assert (await Outward().look(parse_destination(str(there)))).state == "open"
        authority.unlink()
        assert (await Outward().look(there)).state == "silent"
        with pytest.raises(UnfitAuthority, match=r"our certificate\.pem"):
            Outward().to(there, "Ana")
    finally:
        await server.stop()


@given(st.text(max_size=30))
def test_what_is_typed_is_an_address_or_is_refused(typed: str) -> None:
    try:
        there = parse_destination(typed)
    except BadAddress:
        return
    assert parse_destination(str(there)) == there


async def test_a_game_here_needs_no_address() -> None:
    link, opening = Outward().to(here(2), "Ana")
    assert (opening.bots, opening.is_here) == (2, True)
    await link.close()
