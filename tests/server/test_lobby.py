"""The lobby's list: live, told together, and untouched by moves."""

from typing import Any

from skull_protocol.pushes import Lobby, LobbyChanged, Ok, Table, Update
from skull_protocol.requests import (
    AddBot,
    ChangeOptions,
    CreateTable,
    JoinTable,
    LeaveTable,
    StartGame,
)
from skull_protocol.skull import Place, SkullOptions
from skull_protocol.tables import TableOptions

OPTIONS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


def test_those_in_the_lobby_hear_of_tables_as_they_change(world: Any) -> None:
    eve, ann, bob = (world.player(name) for name in ("Eve", "Ann", "Bob"))
    assert eve.last(Lobby).tables == ()
    ann.do(CreateTable, options=OPTIONS)
    code = ann.last(Table).code
    bob.do(JoinTable, code=code)
    ann.do(AddBot)
    assert eve.count(LobbyChanged) == 0, "told together, a moment later"
    world.time.advance(world.limits.lobby_interval)
    assert eve.count(LobbyChanged) == 1
    (summary,) = eve.last(LobbyChanged).changed
    assert (summary.code, summary.host, summary.stage) == (code, "Ann", "waiting")
    assert (summary.seated, summary.bots, summary.watchers) == (3, 1, 0)
    assert summary.options == OPTIONS
    ann.do(StartGame)
    world.time.advance(world.limits.lobby_interval)
    assert eve.last(LobbyChanged).changed[0].stage == "playing"
    assert ann.count(LobbyChanged) == bob.count(LobbyChanged) == 0
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    world.time.advance(world.limits.lobby_interval)
    assert eve.last(LobbyChanged).gone == (code,)


def test_moves_cause_no_lobby_push(world: Any) -> None:
    ann, bob = world.table(players=2, options=OPTIONS)
    eve = world.player("Eve")
    world.time.advance(1)
    pushes = eve.count(LobbyChanged)
    assert isinstance(bob.act(Place("F")), Ok)
    assert isinstance(ann.act(Place("F")), Ok)
    world.time.advance(1)
    assert eve.count(LobbyChanged) == pushes


def test_what_changed_and_changed_back_is_no_news(world: Any) -> None:
    (ann,) = world.table(players=1, start=False)
    eve = world.player("Eve")
    world.time.advance(1)
    pushes = eve.count(LobbyChanged)
    options = ann.last(Table).options
    ann.do(ChangeOptions, options=TableOptions(turn_seconds=30))
    ann.do(ChangeOptions, options=options)
    world.time.advance(1)
    assert eve.count(LobbyChanged) == pushes


def test_who_entered_between_a_change_and_its_undoing_is_not_misled(world: Any) -> None:
    (ann,) = world.table(players=1, start=False)
    world.time.advance(1)
    options = ann.last(Table).options
    ann.do(ChangeOptions, options=TableOptions(turn_seconds=30))
    eve = world.player("Eve")
    ann.do(ChangeOptions, options=options)
    world.time.advance(1)
    assert eve.count(LobbyChanged) == 0
    assert eve.last(Lobby).tables[0].options == options


def test_whoever_enters_ends_up_with_the_same_list(world: Any) -> None:
    """At whatever moment between two pushes they came."""

    def known(peer: Any) -> dict[str, Any]:
        tables: dict[str, Any] = {}
        for message in peer.inbox:
            if isinstance(message, Lobby):
                tables = {summary.code: summary for summary in message.tables}
            if isinstance(message, LobbyChanged):
                tables |= {summary.code: summary for summary in message.changed}
                for code in message.gone:
                    tables.pop(code, None)
        return tables

    watchers = [world.player("W0")]
    hosts = [world.player(f"Host{number}") for number in range(4)]
    for number, host in enumerate(hosts):
        host.do(CreateTable, options=OPTIONS)
        watchers.append(world.player(f"W{number}a"))
        if number % 2:
            host.do(LeaveTable)
        watchers.append(world.player(f"W{number}b"))
        world.time.advance(0.06)
    world.time.advance(1)
    wanted = {table.code: table.summary() for table in world.server.lobby.tables()}
    assert len(wanted) == 2
    for watcher in watchers:
        assert known(watcher) == wanted


def test_codes_differ(world: Any) -> None:
    hosts = [world.player(f"Host {number}") for number in range(30)]
    for host in hosts:
        host.do(CreateTable, options=OPTIONS)
    assert len({host.last(Table).code for host in hosts}) == 30
    assert hosts[0].count(Update) == 0
