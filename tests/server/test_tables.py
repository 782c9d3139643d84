"""Tables: set up, join, watch, sit, leave, options, bots, flowers, start, rematch, chat."""

from typing import Any

import pytest

from skull_protocol.pushes import Chat, LeftTable, Lobby, Ok, Table, Update
from skull_protocol.requests import (
    Act,
    AddBot,
    AnswerFlowers,
    ChangeOptions,
    CreateTable,
    JoinTable,
    LeaveTable,
    Ping,
    RemoveBot,
    Say,
    StartGame,
    TakeSeat,
    WatchTable,
)
from skull_protocol.skull import Bid, Flip, Pass, Place, Ready, SkullOptions
from skull_protocol.tables import TableOptions, WatcherInfo

FIRST_STARTS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


def play_out(people: list[Any]) -> None:
    """The first of two people wins twice with a bid of one; seat 0 starts."""
    for _ in range(2):
        for player, action in [
            (people[1], Place("F")),
            (people[0], Place("F")),
            (people[0], Bid(1)),
            (people[1], Pass()),
            (people[0], Flip(0)),
        ]:
            assert isinstance(player.act(action), Ok)
        if people[0].last(Update).view.winner is None:
            for player in people:
                assert isinstance(player.act(Ready()), Ok)


def test_who_sets_up_a_table_is_its_host_in_its_first_seat(world: Any) -> None:
    ann = world.player("Ann")
    options = TableOptions(max_seats=4, turn_seconds=30)
    seen = len(ann.inbox)
    ann.do(CreateTable, options=options)
    assert [type(message) for message in ann.inbox[seen:]] == [Table, Ok]
    table = ann.last(Table)
    assert (table.host, table.stage, table.game, table.options) == (ann.id, "waiting", 0, options)
    assert [(seat.player, seat.name, seat.connected) for seat in table.seats] == [
        (ann.id, "Ann", True)
    ]
    assert ann.refused(CreateTable, options=options) == "already_at_table"
    assert ann.refused(JoinTable, code=table.code) == "already_at_table"
    assert ann.refused(WatchTable, code=table.code) == "already_at_table"


def test_no_table_has_that_code(world: Any) -> None:
    ann = world.player("Ann")
    code = world.player("Bob")
    code.do(CreateTable, options=TableOptions())
    other = "BBBB" if code.last(Table).code != "BBBB" else "CCCC"
    assert ann.refused(JoinTable, code=other) == "no_such_table"
    assert ann.refused(WatchTable, code=other) == "no_such_table"
    assert ann.refused(LeaveTable) == "not_at_table"
    assert ann.refused(Say, text="hello?") == "not_at_table"
    assert ann.refused(Act, seq=0, action=Pass()) == "not_at_table"


def test_a_full_table_can_be_watched(world: Any) -> None:
    ann, _ = world.table(players=2, start=False, options=TableOptions(min_seats=2, max_seats=2))
    eve = world.player("Eve")
    code = ann.last(Table).code
    assert eve.refused(JoinTable, code=code) == "table_full"
    eve.do(WatchTable, code=code)
    assert ann.last(Table).watchers == (WatcherInfo(eve.id, "Eve"),)
    assert eve.refused(TakeSeat) == "table_full"
    ann.do(LeaveTable)
    eve.do(TakeSeat)
    assert eve.seat == 1
    assert eve.last(Table).watchers == ()
    assert eve.refused(TakeSeat) == "already_seated"


def test_a_running_game_can_be_watched_but_not_joined(world: Any) -> None:
    people = world.table(players=2)
    eve = world.player("Eve")
    code = people[0].last(Table).code
    assert eve.refused(JoinTable, code=code) == "game_running"
    seen = len(eve.inbox)
    eve.do(WatchTable, code=code)
    assert [type(message) for message in eve.inbox[seen:]] == [Table, Update, Ok]
    assert eve.last(Update).you is None
    assert eve.last(Update).events == ()
    assert eve.refused(TakeSeat) == "game_running"
    assert eve.refused(StartGame) == "not_host"
    assert people[0].refused(ChangeOptions, options=TableOptions()) == "game_running"
    assert people[0].refused(AddBot) == "game_running"
    assert people[0].refused(RemoveBot, seat=1) == "game_running"
    assert people[0].refused(StartGame) == "game_running"
    assert people[0].refused(AnswerFlowers, days=1) == "game_running"


def test_only_the_host_sets_up(world: Any) -> None:
    _ann, bob, eve = world.table(players=2, watchers=1, start=False)
    for guest in (bob, eve):
        requests: list[tuple[Any, Any]] = [
            (ChangeOptions, {"options": TableOptions()}),
            (AddBot, {}),
            (RemoveBot, {"seat": 0}),
            (StartGame, {}),
        ]
        for request, fields in requests:
            assert guest.refused(request, **fields) == "not_host"
    assert eve.refused(AnswerFlowers, days=0) == "not_seated"


def test_the_host_adds_and_removes_bots(world: Any) -> None:
    ann, bob = world.table(players=2, start=False, options=TableOptions(min_seats=2, max_seats=4))
    ann.do(AddBot)
    ann.do(AddBot)
    assert ann.refused(AddBot) == "table_full"
    seats = bob.last(Table).seats
    assert [seat.player for seat in seats] == [ann.id, bob.id, None, None]
    assert all(seat.name.startswith("Bot ") for seat in seats[2:])
    assert seats[2].name != seats[3].name
    for seat in (0, 1, 5):
        assert ann.refused(RemoveBot, seat=seat) == "not_a_bot"
    ann.do(RemoveBot, seat=2)
    assert [seat.name for seat in bob.last(Table).seats] == ["Ann", "Bob", seats[3].name]


@pytest.mark.parametrize(
    "options",
    [
        TableOptions(min_seats=5, max_seats=4),
        TableOptions(min_seats=2, max_seats=2),
        TableOptions(rules=SkullOptions(last_chance=True, equipment="cards")),
        TableOptions(max_seats=4, rules=SkullOptions(first_player=4)),
    ],
    ids=["least above most", "fewer seats than taken", "cards and Last Chance", "nobody starts"],
)
def test_options_that_cannot_be_meant(world: Any, options: TableOptions) -> None:
    ann, bob, _ = world.table(players=3, start=False)
    before = ann.last(Table)
    assert ann.refused(ChangeOptions, options=options) == "bad_options"
    assert bob.last(Table) == before
    if options.max_seats > 2:
        assert world.player("Gus").refused(CreateTable, options=options) == "bad_options"


def test_options_change_for_all_to_see(world: Any) -> None:
    ann, bob = world.table(players=2, start=False)
    options = TableOptions(min_seats=2, turn_seconds=0, rules=SkullOptions(practice=True))
    ann.do(ChangeOptions, options=options)
    assert bob.last(Table).options == options


def test_a_game_needs_enough_players_and_somebody_in_the_first_seat(world: Any) -> None:
    ann, bob = world.table(players=2, start=False, options=TableOptions())
    assert ann.refused(StartGame) == "too_few_players"
    options = TableOptions(min_seats=2, rules=SkullOptions(first_player=4))
    ann.do(ChangeOptions, options=options)
    assert ann.refused(StartGame) == "bad_options"
    assert bob.last(Table).stage == "waiting"


def test_who_last_gave_flowers_starts(world: Any) -> None:
    ann, bob, cem = world.table(players=3, start=False)
    ann.do(AnswerFlowers, days=30)
    cem.do(AnswerFlowers, days=None)
    assert [seat.answered for seat in ann.last(Table).seats] == [True, False, True]
    bob.do(AnswerFlowers, days=2)
    ann.do(StartGame)
    assert ann.last(Update).view.starter == 1


def test_the_start_is_told_to_all_in_order(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, start=False)
    seen = [len(person.inbox) for person in (ann, bob, eve)]
    ann.do(StartGame)
    assert [type(message) for message in ann.inbox[seen[0] :]] == [Table, Update, Ok]
    assert [type(message) for message in bob.inbox[seen[1] :]] == [Table, Update]
    assert [type(message) for message in eve.inbox[seen[2] :]] == [Table, Update]
    assert ann.last(Table).stage == "playing"
    assert ann.last(Table).game == 1
    assert ann.last(Update).seq == 0
    assert ann.last(Update).events
    assert ann.last(Update).you.seat == 0


def test_after_the_game_a_rematch_and_numbers_go_on(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    play_out([ann, bob])
    over = ann.last(Update)
    assert over.view.winner == 0
    assert over.clock_ms is None
    assert isinstance(ann.inbox[-2], Table)
    assert (bob.last(Table).stage, bob.last(Table).game) == ("finished", 1)
    assert bob.refused(Act, seq=over.seq, action=Place("F")) == "no_game"
    bob.lose()
    bob = world.player("Bob", bob.token)
    assert bob.last(Update).view == over.view
    ann.do(StartGame)
    again = bob.last(Update)
    assert again.seq == over.seq + 1
    assert again.view.winner is None
    assert [seat.points for seat in again.view.seats] == [0, 0]
    assert (bob.last(Table).stage, bob.last(Table).game) == ("playing", 2)


def test_between_games_people_come_and_go(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    play_out([ann, bob])
    bob.do(LeaveTable)
    cem = world.player("Cem")
    seen = len(cem.inbox)
    cem.do(JoinTable, code=ann.last(Table).code)
    assert [type(message) for message in cem.inbox[seen:]] == [Table, Ok]
    ann.do(StartGame)
    assert cem.last(Update).you.seat == 1


@pytest.mark.parametrize("change", [JoinTable, TakeSeat, AddBot, LeaveTable])
def test_a_finished_game_is_not_shown_with_other_seats_than_its_own(
    world: Any, change: type[Any]
) -> None:
    """Newcomers could not tell who played in which seat."""
    ann, bob, eve = world.table(players=2, watchers=1, options=FIRST_STARTS)
    play_out([ann, bob])
    code = ann.last(Table).code
    gus = world.player("Gus")
    gus.do(WatchTable, code=code)
    assert gus.last(Update).view.winner == 0
    if change is JoinTable:
        world.player("Hal").do(JoinTable, code=code)
    else:
        {TakeSeat: eve, AddBot: ann, LeaveTable: bob}[change].do(change)
    ivy = world.player("Ivy")
    ivy.do(WatchTable, code=code)
    assert ivy.count(Update) == 0
    assert ivy.last(Table).stage == "finished"
    ann.do(AddBot)
    ann.do(StartGame)
    assert ivy.last(Update).events


def test_leaving_before_the_game_frees_the_seat(world: Any) -> None:
    ann, bob, cem = world.table(players=3, start=False)
    seen = len(bob.inbox)
    bob.do(LeaveTable)
    assert [type(message) for message in bob.inbox[seen:]] == [LeftTable, Lobby, Ok]
    assert [seat.name for seat in ann.last(Table).seats] == ["Ann", "Cem"]
    assert cem.seat == 1


def test_a_bot_takes_over_from_who_leaves_a_running_game(world: Any) -> None:
    ann, bob, cem = world.table(players=3, options=FIRST_STARTS)
    stack = ann.last(Update).view.seats
    bob.do(LeaveTable)
    seats = ann.last(Table).seats
    assert [seat.player for seat in seats] == [ann.id, None, cem.id]
    assert seats[1].name.startswith("Bot ")
    assert ann.last(Update).view.seats == stack
    world.time.advance(world.limits.bot_delay * 2)
    assert ann.last(Update).view.seats[1].stack == (None,)
    bob.do(CreateTable, options=TableOptions())


def test_the_host_leaving_passes_the_host_on_to_who_is_there_longest(world: Any) -> None:
    ann, bob, cem, dee = world.table(players=3, watchers=1, bots=1, start=False)
    bob.lose()
    ann.do(LeaveTable)
    assert cem.last(Table).host == cem.id
    cem.do(LeaveTable)
    assert dee.last(Table).host == dee.id
    dee.do(TakeSeat)
    dee.do(AddBot)
    back = world.player("Bob", bob.token)
    assert back.last(Table).host == dee.id


def test_a_table_without_people_is_closed_at_once(world: Any) -> None:
    ann, bob = world.table(players=2, bots=2)
    lobby = world.player("Eve")
    world.time.advance(1)
    ann.do(LeaveTable)
    assert list(world.server.lobby.tables())
    bob.do(LeaveTable)
    assert not list(world.server.lobby.tables())
    world.time.advance(1)
    code = ann.last(Table).code
    assert lobby.refused(WatchTable, code=code) == "no_such_table"
    for person in (ann, bob, lobby):
        person.lose()
    world.time.advance(world.limits.absence)
    assert not world.server.inputs.timers, "nothing is left to happen"


@pytest.mark.parametrize("start", [True, False])
def test_a_table_that_everybody_lost_is_closed_after_a_while(world: Any, start: bool) -> None:
    people = world.table(players=2, bots=1, watchers=1, start=start)
    for person in people:
        person.lose()
    seconds = world.limits.empty_table if start else world.limits.absence
    world.time.advance(seconds - 1)
    assert list(world.server.lobby.tables())
    world.time.advance(1.5)
    assert not list(world.server.lobby.tables())
    world.time.advance(world.limits.absence)
    assert not world.server.inputs.timers
    assert len(world.server.sessions) == 0


def test_chat_reaches_everybody_at_the_table_and_nobody_else(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1)
    far = world.player("Gus")
    eve.do(Say, text="  good   luck [b]all[/b] ")
    for person in (ann, bob, eve):
        assert person.last(Chat) == Chat(eve.id, "Cem", "good luck [b]all[/b]")
    assert far.count(Chat) == 0
    for text in ("", "  ", "\x1b[2J", "a\u202eb", "x" * 201, "z" + "\u0300" * 9):
        assert eve.refused(Say, text=text) == "bad_text"
    assert ann.count(Chat) == 1


def test_an_action_on_an_older_state_is_stale(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    seq = bob.last(Update).seq
    assert isinstance(bob.act(Place("F")), Ok)
    answer = bob.act(Place("F"), seq=seq)
    assert answer.code == "stale"
    assert ann.act(Place("F"), seq=seq).code == "stale", "it became Ann's turn after that"
    assert ann.act(Place("F"), seq=seq + 2).code == "stale", "nobody can have seen it yet"
    assert isinstance(ann.act(Place("F"), seq=seq + 1), Ok)


def test_choices_at_the_same_time_do_not_make_each_other_stale(world: Any) -> None:
    people = world.table(players=4, options=FIRST_STARTS)
    seq = people[0].last(Update).seq
    for seat in (3, 1, 2):
        assert isinstance(people[seat].act(Place("S"), seq=seq), Ok)


def test_an_old_game_makes_actions_stale_in_the_next(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    play_out([ann, bob])
    seq = bob.last(Update).seq
    ann.do(StartGame)
    assert bob.act(Place("F"), seq=seq).code == "stale"
    assert isinstance(bob.act(Place("F")), Ok)
    bob.do(Ping)
