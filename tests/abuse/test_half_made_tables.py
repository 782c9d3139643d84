"""Ten thousand tables that were set up and left: afterwards there is nothing of them."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.abuse.conftest import FREELY, PATIENCE, ServerProcess, bystanders, dial

from skull_protocol.pushes import Lobby, LobbyChanged, Ok
from skull_protocol.requests import AddBot, CreateTable, LeaveTable
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits
from skull_server.server import Server

Start = Callable[..., ServerProcess]
FREE: Any = {"requests_per_second": 1e6, "request_burst": 10**6}
AT_ONCE = 50


async def half_made(port: int, number: int, host: str = "127.0.0.1") -> None:
    """Set up a table, seat a bot, and go: some say goodbye to it, most just vanish."""
    peer = await dial(port, host)
    await peer.hello(f"{number:05} half made")
    assert isinstance(await peer.ask(CreateTable, options=TableOptions()), Ok)
    peer.send(AddBot)
    if number % 3 == 0:
        assert isinstance(await peer.ask(LeaveTable), Ok)
    await peer.close()


async def make_tables(port: int, first: int, count: int) -> None:
    for start in range(first, first + count, AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, first + count))
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(half_made(port, number) for number in numbers))


async def test_no_table_session_timer_task_or_object_is_left() -> None:
    server = Server(Limits(absence=0.05, **FREE))
    _, port = await server.serve("127.0.0.1", 0)
    await make_tables(port, 0, 200)
    await nothing_is_left(server)
    tasks = asyncio.all_tasks()
    await make_tables(port, 200, 600)
    await nothing_is_left(server)
    assert asyncio.all_tasks() == tasks
    await server.stop()


def test_the_memory_of_10_000_comes_back(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(tables=3000, players=3000, **FREE))

    def make(count: int) -> None:
        for number in range(count):
            guest = world.player(f"{number:05} half made")
            guest.do(CreateTable, options=TableOptions())
            guest.do(AddBot)
            if number % 3 == 0:
                guest.do(LeaveTable)
            guest.lose()
            if number % 1000 == 999:
                world.time.advance(world.limits.absence + 1)
        world.time.advance(3600)

    make(1000)
    before = memory()
    make(10_000)
    after = memory()
    assert not list(world.server.lobby.tables())
    assert len(world.server.sessions) == 0
    assert not world.server.inputs.timers
    for kind, count in after.items():
        assert count < before[kind] * 1.05, (kind, before, after)


def memory() -> dict[str, int]:
    """How much there is of it."""
    gc.collect()
    return {"blocks": sys.getallocatedblocks(), "objects": len(gc.get_objects())}


async def nothing_is_left(server: Server) -> None:
    """Wait until everybody is forgotten; the only way out is that all of it is gone."""
    async with asyncio.timeout(PATIENCE):
        while (  # noqa: ASYNC110 - the server tells nobody
            server._connections
            or len(server.sessions)
            or list(server.lobby.tables())
            or server.inputs.timers
        ):
            await asyncio.sleep(0.01)


async def lobby_is_down_to(port: int, tables: int) -> None:
    """Wait until the lobby lists no more than so many tables."""
    peer = await dial(port, "127.0.0.7")
    await peer.hello("Onlooker")
    listed = {table.code for table in peer.last(Lobby).tables}
    async with asyncio.timeout(PATIENCE):
        while len(listed) > tables:
            seen = len(peer.inbox)
            assert await peer.read()
            for message in peer.inbox[seen:]:
                if isinstance(message, LobbyChanged):
                    listed |= {table.code for table in message.changed}
                    listed -= set(message.gone)
    await peer.close()


@pytest.mark.skipif("SKULL_LONG" not in os.environ, reason="takes minutes: SKULL_LONG=1")
async def test_the_memory_of_a_process_comes_back(start_server: Start) -> None:
    """The journal's page caches have to be full before it can be measured."""
    server = start_server("--absence", "1", "--log-level", "info", *FREELY)
    async with bystanders(server.port, pause=0.01) as table:
        await make_tables(server.port, 0, 5000)
        await lobby_is_down_to(server.port, 1)
        before = server.rss_kib()
        await make_tables(server.port, 5000, 10_000)
        await lobby_is_down_to(server.port, 1)
        after = server.rss_kib()
        assert after < before * 1.05, f"{before} KiB, then {after} KiB"
        await table.play_on(5)
