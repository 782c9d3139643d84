"""Clocks and absence: the rules' default for who runs out of time, and no waiting in a pause."""

from typing import Any

import pytest

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.skull import (
    Abandon,
    Bid,
    Flip,
    Pass,
    Passed,
    Place,
    Placed,
    Ready,
    RoundStarted,
    SkullOptions,
)
from skull_protocol.tables import TableOptions


def options(**fields: Any) -> TableOptions:
    return TableOptions(min_seats=2, rules=SkullOptions(first_player=0), **fields)


def place_all(people: list[Any]) -> None:
    for person in [*people[1:], people[0]]:
        assert isinstance(person.act(Place("F")), Ok)


def lose_a_challenge(people: list[Any]) -> None:
    """Bring two people to the pause: seat 0 flips the skull of seat 1."""
    people[1].act(Place("S"))
    people[0].act(Place("F"))
    people[0].act(Bid(2))
    for seat in (0, 1):
        assert isinstance(people[0].act(Flip(seat)), Ok)
    people[1].act(people[1].last(Update).you.choices.actions()[0])
    assert people[0].last(Update).view.phase == "round_over"


@pytest.mark.parametrize("seconds", [30, 60, 90])
def test_who_runs_out_of_time_does_the_default(world: Any, seconds: int) -> None:
    people = world.table(players=3, watchers=1, options=options(turn_seconds=seconds))
    assert all(person.last(Update).clock_ms == seconds * 1000 for person in people)
    world.wait(seconds - 1, *people)
    assert people[3].last(Update).seq == 0
    world.wait(1, *people)
    update = people[3].last(Update)
    assert [seat.stack for seat in update.view.seats] == [(), (None,), (None,)]
    assert update.view.to_act == (0,)
    assert update.clock_ms == seconds * 1000
    world.wait(seconds, *people)
    assert people[3].last(Update).view.phase == "turn"
    assert isinstance(people[0].act(Bid(1)), Ok)
    world.wait(seconds, *people)
    assert people[3].last(Update).events == (Passed(1),)


@pytest.mark.parametrize("before", [2, 29])
def test_a_server_that_stood_still_costs_nobody_time(world: Any, before: int) -> None:
    people = world.table(players=2, watchers=1, options=options(turn_seconds=30))
    world.wait(before, *people)
    world.time.stand_still(40)
    left = (30 - before) * 1000
    for person in people:
        update = person.last(Update)
        assert left <= update.clock_ms <= left + 5000
        assert (update.events, update.view.to_act) == ((), (1,))
    seconds = update.clock_ms / 1000
    world.wait(seconds - 0.1, *people)
    assert people[2].last(Update).view.to_act == (1,)
    world.wait(0.1, *people)
    assert people[2].last(Update).view.to_act == (0,)


def test_a_clock_started_after_the_standstill_gets_nothing_back(world: Any) -> None:
    people = world.table(players=2, options=options(turn_seconds=30))
    world.wait(2, *people)
    world.time._now += 40  # what came in meanwhile is read before any alarm rings
    people[1].act(Place("F"))
    world.time.stand_still(0)
    assert people[0].last(Update).clock_ms == 30_000
    world.wait(30, *people)
    assert people[0].last(Update).view.phase == "turn"


def test_a_server_that_is_only_busy_gives_no_time_back(world: Any) -> None:
    people = world.table(players=2, options=options(turn_seconds=30))
    for _ in range(60):
        world.time.advance(0.1)
        world.time.stand_still(0.4)
    world.wait(0.5, *people)
    assert people[0].last(Update).view.to_act == (0,)


def test_one_who_chose_leaves_the_clock_of_the_others_running(world: Any) -> None:
    people = world.table(players=3, options=options(turn_seconds=30))
    world.wait(20, *people)
    people[1].act(Place("F"))
    assert people[0].last(Update).clock_ms == 10_000
    world.wait(10, *people)
    assert people[0].last(Update).view.seats[2].stack == (None,)


def test_each_flip_has_its_own_time(world: Any) -> None:
    people = world.table(players=3, options=options(turn_seconds=30))
    place_all(people)
    people[0].act(Bid(3))
    world.wait(20, *people)
    people[0].act(Flip(0))
    assert people[1].last(Update).clock_ms == 30_000
    world.wait(20, *people)
    people[0].act(Flip(1))
    assert people[1].last(Update).clock_ms == 30_000


def test_votes_to_abandon_buy_no_time(world: Any) -> None:
    people = world.table(players=3, options=options(turn_seconds=30))
    place_all(people)
    world.wait(20, *people)
    for agree in (True, False, True):
        assert isinstance(people[0].act(Abandon(agree)), Ok)
        assert people[1].last(Update).clock_ms == 10_000
    for person in people[1:]:
        person.act(Abandon(True))
    assert people[0].last(Update).view.phase == "initial"
    assert people[0].last(Update).clock_ms == 30_000


def test_no_clock_never_runs_out_for_who_is_there(world: Any) -> None:
    people = world.table(players=3, options=options(turn_seconds=0))
    assert people[0].last(Update).clock_ms is None
    world.wait(100_000, *people)
    assert people[0].last(Update).seq == 0


def test_without_a_clock_the_game_goes_on_without_who_is_away_for_long(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=options(turn_seconds=0))
    bob.lose()
    cem.act(Place("F"))
    world.wait(world.limits.absence - 1, ann, cem)
    assert ann.last(Update).view.to_act == (1,)
    world.wait(1 + 2 * world.limits.bot_delay, ann, cem)
    assert ann.last(Update).view.to_act == (0,)
    bob = world.player("Bob", bob.token)
    assert bob.seat == 1
    ann.act(Place("F"))
    ann.act(Bid(1))
    assert ann.last(Update).view.to_act == (1,)
    world.wait(300, ann, bob, cem)
    assert isinstance(bob.act(Pass()), Ok)


def test_a_lost_players_seat_is_held_and_their_clock_runs(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=options(turn_seconds=30))
    bob.lose()
    cem.act(Place("F"))
    world.wait(30, ann, cem)
    assert Placed(1, None) in ann.last(Update).events
    world.wait(world.limits.absence - 31, ann, cem)
    assert ann.last(Table).seats[1].name == "Bob"
    assert not ann.last(Table).seats[1].bot_plays
    assert not ann.last(Table).seats[1].connected
    assert world.player("Bob", bob.token).seat == 1


def test_the_pause_ends_when_all_pressed_on_or_by_itself(world: Any) -> None:
    people = world.table(players=2, options=options(pause_seconds=20, turn_seconds=90))
    lose_a_challenge(people)
    assert people[1].last(Update).clock_ms == 20_000
    assert isinstance(people[0].act(Ready()), Ok)
    assert people[1].last(Update).clock_ms is not None
    world.wait(19, *people)
    assert people[1].last(Update).view.phase == "round_over"
    world.wait(1, *people)
    update = people[1].last(Update)
    assert any(isinstance(event, RoundStarted) for event in update.events)
    assert update.clock_ms == 90_000


def test_a_pause_waits_neither_for_bots_nor_for_who_is_away(world: Any) -> None:
    people = world.table(players=2, bots=1, options=options(turn_seconds=90))
    ann, bob = people
    while ann.last(Update).view.phase != "round_over":
        view = ann.last(Update).view
        for person in people:
            choices = person.last(Update).you.choices
            if person.seat in view.to_act and view is ann.last(Update).view:
                action = Bid(choices.bid[1]) if choices.bid else choices.actions()[0]
                assert isinstance(person.act(action), Ok)
        world.wait(1, *people)
    assert ann.last(Update).view.seats[2].ready
    assert ann.last(Update).view.to_act == (0, 1)
    bob.lose()
    assert ann.last(Update).view.to_act == (0,)
    assert isinstance(ann.act(Ready()), Ok)
    assert ann.last(Update).view.phase == "initial"
