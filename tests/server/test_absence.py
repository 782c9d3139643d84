"""Who is away: the seat is held, then a bot plays it until they are back; nobody left, no play."""

from collections.abc import Callable
from typing import Any

import pytest

from skull_protocol.pushes import Lobby, Ok, Table, Update
from skull_protocol.requests import (
    AddBot,
    HandToBot,
    JoinTable,
    LeaveTable,
    StartGame,
    TakeBack,
    WatchTable,
)
from skull_protocol.skull import Abandon, Bid, Pass, Place, Ready, SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits


def options(**fields: Any) -> TableOptions:
    return TableOptions(min_seats=2, rules=SkullOptions(first_player=0), **fields)


def bot_plays(peer: Any) -> list[bool]:
    return [seat.bot_plays for seat in peer.last(Table).seats]


@pytest.mark.parametrize("seconds", [0, 90])
def test_a_bot_plays_for_who_is_away_until_they_are_back(world: Any, seconds: int) -> None:
    ann, bob, cem = world.table(players=3, options=options(turn_seconds=seconds))
    cem.act(Place("F"))
    world.wait(60, ann, bob, cem)
    bob.lose()
    if seconds:
        world.wait(30, ann, cem)
        assert ann.last(Update).view.seats[1].stack == (None,), "their clock runs"
        world.wait(world.limits.absence - 31, ann, cem)
    else:
        world.wait(world.limits.absence - 1, ann, cem)
        assert ann.last(Update).view.seats[1].stack == ()
    assert bot_plays(ann) == [False] * 3
    world.wait(1, ann, cem)
    assert bot_plays(ann) == [False, True, False]
    assert ann.last(Table).seats[1].name == "Bob"
    assert ann.last(Table).seats[1].player == bob.id
    if seconds == 0:
        world.wait(2 * world.limits.bot_delay, ann, cem)
        assert ann.last(Update).view.seats[1].stack == (None,)
        assert ann.last(Update).view.to_act == (0,)
    bob = world.player("whoever", bob.token)
    assert bob.seat == 1
    assert bot_plays(ann) == bot_plays(bob) == [False] * 3
    if seconds == 0:
        ann.act(Place("F"))
        ann.act(Bid(1))
        world.wait(300, ann, bob, cem)
        assert ann.last(Update).view.to_act == (1,), "the bot is gone"
        assert isinstance(bob.act(Pass()), Ok)


def test_a_lost_connection_that_is_late_to_die_takes_nothing_from_the_new_one(world: Any) -> None:
    ann, bob = world.table(players=2, options=options(turn_seconds=0))
    again = world.player("Bob", bob.token)
    world.time.advance(0)
    assert not bob.open
    world.wait(world.limits.absence * 2, ann, again)
    assert bot_plays(ann) == [False, False]
    assert isinstance(again.act(Place("F")), Ok)


def test_the_host_hands_a_seat_to_a_bot_and_its_owner_takes_it_back(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=options(turn_seconds=0))
    assert bob.refused(TakeBack) == "not_replaced"
    ann.do(HandToBot, player=bob.id)
    assert bot_plays(cem) == [False, True, False]
    assert cem.last(Table).seats[1].connected
    assert bob.act(Place("F")).code == "not_your_turn"
    world.wait(2 * world.limits.bot_delay, ann, bob, cem)
    assert cem.last(Update).view.seats[1].stack == (None,)
    ann.do(HandToBot, player=bob.id)
    bob.do(TakeBack)
    assert bot_plays(cem) == [False] * 3
    assert bob.refused(TakeBack) == "not_replaced"
    cem.act(Place("F"))
    ann.act(Place("F"))
    ann.act(Bid(1))
    world.wait(60, ann, bob, cem)
    assert isinstance(bob.act(Pass()), Ok)


def test_only_the_host_hands_over_and_only_seats_of_a_running_game(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=options(), start=False)
    assert ann.refused(HandToBot, player=bob.id) == "no_game"
    ann.do(StartGame)
    far = world.player("Far")
    for guest in (bob, eve):
        for player in (ann.id, bob.id, guest.id):
            assert guest.refused(HandToBot, player=player) == "not_host"
    for player in (eve.id, far.id, 10**6):
        assert ann.refused(HandToBot, player=player) == "no_such_player"
    assert far.refused(HandToBot, player=bob.id) == "not_at_table"
    assert far.refused(TakeBack) == "not_at_table"
    assert eve.refused(TakeBack) == "not_seated"
    assert bot_plays(ann) == [False, False]
    ann.do(HandToBot, player=ann.id)
    assert bot_plays(bob) == [True, False]
    ann.do(TakeBack)


def test_after_the_game_everybody_plays_themselves_again(world: Any) -> None:
    ann, bob = world.table(players=2, options=options(turn_seconds=0))
    for player in (ann, bob):
        ann.do(HandToBot, player=player.id)
    for _ in range(400):
        if ann.last(Table).stage == "finished":
            break
        world.wait(5, ann, bob)
    assert ann.last(Table).stage == "finished"
    assert bot_plays(bob) == [False, False]
    ann.do(StartGame)
    assert isinstance(bob.act(Place("F")), Ok)


def test_while_nobody_is_there_everything_rests(world: Any) -> None:
    """A whole group that loses its network loses no turn by it."""
    ann, bob = world.table(players=2, bots=2, options=options(turn_seconds=30))
    world.wait(5, ann, bob)
    seq = ann.last(Update).seq
    ann.lose()
    bob.lose()
    world.time.advance(world.limits.absence + 60)
    ann = world.player("Ann", ann.token)
    assert ann.last(Update).seq == seq
    assert ann.last(Update).clock_ms == 30_000
    assert bot_plays(ann) == [False, True, False, False]
    world.wait(2 * world.limits.bot_delay, ann)
    assert ann.last(Update).view.seats[1].stack == (None,), "the game goes on"
    assert ann.last(Update).seq > seq


def test_somebody_who_watches_is_somebody(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=options(turn_seconds=30))
    ann.lose()
    bob.lose()
    world.wait(31, eve)
    assert eve.last(Update).view.seats[1].stack == (None,)
    eve.lose()
    world.time.advance(31)
    gus = world.player("Gus")
    gus.do(WatchTable, code=eve.last(Table).code)
    assert gus.last(Update).view.seats[0].stack == ()
    assert gus.last(Update).clock_ms == 30_000
    world.wait(world.limits.absence + world.limits.empty_table, gus)
    assert list(world.server.lobby.tables()), "somebody watches the bots"


def test_the_table_is_closed_if_nobody_comes_back_in_time(world: Any) -> None:
    ann, bob = world.table(players=2, bots=1, options=options(turn_seconds=0))
    ann.lose()
    bob.lose()
    world.time.advance(world.limits.empty_table - 1)
    bob = world.player("Bob", bob.token)
    assert bob.seat == 1
    bob.lose()
    world.time.advance(world.limits.empty_table - 1)
    bob = world.player("Bob", bob.token)
    assert bob.seat == 1
    bob.lose()
    world.time.advance(world.limits.empty_table)
    assert not list(world.server.lobby.tables())


def test_who_leaves_last_leaves_the_others_their_time_to_come_back(world: Any) -> None:
    ann, bob = world.table(players=2, options=options())
    bob.lose()
    ann.do(LeaveTable)
    world.time.advance(world.limits.empty_table - 1)
    bob = world.player("Bob", bob.token)
    assert bob.last(Table).host == bob.id
    assert bob.last(Table).seats[0].player is None


def test_a_table_left_to_those_who_are_away_is_closed_too(world: Any) -> None:
    ann, bob = world.table(players=2, options=options())
    bob.lose()
    ann.do(LeaveTable)
    ann.lose()
    world.time.advance(world.limits.empty_table + world.limits.absence)
    assert not list(world.server.lobby.tables())
    assert not world.server.inputs.timers


@pytest.mark.parametrize("request_", [JoinTable, WatchTable])
def test_who_comes_to_a_deserted_table_keeps_it(
    new_world: Callable[..., Any], request_: type[Any]
) -> None:
    world = new_world(Limits(empty_table=50))
    people = world.table(players=2, options=options(), start=request_ is WatchTable)
    for person in people:
        person.lose()
    world.time.advance(30)
    gus = world.player("Gus")
    gus.do(request_, code=people[0].last(Table).code)
    world.wait(60, gus)
    assert list(world.server.lobby.tables())


def test_a_host_who_is_away_for_long_is_host_no_more(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=options())
    bob.lose()
    world.wait(world.limits.absence - 10, ann, cem)
    ann.lose()
    world.wait(world.limits.absence - 1, cem)
    assert cem.last(Table).host == ann.id
    world.wait(1, cem)
    assert cem.last(Table).host == cem.id
    assert world.player("Ann", ann.token).last(Table).host == cem.id
    cem.do(HandToBot, player=ann.id)


def test_who_is_away_from_a_table_without_a_game_loses_the_seat(world: Any) -> None:
    ann, bob = world.table(players=2, start=False)
    bob.lose()
    world.wait(world.limits.absence - 1, ann)
    assert len(ann.last(Table).seats) == 2
    world.wait(1, ann)
    assert len(ann.last(Table).seats) == 1
    assert world.peer().hello("Bob", bob.token).code == "bad_token"


def test_seats_that_bots_play_agree_to_abandon_once_everybody_else_does(world: Any) -> None:
    ann, bob, dee = world.table(players=3, bots=1, options=options(turn_seconds=0))
    dee.act(Place("F"))
    ann.do(HandToBot, player=dee.id)
    assert isinstance(ann.act(Abandon(True)), Ok)
    assert ann.last(Update).view.seats[2].stack == (None,)
    assert [seat.agrees for seat in bob.last(Update).view.seats] == [True] + [False] * 3
    assert isinstance(bob.act(Abandon(True)), Ok)
    view = bob.last(Update).view
    assert [seat.agrees for seat in view.seats] == [False] * 4
    assert view.seats[2].stack == ()


def test_nothing_is_taken_back_behind_the_back_of_who_was_just_lost(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=options(turn_seconds=0))
    cem.act(Place("F"))
    for person in (ann, bob):
        person.act(Abandon(True))
    assert ann.last(Update).view.seats[2].stack == (None,)
    cem.lose()
    world.wait(world.limits.absence - 1, ann, bob)
    assert ann.last(Update).view.seats[2].stack == (None,)
    world.wait(1, ann, bob)
    assert ann.last(Update).view.seats[2].stack == ()


def test_nobody_here_wants_it_so_nothing_is_abandoned(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=options(turn_seconds=0))
    bob.act(Place("F"))
    ann.act(Abandon(True))
    ann.lose()
    bob.lose()
    world.wait(30, eve)
    assert eve.last(Update).view.seats[1].stack == (None,)


def test_a_pause_does_not_wait_for_a_seat_that_a_bot_plays(world: Any) -> None:
    ann, bob = world.table(players=2, options=options(turn_seconds=0))
    bob.act(Place("F"))
    ann.act(Place("F"))
    ann.act(Bid(2))
    for seat in (0, 1):
        ann.act(ann.last(Update).you.choices.actions()[0])
        assert ann.last(Update).view.seats[seat].stack == ("F",)
    assert ann.last(Update).view.to_act == (0, 1)
    ann.do(HandToBot, player=bob.id)
    assert ann.last(Update).view.to_act == (0,)
    assert isinstance(ann.act(Ready()), Ok)
    assert ann.last(Update).view.round == 2


def test_seats_of_the_absent_are_no_bots_in_the_lobby(world: Any) -> None:
    ann, bob = world.table(players=2, bots=1, options=options(), start=False)
    ann.do(AddBot)
    ann.do(StartGame)
    ann.do(HandToBot, player=bob.id)
    world.time.advance(1)
    (summary,) = world.player("Eve").last(Lobby).tables
    assert (summary.seated, summary.bots) == (4, 2)
