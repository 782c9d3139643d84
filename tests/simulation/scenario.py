"""One run: a server, players, a network and a disk, all of whose bad luck comes from one seed."""

import asyncio
from pathlib import Path
from random import Random

from tests.simulation.disk import SimulatedJournal
from tests.simulation.network import Network
from tests.simulation.robots import Robot
from tests.simulation.virtual_time import VirtualLoop

from skull_protocol.pushes import Update
from skull_protocol.requests import AddBot, AnswerFlowers, CreateTable, JoinTable, StartGame
from skull_protocol.skull import SkullOptions, SkullView
from skull_protocol.tables import TableOptions
from skull_server import records
from skull_server.chance import Chance
from skull_server.limits import Limits
from skull_server.server import Server

TROUBLE_SECONDS = 120.0
"""How long things go wrong; then they go right, and all games must come to an end."""
LIMITS = Limits(
    bot_delay=0.5,
    requests_per_second=1e6,
    request_burst=10**6,
    chat_burst=10**6,
    absence=2 * TROUBLE_SECONDS,  # nobody is forgotten before they have come to a table
)
PATIENCE = 4 * 3600.0
"""Seconds, of virtual time, after which somebody who still waits is stuck."""


class Scenario:
    """What happens for one seed. Two runs of one seed are the same, byte for byte."""

    def __init__(self, seed: int, directory: Path) -> None:
        self.dice = Random(seed)
        self.network = Network(Random(self.dice.getrandbits(64)))
        self.directory = directory
        directory.mkdir(exist_ok=True)
        self.robots: list[Robot] = []
        self.crashes = 0
        self.breaks = 0
        self.disk_faults = 0

    def run(self) -> None:
        """Play it all, and check it."""
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            runner.run(self._play())

    async def _play(self) -> None:
        self._start_server()
        tables = [
            [Robot(f"T{number} {name}", self.network.dial, self._dice()) for name in range(people)]
            for number, people in enumerate(self._table_sizes())
        ]
        self.robots = [robot for robots in tables for robot in robots]
        async with asyncio.timeout(PATIENCE):
            for robot in self.robots:  # who never came in is asked what to do, and no robot knows
                await robot.until(lambda robot=robot: robot.status.state == "online")
            async with asyncio.TaskGroup() as group:
                group.create_task(self._trouble())
                for robots in tables:
                    group.create_task(self._table(robots))
            for robot in self.robots:
                await robot.settle()
        self._check()
        for robot in self.robots:
            await robot.link.close()
        self._crash_server()

    def _table_sizes(self) -> list[int]:
        return [self.dice.randrange(2, 5) for _ in range(self.dice.randrange(1, 3))]

    def _dice(self) -> Random:
        return Random(self.dice.getrandbits(64))

    # -- the server -------------------------------------------------------------------------------

    def _start_server(self) -> None:
        self.journal = SimulatedJournal(self.directory, self._dice())
        chance = Chance(self.dice.getrandbits(64))
        self.network.server = Server(LIMITS, chance, journal=self.journal)

    def _crash_server(self) -> None:
        server, self.network.server = self.network.server, None
        assert server is not None
        server.inputs.stop()
        self.journal.crash()
        self.network.break_all(server_dies=True)

    # -- what goes wrong --------------------------------------------------------------------------

    async def _trouble(self) -> None:
        dice = self._dice()
        loop = asyncio.get_running_loop()
        while loop.time() < TROUBLE_SECONDS:
            await asyncio.sleep(dice.expovariate(0.6))
            kind = dice.random()
            if kind < 0.55 and self.network.links:
                self.breaks += 1
                link = dice.choice(self.network.links)
                notices = (0, dice.uniform(0, 3), dice.uniform(0, 50), None)
                link.sever(dice.choice(notices), dice.choice(notices))
            elif kind < 0.7:
                self.network.delay = dice.choice((0.001, 0.05, 0.5, 3))
            elif kind < 0.8:
                self.breaks += len(self.network.links)
                self.network.break_all()
                self.network.open = False
                await asyncio.sleep(dice.uniform(0, 20))
                self.network.open = True
            elif kind < 0.9:
                self.crashes += 1
                self._crash_server()
                await asyncio.sleep(dice.uniform(0, 10))
                self._start_server()
            elif kind < 0.95:
                self.disk_faults += 1
                self.journal.moods.broken = True
                await asyncio.sleep(dice.uniform(0, 20))
                self.journal.moods.broken = False
            else:
                self.journal.slowest = dice.choice((0.001, 0.05, 1))
        self.network.delay = 0.05

    # -- a table ----------------------------------------------------------------------------------

    async def _table(self, robots: list[Robot]) -> None:
        host, *guests = robots
        await host.must(CreateTable, options=self._options(len(robots)))
        await host.until(lambda: host.table is not None)
        assert host.table is not None
        code = host.table.code
        for guest in guests:
            await guest.must(JoinTable, code=code)
            await guest.must(AnswerFlowers, days=self.dice.randrange(100))
        for _ in range(self.dice.randrange(2)):
            await host.must(AddBot)
        await host.must(StartGame)
        async with asyncio.TaskGroup() as group:
            for robot in robots:
                group.create_task(robot.play())

    def _options(self, people: int) -> TableOptions:
        dice = self.dice
        return TableOptions(
            min_seats=2,
            turn_seconds=dice.choice((0, 30, 90)),
            pause_seconds=dice.choice((5, 30)),
            rules=SkullOptions(
                first_player=dice.choice(("flowers", "random", people - 1)),
                initial=dice.choice(("starter_last", "together")),
                own_skull=dice.choice(("choose", "random")),
                last_chance=dice.random() < 0.3,
                practice=dice.random() < 0.1,
            ),
        )

    # -- what must hold ---------------------------------------------------------------------------

    def _check(self) -> None:
        self._check_everything_granted_is_there_once()
        self._check_all_saw_the_same()
        for robot in self.robots:
            twice = len(robot.heard) - len(set(robot.heard))
            # Chat is not kept: what was said just before a crash may be said again after it.
            assert twice <= self.crashes, "a line of chat came twice"

    def _check_everything_granted_is_there_once(self) -> None:
        """The journal has, for each player, what was granted to them: all of it, in that order."""
        rows = self.journal.read(
            "SELECT player, action FROM inputs WHERE player IS NOT NULL ORDER BY game, n"
        )
        for robot in self.robots:
            done = [records.input_of(bytes(a)) for p, a in rows if p == robot.player]  # type: ignore[call-overload]
            assert robot.granted == done, robot.name

    def _check_all_saw_the_same(self) -> None:
        """Whoever saw an update saw the same, and all see the same end."""
        views: dict[tuple[str, int], SkullView] = {}
        ends: dict[str, Update] = {}
        for robot in self.robots:
            table = robot.table
            assert table is not None
            assert table.stage == "finished"
            last = -1
            for _, update in robot.updates:
                assert views.setdefault((table.code, update.seq), update.view) == update.view
                assert update.seq >= last
                assert update.seq > last or not update.events
                last = update.seq
            assert robot.update is not None
            assert robot.update.view.winner is not None
            end = ends.setdefault(table.code, robot.update)
            assert (end.seq, end.view) == (robot.update.seq, robot.update.view)
