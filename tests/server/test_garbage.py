"""What is over goes at once, and leaves nothing to be searched for.

The server looks for garbage very seldom, since that stands in everybody's way for a tenth of a
second when it is full. So nothing that comes and goes may hold itself.
"""

import asyncio
import collections
import contextlib
import gc
import random
from collections.abc import Iterator
from typing import Any

import pytest
from tests.abuse.conftest import PATIENCE
from tests.server.conftest import UNHURRIED, SocketPeer
from tests.server.finished_games import some_action
from tests.server.test_tls import serve

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.requests import (
    AddBot,
    AskCoach,
    ChangeOptions,
    CreateTable,
    LeaveTable,
    Mute,
    Say,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.game_kinds import new_bot
from skull_server.games.skull.game import SkullGame
from skull_server.limits import Limits
from skull_server.thinking import Decision, WorkerMind


@contextlib.contextmanager
def no_garbage() -> Iterator[None]:
    """Within this nothing of ours may become garbage that has to be searched for."""
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
            if type(thing).__module__.startswith("skull_")
        )
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        gc.unfreeze()
    assert not found


def hold_itself() -> None:
    itself: list[object] = [Limits()]
    itself.append(itself)


def test_the_search_finds_what_holds_itself() -> None:
    with pytest.raises(AssertionError, match="'Limits': 1"), no_garbage():
        hold_itself()


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
        awaited = people[0].last(Update).view.to_act
        ready = [peer for peer in people if peer.seat in awaited]
        if not ready:
            world.wait(2, *people)
            continue
        peer = rng.choice(ready)
        peer.act(some_action(rng, peer.last(Update).you.choices.actions()))


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


@pytest.mark.parametrize("encrypted", [False, True], ids=["plain", "tls"])
async def test_connections(encrypted: bool) -> None:
    """Those of a guest, of one who says nothing, and of one who speaks nonsense."""
    served = await serve(encrypted, tls_burst=10**6, absence=0.01)
    server = served.server
    how: Any = {} if encrypted else {"ssl": None, "server_hostname": None}

    async def come_and_go(number: int) -> None:
        peer = await served.connect(SocketPeer, **how)
        if number % 3 == 0:
            await peer.hello(f"Guest {number}")
            assert isinstance(await peer.ask(CreateTable, options=TableOptions()), Ok)
            assert isinstance(await peer.ask(AddBot), Ok)
        elif number % 3 == 1:
            peer.writer.write(b"GET / HTTP/1.1\r\n\r\n")
            while await peer.read():
                pass
        await peer.close()

    async def all_are_gone() -> None:
        async with asyncio.timeout(PATIENCE):
            while server._connections or len(server.sessions) or server.inputs.timers:  # noqa: ASYNC110 - the server tells nobody
                await asyncio.sleep(0.01)

    await come_and_go(0)
    await all_are_gone()
    with no_garbage():
        for number in range(9):
            await come_and_go(number)
        if encrypted:  # and one who speaks no TLS, and one who breaks off the handshake
            for said in (b"GET /", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512)):
                reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
                writer.write(said)
                await reader.read()
                writer.close()
        await all_are_gone()
    await server.stop()
