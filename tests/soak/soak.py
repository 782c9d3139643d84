"""Two hundred tables of bots over real sockets, for ten minutes: the server's memory stays flat.

    python -m tests.soak.soak [--seconds 600] [--tables 200]

Each table has two clients that play by chance, and two bots of the server. Fails if, after a
quarter of the time, memory still grows by more than 5 % of itself in the time that is left.
"""

import argparse
import asyncio
import random
import resource
import statistics
import sys
import tempfile
from pathlib import Path

from tests.abuse.conftest import FREELY, ServerProcess
from tests.server.conftest import SocketPeer

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.requests import Act, AddBot, CreateTable, JoinTable, StartGame
from skull_protocol.skull import Abandon, Bid, Ready
from skull_protocol.tables import TableOptions

SAMPLES = 40
FLAGS = ("--bot-delay", "0.2", "--connections-per-address", "4000", "--log-level", "warning")
THINKING = 0.2
"""Seconds that a client takes for a move, on average."""


class Player:
    """A client that plays by chance, one game after the other, and keeps nothing."""

    games = moves = 0
    """Of all players together."""

    def __init__(self, peer: SocketPeer, host: bool, dice: random.Random) -> None:
        self._peer = peer
        self._host = host
        self._dice = dice

    async def play(self) -> None:
        """Play for ever."""
        peer = self._peer
        while True:
            table = peer.last(Table)
            if self._host and table.stage != "playing":
                Player.games += 1
                assert isinstance(await peer.ask(StartGame), Ok)
            if not await self._move():
                assert await peer.read(), "the server has closed"
            latest = [message for message in peer.inbox if isinstance(message, Update)][-1:]
            peer.inbox[:] = [peer.last(Table), *latest]

    async def _move(self) -> bool:
        """Do something, if it is for this player to do; tell whether there may be more to do."""
        updates = [message for message in self._peer.inbox if isinstance(message, Update)]
        you = updates[-1].you if updates else None
        if you is None or you.seat not in updates[-1].view.to_act:
            return False
        allowed = [a for a in you.choices.actions() if not isinstance(a, Abandon)]
        bids = [action for action in allowed if isinstance(action, Bid)][:1]
        if Ready() in allowed:
            allowed = [Ready()]
        elif bids and self._dice.random() < 0.3:
            allowed = list(bids)
        await asyncio.sleep(self._dice.expovariate(1 / THINKING))
        action = self._dice.choice(allowed)
        answer = await self._peer.ask(Act, seq=updates[-1].seq, action=action)
        assert isinstance(answer, Ok) or answer.code in ("stale", "no_game"), answer
        Player.moves += 1
        return True


async def begin_table(port: int, number: int) -> list[Player]:
    """Two people and two bots sit down."""
    peers = [SocketPeer(*await asyncio.open_connection("127.0.0.1", port)) for _ in range(2)]
    for name, peer in zip("ab", peers, strict=True):
        await peer.hello(f"{number:04} {name}")
    options = TableOptions(min_seats=2, turn_seconds=30, pause_seconds=5)
    assert isinstance(await peers[0].ask(CreateTable, options=options), Ok)
    assert isinstance(await peers[1].ask(JoinTable, code=peers[0].last(Table).code), Ok)
    for _ in range(2):
        assert isinstance(await peers[0].ask(AddBot), Ok)
    return [Player(peer, peer is peers[0], random.Random(number)) for peer in peers]


async def soak(server: ServerProcess, seconds: float, tables: int) -> list[tuple[float, int]]:
    """Play, and return the server's memory over time: seconds, KiB."""
    samples = []
    async with asyncio.TaskGroup() as group:
        playing = [
            group.create_task(player.play())
            for number in range(tables)
            for player in await begin_table(server.port, number)
        ]
        for number in range(SAMPLES):
            await asyncio.sleep(seconds / SAMPLES)
            samples.append(((number + 1) * seconds / SAMPLES, server.rss_kib()))
            print(f"{samples[-1][0]:6.0f} s {samples[-1][1]:8} KiB", flush=True)
        for task in playing:
            task.cancel()
    return samples


def main() -> int:
    """Soak, and say whether memory was flat."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--tables", type=int, default=200)
    flags = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as directory:
        server = ServerProcess(Path(directory) / "server", *FREELY, *FLAGS)
        samples = asyncio.run(soak(server, flags.seconds, flags.tables))
        server.stop()
    settled = samples[len(samples) // 4 :]
    slope, _ = statistics.linear_regression(*zip(*settled, strict=True))
    growth = slope * (settled[-1][0] - settled[0][0])
    mean = statistics.mean(kib for _, kib in settled)
    print(
        f"{Player.games} games, {Player.moves} moves of clients; memory {mean:.0f} KiB, "
        f"{slope * 60:+.0f} KiB a minute, {growth / mean:+.1%} over the time measured"
    )
    return int(growth > mean * 0.05)


if __name__ == "__main__":
    sys.exit(main())
