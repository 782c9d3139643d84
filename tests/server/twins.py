"""Twins: one game on two servers in step, by the same seeds and requests, but for what one hides.

Every byte stream but the hider's must be the same in both, until a disc that differs is turned
over; and so must be whatever anybody can look at afterwards.
"""

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.server.finished_games import random_rules
from tests.server.restarts import Durable

from skull_client.export import game_text
from skull_protocol.pushes import Games, GameSteps, Statistics, Table, Update
from skull_protocol.requests import (
    Act,
    AskStatistics,
    GetGame,
    HandToBot,
    JoinTable,
    LeaveTable,
    ListGames,
    ListRecords,
    Mute,
    Ping,
    RemovePlayer,
    Say,
    SayPhrase,
    SetPassword,
    TakeBack,
    WatchTable,
)
from skull_protocol.skull import (
    Abandon,
    Bid,
    Flipped,
    Lose,
    Place,
    Ready,
    Shown,
    SkullAction,
)
from skull_protocol.tables import GameStep, GameSummary, TableOptions


class Twins:
    """One game played twice, in step, with one player who hides something."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        seats = self.rng.randrange(2, 7)
        bots = self.rng.randrange(0, seats - 1)
        self.people = seats - bots
        self.hider = self.rng.randrange(self.people)
        options = TableOptions(
            min_seats=2,
            rules=random_rules(self.rng, seats),
            turn_seconds=self.rng.choice((30, 90)),
            leavers=self.rng.choice(("bot", "forfeit", "forfeit")),
        )
        self.forfeits = options.leavers == "forfeit"
        self.worlds = []
        for name in ("here", "there"):
            (directory / name).mkdir()
            self.worlds.append(Durable(directory / name, seed=seed))
        self.peers: list[list[Any]] = [
            world.table(players=self.people, bots=bots, watchers=1, options=options)
            for world in self.worlds
        ]
        for peers, world in zip(self.peers, self.worlds, strict=True):
            peers.append(world.player("Lobby"))
        self.first_seq = self._watcher.last(Update).seq
        self.compared = 0
        self.differed = 0
        """How often the hider chose differently in the two."""
        self.daring = self.rng.choice((0.2, 0.6))
        """How likely the hider, in placing, does so differently in the two."""
        self.unrest = 0.0
        """How likely everybody leaves after a step: most of what is hidden comes to light soon."""
        self.came_to_light: int | None = None
        """The step of the game in which a disc that differs was turned over."""
        self.steps_compared = 0
        self.own_differed = False
        """Whether the hider was shown something else afterwards than in the other game."""

    @property
    def _watcher(self) -> Any:
        """Who stays to the end."""
        return self.peers[0][-2]

    def play(self) -> None:
        for _ in range(400):
            if self._watcher.last(Table).stage != "playing":
                return
            self._interlude()
            if not self._same():
                return
            step = self._choose()
            if step is None:
                self._both(lambda world, peers: world.wait(1, *peers))
            else:
                seat, actions = step
                for peers, action in zip(self.peers, actions, strict=True):
                    peers[seat].act(action)
            if not self._same() or (self.forfeits and self.rng.random() < self.unrest):
                return

    # -- afterwards -------------------------------------------------------------------------------

    def end_game(self) -> None:
        """Where those who leave are out, everybody leaves, one by one; so the game comes to an end.

        If something has come to light, the two games may take their own ways from here.
        """
        seats = list(range(self.people))
        self.rng.shuffle(seats)
        for seat in seats if self.forfeits else ():
            for world, peers in zip(self.worlds, self.peers, strict=True):
                if peers[-2].last(Table).stage == "playing":
                    peers[seat].ask(LeaveTable)
                    if seat == seats[-1]:
                        world.wait(600, *peers)  # bots are left, and play on for who watches
            if self.came_to_light is None:
                self._same()

    def look_back(self) -> None:
        """Everybody looks at all that they can, and then goes to the lobby."""
        ended = [peers[-2].last(Table).stage == "finished" for peers in self.peers]
        if self.came_to_light is not None:
            if all(ended):
                self._compare_until_it_came_to_light()
            return
        assert ended[0] == ended[1]
        if not ended[0]:
            return
        self._come_back(self.rng.choice([s for s in range(self.people) if s != self.hider]))
        for index in range(len(self.peers[0])):
            here, there = (_looked_back(peers[index]) for peers in self.peers)
            if index == self.hider:
                self.own_differed = here != there
            else:
                assert here == there
                self.steps_compared += len(here[1])
        for peers in self.peers:
            for peer in peers:
                peer.ask(LeaveTable)
        self._both(lambda world, peers: world.wait(1, *peers))
        assert self._same()

    def _compare_until_it_came_to_light(self) -> None:
        assert self.came_to_light is not None
        for index in range(self.people):
            here, there = (_looked_back(peers[index]) for peers in self.peers)
            if index != self.hider:
                known = self.came_to_light
                assert here[1][:known] == there[1][:known]
                self.steps_compared += known

    def end(self) -> None:
        """Both servers still work; have them gone."""
        for world, peers in zip(self.worlds, self.peers, strict=True):
            assert peers[0].ask(Ping)
            world.journal.crash()

    # -- how it is played -------------------------------------------------------------------------

    def _choose(self) -> tuple[int, tuple[SkullAction, SkullAction]] | None:
        """Return a seat to act and what it does in each of the two games."""
        view, table = self._watcher.last(Update).view, self._watcher.last(Table)
        playing = [self.peers[0][seat].id for seat in range(self.people)]
        ready = [
            seat
            for seat in view.to_act
            if table.seats[seat].player in playing and not table.seats[seat].bot_plays
        ]
        if not ready:
            return None
        seat = self.rng.choice(ready)
        here, there = (
            [
                action
                for action in peers[seat].last(Update).you.choices.actions()
                if not isinstance(action, Abandon)
            ]
            for peers in self.peers
        )
        if seat == self.hider:
            hidden = [
                (one, other)
                for one in here
                for other in there
                if one != other and type(one) is type(other) and isinstance(one, Place | Lose)
            ]
            loses = bool(hidden) and isinstance(hidden[0][0], Lose)
            if hidden and (loses or self.rng.random() < self.daring):
                self.differed += 1
                pair = self.rng.choice(hidden)
                self.unrest = max(self.unrest, 0.3 if loses else 0.06)
                return seat, pair
        common = [action for action in here if action in there]
        if any(isinstance(action, Bid) for action in common) and self.rng.random() < 0.5:
            common = [action for action in common if isinstance(action, Bid)][:2]
        if any(isinstance(action, Ready) for action in common) and self.rng.random() < 0.5:
            common = [Ready()]
        if not common:
            one, other = self.rng.choice(here), self.rng.choice(there)
            return (seat, (one, other)) if type(one) is type(other) else None
        action = self.rng.choice(common)
        return seat, (action, action)

    def _interlude(self) -> None:
        """Now and then: somebody else comes back, watches, talks, errs, or the clock runs out."""
        chance = self.rng.random()
        others = [seat for seat in range(self.people) if seat != self.hider]
        if chance < 0.05 and others:
            self._come_back(self.rng.choice(others))
        elif chance < 0.1:
            name = f"Late {self.compared}"

            def watch(world: Any, peers: list[Any]) -> None:
                code = peers[-2].last(Table).code
                late = world.player(name)
                late.ask(WatchTable, code=code)
                peers.insert(self.people, late)

            self._both(watch)
        elif chance < 0.2:
            self._both(lambda _, peers: peers[0].ask(Say, text="hm"))
            self._both(lambda _, peers: peers[-2].ask(SayPhrase, phrase="flip_it"))
        elif chance < 0.3 and others:
            seat, amount = self.rng.choice(others), self.rng.randrange(-1, 30)
            wrong = self.rng.choice((Bid(amount), Place("F"), Place("7h"), Ready()))
            self._both(lambda _, peers: peers[seat].ask(Act, seq=10**6, action=wrong))
            if self.rng.random() < 0.3 and isinstance(wrong, Bid) and not 1 <= amount <= 24:
                self._both(lambda _, peers: peers[seat].act(wrong, peers[-2].last(Update).seq))
        elif chance < 0.34:
            self._both(lambda world, peers: world.wait(91, *peers))
        elif chance < 0.4:
            self._at_the_table(others)

    def _come_back(self, seat: int) -> None:
        def come_back(world: Any, peers: list[Any]) -> None:
            token = peers[seat].token
            peers[seat].lose()
            peers[seat] = world.player("?", token)

        self._both(come_back)

    def _at_the_table(self, others: list[int]) -> None:
        """Now and then: what a host does, and who leaves for good, the hider included."""
        if not others:
            return
        chance, other, table = self.rng.random(), self.rng.choice(others), self._watcher.last(Table)
        # A bot that plays on for the hider knows what is hidden, and may act on it.
        leaver = self.rng.choice([*others, self.hider]) if self.forfeits else other
        hosts = [index for index, peer in enumerate(self.peers[0]) if peer.id == table.host]
        if chance < 0.3:
            self._both(lambda _, peers: peers[leaver].ask(LeaveTable))
        elif chance < 0.4:
            who = self.peers[0][leaver].id
            self._both(lambda _, peers: peers[hosts[0]].ask(RemovePlayer, player=who))
        elif chance < 0.6:
            who = self.peers[0][other].id
            self._both(lambda _, peers: peers[hosts[0]].ask(HandToBot, player=who))
        elif chance < 0.8:
            self._both(lambda _, peers: peers[other].ask(TakeBack))
        elif chance < 0.9:
            self._both(lambda _, peers: peers[hosts[0]].ask(SetPassword, password="x"))
            self._both(lambda _, peers: peers[-1].ask(JoinTable, code="BBBB", password="y"))
        else:
            who = self.peers[0][leaver].id
            self._both(lambda _, peers: peers[other].ask(Mute, player=who, muted=True))

    def _both(self, do: Callable[[Any, list[Any]], object]) -> None:
        for world, peers in zip(self.worlds, self.peers, strict=True):
            do(world, peers)

    def _same(self) -> bool:
        """Compare what all others were sent; False once a hidden difference has come to light."""
        pairs = list(zip(*self.peers, strict=True))
        del pairs[self.hider]
        pairs.sort(key=lambda pair: pair[0] is not self._watcher)  # who left sees no disc turned
        for here, there in pairs:
            if here.stream != there.stream:
                here_new, there_new = _unlike(here.inbox, there.inbox)
                assert _turned_over(here_new, self.hider) != _turned_over(there_new, self.hider)
                self.came_to_light = here_new.seq - self.first_seq
                return False
            self.compared += len(here.stream)
        return True


def _looked_back(peer: Any) -> tuple[list[GameSummary], list[GameStep], str, Statistics]:
    """What somebody is shown who asks for everything: list, steps, the text to keep, statistics."""
    peer.do(ListRecords)
    peer.do(AskStatistics)
    statistics: Statistics = peer.last(Statistics)
    peer.do(ListGames, before=None)
    games: list[GameSummary] = list(peer.last(Games).games)
    if not games:
        assert peer.refused(GetGame, game=1, first=0) == "no_such_game"
        return games, [], "", statistics
    [game] = games
    steps: list[GameStep] = []
    while len(steps) < game.steps:
        peer.do(GetGame, game=game.game, first=len(steps))
        steps += peer.last(GameSteps).steps
    return games, steps, game_text(game, steps), statistics


def _unlike(here: list[Any], there: list[Any]) -> tuple[Any, Any]:
    """The first messages that differ."""
    return next(pair for pair in zip(here, there, strict=False) if pair[0] != pair[1])


def _turned_over(message: object, hider: int) -> Iterable[object]:
    assert isinstance(message, Update), message
    return [
        event
        for event in message.events
        if (isinstance(event, Flipped) and event.owner == hider)
        or (isinstance(event, Shown) and event.seat == hider)
    ]
