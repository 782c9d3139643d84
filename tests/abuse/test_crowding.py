"""Players who ask too much, or never listen, or all want the same at once."""

import asyncio
import itertools
import socket
from collections.abc import Callable

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
from tests.server.conftest import SocketPeer

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import encode
from skull_protocol.pushes import Error, Ok, Table, Update, Welcome
from skull_protocol.requests import CreateTable, Hello, JoinTable, Ping, Say, WatchTable
from skull_protocol.tables import TableOptions

Start = Callable[..., ServerProcess]


@pytest.mark.parametrize("what", [Ping(10**6), Say(10**6, "x" * 200)], ids=["ping", "say"])
async def test_5000_frames_in_one_write(start_server: Start, what: Ping | Say) -> None:
    server = start_server()
    async with bystanders(server.port, pause=0.06) as table:
        flooder = await dial(server.port)
        await flooder.hello("Mallory")
        assert isinstance(await flooder.ask(WatchTable, code=table.code), Ok)
        flooder.writer.write(encode(what) * 5000)
        async with asyncio.timeout(PATIENCE):
            await read_to_end(flooder)
        assert errors(flooder)[-1].code == "too_fast"
        answers = [m for m in flooder.inbox if isinstance(m, Ok | Error) and m.id == 10**6]
        assert 30 <= len(answers) <= 80
        await table.play_on()


async def test_a_watcher_who_stops_reading_is_cut_and_comes_back(start_server: Start) -> None:
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        watcher = SocketPeer(*await asyncio.open_connection(sock=deaf, limit=2048))
        await watcher.hello("Deaf")
        assert isinstance(await watcher.ask(WatchTable, code=table.code), Ok)
        seen = watcher.last(Update).seq if _has_game(watcher) else 0
        await table.play_on(1000)
        async with asyncio.timeout(PATIENCE):
            await read_to_end(watcher)
        missed = table.people[0].last(Update).seq - watcher.last(Update).seq
        assert seen <= watcher.last(Update).seq
        assert missed > 100, "the server kept everything for one who does not read"
        back = await dial(server.port)
        token = watcher.last(Welcome).token
        answer = await back.ask(Hello, protocol=PROTOCOL_VERSION, name="Deaf", token=token)
        assert isinstance(answer, Ok)
        assert back.last(Welcome).resumed
        assert back.last(Table).code == table.code


def _has_game(peer: SocketPeer) -> bool:
    return any(isinstance(message, Update) for message in peer.inbox)


LOOK_ALIKES = (
    *(
        "Pavel",
        "PAVEL",
        "pavel",
        "Pável",
        "P\u0430vel",
        "\u0420avel",
        "Pa\u0475el",
        "Pave1",
        "PaveI",
    ),
    *("Рavеl", "Ｐａｖｅｌ", "𝐏avel", "Pаvеl", "Pavel ", " Pavel", "pAvEl"),
)


async def test_a_race_of_look_alike_names_has_one_winner(start_server: Start) -> None:
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        racers = [await dial(server.port) for _ in LOOK_ALIKES]
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(
                *(
                    racer.ask(Hello, protocol=PROTOCOL_VERSION, name=name, token=None)
                    for racer, name in zip(racers, LOOK_ALIKES, strict=True)
                )
            )
        won = [name for name, a in zip(LOOK_ALIKES, answers, strict=True) if isinstance(a, Ok)]
        assert len(won) == 1, won
        codes = {answer.code for answer in answers if isinstance(answer, Error)}
        assert codes <= {"name_taken", "bad_name"}
        await table.play_on(5)


async def test_a_race_for_the_last_seat_has_one_winner(start_server: Start) -> None:
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        host = await dial(server.port)
        await host.hello("Host")
        await host.ask(CreateTable, options=TableOptions(min_seats=2, max_seats=3))
        code = host.last(Table).code
        guests = [await dial(server.port) for _ in range(20)]
        for guest, letter in zip(guests, itertools.cycle("abcdefghjkmpqrtuvwxyz"), strict=False):
            await guest.hello(f"Guest {letter}")
        async with asyncio.timeout(PATIENCE):
            answers = await asyncio.gather(*(guest.ask(JoinTable, code=code) for guest in guests))
        assert sum(isinstance(answer, Ok) for answer in answers) == 2
        assert {a.code for a in answers if isinstance(a, Error)} == {"table_full"}
        assert isinstance(await host.ask(Ping), Ok)
        assert len(host.last(Table).seats) == 3
        await table.play_on(5)
