"""How much a quiet table feels of many hard bots: the p99 of its moves beside that without them.

    python tests/benchmarks/hard_bots.py [--tables N] [--pairs N] [--seconds S]

A move is a paced player's action at the only table of six people, until it is on the disk and the
last of the six has been told. At the other tables one person sits with five hard bots, who take
the time that bots take by default. Windows in which these persons are there and windows in which
they are not (and so their games rest) take turns, so that whatever else the machine does meets
both alike. Sixty tables have as many hard bots as fifty that are full of them.

Promised: a ratio of at most 2. It gates nothing: the machine decides.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import tempfile

from abuse_latency import Offender, figures, p99_ratio
from load import Load, Measured
from process import running, skull
from skull_tables import SkullTables

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Error, Ok, Table, Update, Welcome
from skull_protocol.requests import Act, AddBot, CreateTable, Hello, Request, StartGame
from skull_protocol.skull import Abandon, Choices, Pass, Place, Ready, SkullAction, SkullOptions
from skull_protocol.tables import TableOptions

TABLES = 60
RATE = 50.0
"""Moves a second at the quiet table."""
SETTLE = 1.0
"""Seconds before each window that do not count."""
PACE = 1.2
"""Seconds that a person among bots takes to act: as long as bots do."""
BOTS = 5


class Person:
    """Somebody who plays on and on with five hard bots, and comes and goes."""

    def __init__(self, port: int, number: int) -> None:
        self._port = port
        self._number = number
        self._token: str | None = None
        self._id = 0
        self._waits: dict[int, asyncio.Future[None]] = {}
        self._host = False
        self._staying: asyncio.Task[None] | None = None
        self._writer: asyncio.StreamWriter
        self.moves = 0
        """How many moves were made at the table while this person was there."""

    async def come(self) -> None:
        """Arrive; the first time, set up the table and start."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._staying = asyncio.create_task(self._stay(reader))
        name = f"Person {self._number}"
        await self._ask(Hello(self._next(), PROTOCOL_VERSION, name, self._token))
        if self._host:
            return
        self._host = True
        rules = SkullOptions(first_player="random")
        options = TableOptions(rules=rules, min_seats=BOTS + 1, turn_seconds=0)
        await self._ask(CreateTable(self._next(), options))
        for _ in range(BOTS):
            await self._ask(AddBot(self._next(), "hard"))
        await self._ask(StartGame(self._next()))

    async def go(self) -> None:
        """Drop the connection."""
        assert self._staying is not None
        self._staying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._staying
        self._writer.close()
        await self._writer.wait_closed()

    def _next(self) -> int:
        self._id += 1
        return self._id

    async def _ask(self, request: Request) -> None:
        answered = self._waits[request.id] = asyncio.get_running_loop().create_future()
        self._writer.write(encode(request))
        await answered

    async def _stay(self, reader: asyncio.StreamReader) -> None:
        """Read all that comes, and act in time."""
        splitter = FrameSplitter(MAX_PUSH)
        due: asyncio.TimerHandle | None = None
        loop = asyncio.get_running_loop()
        try:
            while data := await reader.read(65536):
                for push in map(PUSHES.parse, splitter.feed(data)):
                    if isinstance(push, Update):
                        self.moves += 1
                        act = self._move(push)
                        if due is not None:
                            due.cancel()
                        due = loop.call_later(PACE, self._writer.write, act) if act else None
                    else:
                        self._take(push)
        finally:
            if due is not None:
                due.cancel()

    def _take(self, push: object) -> None:
        match push:
            case Welcome(token=token):
                self._token = token
            case Ok(id=number) if number in self._waits:
                self._waits.pop(number).set_result(None)
            case Error(id=number, code=code) if number in self._waits:
                raise SystemExit(f"the server refused: {code}")
            case Table(stage="finished"):
                self._writer.write(encode(StartGame(self._next())))
            case _:
                pass

    def _move(self, update: Update) -> bytes | None:
        if update.you is None:
            return None
        action = _chosen(update.you.choices)
        return None if action is None else encode(Act(self._next(), update.seq, action))


def _chosen(choices: Choices) -> SkullAction | None:
    """Keep to placing and passing, where that is allowed, so that the bots have most to do."""
    allowed = [each for each in choices.actions() if not isinstance(each, Abandon)]
    calm = [each for each in allowed if isinstance(each, Place | Pass | Ready)]
    return next(iter(calm or allowed), None)


async def sit(port: int, tables: int) -> None:
    """Be all the persons among bots, who come at "go" and go at "stop"."""
    people = [Person(port, number) for number in range(tables)]
    loop = asyncio.get_running_loop()
    while word := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        if word == "go":
            for person in people:
                await person.come()
        else:
            for person in people:
                await person.go()
            moves = sum(person.moves for person in people)
            print(f"moves at tables with bots so far: {moves}", file=sys.stderr)
        print(word, flush=True)


class People(Offender):
    """The persons among bots, in a process of their own."""

    def __init__(self, port: int, tables: int) -> None:
        command = [sys.executable, __file__, "--sit", str(port), "--tables", str(tables)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, help="tables with five hard bots")
    parser.add_argument("--pairs", type=int, default=12, help="windows of each kind")
    parser.add_argument("--seconds", type=float, default=4.0, help="length of a window")
    parser.add_argument("--sit", type=int, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.sit:
        asyncio.run(sit(wanted.sit, wanted.tables))
        return
    # Not real-time precedence: the process in which bots think gives way by being nice.
    with contextlib.suppress(PermissionError):
        os.nice(-10)
    with (
        tempfile.TemporaryDirectory(dir=".") as data,
        running(skull(data)) as server,
    ):
        quiet_table = SkullTables(server.port, 1)
        load = Load(server, quiet_table)
        people = People(server.port, wanted.tables)
        try:
            people.tell("go")
            gc.freeze()
            load.run(1, RATE)
            people.tell("stop")
            alone: list[Measured] = []
            beside: list[Measured] = []
            for pair in range(wanted.pairs):
                for with_bots in (False, True) if pair % 2 else (True, False):
                    if with_bots:
                        people.tell("go")
                    run = load.run(wanted.seconds, RATE, SETTLE)
                    if with_bots:
                        people.tell("stop")
                    (beside if with_bots else alone).append(run)
        finally:
            people.end()
        for sock in quiet_table.sockets:
            sock.close()
    print(f"one table of six at {RATE:.0f} moves/s, {wanted.tables} tables with {BOTS} hard bots")
    print("             p50    p99  late  CPU")
    print(f"without {figures(alone)}")
    print(f"with    {figures(beside)}")
    print(f"p99 with by without {p99_ratio(beside, alone)}")
    print(f"without by without  {p99_ratio(alone[::2], alone[1::2])}")


if __name__ == "__main__":
    main()
