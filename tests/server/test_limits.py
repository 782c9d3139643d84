"""Every limit holds, has a flag, and is felt by nobody but the one who reaches it."""

import argparse
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from skull_protocol.codec import encode
from skull_protocol.pushes import Chat, Error, Goodbye, Lobby, Ok, Table, Update
from skull_protocol.requests import AddBot, CreateTable, LeaveTable, Ping, Say, WatchTable
from skull_protocol.skull import Place, SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits

OPTIONS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))
FREE: Any = {"requests_per_second": 1e6, "request_burst": 10**6, "chat_burst": 10**6}


def flags() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    Limits.add_flags(parser)
    return parser


def test_every_limit_is_in_the_help_with_its_default() -> None:
    text = " ".join(flags().format_help().split())
    for limit in fields(Limits):
        assert f"--{limit.name.replace('_', '-')} " in text
        assert f"{limit.metadata['meaning']} (default: {limit.default})" in text


def test_flags_set_limits() -> None:
    parsed = flags().parse_args(["--tables", "7", "--silence", "2.5"])
    assert Limits.from_flags(parsed) == Limits(tables=7, silence=2.5)
    assert Limits.from_flags(flags().parse_args([])) == Limits()


@pytest.mark.parametrize("flag", [["--tables", "0"], ["--tables", "2.5"], ["--silence", "nan"]])
def test_limits_that_make_no_sense_are_refused(
    flag: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        flags().parse_args(flag)
    assert flag[0] in capsys.readouterr().err


def test_silence_after_connecting(world: Any) -> None:
    silent, slow = world.peer(), world.peer()
    for byte in b"\x00\x00\x00\x09":
        slow.send_bytes(bytes([byte]))
        world.time.advance(world.limits.hello_deadline / 5)
    assert silent.open
    world.time.advance(world.limits.hello_deadline / 5)
    for peer in (silent, slow):
        assert peer.last(Error).code == "hello_timeout"
        assert not peer.open


def test_a_silent_player_counts_as_lost_and_a_ping_is_enough(world: Any) -> None:
    ann, bob = world.table(players=2)
    world.wait(world.limits.silence * 3, ann)
    assert isinstance(bob.inbox[-1], Goodbye)
    assert bob.inbox[-1].retry
    assert not bob.open
    assert ann.open
    assert [seat.connected for seat in ann.last(Table).seats] == [True, False]


def test_bytes_that_make_no_request_do_not_count_as_life(world: Any) -> None:
    ann = world.player("Ann")
    for _ in range(3):
        world.time.advance(world.limits.silence / 3)
        ann.send_bytes(b"\0")
    assert not ann.open


def test_who_asks_too_fast_is_cut_off_alone(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(requests_per_second=20, request_burst=40))
    ann, bob = world.table(players=2, options=OPTIONS)
    world.time.advance(10)
    ping = encode(Ping(id=10**9))
    bob.send_bytes(ping * 40)
    assert bob.open
    assert bob.inbox.count(Ok(10**9)) == 40
    world.time.advance(1)
    bob.send_bytes(ping * 5000)
    assert bob.inbox.count(Ok(10**9)) == 60
    assert bob.inbox[-1].code == "too_fast"
    world.time.advance(0)
    assert not bob.open
    assert isinstance(ann.ask(Ping), Ok)


def test_bad_messages_count_as_requests(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(requests_per_second=1, request_burst=10))
    ann = world.player("Ann")
    for _ in range(20):
        if ann.open:
            ann.send_body(b"\x81\xa4type\xa1x")
            world.time.advance(0)
    codes = [message.code for message in ann.inbox if isinstance(message, Error)]
    assert codes == ["bad_message"] * 9 + ["too_fast"]


def test_refused_hellos_are_numbered(world: Any) -> None:
    world.player("Ann")
    peer = world.peer()
    for number in range(world.limits.hello_tries):
        world.time.advance(0)
        assert peer.open, number
        assert peer.hello("Ann").code == "name_taken"
    world.time.advance(0)
    assert not peer.open


def test_connections_from_one_address(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(connections_per_address=2))
    first, second = world.peer("10.1.1.1"), world.peer("10.1.1.1")
    third = world.peer("10.1.1.1")
    assert third.last(Error).code == "too_many_connections"
    world.time.advance(0)
    assert (first.open, second.open, third.open) == (True, True, False)
    assert isinstance(world.peer("10.1.1.2").hello("Ann"), Ok)
    first.lose()
    assert isinstance(world.peer("10.1.1.1").hello("Bob"), Ok)


def test_connections_and_players_in_all(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(connections=2))
    world.peer(), world.peer()
    assert world.peer().last(Error).code == "server_full"
    world = new_world(Limits(players=1))
    ann = world.player("Ann")
    peer = world.peer()
    assert peer.hello("Bob").code == "server_full"
    world.time.advance(0)
    assert not peer.open
    ann.lose()
    world.player("Ann", ann.token)


def test_tables_watchers_and_bots(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(tables=1, watchers=1, bots=2, **FREE))
    ann, _, _ = world.table(players=2, watchers=1, bots=2, start=False)
    assert ann.refused(AddBot) == "table_full"
    eve = world.player("Eve")
    assert eve.refused(CreateTable, options=OPTIONS) == "too_many_tables"
    assert eve.refused(WatchTable, code=ann.last(Table).code) == "too_many_watchers"


def test_answers_are_kept_for_so_many_requests(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(answers_kept=3, **FREE))
    ann, _ = world.table(players=2)
    chats = ann.count(Chat)
    says = [Say(id=10**9 + number, text="x") for number in range(4)]
    for say in says:
        ann.send(say)
    for say in says[1:]:
        ann.send(say)
    assert ann.count(Chat) == chats + 4
    ann.send(says[0])
    assert ann.count(Chat) == chats + 5


def test_who_stops_reading_is_cut_off_and_may_come_back(world: Any) -> None:
    people = world.table(players=3, options=OPTIONS)
    ann, bob, cem = people
    cem.reads = False
    for number in range(world.limits.queue_messages):
        ann.do(Say, text=f"line {number}")
        world.time.advance(0)
        assert cem.open
    ann.do(Say, text="one more")
    world.time.advance(0)
    assert not cem.open
    assert bob.count(Chat) == world.limits.queue_messages + 1
    assert not bob.last(Table).seats[2].connected
    assert isinstance(bob.act(Place("F")), Ok)
    cem = world.player("Cem", cem.token)
    assert cem.last(Update).view.seats[1].stack == (None,)


def test_a_slow_reader_who_keeps_up_stays(world: Any) -> None:
    """What counts is what waits now, however long the queue has not been empty."""
    ann, bob = world.table(players=2)
    bob.reads = False
    size = len(encode(Chat(ann.id, "Ann", "hello")))
    for _ in range(500):
        ann.do(Say, text="hello")
        bob.transport.waiting = min(bob.transport.waiting, 30 * size)
    world.time.advance(0)
    assert bob.open


def test_bytes_waiting_for_one_client(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(queue_bytes=5000, queue_messages=10**6, **FREE))
    ann, bob = world.table(players=2)
    bob.reads = False
    for _ in range(100):
        ann.do(Say, text="x" * 200)
    world.time.advance(0)
    assert not bob.open
    assert bob.transport.waiting < 5000 + 300


def test_the_longest_lobby_fits_in_a_frame_and_in_the_queue(world: Any) -> None:
    hosts = [world.player(f"{number:016}") for number in range(20)]
    options = TableOptions(pause_seconds=120, rules=SkullOptions(first_player="flowers"))
    for host in hosts:
        host.do(CreateTable, options=options)
    world.time.advance(1)
    eve = world.player("Eve")
    one = len(encode(eve.last(Lobby))) / 20
    assert one * Limits().tables < min(Limits().queue_bytes, 1024 * 1024) * 0.8


def test_one_write_for_each_receiver_for_each_action(world: Any) -> None:
    people = world.table(players=3, watchers=1, options=OPTIONS)
    before = [person.transport.writes for person in people]
    assert isinstance(people[1].act(Place("F")), Ok)
    assert [person.transport.writes for person in people] == [count + 1 for count in before]


def test_thousands_of_half_made_tables_leave_nothing_behind(world: Any) -> None:
    for number in range(2000):
        guest = world.player(f"Guest {number}")
        guest.do(CreateTable, options=OPTIONS)
        guest.do(AddBot)
        if number % 2:
            guest.do(LeaveTable)
        guest.lose()
        if number % 500 == 499:
            world.time.advance(world.limits.absence + 1)
    assert not list(world.server.lobby.tables())
    assert len(world.server.sessions) == 0
    assert not world.server.inputs.timers
