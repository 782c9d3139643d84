"""History: what a player can look at afterwards is what they were sent, and nothing more.

Games are played over the wire by random people and bots, on a server with a journal that is killed
now and then, with people who lose the connection, come back and leave for good.
"""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.server.finished_games import durable, random_rules, some_action

from skull_protocol.pushes import Games, GameSteps, Records, Table, Update
from skull_protocol.requests import GetGame, LeaveTable, ListGames, ListRecords
from skull_protocol.skull import ChallengeLost, ChallengeWon, DiscLost, Placed
from skull_protocol.tables import GameStep, PlayerRecord, TableOptions

GAMES = int(os.environ.get("SKULL_HISTORY_GAMES", "24"))


class Person:
    """Somebody at the table, over all their connections."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.id = peer.id
        self.name = peer.last(Table).seats[peer.seat].name
        self.seat: int = peer.seat
        self.before: list[Update] = []
        self.left: int | None = None
        self.was_lost = False

    def updates(self) -> list[Update]:
        """Everything that happened, as it was sent here; the pictures on coming back left out."""
        sent = [*self.before, *(m for m in self.peer.inbox if isinstance(m, Update))]
        return [update for update in sent if update.events]

    def come_back(self, world: Any) -> None:
        token = self.peer.token
        self.before = self.updates()
        self.peer.lose()
        self.was_lost = True
        self.peer = world.player("?", token)


class Evening:
    """One game, played to its end by people who choose at random, over restarts of the server."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.world = durable(directory, seed)
        seats = self.rng.randrange(2, 7)
        bots = min(self.rng.randrange(0, seats), seats - 2)
        options = TableOptions(
            min_seats=2,
            rules=random_rules(self.rng, seats),
            turn_seconds=self.rng.choice((30, 90)),
            leavers=self.rng.choice(("bot", "forfeit")),
        )
        peers = self.world.table(players=seats - bots, bots=bots, options=options)
        self.people = [Person(peer) for peer in peers]
        self.first_seq = peers[0].last(Update).seq

    @property
    def here(self) -> list[Person]:
        return [person for person in self.people if person.left is None]

    def play(self) -> None:
        while self.here[0].peer.last(Table).stage == "playing":
            self._step()

    def _step(self) -> None:
        chance = self.rng.random()
        if chance < 0.02 and len(self.here) > 1:
            leaver = self.rng.choice(self.here)
            leaver.left = leaver.peer.last(Update).seq - self.first_seq
            leaver.peer.do(LeaveTable)
        elif chance < 0.05:
            self.rng.choice(self.here).come_back(self.world)
        elif chance < 0.06:
            self.world = self.world.crash_and_restart(seed=self.rng.randrange(10**6))
            self.world.journal._connection.execute("PRAGMA synchronous = OFF")
            for person in self.people:
                person.come_back(self.world)
        elif chance < 0.08:
            self._wait(91)
        else:
            self._act()

    def _wait(self, seconds: float) -> None:
        self.world.wait(seconds, *(person.peer for person in self.people))

    def _act(self) -> None:
        awaited = self.here[0].peer.last(Update).view.to_act
        ready = [person for person in self.here if person.seat in awaited]
        if not ready:
            self._wait(2)
            return
        person = self.rng.choice(ready)
        choices = person.peer.last(Update).you.choices
        person.peer.act(some_action(self.rng, choices.actions()))


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


@pytest.mark.parametrize("block", range(4))
def test_a_replay_shows_step_by_step_what_was_sent(tmp_path: Path, block: int) -> None:
    left = compared = 0
    for seed in range(block, GAMES, 4):
        directory = tmp_path / str(seed)
        directory.mkdir()
        evening = Evening(directory, seed)
        evening.play()
        for person in evening.people:
            person.peer.do(ListGames, before=None)
            [game] = person.peer.last(Games).games
            assert game.seat == person.seat
            assert set(game.left) == {p.seat for p in evening.people if p.left is not None}
            replayed = all_steps(person.peer, game.game)
            sent = {update.seq - evening.first_seq: update for update in person.updates()}
            for number, update in sent.items():
                if person.left is None or number <= person.left:
                    assert replayed[number] == GameStep(update.events, update.view, update.you)
                    compared += 1
            if not person.was_lost:
                assert sorted(sent) == list(range(len(sent)))
                assert len(sent) == (len(replayed) if person.left is None else person.left + 1)
            if person.left is None:
                assert replayed[-1].view.winner == game.winner
            else:
                left += 1
                after = replayed[person.left + 1 :]
                assert all(step.you is None for step in after)
                assert not any(_tells_a_secret(step) for step in after)
        check_records(evening)
        evening.world.journal.crash()
    assert left > 0
    assert compared > 500


def check_records(evening: Evening) -> None:
    """What is counted is what can be counted in the games as they were shown."""
    watcher = evening.here[0].peer
    watcher.do(ListRecords)
    counted = {record.name: record for record in watcher.last(Records).players}
    watcher.do(ListGames, before=None)
    [game] = watcher.last(Games).games
    replayed = all_steps(watcher, game.game)
    assert set(counted) == {person.name for person in evening.people}
    for person in evening.people:
        until = len(replayed) if person.left is None else person.left + 1
        ends = [
            event
            for step in replayed[:until]
            for event in step.events
            if isinstance(event, ChallengeWon | ChallengeLost) and step.view.round > 0
        ]
        own = [event for event in ends if event.seat == person.seat]
        lost = [event for event in own if isinstance(event, ChallengeLost)]
        hit = [e for e in ends if isinstance(e, ChallengeLost) and e.owner == person.seat]
        assert counted[person.name] == PlayerRecord(
            person.name,
            games=1,
            wins=int(person.left is None and game.winner == person.seat),
            challenges_won=len(own) - len(lost),
            challenges_lost=len(lost),
            bluffs_caught=sum(event.owner == person.seat for event in lost),
            skulls_hit=sum(event.seat != person.seat for event in hit),
        )


def _tells_a_secret(step: GameStep) -> bool:
    return any(
        isinstance(event, Placed | DiscLost) and event.disc is not None for event in step.events
    )
