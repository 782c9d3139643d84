"""People who claim to be others, with all that a table tells about those: names and ids."""

import asyncio
import hashlib
from collections.abc import Callable

import msgpack
from tests.abuse.conftest import FREELY, PATIENCE, ServerProcess, bystanders, dial, errors

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Error, Ok, Table, Welcome
from skull_protocol.requests import (
    Act,
    AddBot,
    CreateTable,
    HandToBot,
    Hello,
    JoinTable,
    RemovePlayer,
    Request,
    SetPassword,
    StartGame,
    TakeBack,
    WatchTable,
)
from skull_protocol.skull import Pass
from skull_protocol.tables import TableOptions

Start = Callable[..., ServerProcess]


def guesses(player: int, name: str) -> list[str]:
    return [
        *("", name, str(player), f"{player:064x}", "0" * 64, "null", "' OR 1=1 --"),
        hashlib.sha256(str(player).encode()).hexdigest(),
        hashlib.sha256(name.encode()).hexdigest(),
    ]


async def test_an_id_from_the_roster_opens_nothing(start_server: Start) -> None:
    """Neither while its owner is there, nor while they are away and their seat is held."""
    server = start_server("--code-tries", "1000", *FREELY)
    async with bystanders(server.port) as table:
        host, victim = await dial(server.port), await dial(server.port)
        await host.hello("Host")
        await victim.hello("Victim")
        await host.ask(CreateTable, options=TableOptions(min_seats=2))
        await victim.ask(JoinTable, code=host.last(Table).code)
        await host.ask(StartGame)
        player, token = victim.last(Welcome).player, victim.last(Welcome).token
        for away in (False, True):
            if away:
                await victim.close()
                await host.wait_for(
                    lambda m: (
                        isinstance(m, Table) and [s.connected for s in m.seats] == [True, False]
                    )
                )
            told = len(host.inbox)
            for guess in guesses(player, "Victim"):
                impostor = await dial(server.port)
                answer = await impostor.ask(
                    Hello, protocol=PROTOCOL_VERSION, name="Victim", token=guess
                )
                assert isinstance(answer, Error)
                assert answer.code == "bad_token"
                answer = await impostor.ask(
                    Hello, protocol=PROTOCOL_VERSION, name="Victim", token=None, code=guess[:20]
                )
                assert isinstance(answer, Error)
                assert answer.code in ("bad_code", "name_taken", "too_many_tries")
                await impostor.close()
            assert len(host.inbox) == told, "the table was disturbed"
            await table.play_on(2)
        victim = await dial(server.port)
        answer = await victim.ask(Hello, protocol=PROTOCOL_VERSION, name="x", token=token)
        assert isinstance(answer, Ok)
        assert (victim.last(Welcome).player, victim.last(Welcome).name) == (player, "Victim")
        assert victim.last(Table).seats[1].player == player


async def test_nobody_acts_for_another(start_server: Start) -> None:
    """Whose request it is, the connection says; a field that says it makes it no request."""
    server = start_server(*FREELY)
    async with bystanders(server.port) as table:
        watcher = await dial(server.port)
        await watcher.hello("Mallory")
        await watcher.ask(WatchTable, code=table.code)
        host = watcher.last(Table).host
        asks: list[tuple[type[Request], dict[str, object]]] = [
            (Act, {"seq": 0, "action": Pass()}),
            (StartGame, {}),
            (AddBot, {}),
            (TakeBack, {}),
            (SetPassword, {"password": "mine now"}),
            (RemovePlayer, {"player": host}),
            (HandToBot, {"player": host}),
        ]
        for request, fields in asks:
            answer = await watcher.ask(request, **fields)
            assert isinstance(answer, Error)
            assert answer.code in ("not_seated", "not_host", "game_running", "not_replaced"), answer
        for field in ("player", "session", "seat", "host", "token"):
            body = msgpack.packb({"type": "start_game", "id": 10**6, field: host})
            watcher.writer.write(len(body).to_bytes(4, "big") + body)
        async with asyncio.timeout(PATIENCE):
            while [error.code for error in errors(watcher)].count("bad_message") < 5:
                assert await watcher.read()
        await table.play_on()
