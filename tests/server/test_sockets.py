"""The server on real sockets: a whole game, peers that do not read, last words, stopping."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skull_protocol.pushes import Error, Goodbye, Ok, Table, Update
from skull_protocol.requests import (
    Act,
    AddBot,
    CreateTable,
    JoinTable,
    Ping,
    Say,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import Abandon
from skull_protocol.tables import TableOptions
from skull_server.chance import Chance
from skull_server.limits import Limits
from skull_server.server import Server

LIMITS = Limits(
    bot_delay=0,
    requests_per_second=1e6,
    request_burst=10**6,
    chat_burst=10**6,
    hello_deadline=600,
    farewell=600,
)


@pytest.fixture
async def served() -> AsyncIterator[tuple[Server, int]]:
    """A server on a free port, and the port."""
    server = Server(LIMITS, Chance(5))
    _, port = await server.serve("127.0.0.1", 0)
    yield server, port
    await server.stop()


async def at_table(dial: Any, port: int, players: int, bots: int = 0, watchers: int = 0) -> Any:
    people = [await dial(port) for _ in range(players + watchers)]
    for number, person in enumerate(people):
        await person.hello(f"Player {number}")
    await people[0].ask(CreateTable, options=TableOptions(min_seats=2))
    code = people[0].last(Table).code
    for number, person in enumerate(people[1:], 1):
        request = JoinTable if number < players else WatchTable
        assert isinstance(await person.ask(request, code=code), Ok)
    for _ in range(bots):
        assert isinstance(await people[0].ask(AddBot), Ok)
    assert isinstance(await people[0].ask(StartGame), Ok)
    return people


async def play(peer: Any, seat: int, rng: random.Random) -> None:
    """Play a seat at random until somebody has won."""
    while True:
        update = await peer.wait_for(lambda message: isinstance(message, Update))
        update = peer.last(Update)
        if update.view.winner is not None:
            return
        if seat in update.view.to_act:
            choices = [a for a in update.you.choices.actions() if not isinstance(a, Abandon)]
            answer = await peer.ask(Act, seq=update.seq, action=rng.choice(choices))
            assert isinstance(answer, Ok) or answer.code == "stale"
        if peer.last(Update) is update:
            assert await peer.read()


async def test_a_whole_game_with_bots_and_a_watcher(served: tuple[Server, int], dial: Any) -> None:
    _, port = served
    people = await at_table(dial, port, players=3, bots=2, watchers=1)
    async with asyncio.TaskGroup() as group:
        for seat, person in enumerate(people[:3]):
            group.create_task(play(person, seat, random.Random(seat)))
    for person in people:
        assert isinstance(await person.ask(Ping), Ok)
        await person.wait_for(
            lambda message: isinstance(message, Table) and message.stage == "finished"
        )
    updates = [[m for m in person.inbox if isinstance(m, Update)] for person in people]
    for seen in updates:
        assert [update.seq for update in seen] == list(range(len(seen)))
        assert [update.view for update in seen] == [update.view for update in updates[0]]
    assert all(update.you is None for update in updates[3])


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\nHost: skull\r\nUser-Agent: x\r\n\r\n" + b"a" * 300_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512),
        b"\xff" * 200_000,
    ],
    ids=["http", "tls", "flood"],
)
async def test_a_stranger_reads_why_and_then_the_end(
    served: tuple[Server, int], dial: Any, raw: bytes
) -> None:
    """However much more they had to say, the last words arrive and no reset destroys them."""
    server, port = served
    stranger = await dial(port)
    stranger.writer.write(raw)
    error = await stranger.wait_for(lambda message: isinstance(message, Error))
    assert error.code == "bad_frame"
    assert not await stranger.read()
    other = await dial(port)
    await other.hello("Ann")
    assert len(server.sessions) == 1


async def test_a_peer_that_never_reads_holds_nobody_up(
    served: tuple[Server, int], dial: Any
) -> None:
    _, port = served
    people = await at_table(dial, port, players=2, watchers=0)
    code = people[0].last(Table).code
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(deaf, ("127.0.0.1", port))
    watcher = type(people[0])(*await asyncio.open_connection(sock=deaf, limit=2048))
    await watcher.hello("Deaf")
    assert isinstance(await watcher.ask(WatchTable, code=code), Ok)
    await people[1].wait_for(
        lambda m: isinstance(m, Table) and [w.name for w in m.watchers] == ["Deaf"]
    )
    watcher.writer.transport.pause_reading()
    lines = 0
    while people[1].last(Table).watchers and not _absent(served[0], "Deaf"):
        assert isinstance(await people[0].ask(Say, text="x" * 200), Ok)
        lines += 1
        assert lines < 10_000
    assert isinstance(await people[1].ask(Ping), Ok)
    watcher.writer.transport.abort()


def _absent(server: Server, name: str) -> bool:
    (table,) = server.lobby.tables()
    return not any(person.connected for person in table.roster.watchers if person.name == name)


async def test_a_stopping_server_tells_everybody(dial: Any) -> None:
    server = Server(LIMITS, Chance(5))
    _, port = await server.serve("127.0.0.1", 0)
    people = await at_table(dial, port, players=2, bots=1)
    people.append(await dial(port))
    reading = [asyncio.ensure_future(_read_to_end(person)) for person in people]
    await server.stop()
    await asyncio.gather(*reading)
    for person in people:
        assert isinstance(person.inbox[-1], Goodbye)
        assert person.inbox[-1].retry
    assert not server.inputs.timers


async def _read_to_end(person: Any) -> None:
    while await person.read():
        pass
    person.writer.close()
