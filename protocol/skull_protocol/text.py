"""Which words of other people may be shown, and how wide they may be.

Used twice: the server refuses what is not clean, and the client checks again what it is sent.
"""

import unicodedata

from msgspec import Struct

from skull_protocol.errors import Worded, msg

MAX_NAME_CELLS = 16
MAX_CHAT_CELLS = 200
_MAX_MARKS = 2
"""Combining marks on one letter; floods of them climb over the lines above."""
_INVISIBLE = frozenset(
    "\u034f"  # grapheme joiner
    "\u115f\u1160\u3164\uffa0"  # Hangul fillers
    "\u17b4\u17b5"  # Khmer inherent vowels
    "\u180b\u180c\u180d\u180f"  # Mongolian variation selectors
    "\u2800"  # Braille without a dot
    "\U00016fe4\U0001d159"  # Khitan filler, musical null
)
"""What shows nothing though its category says letter, mark or symbol."""
_NAME_PUNCTUATION = frozenset(" -_.'’")


class UnfitText(Worded, ValueError):  # noqa: N818 - says what the text is
    """The text must not be shown; the message says why in one sentence."""


class _Complaints(Struct, frozen=True):
    """What is said about a text of one kind."""

    empty: str
    invisible: str
    accents: str
    too_wide: str


_NAME = _Complaints(
    msg("A name cannot be empty: please type something."),
    msg("A name cannot contain invisible or control characters."),
    msg("A name cannot pile up accents: please take some away."),
    msg("A name can be {n} columns wide at most: please shorten it."),
)
_CHAT = _Complaints(
    msg("A line of chat cannot be empty: please type something."),
    msg("A line of chat cannot contain invisible or control characters."),
    msg("A line of chat cannot pile up accents: please take some away."),
    msg("A line of chat can be {n} columns wide at most: please shorten it."),
)


def clean_name(raw: str) -> str:
    """Return a player's name in the form everybody sees. Raises `UnfitText`.

    Letters, digits, marks and a little punctuation; at least one letter or digit; at most
    `MAX_NAME_CELLS` terminal cells.
    """
    name = _clean(raw, MAX_NAME_CELLS, _NAME)
    for character in name:
        if unicodedata.category(character)[0] not in "LMN" and character not in _NAME_PUNCTUATION:
            raise UnfitText(
                "A name is made of letters, digits, spaces and - _ . ': please choose another."
            )
    if not any(character.isalnum() for character in name):
        raise UnfitText("A name needs a letter or a digit: please choose another.")
    return name


def clean_chat(raw: str) -> str:
    """Return a chat line in the form everybody sees. Raises `UnfitText`."""
    return _clean(raw, MAX_CHAT_CELLS, _CHAT)


def shown(text: str) -> str:
    """Return text from the network with everything that must not reach a terminal taken out."""
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    marks = _MAX_MARKS  # nothing stands before the first letter
    for character in text:
        if _is_visible(character):
            marks = marks + 1 if _is_mark(character) else 0
            if marks <= _MAX_MARKS:
                kept.append(character)
    return "".join(kept)


def _clean(raw: str, max_cells: int, complaints: _Complaints) -> str:
    text = " ".join(unicodedata.normalize("NFC", raw).split())
    if not text:
        raise UnfitText(complaints.empty)
    marks = _MAX_MARKS  # nothing stands before the first letter
    for character in text:
        if not _is_visible(character):
            raise UnfitText(complaints.invisible)
        marks = marks + 1 if _is_mark(character) else 0
        if marks > _MAX_MARKS:
            raise UnfitText(complaints.accents)
    if _cells(text) > max_cells:
        raise UnfitText(complaints.too_wide, n=max_cells)
    return text


def _is_mark(character: str) -> bool:
    """True for what goes onto the letter before it: marks, and letters of no width of their own."""
    kind = unicodedata.category(character)[0]
    # Hangul is the first script that has such letters; of the rest none needs to be looked up.
    return kind == "M" or (kind == "L" and character >= "\u1100" and _cells(character) == 0)


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    # With the first text that needs it: its tables take a while to load.
    from wcwidth import wcswidth

    return wcswidth(text)


def _is_visible(character: str) -> bool:
    """False for control, format, bidi, unassigned, private and otherwise invisible characters."""
    if character == " ":
        return True
    if character in _INVISIBLE or "\ufe00" <= character <= "\ufe0f":
        return False
    if "\U000e0100" <= character <= "\U000e01ef":
        return False
    return unicodedata.category(character)[0] not in "CZ"
