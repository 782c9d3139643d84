"""A real server process to be abused, and a table of bystanders who must not notice."""

import asyncio
import contextlib
import random
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import SocketPeer, World

from skull_protocol.pushes import Error, Goodbye, Ok, Table, Update
from skull_protocol.requests import Act, CreateTable, JoinTable, StartGame
from skull_protocol.skull import Abandon, Bid, SkullOptions
from skull_protocol.tables import TableOptions

PATIENCE = 60.0
"""Seconds before a wait is given up: far above what any takes, so that it never decides."""
FREELY = ("--requests-per-second", "1e6", "--request-burst", "1000000")
"""Flags with which nobody asks too fast."""


class ServerProcess:
    """A `skull-server` on a port of its own, logging all that it can."""

    def __init__(self, directory: Path, *flags: str) -> None:
        directory.mkdir(exist_ok=True)
        self._log = directory / "log"
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    str(Path(sys.executable).with_name("skull-server")),
                    *("--host", "127.0.0.1", "--port", "0", "--log-level", "debug"),
                    *("--data-dir", str(directory / "state"), *flags),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        ready = self.process.stdout.readline()
        assert ready.startswith("skull-server listening on "), self.log
        self.port = int(ready.rsplit(":", 1)[1])

    @property
    def log(self) -> str:
        """Everything that it logged so far."""
        return self._log.read_text()

    def rss_kib(self) -> int:
        """Its memory, in KiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def stop(self) -> None:
        """End it; it must have lived until now and made no mistake."""
        assert self.process.poll() is None, self.log
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        assert "Traceback" not in self.log, self.log
        assert "Error" not in self.log, self.log


@pytest.fixture
def new_world() -> Callable[..., World]:
    """Makes servers with a time of their own."""
    return World


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Starts servers, with whatever flags."""
    started: list[ServerProcess] = []

    def start(*flags: str) -> ServerProcess:
        started.append(ServerProcess(tmp_path / f"server {len(started)}", *flags))
        return started[-1]

    yield start
    try:
        for server in started:
            server.stop()
    finally:
        for server in started:
            server.process.kill()
            server.process.communicate()


_dialled: list[SocketPeer] = []


async def dial(port: int, address: str = "127.0.0.1") -> SocketPeer:
    """Connect, from an address of this machine; closed at the end of the test."""
    streams = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    _dialled.append(SocketPeer(*streams))
    return _dialled[-1]


@pytest.fixture(autouse=True)
async def hang_up() -> AsyncIterator[None]:
    """Nobody stays connected after a test."""
    yield
    for peer in _dialled:
        await peer.close()
    _dialled.clear()


async def read_to_end(peer: SocketPeer) -> None:
    """Read until the server has closed."""
    with contextlib.suppress(ConnectionError):
        while await peer.read():
            pass
    peer.writer.close()


class Bystanders:
    """Three people at a table who play one game after the other, for as long as the test runs."""

    def __init__(self, port: int, pause: float) -> None:
        self._port = port
        self._pause = pause
        self._moves = 0
        self._moved = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.people: list[SocketPeer] = []
        self.code = ""

    async def begin(self) -> None:
        """Sit down and start."""
        # Another address than that of the offenders, as for somebody on another machine.
        self.people = [await dial(self._port, "127.0.0.9") for _ in range(3)]
        for number, person in enumerate(self.people):
            await person.hello(f"Bystander {number}")
        rules = SkullOptions(first_player="random")
        options = TableOptions(turn_seconds=0, pause_seconds=120, rules=rules)
        host = self.people[0]
        assert isinstance(await host.ask(CreateTable, options=options), Ok)
        self.code = host.last(Table).code
        for guest in self.people[1:]:
            assert isinstance(await guest.ask(JoinTable, code=self.code), Ok)
        assert isinstance(await host.ask(StartGame), Ok)
        self._tasks = [
            asyncio.create_task(self._play(seat, person)) for seat, person in enumerate(self.people)
        ]

    async def play_on(self, moves: int = 20) -> None:
        """Return when so many more moves were made at the table."""
        wanted = self._moves + moves
        async with asyncio.timeout(PATIENCE):
            while self._moves < wanted:
                self._moved.clear()
                await self._moved.wait()
                self._raise_faults()

    def end(self) -> None:
        """Stop playing."""
        for task in self._tasks:
            task.cancel()

    def check(self) -> None:
        """Nobody may have noticed anything."""
        self._raise_faults()
        for person in self.people:
            assert not [m for m in person.inbox if isinstance(m, Goodbye)]
            errors = [m for m in person.inbox if isinstance(m, Error) and m.code != "stale"]
            assert not errors
            tables = [m for m in person.inbox if isinstance(m, Table)]
            assert all(seat.connected for table in tables for seat in table.seats)

    def _raise_faults(self) -> None:
        for task in self._tasks:
            if task.done():
                task.result()
                raise AssertionError("a bystander stopped playing")

    async def _play(self, seat: int, peer: SocketPeer) -> None:
        try:
            await self._moves_of(seat, peer, random.Random(seat))
        finally:
            self._moved.set()

    async def _moves_of(self, seat: int, peer: SocketPeer, dice: random.Random) -> None:
        begun: Table | None = None
        while True:
            table = peer.last(Table)
            if table.stage == "finished" and seat == 0 and table is not begun:
                begun = table
                await peer.ask(StartGame)
            update: Update | None = next(
                (message for message in reversed(peer.inbox) if isinstance(message, Update)), None
            )
            if update is not None and update.you is not None and seat in update.view.to_act:
                await asyncio.sleep(self._pause)
                allowed = [a for a in update.you.choices.actions() if not isinstance(a, Abandon)]
                bids = [action for action in allowed if isinstance(action, Bid)][:1]
                action = dice.choice(bids if bids and dice.random() < 0.3 else allowed)
                answer = await peer.ask(Act, seq=update.seq, action=action)
                if isinstance(answer, Ok):
                    self._moves += 1
                    self._moved.set()
                else:
                    assert answer.code == "stale", answer
            if update is None or peer.last(Update) is update:
                assert await peer.read(), "a bystander was cut off"
            if len(peer.inbox) > 2000:
                del peer.inbox[:-1000]


@contextlib.asynccontextmanager
async def bystanders(port: int, pause: float = 0) -> AsyncIterator[Bystanders]:
    """A table that plays on all the while; `pause`: seconds that each thinks about a move."""
    table = Bystanders(port, pause)
    try:
        await table.begin()
        await table.play_on()
        yield table
        await table.play_on()
        table.check()
    finally:
        table.end()


def errors(peer: SocketPeer) -> list[Any]:
    """Every error that somebody was sent, in order."""
    return [message for message in peer.inbox if isinstance(message, Error)]
