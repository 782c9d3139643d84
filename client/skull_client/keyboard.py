"""What a terminal sends, cut into whole keys, sequences and pastes: bytes and time in, tokens out.

A slow line tears an escape sequence apart, and a parser that gives up on it too early reports its
rest as keys that nobody pressed. So nothing is taken for a key while it may belong to a sequence;
what belongs to none that is understood is dropped. Memory is bounded whatever arrives.
"""

import codecs
import math
from collections.abc import Iterator

from msgspec import Struct

LONGEST_PASTE = 4096
"""Bytes kept of a paste; the rest of it is read and forgotten."""
BURST = 256
"""More bytes than this in one read, and no sequence among them, are a paste without brackets."""
_BURST_SILENCE = 0.1
"""Seconds of silence after which such a paste is over."""
_PASTE_SILENCE = 0.5
"""Seconds of silence after which a key ends a paste whose end never came."""
_KEY_SIZE = 8
"""Bytes of one key at most; what a paste goes on with comes in larger pieces."""
_TORN_SILENCE = 1.0
"""Seconds after which the rest of a sequence is no longer expected."""
_LONGEST_SEQUENCE = 64
"""Bytes; what is longer is read to its end and forgotten."""
_LONGEST_STRING = 4096
"""Bytes of an answer in words (a colour, a version) after which it is no longer believed."""

_ESCAPE, _BELL, _CTRL_C = 0x1B, 0x07, b"\x03"
_CSI, _SS3, _BACKSLASH = ord("["), ord("O"), ord("\\")
_STRING_INTRODUCERS = frozenset(b"P]_^X")
_PASTE_START, _PASTE_END = b"\x1b[200~", b"\x1b[201~"


class Key(Struct, frozen=True):
    """A character, a control character (Escape is one), or a whole escape sequence."""

    text: str


class Paste(Struct, frozen=True):
    """Text that was pasted; nothing in it is a key."""

    text: str


Token = Key | Paste


class Keyboard:
    """Takes in bytes as they come, and gives what they mean. It never raises.

    `escape_delay`: seconds after which an Escape that nothing follows was the key of that name.
    Times are seconds from any fixed moment.
    """

    def __init__(self, escape_delay: float) -> None:
        self._escape_delay = escape_delay
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._sequence = bytearray()
        """What may be the beginning of an escape sequence; also what is left of one."""
        self._in_string = 0
        """How many bytes of an answer in words have been forgotten, 0: none has begun."""
        self._paste: bytearray | None = None
        self._bracketed = False
        self._tail = b""
        """The last bytes of a paste: its end may be torn."""
        self._torn_escape = -math.inf
        """When Escape was last reported because nothing followed in time."""
        self._heard = -math.inf

    def feed(self, chunk: bytes, now: float) -> list[Token]:
        """Take in what was read at this time."""
        tokens = self.tick(now)
        silence, self._heard = now - self._heard, now
        if self._paste is not None and self._bracketed:
            pressed = silence >= _PASTE_SILENCE and len(chunk) <= _KEY_SIZE
            if chunk == _CTRL_C or (pressed and _PASTE_END not in self._tail + chunk):
                tokens += self._end_paste()
        elif self._idle and len(chunk) > BURST and _ESCAPE not in chunk:
            self._begin_paste(bracketed=False)
        tokens += self._take(chunk)
        return tokens

    def tick(self, now: float) -> list[Token]:
        """Say what has come to an end because nothing followed."""
        left = self.patience(now)
        if left is None or left > 0:
            return []
        if self._paste is not None:
            return self._end_paste()
        begun, in_string = bytes(self._sequence), self._in_string
        self._sequence.clear()
        self._in_string = 0
        if in_string:
            return []
        if begun == b"\x1b":
            self._torn_escape = now
            return [Key("\x1b")]
        # Two keys pressed slowly: Escape and then the letter that also begins a sequence.
        return [Key("\x1b")] if begun in (b"\x1b[", b"\x1bO") else []

    def patience(self, now: float) -> float | None:
        """Seconds until `tick` is due; None: nothing is awaited."""
        if self._paste is not None:
            wait = math.inf if self._bracketed else _BURST_SILENCE
        elif self._sequence == b"\x1b":
            wait = self._escape_delay
        elif self._sequence or self._in_string:
            wait = _TORN_SILENCE
        else:
            wait = math.inf
        return None if wait == math.inf else max(0.0, self._heard + wait - now)

    @property
    def _idle(self) -> bool:
        """Whether nothing has begun that is not over."""
        return self._paste is None and not self._sequence and not self._in_string

    # -- bytes -----------------------------------------------------------------------------------

    def _take(self, chunk: bytes) -> Iterator[Token]:
        rest = memoryview(chunk)
        while rest:
            if self._paste is not None:
                used, tokens = self._take_paste(bytes(rest))
                rest = rest[used:]
                yield from tokens
                continue
            byte = rest[0]
            rest = rest[1:]
            if self._in_string:
                yield from self._take_string(byte)
            elif self._sequence:
                yield from self._take_sequence(byte)
            else:
                yield from self._take_plain(byte)

    def _take_plain(self, byte: int) -> Iterator[Token]:
        torn = self._heard - self._torn_escape < _TORN_SILENCE / 2
        self._torn_escape = -math.inf
        if byte == _ESCAPE:
            yield from self._characters(b"", final=True)
            self._sequence.append(byte)
        elif torn and byte in b"[O]":
            self._sequence.append(_ESCAPE)
            yield from self._take_second(byte)
        else:
            yield from self._characters(bytes((byte,)))

    def _characters(self, some: bytes, *, final: bool = False) -> Iterator[Token]:
        for character in self._decoder.decode(some, final):
            yield Key(character)

    def _take_sequence(self, byte: int) -> Iterator[Token]:
        sequence = self._sequence
        if len(sequence) == 1:
            yield from self._take_second(byte)
            return
        if sequence.startswith(b"\x1b[M"):  # the old mouse: three bytes of any value follow
            sequence.append(byte)
            if len(sequence) == 6:
                sequence.clear()
            return
        if byte < 0x20 or byte == 0x7F:  # no sequence holds one: it is a key, or another begins
            sequence.clear()
            yield from self._take_plain(byte)
            return
        if len(sequence) < _LONGEST_SEQUENCE:
            sequence.append(byte)
        elif 0x40 <= byte < 0x7F:
            sequence.clear()  # the end of one that was too long to be understood
            return
        if sequence[1] == _SS3 or (0x40 <= byte < 0x7F and not self._goes_on(byte)):
            whole = bytes(sequence)
            sequence.clear()
            yield from self._whole(whole)

    def _goes_on(self, byte: int) -> bool:
        """The second byte of two forms is like the end of one, and more follows."""
        return len(self._sequence) == 3 and byte in b"M["

    def _take_second(self, byte: int) -> Iterator[Token]:
        if byte in (_CSI, _SS3):
            self._sequence.append(byte)
            return
        if byte in _STRING_INTRODUCERS:
            self._sequence.clear()
            self._in_string = 1
            return
        # Escape, and at once another key; with Alt held down they come in the same way.
        self._sequence.clear()
        yield Key("\x1b")
        yield from self._take_plain(byte)

    def _take_string(self, byte: int) -> Iterator[Token]:
        self._in_string += 1
        if self._sequence:  # ESC \ ends it; ESC and anything else is the next sequence
            self._in_string = 0
            if byte == _BACKSLASH:
                self._sequence.clear()
            else:
                yield from self._take_second(byte)
        elif byte == _ESCAPE:
            self._sequence.append(byte)
        elif byte == _BELL or self._in_string > _LONGEST_STRING:
            self._in_string = 0
        elif byte < 0x20:  # Enter or Ctrl+C: there is a person
            self._in_string = 0
            yield from self._take_plain(byte)

    def _whole(self, sequence: bytes) -> Iterator[Token]:
        if sequence == _PASTE_START:
            self._begin_paste(bracketed=True)
        elif sequence != _PASTE_END and sequence.isascii():
            yield Key(sequence.decode("ascii"))

    # -- pastes ----------------------------------------------------------------------------------

    def _begin_paste(self, *, bracketed: bool) -> None:
        self._paste, self._bracketed, self._tail = bytearray(), bracketed, b""

    def _take_paste(self, chunk: bytes) -> tuple[int, list[Token]]:
        """Return how many bytes belong to the paste, and the paste if it ends with them."""
        assert self._paste is not None
        if not self._bracketed:
            self._keep(chunk)
            return len(chunk), []
        seen = self._tail + chunk
        end = seen.find(_PASTE_END)
        if end < 0:
            self._keep(chunk)
            self._tail = seen[-(len(_PASTE_END) - 1) :]
            return len(chunk), []
        used = end + len(_PASTE_END) - len(self._tail)
        self._keep(chunk[:used])
        return used, self._end_paste()

    def _keep(self, chunk: bytes) -> None:
        assert self._paste is not None
        self._paste += chunk[: LONGEST_PASTE - len(self._paste)]

    def _end_paste(self) -> list[Token]:
        assert self._paste is not None
        text = bytes(self._paste).partition(b"\x1b")[0].decode("utf-8", "replace")
        self._paste, self._tail = None, b""
        return [Paste(text)]
