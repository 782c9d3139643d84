"""Every message comes out of the codec as it went in, however the stream is cut."""

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skull_protocol.codec import (
    HEADER,
    MAX_PUSH,
    MAX_REQUEST,
    NULL,
    FrameSplitter,
    encode,
    encode_part,
    frame_of,
)
from skull_protocol.errors import MEANINGS, ErrorCode
from skull_protocol.pushes import PUSHES, Update, update_head
from skull_protocol.requests import REQUESTS, CreateTable, Ping, Request, Say
from skull_protocol.tables import TableOptions
from skull_protocol.wire import Tagged

REQUEST_TYPES = list(REQUESTS.types.values())
PUSH_TYPES = list(PUSHES.types.values())


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that travels, its bounds included."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return constrained(inner[0], hint.__metadata__)
    if origin in (Union, UnionType):
        return st.one_of([values(part) for part in inner])
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(values(inner[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, inner))
    if hint is NoneType:
        return st.none()
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        fields = get_type_hints(hint, include_extras=True)
        return st.builds(hint, **{name: values(fields[name]) for name in hint.__struct_fields__})
    return {int: st.integers(0, 2**53 - 1), str: st.text(max_size=20), bool: st.booleans()}[hint]


def constrained(base: Any, metas: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    for meta in metas:
        if meta.pattern is not None:
            return st.from_regex(meta.pattern)
        if meta.ge is not None:
            return st.integers(meta.ge, meta.le)
        if meta.max_length is not None:
            return st.text(max_size=min(meta.max_length, 40))
    return values(base)


def bodies(stream: bytes, max_body: int = MAX_PUSH) -> list[bytes]:
    return list(FrameSplitter(max_body).feed(stream))


@pytest.mark.parametrize("message_type", REQUEST_TYPES, ids=REQUESTS.types)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_requests_come_out_as_they_went_in(message_type: type[Tagged], data: st.DataObject) -> None:
    message = data.draw(values(message_type))
    (body,) = bodies(encode(message), MAX_REQUEST)
    assert REQUESTS.parse(body) == message


@pytest.mark.parametrize("message_type", PUSH_TYPES, ids=PUSHES.types)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_pushes_come_out_as_they_went_in(message_type: type[Tagged], data: st.DataObject) -> None:
    message = data.draw(values(message_type))
    (body,) = bodies(encode(message))
    assert PUSHES.parse(body) == message


@settings(max_examples=30, deadline=None)
@given(update=values(Update))
def test_an_update_with_its_view_encoded_beforehand_is_the_same_bytes(update: Update) -> None:
    view = encode_part(update.view)
    head = update_head(update.seq, update.events, update.clock_ms, view)
    you = NULL if update.you is None else encode_part(update.you)
    assert frame_of(head, you) == encode(update)


def cuts(stream: bytes) -> Iterator[list[bytes]]:
    yield [stream]
    yield [stream[i : i + 1] for i in range(len(stream))]
    for at in range(len(stream) + 1):
        yield [stream[:at], stream[at:]]


def test_a_stream_may_be_cut_anywhere() -> None:
    messages: list[Request] = [
        Ping(id=1),
        CreateTable(id=2, options=TableOptions()),
        Say(id=3, text="Grüße, ☠"),
    ]
    frames = [encode(message) for message in messages]
    for chunks in cuts(b"".join(frames)):
        splitter = FrameSplitter(MAX_REQUEST)
        got = [REQUESTS.parse(body) for chunk in chunks for body in splitter.feed(chunk)]
        assert got == messages


def test_a_body_is_yielded_with_its_last_byte_and_not_before() -> None:
    frame = encode(Ping(id=1))
    splitter = FrameSplitter(MAX_REQUEST)
    for byte in frame[:-1]:
        assert not list(splitter.feed(bytes([byte])))
    assert list(splitter.feed(frame[-1:])) == [frame[HEADER:]]


def test_what_is_not_taken_at_once_is_not_lost() -> None:
    frame = encode(Ping(id=1))
    splitter = FrameSplitter(MAX_REQUEST)
    first = splitter.feed(frame * 3)
    assert next(first) == frame[HEADER:]
    first.close()  # type: ignore[attr-defined]
    assert list(splitter.feed(b"")) == [frame[HEADER:]] * 2


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_kind_of_bytes_may_be_fed(kind: Any) -> None:
    frame = encode(Ping(id=1))
    assert bodies(kind(frame)) == [frame[HEADER:]]


def test_a_message_type_has_one_name_in_one_direction() -> None:
    assert set(REQUESTS.types).isdisjoint(PUSHES.types)
    assert len(REQUESTS.types) == len(set(REQUESTS.types.values()))
    assert len(PUSHES.types) == len(set(PUSHES.types.values()))


def test_every_error_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(get_args(ErrorCode))
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())
