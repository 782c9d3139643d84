"""The twin test on the wire: what a player hides is in no byte that anybody else is sent.

Two servers play one game in step, by the same seeds and the same requests, but for discs that one
player chooses differently in each. Every other byte stream (seats, watchers, those who come back,
refusals, lobby, chat) must be the same, until a disc that differs is turned over.
"""

import os
import random
from collections.abc import Callable, Iterable
from typing import Any, Literal

import pytest

from skull_protocol.pushes import Table, Update
from skull_protocol.requests import (
    Act,
    HandToBot,
    JoinTable,
    LeaveTable,
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
    SkullOptions,
)
from skull_protocol.tables import TableOptions

GAMES = int(os.environ.get("SKULL_TWIN_GAMES", "40"))


class Twins:
    """One game played twice, in step, with one player who hides something."""

    def __init__(self, new_world: Callable[..., Any], seed: int) -> None:
        self.rng = random.Random(seed)
        seats = self.rng.randrange(2, 7)
        bots = self.rng.randrange(0, seats - 1)
        self.people = seats - bots
        self.hider = self.rng.randrange(self.people)
        options = TableOptions(
            min_seats=2,
            rules=_random_rules(self.rng, seats),
            turn_seconds=self.rng.choice((30, 90)),
            leavers=self.rng.choice(("bot", "forfeit")),
        )
        self.forfeits = options.leavers == "forfeit"
        self.worlds = [new_world(seed=seed) for _ in range(2)]
        self.peers: list[list[Any]] = [
            world.table(players=self.people, bots=bots, watchers=1, options=options)
            for world in self.worlds
        ]
        for peers, world in zip(self.peers, self.worlds, strict=True):
            peers.append(world.player("Lobby"))
        self.compared = 0
        self.differed = 0
        """How often the hider chose differently in the two."""

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
            if not self._same():
                return

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
            if hidden and self.rng.random() < 0.6:
                self.differed += 1
                return seat, self.rng.choice(hidden)
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
            seat = self.rng.choice(others)

            def come_back(world: Any, peers: list[Any]) -> None:
                token = peers[seat].token
                peers[seat].lose()
                peers[seat] = world.player("?", token)

            self._both(come_back)
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
                return False
            self.compared += len(here.stream)
        return True


def _random_rules(rng: random.Random, seats: int) -> SkullOptions:
    cards = rng.random() < 0.3
    starters: list[Literal["flowers", "random"] | int] = ["flowers", "random", seats - 1]
    return SkullOptions(
        first_player=rng.choice(starters),
        initial=rng.choice(("starter_last", "together")),
        own_skull=rng.choice(("choose", "random")),
        self_elimination_starter=rng.choice(("choose", "left")),
        last_chance=not cards and rng.random() < 0.5,
        equipment="cards" if cards else "discs",
        practice=rng.random() < 0.2,
    )


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


@pytest.mark.parametrize("block", range(4))
def test_nobody_is_sent_what_another_hides(new_world: Callable[..., Any], block: int) -> None:
    differed = compared = 0
    for seed in range(block, GAMES, 4):
        twins = Twins(new_world, seed)
        twins.play()
        differed += twins.differed
        compared += twins.compared
        for peers in twins.peers:
            assert peers[0].ask(Ping)
    assert differed > GAMES // 8, "the twins must differ for the test to mean anything"
    assert compared > 10_000
