"""Who is who: hello, tokens, coming back, and requests that come twice."""

from typing import Any

import msgpack
import pytest

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import encode
from skull_protocol.pushes import Chat, Error, Goodbye, Lobby, Ok, Table, Update, Welcome
from skull_protocol.requests import (
    Act,
    CreateTable,
    Hello,
    JoinTable,
    LeaveTable,
    Ping,
    Say,
    WatchTable,
)
from skull_protocol.skull import Place, SkullOptions
from skull_protocol.tables import TableOptions, WatcherInfo

FIRST_STARTS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


@pytest.mark.parametrize(
    ("version", "side"), [(PROTOCOL_VERSION + 1, "skull-server"), (0, "skull-client")]
)
def test_another_version_is_told_which_side_to_upgrade(world: Any, version: int, side: str) -> None:
    """Even if its hello has fields that nobody knows yet."""
    peer = world.peer()
    peer.send_body(msgpack.packb({"type": "hello", "protocol": version, "who": {"name": "Ann"}}))
    world.time.advance(0)
    error = peer.last(Error)
    assert error.code == "version_mismatch"
    assert f"upgrade {side}" in error.message
    assert not peer.open


@pytest.mark.parametrize("version", ["1", True, None, -1, 2**40])
def test_a_version_that_is_no_version(world: Any, version: Any) -> None:
    peer = world.peer()
    hello = {"type": "hello", "id": 1, "protocol": version, "name": "Ann", "token": None}
    peer.send_body(msgpack.packb(hello))
    world.time.advance(0)
    assert peer.last(Error).code in ("bad_message", "version_mismatch")
    assert not peer.open
    assert len(world.server.sessions) == 0


def test_welcome_then_where_one_is_then_ok(world: Any) -> None:
    peer = world.player("  Zoe\u0301 ")
    assert [type(message) for message in peer.inbox] == [Welcome, Lobby, Ok]
    welcome = peer.inbox[0]
    assert welcome.name == "Zoé"
    assert not welcome.resumed
    assert len(welcome.token) * 4 >= 128


def test_a_second_hello_is_refused(world: Any) -> None:
    assert world.player("Ann").refused(Hello, protocol=1, name="Eve", token=None) == "bad_message"


def test_coming_back_finds_seat_table_and_game_as_left(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    bob.act(Place("S"))
    left = bob.last(Update)
    bob.lose()
    assert [seat.connected for seat in ann.last(Table).seats] == [True, False]
    back = world.player("whatever", bob.token)
    assert [type(message) for message in back.inbox] == [Welcome, Table, Update, Ok]
    assert back.last(Welcome).resumed
    assert back.last(Welcome).name == "Bob"
    assert back.id == bob.id
    assert back.seat == 1
    update = back.last(Update)
    assert (update.seq, update.view, update.you) == (left.seq, left.view, left.you)
    assert update.events == ()
    assert [seat.connected for seat in ann.last(Table).seats] == [True, True]


def test_coming_back_to_the_lobby_and_as_a_watcher(world: Any) -> None:
    ann, _bob, eve = world.table(players=2, watchers=1)
    eve.lose()
    back = world.player("Eve", eve.token)
    assert back.last(Update).you is None
    assert back.last(Table).watchers == (WatcherInfo(eve.id, "Cem"),)
    gus = world.player("Gus")
    gus.lose()
    assert [type(message) for message in world.player("Gus", gus.token).inbox] == [
        Welcome,
        Lobby,
        Ok,
    ]
    assert ann.open


def test_a_token_holds_until_the_next_one_was_used(world: Any) -> None:
    first = world.player("Ann")
    second = world.player("Ann", first.token)
    again = world.player("Ann", first.token)  # the second token never reached the client
    third = world.player("Ann", again.token)
    assert world.peer().hello("Ann", first.token).code == "bad_token"
    assert world.peer().hello("Ann", second.token).code == "bad_token"
    assert len({first.token, second.token, again.token, third.token}) == 4
    assert world.player("Ann", third.token).id == first.id
    assert world.player("Ann", third.token).id == first.id


def test_wrong_tokens_disturb_nobody(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    bob.lose()
    before, heard = world.secrets(), len(ann.inbox)
    impostor = world.peer()
    for guess in ("", "0" * 64, str(bob.id), bob.token[:-1], bob.token + "0", "Bob"):
        if impostor.open:
            answer = impostor.hello("Bob", guess)
            assert answer.code == "bad_token"
            world.time.advance(0)
    assert not impostor.open, "a few guesses are enough"
    assert world.secrets() == before
    assert len(ann.inbox) == heard
    assert world.player("Bob", bob.token).seat == 1


@pytest.mark.interpreted
def test_a_token_is_kept_as_a_hash_only(world: Any) -> None:
    ann = world.player("Ann")
    (session,) = {connection.session for connection in world.server._connections}
    assert ann.token not in repr([session.tokens, vars(world.server.sessions)])


def test_the_newer_connection_takes_over_and_the_death_of_the_old_one_changes_nothing(
    world: Any,
) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    tables = len(ann.inbox)
    back = world.player("Bob", bob.token)
    goodbye = bob.inbox[-1]
    assert isinstance(goodbye, Goodbye)
    assert not goodbye.retry
    world.time.advance(0)
    assert not bob.open
    world.wait(world.limits.absence + 1, ann, back)
    told = [message for message in ann.inbox[tables:] if isinstance(message, Table)]
    assert all(seat.connected for table in told for seat in table.seats)
    assert back.seat == 1
    assert isinstance(back.ask(Ping), Ok)


def test_the_same_request_five_times_across_reconnects_is_done_once(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    request = Act(id=777_777, seq=bob.last(Update).seq, action=Place("F"))
    for _ in range(5):
        assert bob.send(request) == Ok(777_777)
        bob.lose()
        bob = world.player("Bob", bob.token)
    assert bob.last(Update).view.seats[1].stack == (None,)
    assert ann.count(Update) == 2
    say = Say(id=777_778, text="once")
    for _ in range(3):
        assert bob.send(say) == Ok(777_778)
    assert ann.count(Chat) == 1


def test_a_refusal_is_remembered_as_well(world: Any) -> None:
    ann, bob = world.table(players=2, options=FIRST_STARTS)
    early = Act(id=5_000_000, seq=ann.last(Update).seq, action=Place("F"))
    refusal = ann.send(early)
    assert isinstance(refusal, Error)
    bob.act(Place("F"))
    assert ann.send(early) == refusal


def test_another_request_with_a_used_id_is_refused(world: Any) -> None:
    ann = world.player("Ann")
    assert isinstance(ann.send(CreateTable(id=50, options=TableOptions())), Ok)
    answer = ann.send(LeaveTable(id=50))
    assert isinstance(answer, Error)
    assert answer.code == "bad_message"
    assert isinstance(ann.send(CreateTable(id=50, options=TableOptions())), Ok)
    assert ann.count(Table) == 1


def test_a_hello_sent_again_is_a_return_of_the_same_player(world: Any) -> None:
    ann = world.player("Ann")
    peer = world.peer()
    hello = encode(Hello(id=3, protocol=PROTOCOL_VERSION, name="Ann", token=ann.token))
    peer.send_bytes(hello)
    assert peer.last(Welcome).player == ann.id


def test_the_place_of_a_lost_player_is_held_and_then_free(world: Any) -> None:
    ann, bob = world.table(players=2, start=False)
    bob.lose()
    world.wait(world.limits.absence - 1, ann)
    assert len(ann.last(Table).seats) == 2
    world.wait(1, ann)
    assert len(ann.last(Table).seats) == 1
    assert world.peer().hello("Bob", bob.token).code == "bad_token"
    newcomer = world.player("Bob")
    newcomer.do(JoinTable, code=ann.last(Table).code)


def test_a_watcher_who_is_lost_for_long_is_gone(world: Any) -> None:
    ann, _bob, eve = world.table(players=2, watchers=1)
    eve.lose()
    world.wait(world.limits.absence, ann)
    assert ann.last(Table).watchers == ()
    guest = world.player("Guest")
    guest.do(WatchTable, code=ann.last(Table).code)
