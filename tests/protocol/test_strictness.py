"""Whatever is not exactly a message is refused as `BadFrame` or `BadMessage`, and nothing else."""

from typing import Any

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skull_protocol.codec import (
    HEADER,
    MAX_DEPTH,
    MAX_PUSH,
    MAX_REQUEST,
    BadFrame,
    BadMessage,
    FrameSplitter,
    encode,
)
from skull_protocol.pushes import PUSHES, Error
from skull_protocol.requests import REQUESTS, Act, CreateTable, Hello, Say
from skull_protocol.skull import Bid, Place, SkullOptions
from skull_protocol.tables import TableOptions
from skull_protocol.text import shown

PING = {"type": "ping", "id": 7}
BID = {"type": "skull.bid", "amount": 2}
ACT = {"type": "act", "id": 7, "seq": 3, "action": BID}
RULES = {"game": "skull"}
TABLE = {"type": "create_table", "id": 7, "options": {"rules": RULES}}
HELLO = {"type": "hello", "id": 7, "protocol": 1, "name": "Ann", "token": None}


def packed(value: object) -> bytes:
    return bytes(msgpack.packb(value))


def refused(body: bytes) -> BadFrame | BadMessage:
    with pytest.raises((BadFrame, BadMessage)) as caught:
        REQUESTS.parse(body)
    assert isinstance(caught.value, BadFrame | BadMessage)
    return caught.value


def test_the_messages_that_the_others_here_are_bent_from_are_good() -> None:
    for good in (PING, ACT, TABLE, HELLO):
        REQUESTS.parse(packed(good))


@pytest.mark.parametrize(
    "bad",
    [
        {"id": 7},
        {"type": "nonsense", "id": 7},
        {"type": "Ping", "id": 7},
        {"type": "ok", "id": 7},
        {"type": None, "id": 7},
        {"type": 1, "id": 7},
        {"type": ["ping"], "id": 7},
        {**PING, "extra": 1},
        {**PING, "": None},
        {"type": "act", "id": 7, "seq": 3},
        {"type": "act", "id": 7, "action": BID},
        {"type": "hello", "id": 7, "protocol": 1, "name": "Ann"},
        {**HELLO, "token": "x" * 201},
        {**HELLO, "token": 5},
        {**HELLO, "name": "x" * 1001},
        {**HELLO, "protocol": -1},
        {**ACT, "action": {"type": "skull.bid"}},
        {**ACT, "action": {"amount": 2}},
        {**ACT, "action": {"type": "skull.nonsense"}},
        {**ACT, "action": {"type": "ping", "id": 8}},
        {**ACT, "action": {**BID, "extra": 1}},
        {**ACT, "action": {"type": "skull.place", "disc": "X"}},
        {**ACT, "action": {"type": "skull.place", "disc": "F\n"}},
        {**ACT, "action": {"type": "skull.place", "disc": "FF"}},
        {**ACT, "action": {"type": "skull.place", "disc": "Ac"}},
        {**ACT, "action": {"type": "skull.flip", "seat": 6}},
        {**ACT, "action": {"type": "skull.flip", "seat": -1}},
        {**ACT, "action": {"type": "skull.pick", "position": 4}},
        {**ACT, "action": {"type": "skull.abandon", "agree": 1}},
        {**ACT, "action": [BID]},
        {**ACT, "action": None},
        {**ACT, "seq": -1},
        {**TABLE, "options": None},
        {**TABLE, "options": []},
        {**TABLE, "options": {"rules": {"game": "chess"}}},
        {**TABLE, "options": {"rules": {**RULES, "type": "skull"}}},
        {**TABLE, "options": {"rules": {**RULES, "first_player": True}}},
        {**TABLE, "options": {"rules": {**RULES, "first_player": "anybody"}}},
        {**TABLE, "options": {"rules": {**RULES, "practice": 0}}},
        {**TABLE, "options": {"turn_seconds": 45}},
        {**TABLE, "options": {"turn_seconds": False}},
        {**TABLE, "options": {"turn_seconds": "30"}},
        {**TABLE, "options": {"min_seats": 1}},
        {**TABLE, "options": {"max_seats": 7}},
        {"type": "say", "id": 7, "phrase": "thanks"},
        {"type": "say_phrase", "id": 7},
        {"type": "say_phrase", "id": 7, "text": "thanks"},
        {"type": "say_phrase", "id": 7, "phrase": "Thanks!"},
        {"type": "say_phrase", "id": 7, "phrase": ""},
        {"type": "say_phrase", "id": 7, "phrase": None},
        {"type": "join_table", "id": 7, "code": "bcdf"},
        {"type": "join_table", "id": 7, "code": "BCDFG"},
        {"type": "join_table", "id": 7, "code": "BCDF\n"},
        {"type": "join_table", "id": 7, "code": "BCDA"},
    ],
    ids=repr,
)
def test_a_map_that_is_no_message_is_refused_alone_and_named(bad: dict[str, Any]) -> None:
    fault = refused(packed(bad))
    assert isinstance(fault, BadMessage)
    assert fault.id == 7


NO_INTEGERS: list[object] = [
    True,
    False,
    None,
    "2",
    "",
    [],
    {},
    [2],
    2**53,
    -(2**53),
    2**63,
    2**64 - 1,
    -(2**63),
]


@pytest.mark.parametrize("value", NO_INTEGERS, ids=repr)
def test_what_is_no_integer_on_the_wire_is_no_bid(value: object) -> None:
    fault = refused(packed({**ACT, "action": {**BID, "amount": value}}))
    assert isinstance(fault, BadMessage)
    assert fault.id == 7


@pytest.mark.parametrize("value", [1, 0, -1, 2**53 - 1, -(2**53) + 1])
def test_any_other_integer_is_a_bid_for_the_rules_to_judge(value: int) -> None:
    assert REQUESTS.parse(packed({**ACT, "action": {**BID, "amount": value}})) == Act(
        7, 3, Bid(value)
    )


@pytest.mark.parametrize("value", [*NO_INTEGERS, 0, -1], ids=repr)
def test_a_request_id_that_is_none_is_not_carried(value: object) -> None:
    fault = refused(packed({**PING, "id": value}))
    assert isinstance(fault, BadMessage)
    assert fault.id is None


@pytest.mark.parametrize(
    "value",
    [
        1.0,
        1.5,
        float("nan"),
        float("inf"),
        float("-inf"),
        b"2",
        msgpack.Timestamp(1, 2),
        msgpack.ExtType(5, b"x"),
        [1.0],
        {"x": b""},
    ],
    ids=repr,
)
def test_kinds_of_value_that_no_message_has_break_the_frame(value: object) -> None:
    for bad in ({**ACT, "action": {**BID, "amount": value}}, {**PING, "id": value}, {"x": value}):
        assert isinstance(refused(packed(bad)), BadFrame)


@pytest.mark.parametrize("value", [1, None, "ping", [], [PING], True, 1.5, b"", 2**63])
def test_a_body_is_one_map(value: object) -> None:
    assert isinstance(refused(packed(value)), BadFrame)


def pairs(*fields: tuple[object, object]) -> bytes:
    """A map as it stands, with whatever keys."""
    return bytes([0x80 | len(fields)]) + b"".join(packed(k) + packed(v) for k, v in fields)


def nested(*fields: tuple[object, object]) -> bytes:
    """A `create_table` whose rules are a map as it stands."""
    rules = packed("rules") + pairs(*fields)
    return (
        b"\x83"
        + pairs(("type", "create_table"), ("id", 7))[1:]
        + packed("options")
        + b"\x81"
        + rules
    )


def test_maps_built_by_hand_are_good_where_their_keys_are() -> None:
    assert REQUESTS.parse(nested(("game", "skull"), ("practice", True))) == CreateTable(
        7, TableOptions(SkullOptions(practice=True))
    )


@pytest.mark.parametrize("key", [1, None, True, 1.5, b"type", b"x", [], (1,)], ids=repr)
def test_keys_are_strings(key: object) -> None:
    refused(pairs(("type", "ping"), ("id", 7), (key, 1)))
    refused(pairs((key, "ping"), ("id", 7)))
    refused(nested(("game", "skull"), (key, 1)))


def test_no_key_stands_twice() -> None:
    twice = [
        pairs(("type", "ping"), ("id", 7), ("id", 7)),
        pairs(("type", "ping"), ("type", "ping"), ("id", 7)),
        nested(("game", "skull"), ("practice", True), ("practice", True)),
    ]
    for body in twice:
        assert "twice" in str(refused(body))


def test_every_truncation_and_every_trailing_byte_breaks_the_frame() -> None:
    for good in (PING, ACT, TABLE, HELLO):
        body = packed(good)
        for end in range(len(body)):
            assert isinstance(refused(body[:end]), BadFrame)
        for extra in (b"\x00", b"\xc0", b"\xc1", body):
            assert isinstance(refused(body + extra), BadFrame)


@pytest.mark.parametrize(
    "body",
    [
        b"\xc1",
        b"\x81\xa4type\xa4\xff\xfe\xfd\xfc",  # not UTF-8
        b"\x81\xa4type\xa3\xed\xa0\x80",  # a lone surrogate
        b"\xdf\xff\xff\xff\xff",
        b"\x81\xa4type\xdd\xff\xff\xff\xff",
        b"\x81\xa4type\xdb\xff\xff\xff\xff",
        b"\x81\xa4type\xc9\xff\xff\xff\xff\x05",
        b"\x81\xa4type\xd5\xff\x00\x00",  # a timestamp of the wrong length
        b"\x81\xa4type\xc7\x0c\xff" + b"\xff" * 12,  # a timestamp with too many nanoseconds
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ],
    ids=repr,
)
def test_bytes_that_are_not_msgpack_or_promise_too_much(body: bytes) -> None:
    assert isinstance(refused(body), BadFrame)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100, 1000, 4000, 200_000])
@pytest.mark.parametrize("level", [b"\x91", b"\x81\xa1a"], ids=["arrays", "maps"])
def test_deep_nesting_breaks_the_frame(depth: int, level: bytes) -> None:
    assert isinstance(refused(b"\x81\xa4type" + level * depth + b"\xc0"), BadFrame)
    assert isinstance(refused(level * depth + b"\xc0"), BadFrame)


def test_nesting_as_deep_as_allowed_is_only_an_unknown_message() -> None:
    body = b"\x81\xa4type" + b"\x91" * (MAX_DEPTH - 1) + b"\xc0"
    assert isinstance(refused(body), BadMessage)
    assert isinstance(refused(b"\x81\xa4type" + b"\x91" * MAX_DEPTH + b"\xc0"), BadFrame)


def test_a_crowd_of_empty_maps_breaks_the_frame() -> None:
    crowd = b"\xdc\xea\x60" + b"\x80" * 60_000
    assert isinstance(refused(crowd), BadFrame)
    assert isinstance(refused(b"\x81\xa4type" + crowd), BadFrame)
    with pytest.raises(BadFrame):
        list(FrameSplitter(MAX_REQUEST).feed(len(crowd).to_bytes(4, "big") + crowd))


@pytest.mark.parametrize("each", [b"\x80", b"\x90", b"\x81\xa1a\x80", b"\x91\x90"])
def test_a_crowd_is_refused_as_such_and_not_unpacked_to_its_end(each: bytes) -> None:
    """It would take as long as hundreds of requests; what a message may hold is not a crowd."""
    crowd = b"\x81\xa4type" + b"\xdc\x03\xe8" + each * 1000
    assert "more maps" in str(refused(crowd))
    few = b"\x81\xa4type" + b"\x9a" + each * 10
    assert "unknown message type" in str(refused(few))


@pytest.mark.parametrize("length", [0, MAX_REQUEST + 1, 2**31, 2**32 - 1])
def test_a_length_out_of_range_is_refused_with_its_header(length: int) -> None:
    splitter = FrameSplitter(MAX_REQUEST)
    header = length.to_bytes(HEADER, "big")
    assert not list(splitter.feed(header[:3]))
    with pytest.raises(BadFrame):
        list(splitter.feed(header[3:]))


@pytest.mark.parametrize("limit", [MAX_REQUEST, MAX_PUSH])
def test_the_longest_frame_allowed_is_let_through(limit: int) -> None:
    body = b"\x00" * limit
    assert list(FrameSplitter(limit).feed(limit.to_bytes(4, "big") + body)) == [body]


def test_frames_before_a_broken_one_are_still_given() -> None:
    good = encode(Say(1, "hello"))
    bodies = FrameSplitter(MAX_REQUEST).feed(good + good + b"\xff" * 4)
    assert [next(bodies), next(bodies)] == [good[HEADER:]] * 2
    with pytest.raises(BadFrame):
        next(bodies)


@pytest.mark.parametrize("name", ["\x1b[2J\x07", "\u202eevil", "x" * 3000, "a" + "\u0301" * 900])
def test_the_reason_can_be_shown_and_sent_whatever_it_quotes(name: str) -> None:
    for bad in ({**PING, name: 1}, {**ACT, "action": {"type": name}}, {"type": name, "id": 7}):
        reason = str(refused(packed(bad)))
        assert shown(reason) == reason
        PUSHES.parse(encode(Error(7, "bad_message", reason))[HEADER:])


def total(body: bytes) -> None:
    """Both directions parse it, or refuse it; nothing else comes out."""
    for catalogue in (REQUESTS, PUSHES):
        try:
            catalogue.parse(body)
        except (BadFrame, BadMessage) as fault:
            str(fault).encode()


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_get_anything_else_out_of_the_parser(body: bytes) -> None:
    total(body)
    total(b"\x82\xa2id\x07\xa4type" + body)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(good=st.sampled_from([PING, ACT, TABLE, HELLO]), data=st.data(), value=plain)
def test_no_value_in_any_place_gets_anything_else_out_of_the_parser(
    good: dict[str, Any], data: st.DataObject, value: object
) -> None:
    total(packed({**good, data.draw(st.sampled_from(sorted(good))): value}))
    total(packed({**good, data.draw(st.text(max_size=5)): value}))
    total(packed({**ACT, "action": {**BID, data.draw(st.sampled_from(sorted(BID))): value}}))


MESSAGES = [
    Hello(1, 1, "Ann", None),
    Act(2, 5, Place("F")),
    Act(3, 6, Bid(4)),
    CreateTable(4, TableOptions(rules=SkullOptions(first_player=2), turn_seconds=30)),
]


@settings(max_examples=300, deadline=None)
@given(
    message=st.sampled_from(MESSAGES),
    changes=st.lists(st.tuples(st.integers(0, 2**16), st.binary(max_size=3)), max_size=3),
    step=st.integers(1, 50),
)
def test_mutated_frames_get_nothing_else_out_of_splitter_or_parser(
    message: msgspec.Struct, changes: list[tuple[int, bytes]], step: int
) -> None:
    stream = bytearray(encode(message) + encode(message))  # type: ignore[arg-type]
    for at, instead in changes:
        at %= len(stream)
        stream[at : at + 1] = instead
    splitter = FrameSplitter(MAX_REQUEST)
    try:
        for start in range(0, len(stream), step):
            for body in splitter.feed(bytes(stream[start : start + step])):
                total(body)
    except BadFrame:
        pass
