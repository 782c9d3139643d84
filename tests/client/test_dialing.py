"""Reaching a server over the network, and the sentences when there is none."""

import asyncio
import socket

import pytest

from skull_client import dialing
from skull_client.address import Address
from skull_client.dialing import Unreachable, tcp


async def test_connects_to_whoever_listens() -> None:
    met = asyncio.Event()

    class There(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            met.set()
            transport.close()

    server = await asyncio.get_running_loop().create_server(There, "127.0.0.1", 0)
    lost = asyncio.Event()

    class Here(asyncio.Protocol):
        def connection_lost(self, exc: Exception | None) -> None:
            lost.set()

    await tcp(Address("127.0.0.1", server.sockets[0].getsockname()[1]))(Here)
    await asyncio.wait_for(met.wait(), 10)
    await asyncio.wait_for(lost.wait(), 10)
    server.close()


async def test_nobody_there() -> None:
    with socket.socket() as taken:  # bound, and not listening: nobody else gets this port
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(Unreachable) as caught:
            await tcp(Address("127.0.0.1", port))(asyncio.Protocol)
    expected = f"Nothing answers at 127.0.0.1:{port}. Is skull-server running there?"
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        (socket.gaierror(-2, "Name or service not known"), "No machine called box"),
        (UnicodeError("label too long"), "No machine called box"),
        (TimeoutError(), "box:7585 does not answer"),
        (OSError("Multiple exceptions: [Errno 111], [Errno 111]"), "Nothing answers at box:7585."),
    ],
)
async def test_each_fault_says_what_to_check(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, hint: str
) -> None:
    async def fail(*args: object, **options: object) -> None:
        raise fault

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", fail)
    with pytest.raises(Unreachable) as caught:
        await tcp(Address("box", 7585))(asyncio.Protocol)
    assert hint in str(caught.value)


async def test_a_machine_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*args: object, **options: object) -> None:
        await asyncio.get_running_loop().create_future()

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", hang)
    monkeypatch.setattr(dialing, "DIAL_SECONDS", 0.01)
    with pytest.raises(Unreachable, match="does not answer"):
        await tcp(Address("box", 7585))(asyncio.Protocol)
