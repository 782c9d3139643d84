"""Leaving for good, or being sent away: by bot or by forfeit, and no way back for the removed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.server.restarts import Durable, comes_back

from skull_protocol.pushes import Error, LeftTable, Lobby, Ok, Table, Update
from skull_protocol.requests import (
    AddBot,
    ChangeOptions,
    HandToBot,
    JoinTable,
    LeaveTable,
    RemoveBot,
    RemovePlayer,
    StartGame,
    TakeSeat,
    WatchTable,
)
from skull_protocol.skull import (
    Bid,
    Eliminated,
    Flip,
    Forfeited,
    GameWon,
    Lose,
    NameStarter,
    Pass,
    Place,
    Ready,
    RoundAbandoned,
    RoundStarted,
    SkullOptions,
    StarterNamed,
)
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits

BOT = TableOptions(min_seats=2, turn_seconds=0, rules=SkullOptions(first_player=0))
FORFEIT = TableOptions(
    min_seats=2, turn_seconds=0, leavers="forfeit", rules=SkullOptions(first_player=0)
)


def code_of(peer: Any) -> str:
    return str(peer.last(Table).code)


def eliminate_first(ann: Any, others: list[Any]) -> None:
    """Seat 0 bids on the own skull until its last disc is gone, and is to name the next starter."""
    for discs in (3, 2, 1, 0):
        for other in others:
            assert isinstance(other.act(Place("F")), Ok)
        ann.act(Place("S"))
        ann.act(Bid(1))
        for other in others:
            other.act(Pass())
        ann.act(Flip(0))
        if discs:
            ann.act(Lose("F"))
            for person in (ann, *others):
                assert isinstance(person.act(Ready()), Ok)
    assert ann.last(Update).view.phase == "name_starter"


# -- leaving by forfeit -----------------------------------------------------------------------


def test_who_leaves_forfeits_where_the_table_says_so(world: Any) -> None:
    ann, bob, cem, eve = world.table(players=3, watchers=1, options=FORFEIT)
    cem.act(Place("S"))
    seen = len(bob.inbox)
    bob.do(LeaveTable)
    assert [type(message) for message in bob.inbox[seen:]] == [LeftTable, Lobby, Ok]
    for person in (ann, cem, eve):
        update = person.last(Update)
        assert update.events == (Forfeited(1), Eliminated(1), RoundAbandoned(), RoundStarted(1, 0))
        assert update.view.seats[1].eliminated
        seat = person.last(Table).seats[1]
        assert (seat.player, seat.name, seat.connected) == (None, "Bob", False)
    assert cem.last(Update).you.hand == ("F", "F", "F", "S")
    assert isinstance(cem.act(Place("F")), Ok)
    world.wait(60, ann, cem, eve)
    assert ann.last(Update).view.to_act == (0,)
    world.time.advance(1)
    (summary,) = world.player("Far").last(Lobby).tables
    assert (summary.seated, summary.bots) == (2, 0)


def test_who_left_may_watch_but_has_no_seat(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=FORFEIT)
    bob.do(LeaveTable)
    bob.do(WatchTable, code=code_of(ann))
    assert bob.last(Update).you is None
    assert bob.seat is None
    assert bob.act(Place("F")).code == "not_seated"
    assert bob.refused(TakeSeat) == "game_running"
    assert isinstance(cem.act(Place("F")), Ok)


def test_the_last_one_left_wins_and_the_empty_seats_are_gone_in_the_next_game(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=FORFEIT)
    ann.do(LeaveTable)
    assert bob.last(Table).host == bob.id
    cem.do(LeaveTable)
    update = bob.last(Update)
    assert update.events[-1] == GameWon(1, "last_player")
    table = bob.last(Table)
    assert table.stage == "finished"
    assert [seat.name for seat in table.seats] == ["Ann", "Bob", "Cem"]
    assert bob.refused(StartGame) == "too_few_players"
    assert bob.refused(RemoveBot, seat=0) == "not_a_bot"
    eve = world.player("Eve")
    eve.do(WatchTable, code=code_of(bob))
    assert eve.last(Update).view.winner == 1, "it can still be seen as it was"
    cem.do(JoinTable, code=code_of(bob))
    assert [seat.name for seat in bob.last(Table).seats] == ["Bob", "Cem"]
    bob.do(StartGame)
    assert cem.last(Update).you.seat == 1


def test_a_rematch_is_played_by_those_who_stayed(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=FORFEIT)
    ann.do(LeaveTable)
    for _ in range(2):
        for person in (bob, cem):
            person.act(Ready())
        for person, action in [
            (cem, Place("F")),
            (bob, Place("F")),
            (bob, Bid(1)),
            (cem, Pass()),
            (bob, Flip(1)),
        ]:
            assert isinstance(person.act(action), Ok)
    assert bob.last(Table).stage == "finished"
    bob.do(StartGame)
    assert [seat.name for seat in cem.last(Table).seats] == ["Bob", "Cem"]
    assert len(cem.last(Update).view.seats) == 2
    assert cem.last(Update).you.seat == 1


def test_a_bot_is_put_where_it_was_promised(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=BOT)
    bob.do(LeaveTable)
    assert ann.last(Table).seats[1].name.startswith("Bot ")
    cem.act(Place("F"))
    world.wait(3, ann, cem)
    assert ann.last(Update).view.to_act == (0,)


@pytest.mark.parametrize("options", [BOT, FORFEIT], ids=["bot", "forfeit"])
def test_who_is_out_and_to_name_the_next_starter_may_leave(
    world: Any, options: TableOptions
) -> None:
    ann, bob, cem = world.table(players=3, options=options)
    eliminate_first(ann, [bob, cem])
    assert isinstance(ann.last(Update).you.choices.actions()[0], NameStarter)
    ann.do(LeaveTable)
    world.wait(3, bob, cem)
    assert cem.last(Update).view.phase == "round_over"
    named = [e for m in cem.inbox if isinstance(m, Update) for e in m.events]
    assert any(isinstance(event, StarterNamed) for event in named)
    assert Forfeited(0) not in named
    for person in (bob, cem):
        assert isinstance(person.act(Ready()), Ok)
    assert bob.last(Update).view.phase == "initial"


def test_a_seat_that_a_bot_plays_is_forfeited_too(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=FORFEIT)
    ann.do(HandToBot, player=bob.id)
    bob.do(LeaveTable)
    world.wait(10, ann, cem)
    assert ann.last(Update).view.seats[1].eliminated
    assert not ann.last(Table).seats[1].bot_plays
    assert isinstance(cem.act(Place("F")), Ok)


def test_empty_seats_and_seats_that_bots_play_outlive_the_server(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob, cem, dee = world.table(players=4, bots=1, options=FORFEIT)
    bob.do(LeaveTable)
    ann.do(HandToBot, player=dee.id)
    before = world.everything()
    world = world.crash_and_restart()
    assert world.everything() == before
    ann, cem = (comes_back(world, peer) for peer in (ann, cem))
    seats = cem.last(Table).seats
    assert [seat.bot_plays for seat in seats] == [False, False, False, True, False]
    assert (seats[1].player, seats[1].name, seats[1].connected) == (None, "Bob", False)
    cem.act(Place("F"))
    world.wait(3, ann, cem)
    assert [len(seat.stack) for seat in cem.last(Update).view.seats] == [0, 0, 1, 1, 1]
    world.journal.crash()


# -- being removed ----------------------------------------------------------------------------


@pytest.mark.parametrize("start", [True, False])
@pytest.mark.parametrize("options", [BOT, FORFEIT], ids=["bot", "forfeit"])
def test_the_host_removes_a_player(world: Any, start: bool, options: TableOptions) -> None:
    ann, bob, cem = world.table(players=3, options=options, start=start)
    seen = len(bob.inbox)
    ann.do(RemovePlayer, player=bob.id)
    assert [type(message) for message in bob.inbox[seen:]] == [LeftTable, Lobby, Error]
    error = bob.inbox[-1]
    assert (error.id, error.code) == (None, "removed")
    assert "Ann" in error.message
    seats = cem.last(Table).seats
    if not start:
        assert [seat.name for seat in seats] == ["Ann", "Cem"]
    else:
        assert seats[1].player is None
        assert seats[1].connected == (options is BOT)
        assert ann.last(Update).view.seats[1].eliminated == (options is FORFEIT)
    for request in (JoinTable, WatchTable):
        assert bob.refused(request, code=code_of(ann)) == "removed"
    bob.lose()
    bob = world.player("Bob", bob.token)
    assert isinstance(bob.last(Lobby), Lobby)
    assert bob.refused(WatchTable, code=code_of(ann)) == "removed"


def test_the_host_removes_who_watches_and_who_is_away(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=BOT)
    ann.do(RemovePlayer, player=eve.id)
    assert eve.last(Error).code == "removed"
    assert bob.last(Table).watchers == ()
    bob.lose()
    ann.do(RemovePlayer, player=bob.id)
    bob = world.player("Bob", bob.token)
    assert bob.count(Table) == 0
    assert bob.refused(JoinTable, code=code_of(ann)) == "removed"
    assert isinstance(bob.ask(LeaveTable), Error)


def test_only_the_host_removes_and_nobody_from_elsewhere(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=BOT)
    far = world.player("Far")
    before = world.secrets()
    for guest in (bob, eve):
        for player in (ann.id, bob.id, eve.id, far.id):
            assert guest.refused(RemovePlayer, player=player) == "not_host"
    assert far.refused(RemovePlayer, player=bob.id) == "not_at_table"
    for player in (ann.id, far.id, 10**6):
        assert ann.refused(RemovePlayer, player=player) == "no_such_player"
    assert world.secrets() == before
    assert far.count(Error) == 1


def test_a_removed_player_cannot_come_back_as_somebody_new_of_that_name(world: Any) -> None:
    """A client that stayed away for long is a stranger to the server, and would be let in."""
    ann, bob = world.table(players=2, options=BOT, start=False)
    ann.do(RemovePlayer, player=bob.id)
    bob.lose()
    world.wait(world.limits.absence + 1, ann)
    stranger, other = world.player("BÖB"), world.player("Oda")
    assert stranger.id != bob.id
    for request in (JoinTable, WatchTable):
        assert stranger.refused(request, code=code_of(ann)) == "removed"
    other.do(WatchTable, code=code_of(ann))
    assert other.address == bob.address, "an address that many share keeps nobody out"


def test_a_removed_player_can_go_elsewhere_and_others_come_in(world: Any) -> None:
    ann, bob = world.table(players=2, options=BOT, start=False)
    ann.do(RemovePlayer, player=bob.id)
    other = world.player("Oda")
    other.do(JoinTable, code=code_of(ann))
    assert other.seat == 1


def test_a_table_remembers_so_many_removed(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(removed_kept=2))
    ann, *others = world.table(players=4, options=BOT, start=False)
    for other in others:
        ann.do(RemovePlayer, player=other.id)
    others[0].do(JoinTable, code=code_of(ann))
    assert others[1].refused(JoinTable, code=code_of(ann)) == "removed"


def test_a_removal_sent_twice_is_done_once(world: Any) -> None:
    ann, bob, _cem = world.table(players=3, options=BOT)
    request = RemovePlayer(id=10**9, player=bob.id)
    assert isinstance(ann.send(request), Ok)
    errors = bob.count(Error)
    assert isinstance(ann.send(request), Ok)
    assert bob.count(Error) == errors


# -- watchers ---------------------------------------------------------------------------------


def test_a_table_that_takes_no_watchers(world: Any) -> None:
    quiet = TableOptions(min_seats=2, watching=False)
    ann, _bob = world.table(players=2, options=quiet)
    assert world.player("Eve").refused(WatchTable, code=code_of(ann)) == "no_watching"


def test_turning_watching_off_sends_watchers_to_the_lobby(world: Any) -> None:
    ann, bob, eve, gus = world.table(players=2, watchers=2, options=BOT, start=False)
    gus.lose()
    seen, tables = len(eve.inbox), bob.count(Table)
    ann.do(ChangeOptions, options=TableOptions(min_seats=2, watching=False))
    assert [type(message) for message in eve.inbox[seen:]] == [LeftTable, Lobby, Error]
    assert (eve.inbox[-1].id, eve.inbox[-1].code) == (None, "no_watching")
    assert bob.count(Table) == tables + 1
    assert bob.last(Table).watchers == ()
    eve.do(JoinTable, code=code_of(ann))
    assert world.player("Dee", gus.token).count(Table) == 0


def test_a_host_who_watches_cannot_lock_themselves_out(world: Any) -> None:
    ann, eve = world.table(players=1, watchers=1, options=BOT, start=False)
    ann.do(AddBot)
    ann.do(LeaveTable)
    assert eve.last(Table).host == eve.id
    off = TableOptions(min_seats=2, watching=False)
    assert eve.refused(ChangeOptions, options=off) == "bad_options"
    eve.do(TakeSeat)
    eve.do(ChangeOptions, options=off)
