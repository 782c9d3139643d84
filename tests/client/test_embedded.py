"""Playing without a network: the connection through memory, and a real server behind it."""

import asyncio

import pytest

from skull_client.connection import Connection
from skull_client.embedded import EmbeddedServer, connect
from skull_client.link import Arrival, LinkStatus
from skull_client.opening import Opening
from skull_client.state import ClientState, arrived
from skull_protocol.requests import Act, Say


class Noting:
    """What a protocol was told, in order."""

    def __init__(self) -> None:
        self.told: list[str | bytes] = []
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.told.append("made")

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append("lost" if exc is None else "failed")


class Here(Noting, asyncio.Protocol):
    def data_received(self, data: bytes) -> None:
        assert isinstance(data, bytes)
        self.told.append(data)


class There(Noting, asyncio.BufferedProtocol):
    """Takes three bytes at a time at most, as a buffered protocol may."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer = bytearray(3)

    def get_buffer(self, sizehint: int) -> bytearray:
        return self.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.told.append(bytes(self.buffer[:nbytes]))


@pytest.fixture
async def pair() -> tuple[Here, There]:
    here, there = Here(), There()
    connect(here, there)
    return here, there


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_bytes_arrive_in_order_both_ways_and_never_within_the_write(
    pair: tuple[Here, There],
) -> None:
    here, there = pair
    assert here.transport is not None
    assert there.transport is not None
    here.transport.write(b"abcdefgh")
    here.transport.write(bytearray(b"i"))
    there.transport.write(memoryview(b"one"))
    there.transport.write(b"two")
    assert (here.told, there.told) == (["made"], ["made"])
    await settle()
    assert there.told == ["made", b"abc", b"def", b"gh", b"i"]
    assert here.told == ["made", b"one", b"two"]


async def test_a_buffer_that_is_used_again_does_not_change_what_was_written(
    pair: tuple[Here, There],
) -> None:
    here, there = pair
    assert there.transport is not None
    buffer = bytearray(b"one")
    there.transport.write(buffer)
    buffer[:] = b"xxx"
    await settle()
    assert here.told == ["made", b"one"]


@pytest.mark.parametrize("hang_up", ["close", "abort"])
async def test_hanging_up_comes_after_the_last_words_and_is_told_once(
    pair: tuple[Here, There], hang_up: str
) -> None:
    here, there = pair
    assert here.transport is not None
    assert there.transport is not None
    there.transport.write(b"bye")
    getattr(there.transport, hang_up)()
    there.transport.write(b"too late")
    getattr(there.transport, hang_up)()
    assert there.transport.is_closing()
    await settle()
    assert here.told == ["made", b"bye", "lost"]
    assert there.told == ["made", "lost"]
    assert here.transport.is_closing()
    here.transport.write(b"nobody is there")
    here.transport.close()
    await settle()
    assert there.told == ["made", "lost"]


async def test_the_server_sees_no_address_and_no_backlog(pair: tuple[Here, There]) -> None:
    _, there = pair
    assert there.transport is not None
    there.transport.write(bytes(1000))
    assert there.transport.get_write_buffer_size() == 0
    assert there.transport.get_extra_info("peername") is None
    assert there.transport.get_extra_info("socket") is None


class Seen:
    """What a player knows, and a way to wait until it is so."""

    def __init__(self) -> None:
        self.state = ClientState()
        self.changed = asyncio.Event()

    def take(self, arrival: Arrival) -> None:
        self.state = arrived(self.state, arrival)
        self.changed.set()

    async def until_my_turn(self) -> None:
        async with asyncio.timeout(30):
            while not (self.state.game and self.state.game.you and self.actions):
                self.changed.clear()
                await self.changed.wait()

    @property
    def actions(self) -> tuple[object, ...]:
        assert self.state.game is not None
        assert self.state.game.you is not None
        return self.state.game.you.choices.actions()


async def test_a_game_starts_here_at_once_and_can_be_played_and_resumed() -> None:
    server = EmbeddedServer()
    link, seen = Connection(server.dial, "Ana", server="here"), Seen()
    assert await link.first_news() == LinkStatus("online")
    link.start(seen.take)
    for step in Opening(bots=3, start_now=True).steps(at_table=False):
        assert await link.ask(step.request, **step.fields) is None
    await seen.until_my_turn()
    assert seen.state.seat == 0
    assert seen.state.table is not None
    assert len(seen.state.table.seats) == 4
    game = seen.state.game
    assert game is not None
    assert await link.ask(Act, seq=game.seq, action=seen.actions[0]) is None
    assert seen.state.game is not None
    assert seen.state.game.seq > game.seq

    # The connection breaks; the same seat and game are there again, and asking still works.
    table = seen.state.table.code
    assert link._wire is not None
    link._wire.abort()
    assert await link.ask(Say, text="hello again") is None
    assert seen.state.table is not None
    assert seen.state.table.code == table
    assert seen.state.me is not None
    assert seen.state.me.resumed
    await link.close()
