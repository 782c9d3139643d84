"""Bad input: a clear error to that peer alone, state unchanged, everybody else plays on."""

import struct
from typing import Any

import msgpack
import pytest

from skull_protocol.codec import MAX_REQUEST
from skull_protocol.pushes import Error, Ok, Update
from skull_protocol.requests import Act, Ping
from skull_protocol.skull import Bid, Flip, NameStarter, Pass, Pick, Place, SkullOptions
from skull_protocol.tables import TableOptions

FIRST_STARTS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


def framed(fields: Any) -> bytes:
    body: bytes = msgpack.packb(fields)
    return len(body).to_bytes(4, "big") + body


def act(action: Any, **more: Any) -> bytes:
    return framed({"type": "act", "id": 900_000, "seq": 0, "action": action, **more})


NO_FRAMES = {
    "too long": (MAX_REQUEST + 1).to_bytes(4, "big"),
    "four billion": b"\xff\xff\xff\xff",
    "empty": b"\0\0\0\0",
    "not msgpack": b"\0\0\0\x01\xc1",
    "cut short inside": b"\0\0\0\x02\x82\xa1",
    "not a map": framed([1, 2]),
    "http": b"GET / HTTP/1.1\r\nHost: skull\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64),
    "nan": framed({"type": "ping", "id": float("nan")}),
    "extension": framed({"type": "ping", "id": msgpack.ExtType(4, b"x")}),
    "key twice": b"\0\0\0\x0f\x82\xa4type\xa1x\xa4type\xa1y",
    "a thousand deep": b"\0\0\x03\xf0\x81\xa1x" + b"\x91" * 1004 + b"\xc0",
    "no utf-8": b"\0\0\0\x07\x81\xa4type\xa1\xff",
}

NO_MESSAGES = {
    "unknown type": framed({"type": "steal", "id": 900_000}),
    "no type": framed({"id": 900_000}),
    "type is no text": framed({"type": 7, "id": 900_000}),
    "extra field": framed({"type": "ping", "id": 900_000, "seat": 2}),
    "missing field": framed({"type": "act", "id": 900_000, "seq": 0}),
    "id is text": framed({"type": "ping", "id": "1"}),
    "id is true": framed({"type": "ping", "id": True}),
    "id is 0": framed({"type": "ping", "id": 0}),
    "id is 2**63": framed({"type": "ping", "id": 2**63}),
    "for somebody else": act({"type": "skull.pass"}, seat=1),
    'bid "2"': act({"type": "skull.bid", "amount": "2"}),
    "bid true": act({"type": "skull.bid", "amount": True}),
    "bid 2**63": act({"type": "skull.bid", "amount": 2**63}),
    "bid nothing": act({"type": "skull.bid", "amount": None}),
    "unknown disc": act({"type": "skull.place", "disc": "X"}),
    "unknown action": act({"type": "skull.cheat"}),
    "flip seat 9": act({"type": "skull.flip", "seat": 9}),
    "seq below 0": act({"type": "skull.pass"}, seq=-1),
    "table code in small letters": framed({"type": "join_table", "id": 9, "code": "bcdf"}),
}


@pytest.mark.parametrize("raw", NO_FRAMES.values(), ids=NO_FRAMES)
@pytest.mark.parametrize("greeted", [True, False], ids=["player", "stranger"])
def test_what_is_no_frame_closes_that_connection_alone(
    world: Any, raw: bytes, greeted: bool
) -> None:
    people = world.table(players=3, watchers=1)
    offender = world.player("Mallory") if greeted else world.peer()
    before, heard = world.secrets(), [len(person.inbox) for person in people]
    offender.send_bytes(raw)
    answer = offender.last(Error)
    assert answer.code == "bad_frame"
    assert "skull-client" in answer.message
    world.time.advance(0)
    assert not offender.open
    assert world.secrets() == before
    assert [len(person.inbox) for person in people] == heard
    people[1].do(Ping)


@pytest.mark.parametrize("raw", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_is_refused_and_the_next_is_heard(world: Any, raw: bytes) -> None:
    people = world.table(players=3, watchers=1, options=FIRST_STARTS)
    offender = people[1]
    before, heard = world.secrets(), [len(person.inbox) for person in people]
    offender.send_bytes(raw)
    assert isinstance(offender.inbox[-1], Error)
    assert offender.inbox[-1].code == "bad_message"
    assert world.secrets() == before
    heard[1] += 1
    assert [len(person.inbox) for person in people] == heard
    assert isinstance(offender.act(Place("F")), Ok)


def test_a_fraction_is_no_bid(world: Any) -> None:
    """No message has a fraction, so its frame is none; 1.5 is not taken for 1."""
    people = world.table(players=2, options=FIRST_STARTS)
    before = world.secrets()
    people[0].send_bytes(act({"type": "skull.bid", "amount": 1.5}))
    assert people[0].last(Error).code == "bad_frame"
    assert world.secrets()[1:] == before[1:]
    assert isinstance(people[1].act(Place("F")), Ok)


@pytest.mark.parametrize("raw", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_a_stranger_who_speaks_nonsense_is_told_and_closed(world: Any, raw: bytes) -> None:
    stranger = world.peer()
    stranger.send_bytes(raw)
    world.time.advance(0)
    assert stranger.last(Error).code == "bad_message"
    assert not stranger.open


def test_a_request_before_hello(world: Any) -> None:
    stranger = world.peer()
    assert stranger.refused(Ping) == "hello_first"
    world.time.advance(0)
    assert not stranger.open


def all_placed(world: Any, discs: str = "FFF") -> Any:
    """Three people of whom the first is to place or bid."""
    people = world.table(players=3, watchers=1, options=FIRST_STARTS)
    for seat in (1, 2, 0):
        assert isinstance(people[seat].act(Place(discs[seat])), Ok)
    return people


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (0, Bid(0), "bid_out_of_range"),
        (0, Bid(-1), "bid_out_of_range"),
        (0, Bid(4), "bid_out_of_range"),
        (0, Bid(2**53 - 1), "bid_out_of_range"),
        (1, Bid(1), "not_your_turn"),
        (1, Place("F"), "not_your_turn"),
        (0, Pass(), "cannot_pass"),
        (0, Flip(0), "wrong_phase"),
        (0, Place("7h"), "not_in_hand"),
        (1, Pick(0), "wrong_phase"),
        (2, NameStarter(0), "wrong_phase"),
        (3, Bid(1), "not_seated"),
    ],
)
def test_an_action_that_is_not_allowed_changes_nothing(
    world: Any, seat: int, action: Any, code: str
) -> None:
    people = all_placed(world)
    before, heard = world.secrets(), [len(person.inbox) for person in people]
    answer = people[seat].act(action)
    assert isinstance(answer, Error)
    assert answer.code == code
    assert answer.message
    assert world.secrets() == before
    heard[seat] += 1
    assert [len(person.inbox) for person in people] == heard
    assert isinstance(people[0].act(Bid(1)), Ok)


def test_flips_out_of_order_and_other_peoples_choices(world: Any) -> None:
    people = all_placed(world, "FSF")
    assert isinstance(people[0].act(Bid(3)), Ok)
    before = world.secrets()
    for seat, action, code in [
        (0, Flip(1), "own_stack_first"),
        (1, Flip(0), "not_your_turn"),
        (0, Flip(5), "out_of_range"),
    ]:
        answer = people[seat].act(action)
        assert isinstance(answer, Error)
        assert (answer.code in (code, "nothing_to_flip", "own_stack_first")) is True
        assert world.secrets() == before
    assert isinstance(people[0].act(Flip(0)), Ok)
    assert isinstance(people[0].act(Flip(1)), Ok)
    before = world.secrets()
    assert people[0].last(Update).view.phase == "pick"
    for seat in (0, 2):
        assert isinstance(people[seat].act(Pick(0)), Error)
    assert isinstance(people[1].act(Pick(4)), Error)
    assert world.secrets() == before
    assert isinstance(people[1].act(Pick(3)), Ok)


def test_a_reason_for_refusal_is_safe_and_short_whatever_it_quotes(world: Any) -> None:
    player = world.player("Ann")
    player.send_bytes(framed({"type": "ping", "id": 5, "\x1b[31m" + "é" * 1500: 1}))
    assert player.last(Error).code == "bad_message"
    assert "\x1b" not in player.last(Error).message
    assert len(player.last(Error).message) < 400


def test_a_frame_may_come_byte_by_byte_and_many_at_once(world: Any) -> None:
    player = world.player("Ann")
    frames = b"".join(framed({"type": "ping", "id": number}) for number in range(50, 60))
    for byte in frames:
        player.send_bytes(struct.pack("B", byte))
    player.send_bytes(frames)
    assert [answer.id for answer in player.inbox if isinstance(answer, Ok)][-20:] == [
        *range(50, 60),
        *range(50, 60),
    ]


@pytest.mark.interpreted
def test_a_fault_in_the_server_is_told_to_that_player_and_logged(
    world: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people = world.table(players=2, options=FIRST_STARTS)
    (table,) = world.server.lobby.tables()
    monkeypatch.setattr(type(table), "act", lambda *_: 1 // 0)
    assert people[1].refused(Act, seq=0, action=Pass()) == "internal"
    assert "ZeroDivisionError" in caplog.text
    monkeypatch.undo()
    assert isinstance(people[1].act(Place("F")), Ok)
