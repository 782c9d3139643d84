"""Evenings at one table: games played to their ends by random people and bots, and looked back at.

The server has a journal and is killed now and then; people lose the connection, come back, and
leave for good; who watched the first game takes a seat for the next one.
"""

import random
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from tests.server.finished_games import durable, random_rules, some_action

from skull_protocol.pushes import Games, GameSteps, Ok, Table, Update, Welcome
from skull_protocol.requests import (
    ChangeOptions,
    GetGame,
    LeaveTable,
    ListGames,
    StartGame,
    TakeSeat,
    WatchTable,
)
from skull_protocol.tables import GameStep, GameSummary, TableOptions


class Person:
    """Somebody at the table, over all their connections."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.id = peer.id
        self.code = peer.last(Table).code
        self.name = peer.last(Welcome).name
        self.seat: int | None = peer.seat
        """None: they watch."""
        self.before: list[Update] = []
        self.left: int | None = None
        self.was_lost = False

    def updates(self, first_seq: int) -> list[tuple[int, Update]]:
        """Everything of a game that was sent here: the number of the step, and what was sent."""
        sent = [*self.before, *(m for m in self.peer.inbox if isinstance(m, Update))]
        return [(update.seq - first_seq, update) for update in sent if update.seq >= first_seq]

    def come_back(self, world: Any) -> None:
        token = self.peer.token
        self.before += [m for m in self.peer.inbox if isinstance(m, Update)]
        self.peer.lose()
        self.was_lost = True
        self.peer = world.player("?", token)
        if self.seat is None and not self.peer.count(Table):  # the server was begun anew
            self.peer.do(WatchTable, code=self.code)


class Evening:
    """Games played to their ends by people who choose at random, over restarts of the server."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.world = durable(directory, seed)
        seats = self.rng.randrange(2, 7)
        bots = min(self.rng.randrange(0, seats), seats - 2)
        self.options = TableOptions(
            min_seats=2,
            rules=random_rules(self.rng, seats),
            turn_seconds=self.rng.choice((30, 90)),
            leavers=self.rng.choice(("bot", "forfeit")),
        )
        peers = self.world.table(players=seats - bots, bots=bots, watchers=1, options=self.options)
        self.people = [Person(peer) for peer in peers[:-1]]
        self.watchers = [Person(peers[-1])]
        self.gone: list[Person] = []
        """Who left in a game before this one."""
        self.first_seq = peers[0].last(Update).seq

    @property
    def here(self) -> list[Person]:
        return [person for person in self.people if person.left is None]

    def everybody(self) -> list[Person]:
        return [*self.people, *self.watchers, *self.gone]

    def play(self) -> None:
        while self.here[0].peer.last(Table).stage == "playing":
            self._step()

    def rematch(self) -> None:
        """Another game, in which who watched takes a seat if there is one."""
        self.gone += [person for person in self.people if person.left is not None]
        players, watchers = self.here, []
        for watcher in self.watchers:
            sits = isinstance(watcher.peer.ask(TakeSeat), Ok)
            (players if sits else watchers).append(watcher)
        table = players[0].peer.last(Table)
        host = next(person.peer for person in players + watchers if person.id == table.host)
        rules = replace(self.options.rules, first_player="random")
        host.do(ChangeOptions, options=replace(self.options, rules=rules))
        host.do(StartGame)
        for person in players + watchers:
            assert person.peer.last(Table).stage == "playing"
            person.seat, person.was_lost = person.peer.seat, False
        self.people, self.watchers = players, watchers
        self.first_seq = host.last(Update).seq

    def _step(self) -> None:
        chance = self.rng.random()
        if chance < 0.02 and len(self.here) > 1:
            leaver = self.rng.choice(self.here)
            leaver.left = leaver.peer.last(Update).seq - self.first_seq
            leaver.peer.do(LeaveTable)
        elif chance < 0.05:
            self.rng.choice([*self.here, *self.watchers]).come_back(self.world)
        elif chance < 0.06:
            self.restart()
        elif chance < 0.08:
            self._wait(91)
        else:
            self._act()

    def restart(self) -> None:
        self.world = self.world.crash_and_restart(seed=self.rng.randrange(10**6))
        self.world.journal._connection.execute("PRAGMA synchronous = OFF")
        for person in self.everybody():
            person.come_back(self.world)

    def _wait(self, seconds: float) -> None:
        self.world.wait(seconds, *(person.peer for person in self.everybody()))

    def _act(self) -> None:
        if not somebody_acts([person.peer for person in self.here], self.rng):
            self._wait(2)


def somebody_acts(players: list[Any], rng: random.Random) -> bool:
    """One of those for whom the game waits does something, by chance; False: it waits for none."""
    awaited = players[0].last(Update).view.to_act
    ready = [peer for peer in players if peer.seat in awaited]
    if ready:
        peer = rng.choice(ready)
        peer.act(some_action(rng, peer.last(Update).you.choices.actions()))
    return bool(ready)


def all_steps(peer: Any, game: int) -> list[GameStep]:
    """A whole game, page by page."""
    found: list[GameStep] = []
    while True:
        peer.do(GetGame, game=game, first=len(found))
        page: GameSteps = peer.last(GameSteps)
        assert page.first == len(found)
        assert page.steps, "a page before the end is never empty"
        found += page.steps
        if len(found) == page.game.steps:
            return found


def the_game(person: Person) -> tuple[GameSummary, list[GameStep]]:
    """The game that somebody played last, as they can look at it."""
    person.peer.do(ListGames, before=None)
    game = person.peer.last(Games).games[0]
    return game, all_steps(person.peer, game.game)
