"""Bytes to messages and back, with no I/O: feed bytes, get messages; give a message, get bytes.

A frame is a 4-byte big-endian length and one msgpack map. Decoding is strict: whatever is not
exactly a known message raises `BadFrame` (the stream cannot be trusted further) or `BadMessage`
(this one message is refused, the next may be fine), and nothing else.
"""

from collections.abc import Iterator
from typing import Any, Generic, TypeVar, get_args

import msgpack
import msgspec

from skull_protocol.text import shown
from skull_protocol.wire import Tagged

HEADER = 4
MAX_REQUEST = 4 * 1024
"""Bytes in the largest frame that a client may send, header not counted."""
MAX_PUSH = 1024 * 1024
"""Bytes in the largest frame that a server may send, header not counted."""
MAX_DEPTH = 12
"""How deeply maps and arrays may be nested in a frame."""
NULL = b"\xc0"
"""The whole encoding of null."""
_MAX_REASON = 200
_SMALL = 256
"""Bytes of a body that cannot hold enough to take long."""
_BYTES_EACH = 8
"""Bytes that messages have at least for each map or array in them, on average."""
_LEAVES = frozenset((str, int, bool, type(None)))

_encoder = msgspec.msgpack.Encoder()
M = TypeVar("M", bound=Tagged)


class BadFrame(Exception):  # noqa: N818 - names what came in
    """The bytes are no frame: too long, not msgpack, or not one map. Close the connection."""


class BadMessage(Exception):  # noqa: N818 - names what came in
    """A well-formed frame that is no known message. `id` is its request id where it has one."""

    def __init__(self, reason: str, request_id: int | None = None) -> None:
        super().__init__(reason)
        self.id = request_id


def encode(message: Tagged) -> bytes:
    """Return the whole frame for a message, length included."""
    body = _encoder.encode(message)
    return len(body).to_bytes(HEADER, "big") + body


def frame_of(head: bytes, tail: bytes) -> bytes:
    """Return the whole frame for a message that was encoded in two pieces."""
    return b"".join(((len(head) + len(tail)).to_bytes(HEADER, "big"), head, tail))


def encode_part(value: msgspec.Struct) -> bytes:
    """Encode a value without a frame, to be put into several messages as it is."""
    return _encoder.encode(value)


class FrameSplitter:
    """Cuts a stream of bytes into frame bodies; holds at most one incomplete frame."""

    def __init__(self, max_body: int) -> None:
        self._max_body = max_body
        self._buffer = bytearray()

    def feed(self, chunk: bytes | bytearray | memoryview) -> Iterator[bytes]:
        """Take in bytes and yield every body that is complete.

        Raises `BadFrame` as soon as a header announces a body that is empty or too long.
        """
        buffer = self._buffer
        buffer += chunk
        position, end = 0, len(buffer)
        try:
            while end - position >= HEADER:
                length = int.from_bytes(buffer[position : position + HEADER], "big")
                if not 0 < length <= self._max_body:
                    raise BadFrame(f"a frame of {length} bytes; 1 to {self._max_body} are allowed")
                if end - position - HEADER < length:
                    break
                body = bytes(buffer[position + HEADER : position + HEADER + length])
                position += HEADER + length
                yield body
        finally:
            del buffer[:position]


def unpack(body: bytes) -> dict[str, Any]:
    """Return the one map in a frame's body. Raises `BadFrame`."""
    fields = _unpack_map(body)
    _check_tree(fields, len(body))
    return fields


def _unpack_map(body: bytes) -> dict[str, Any]:
    """Return the one map in a frame's body, whatever it holds. Raises `BadFrame`."""
    try:
        value = msgpack.unpackb(
            body,
            strict_map_key=True,
            object_pairs_hook=_no_duplicates if len(body) <= _SMALL else _Few(len(body)),
            ext_hook=_no_ext,
        )
    except BadFrame:
        raise
    except (ValueError, msgpack.UnpackException) as fault:
        raise BadFrame("not msgpack") from fault
    if not isinstance(value, dict):
        raise BadFrame("not a map")
    return value


def _no_duplicates(pairs: list[tuple[object, object]]) -> dict[object, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise BadFrame("a key stands twice in one map")
    return result


def _no_ext(_code: int, _payload: bytes) -> object:
    raise BadFrame("an extension type")


class _Few:
    """Takes maps as `_no_duplicates` does, but no more of them than a message of that size has.

    Thousands of empty maps would take as long as a thousand requests.
    """

    def __init__(self, size: int) -> None:
        self._room = _most_in(size)

    def __call__(self, pairs: list[tuple[object, object]]) -> dict[object, object]:
        self._room -= 1
        if self._room < 0:
            raise BadFrame("more maps than any message has")
        return _no_duplicates(pairs)


def _most_in(size: int) -> int:
    return size // _BYTES_EACH + _BYTES_EACH


def _check_tree(fields: dict[str, Any], size: int) -> None:
    """Refuse what no message has: deep nesting, floats (NaN among them), byte strings, a crowd.

    `size`: of the body, in bytes, by which it is told how many maps and arrays are too many.
    """
    level: list[Any] = [fields]
    for _ in range(MAX_DEPTH):
        below = []
        for some in level:
            for item in some.values() if type(some) is dict else some:
                kind = type(item)
                if kind is dict or kind is list:
                    below.append(item)
                elif kind not in _LEAVES:
                    raise BadFrame(f"a {kind.__name__}, which no message has")
        if not below:
            return
        if len(below) > _most_in(size):
            raise BadFrame("more maps and arrays than any message has")
        level = below
    raise BadFrame(f"nested deeper than {MAX_DEPTH}")


class Catalogue(Generic[M]):
    """The messages of one direction, found by their `type`."""

    def __init__(self, union: object) -> None:
        self.types: dict[str, type[M]] = {
            str(message.__struct_config__.tag): message for message in get_args(union)
        }

    def parse(self, body: bytes) -> M:
        """Turn a frame's body into its message. Raises `BadFrame` or `BadMessage`."""
        fields = _unpack_map(body)
        name = fields.get("type")
        message = self.types.get(name) if isinstance(name, str) else None
        if message is None:
            _check_tree(fields, len(body))
            raise BadMessage("unknown message type", _request_id(fields))
        try:
            return msgspec.convert(fields, message)
        except msgspec.ValidationError as fault:
            # Only now: what fits a message holds nothing that no message has.
            _check_tree(fields, len(body))
            raise BadMessage(_sentence(fault), _request_id(fields)) from fault


def _request_id(fields: dict[str, Any]) -> int | None:
    """The id that a refused message seems to have."""
    request_id = fields.get("id")
    return request_id if type(request_id) is int and 0 < request_id < 2**53 else None


def _sentence(fault: msgspec.ValidationError) -> str:
    """What is wrong, short and fit to be shown: it may quote whatever the peer sent."""
    return shown(str(fault))[:_MAX_REASON]
