"""What is over goes at once, and leaves nothing to be searched for.

The server looks for garbage very seldom, since that stands in everybody's way for a tenth of a
second when it is full. So nothing that comes and goes may hold itself.
"""

import asyncio
import collections
import contextlib
import gc
import random
import socket
import ssl
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from tests.abuse.conftest import PATIENCE
from tests.abuse.test_half_made_tables import nothing_is_left
from tests.server.conftest import UNHURRIED, FakeTime
from tests.server.evenings import somebody_acts
from tests.server.test_tls import serve

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Ok, Table
from skull_protocol.requests import (
    AddBot,
    AskCoach,
    ChangeOptions,
    CreateTable,
    Hello,
    LeaveTable,
    Mute,
    Say,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.cli import SEARCH, search_now_and_then
from skull_server.game_kinds import new_bot
from skull_server.games.skull.game import SkullGame
from skull_server.limits import Limits
from skull_server.thinking import Decision, WorkerMind


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Within this no object of the server may become garbage that has to be searched for."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found = collections.Counter(
            type(thing).__qualname__
            for thing in gc.garbage
            if type(thing).__module__.startswith(("skull_", "asyncio", "ssl", "socket"))
        )
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        gc.unfreeze()
    assert not found


def hold_itself() -> Limits:
    """Make something that nobody but itself knows; return what it has."""
    has = Limits()
    itself: list[object] = [has]
    itself.append(itself)
    return has


def test_the_search_finds_what_holds_itself() -> None:
    with pytest.raises(AssertionError, match="'Limits': 1"), no_garbage():
        hold_itself()


def test_what_holds_itself_all_the_same_goes_now_and_then() -> None:
    """A server left alone never searches by itself: it is told to, again and again."""
    time = FakeTime()
    gc.disable()
    try:
        search_now_and_then(time)
        for _ in range(3):
            lost = weakref.ref(hold_itself())
            assert lost() is not None
            time.advance(SEARCH)
            assert lost() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("leavers", ["bot", "forfeit"])
def test_evenings_at_tables(new_world: Any, leavers: Any) -> None:
    world = new_world(Limits(**UNHURRIED))
    kept: list[Any] = []
    """What a test's own peers hold is not looked at."""
    with no_garbage():
        for seed in range(3):
            evening(world, random.Random(seed), TableOptions(min_seats=2, leavers=leavers), kept)
        world.time.advance(3600)
        assert not list(world.server.lobby.tables())
        assert not len(world.server.sessions)


def evening(world: Any, rng: random.Random, options: TableOptions, kept: list[Any]) -> None:
    """Two games; somebody is away for a while, for whom a bot plays, and somebody leaves."""
    people = world.table(players=3, bots=2, options=options, watchers=1)
    kept += people
    host, bob, cem, dee = people
    bob.do(Say, text="Hello!")
    cem.do(Mute, player=bob.id, muted=True)
    dee.lose()
    play(world, [host, bob, cem], rng, 20)
    token = cem.token
    cem.lose()
    world.wait(world.limits.absence + 1, host, bob)
    cem = world.player("?", token)
    kept.append(cem)
    play(world, [host, bob, cem], rng)
    host.do(StartGame)
    play(world, [host, bob, cem], rng, 10)
    bob.do(LeaveTable)
    play(world, [host, cem], rng)
    dee = world.player("Dan")
    kept.append(dee)
    dee.do(WatchTable, code=host.last(Table).code)
    host.do(ChangeOptions, options=TableOptions(watching=False))
    host.do(StartGame)
    host.do(LeaveTable)
    cem.lose()
    for peer in (host, bob, dee):
        peer.lose()
    world.time.advance(3600)


def play(world: Any, people: list[Any], rng: random.Random, moves: int = 10**6) -> None:
    """So many moves, or the whole game, by chance."""
    while moves and people[0].last(Table).stage == "playing":
        moves -= 1
        if not somebody_acts(people, rng):
            world.wait(2, *people)


def test_alone_with_bots_and_the_coach(world: Any) -> None:
    kept: list[Any] = []
    with no_garbage():
        options = TableOptions(min_seats=2, coach=True)
        (ann,) = world.table(players=1, bots=2, options=options)
        kept.append(ann)
        for seed in range(10):
            ann.ask(AskCoach)
            play(world, [ann], random.Random(seed), 1)
        ann.do(LeaveTable)
        world.wait(10, ann)
        assert not list(world.server.lobby.tables())


async def test_bots_that_take_their_time() -> None:
    game = SkullGame(SkullOptions(first_player=0), 3, random.Random(1))
    decision = Decision(game.view(), game.own_view(min(game.to_act())))
    mind = WorkerMind()

    async def think() -> None:
        thought = mind.ask(new_bot("hard", "Bot", random.Random(1), SkullOptions()), decision)
        assert not thought.done
        done = asyncio.Event()
        thought.then(done.set)
        async with asyncio.timeout(PATIENCE):
            await done.wait()
        assert thought.answer is not None

    try:
        await think()
        with no_garbage():
            await think()
    finally:
        mind.close()


HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512)
"""The beginning of a TLS handshake that comes to nothing."""


def visit(port: int, context: ssl.SSLContext | None, number: int) -> None:
    """Talk nonsense; or set up a table and vanish; or say nothing, and go.

    Without an event loop, which would leave garbage of its own.
    """
    with contextlib.ExitStack() as stack:
        sock = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        if number % 3 == 0:
            sock.sendall(HELLO if number % 2 else b"GET / HTTP/1.1\r\n\r\n")
            read_on(sock, 0)
            return
        if context is not None:
            sock = stack.enter_context(context.wrap_socket(sock, server_hostname="localhost"))
        if number % 3 == 1:
            sock.sendall(encode(Hello(1, PROTOCOL_VERSION, f"Guest {number}", None)))
            sock.sendall(encode(CreateTable(2, TableOptions())) + encode(AddBot(3)))
            assert read_on(sock, 3) == 3
        else:
            sock.shutdown(socket.SHUT_WR)
            read_on(sock, 0)


def read_on(sock: socket.socket, answers: int) -> int:
    """Read until something was granted so many times, or to the end; 0: to the end."""
    splitter, granted = FrameSplitter(MAX_PUSH), 0
    while chunk := sock.recv(65536):
        if answers:
            granted += sum(isinstance(PUSHES.parse(body), Ok) for body in splitter.feed(chunk))
            if granted >= answers:
                break
    return granted


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "tls"])
async def test_connections(encrypted: bool) -> None:
    """Those of a guest, of one who says nothing, and of two who speak nonsense."""
    served = await serve(encrypted, tls_burst=10**6, absence=0.01)
    server, context = served.server, served.context if encrypted else None

    async def come_and_go(number: int) -> None:
        await asyncio.to_thread(visit, served.port, context, number)
        await nothing_is_left(server)

    await come_and_go(1)
    with no_garbage():
        for number in range(12):
            await come_and_go(number)
    await server.stop()
