"""Bots at the table: they act in their time, which tells nothing, and agree to abandon."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.skull import Abandon, Place, Ready, SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.bot_seats import BotSeats
from skull_server.games.skull.bots import Bot
from skull_server.inputs import Inputs

OPTIONS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


def test_a_bot_takes_half_to_one_and_a_half_of_its_delay(world: Any) -> None:
    (ann,) = world.table(players=1, bots=3, options=OPTIONS)
    delay = world.limits.bot_delay
    world.time.advance(delay * 0.5 - 0.01)
    assert ann.last(Update).seq == 0
    world.time.advance(delay + 0.02)
    assert [len(seat.stack) for seat in ann.last(Update).view.seats] == [0, 1, 1, 1]


def test_the_time_a_bot_takes_does_not_hang_on_its_decisions(world: Any) -> None:
    """However much chance the player uses up, the pace stays."""
    inputs, moved = Inputs(world.time), []
    seats = BotSeats(inputs, 1.0, lambda seat: moved.append((seat, world.time.time())))
    other_inputs, other = Inputs(world.time), []
    twins = BotSeats(other_inputs, 1.0, lambda seat: other.append((seat, world.time.time())))
    for bots in (seats, twins):
        bots.seat(0, seed=5)
    for turn in range(20):
        for bots in (seats, twins):
            bots.wake({0})
        world.time.advance(2)
        for _ in range(turn):
            player: Any = seats._bots[0].player
            player._rng.random()
    assert len(moved) == 20
    assert moved == other
    assert len({round(at % 2, 3) for _, at in moved}) > 15, "it varies"


def test_a_bot_that_is_not_awaited_any_more_does_not_act(world: Any) -> None:
    moved: list[int] = []
    bots = BotSeats(Inputs(world.time), 1.0, moved.append)
    bots.seat(0, seed=1)
    bots.wake({0})
    bots.wake(set())
    world.time.advance(5)
    assert not moved


def test_a_bot_that_is_sent_away_while_it_thinks_does_not_act(world: Any) -> None:
    moved: list[int] = []
    inputs = Inputs(world.time)
    bots = BotSeats(inputs, 1.0, moved.append)
    bots.seat(0, seed=1)
    bots.wake({0})
    bots.unseat(0)
    bots.unseat(1)
    assert not bots.seats()
    assert not inputs.timers
    world.time.advance(5)
    assert not moved


def test_a_bot_that_fails_does_the_rules_default_and_the_table_goes_on(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("nothing to choose")

    monkeypatch.setattr(Bot, "decide", fail)
    (ann,) = world.table(players=1, bots=2, options=OPTIONS)
    world.wait(5, ann)
    assert [len(seat.stack) for seat in ann.last(Update).view.seats] == [0, 1, 1]


def test_bots_agree_to_abandon_once_all_people_do(world: Any) -> None:
    ann, bob = world.table(players=2, bots=2, options=OPTIONS)
    bob.act(Place("F"))
    assert isinstance(ann.act(Abandon(True)), Ok)
    assert [seat.agrees for seat in bob.last(Update).view.seats] == [True, False, False, False]
    assert isinstance(bob.act(Abandon(True)), Ok)
    view = bob.last(Update).view
    assert [seat.agrees for seat in view.seats] == [False] * 4
    assert [seat.stack for seat in view.seats] == [()] * 4


def test_one_person_among_bots_plays_whole_games(new_world: Callable[..., Any]) -> None:
    for seed in range(3):
        world = new_world(seed=seed)
        (ann,) = world.table(players=1, bots=4, options=OPTIONS)
        rng = random.Random(seed)
        while ann.last(Table).stage == "playing":
            update = ann.last(Update)
            choices = update.you.choices
            if 0 in update.view.to_act:
                wanted = [a for a in choices.actions() if not isinstance(a, Abandon)]
                action = Ready() if choices.ready else rng.choice(wanted)
                assert isinstance(ann.act(action), Ok)
            else:
                world.wait(1, ann)
            assert update.seq < 1000
        assert ann.last(Update).view.winner is not None
        world.wait(5, ann)
        assert ann.last(Table).stage == "finished"
