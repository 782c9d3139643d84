"""A server killed at random moments under load: nothing acknowledged is lost, nobody gets stuck.

Real processes, real sockets, the real client's connection. `SKULL_KILLS=200` for the long run.
"""

import asyncio
import os
import random
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

from skull_client.address import Address
from skull_client.connection import Connection
from skull_client.dialing import tcp
from skull_client.link import Arrival, LinkStatus
from skull_protocol.pushes import Error, Table, Update, Welcome
from skull_protocol.requests import Act, AddBot, CreateTable, JoinTable, Request, StartGame
from skull_protocol.skull import Abandon, SkullAction
from skull_protocol.tables import TableOptions
from skull_server.check import check
from skull_server.journal_file import FILE
from skull_server.records import input_of

KILLS = int(os.environ.get("SKULL_KILLS", "5"))
PATIENCE = 60.0
"""Seconds before somebody counts as stuck: far above what anything takes, even on a busy box."""
TABLES, SEATS = 3, 3


async def until(news: asyncio.Event, true: Callable[[], object]) -> None:
    """Wait for something to be true, which only news can make so."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            news.clear()
            await news.wait()


class Robot:
    """Somebody who plays at random, as fast as the server answers."""

    def __init__(self, name: str, port: int, dice: random.Random, news: asyncio.Event) -> None:
        """`news` is set whenever something has happened; everybody may share it."""
        self.dice = dice
        self.player = 0
        self.status = ""
        self.table: Table | None = None
        self.update: Update | None = None
        self.done: list[SkullAction] = []
        """Acknowledged actions, in order."""
        self.complaints: list[str] = []
        self.asks = False
        """Waits for an answer."""
        self.tired = False
        """Does nothing more."""
        self.news = news
        dial = tcp(Address("127.0.0.1", port))
        self.link = Connection(dial, name, server="here", chance=lambda: 0.0)
        self.link.start(self._deliver)

    def _deliver(self, arrival: Arrival) -> None:
        match arrival:
            case LinkStatus(state=state):
                self.status = state
                if state in ("closed", "refused"):
                    self.complaints.append(f"{state}: {arrival.detail}")
            case Welcome(player=player, resumed=resumed):
                if self.player and (player, resumed) != (self.player, True):
                    self.complaints.append("forgotten")
                self.player = player
            case Table():
                self.table = arrival
            case Update(seq=seq):
                if self.update is not None and seq < self.update.seq:
                    self.complaints.append(f"update {seq} after {self.update.seq} was seen")
                self.update = arrival
            case _:
                pass
        self.news.set()

    async def ask(self, request: type[Request], **fields: object) -> Error | None:
        self.asks = True
        try:
            async with asyncio.timeout(PATIENCE):
                return await self.link.ask(request, **fields)
        finally:
            self.asks = False
            self.news.set()

    async def must(self, request: type[Request], **fields: object) -> None:
        answer = await self.ask(request, **fields)
        assert answer is None, answer

    async def play(self) -> None:
        """Act whenever that is possible, for ever."""
        seen: tuple[int, str] | None = None
        while True:
            while (now := self._now()) is None or now == seen:
                self.news.clear()
                await self.news.wait()
            seen = now
            if self.table is not None and self.table.stage == "finished":
                if self.table.host == self.player:
                    await self.ask(StartGame)
                continue
            action = self._choose()
            if action is None or self.update is None:
                continue
            answer = await self.ask(Act, seq=self.update.seq, action=action)
            if answer is None:
                self.done.append(action)
            seen = None if answer is None or answer.code == "stale" else seen

    def _now(self) -> tuple[int, str] | None:
        """What there is to react to."""
        if self.table is None or self.update is None or self.status != "online":
            return None
        return self.update.seq, self.table.stage

    def _choose(self) -> SkullAction | None:
        if self.tired:
            return None
        you = None if self.update is None else self.update.you
        found = () if you is None else you.choices.actions()
        calm = [action for action in found if not isinstance(action, Abandon)]
        return self.dice.choice(calm) if calm else None


_RUN = "from skull_server.cli import main; main()"
_SLOW_WRITER = """
import socket, sys, time
from pathlib import Path
from skull_server.journal_writer import Disk, write_all
class SlowDisk(Disk):
    def commit(self, *arguments):
        time.sleep(0.03)
        super().commit(*arguments)
write_all(socket.socket(fileno=0), Path(sys.argv[1]), SlowDisk())
"""
_RUN_ON_A_SLOW_DISK = f"""
import sys
from skull_server import journal
journal._WRITER = (sys.executable, "-c", {_SLOW_WRITER!r})
{_RUN}
"""
"""Between an action and its commit there is time enough to be killed."""


class Process:
    """The server, on one port and one data directory, again and again."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.port = 0
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, *, slow_disk: bool = False) -> None:
        flags = ["--host", "127.0.0.1", "--port", str(self.port), "--data-dir"]
        flags += [str(self.directory)]
        flags += ["--requests-per-second", "100000", "--request-burst", "100000"]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", _RUN_ON_A_SLOW_DISK if slow_disk else _RUN),
            *(*flags, "--bot-delay", "0.005"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = (await self._process.stdout.readline()).decode()
        found = re.search(r":(\d+)$", line)
        assert found, line
        self.port = int(found[1])

    async def end(self, number: signal.Signals) -> int:
        assert self._process is not None
        if self._process.returncode is None:
            self._process.send_signal(number)
        return await self._process.wait()


def recorded(directory: Path, player: int) -> list[SkullAction]:
    """What the journal has of a player's actions, in order, whatever is not committed left out."""
    connection = sqlite3.connect(directory / FILE)
    try:
        rows = connection.execute(
            "SELECT action FROM inputs WHERE player = ? ORDER BY game, n", (player,)
        ).fetchall()
    finally:
        connection.close()
    return [input_of(row[0]) for row in rows]  # type: ignore[misc]


async def test_killed_at_random_moments_the_server_loses_nothing(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o700)
    server = Process(tmp_path)
    await server.start()
    dice = random.Random(KILLS)
    news = asyncio.Event()
    robots = [
        Robot(f"Robot {number}", server.port, random.Random(number), news)
        for number in range(TABLES * SEATS)
    ]
    for start in range(0, len(robots), SEATS):
        host, *others = robots[start : start + SEATS]
        await host.must(CreateTable, options=TableOptions(min_seats=2, turn_seconds=0))
        assert host.table is not None
        for other in others:
            await other.must(JoinTable, code=host.table.code)
        await host.must(AddBot)
        await host.must(StartGame)
    playing = [asyncio.create_task(robot.play()) for robot in robots]
    kills = 0
    longest = 0.0
    try:
        while kills < KILLS:
            await _more(robots, playing, dice.randrange(1, 60))
            await asyncio.sleep(dice.random() * 0.02)  # any moment, not only after an answer
            await server.end(signal.SIGKILL)
            kills += 1
            acknowledged = [list(robot.done) for robot in robots]
            began = time.monotonic()
            await server.start(slow_disk=kills % 2 == 1)
            for robot, done in zip(robots, acknowledged, strict=True):
                assert recorded(tmp_path, robot.player)[: len(done)] == done
            await until(news, lambda: all(robot.status == "online" for robot in robots))
            await _every_table_goes_on(robots, playing)
            longest = max(longest, time.monotonic() - began)
        assert [robot.complaints for robot in robots] == [[]] * len(robots)
        # Let what is under way be answered: then the journal has exactly what was acknowledged.
        for robot in robots:
            robot.tired = True
        await until(news, lambda: not any(robot.asks for robot in robots))
        assert await server.end(signal.SIGTERM) == 0
        for robot in robots:
            assert recorded(tmp_path, robot.player) == robot.done
        assert check(tmp_path) == []
        total = sum(len(robot.done) for robot in robots)
        print(f"{kills} kills, {total} actions acknowledged, back in {longest:.1f} s at most")
    finally:
        for task in playing:
            task.cancel()
        for robot in robots:
            await robot.link.close()
        await server.end(signal.SIGKILL)


async def _more(robots: list[Robot], playing: list[asyncio.Task[None]], actions: int) -> None:
    """Wait until so many more actions were acknowledged."""
    wanted = sum(len(robot.done) for robot in robots) + actions
    await until(
        robots[0].news,
        lambda: sum(len(robot.done) for robot in robots) >= wanted or _over(playing),
    )


async def _every_table_goes_on(robots: list[Robot], playing: list[asyncio.Task[None]]) -> None:
    for start in range(0, len(robots), SEATS):
        await _more(robots[start : start + SEATS], playing, 1)


def _over(playing: list[asyncio.Task[None]]) -> bool:
    """Whether somebody gave up playing: then say why."""
    for task in playing:
        if task.done():
            task.result()
    return False
