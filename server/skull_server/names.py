"""Whose name is whose: no two players may have names that look alike.

A name's looks are what is left of it with accents, case and script taken away, and what is easily
misread read one way.
"""

import unicodedata
from collections.abc import Mapping
from functools import cache

from skull_protocol.errors import Refusal
from skull_protocol.text import UnfitText, clean_name

_MISREAD = (("0", "o"), ("1", "l"), ("i", "l"), ("|", "l"), ("5", "s"), ("rn", "m"), ("vv", "w"))


def checked_name(raw: str) -> str:
    """Return a player's name as everybody will see it. Raises `Refusal` with `bad_name`."""
    try:
        name = clean_name(raw)
    except UnfitText as unfit:
        raise Refusal("bad_name", unfit.form, **unfit.blanks) from unfit
    if any(look.startswith("bot ") for look in looks(name)):
        raise Refusal("bad_name", "Names that start with Bot are for bots: choose another.")
    return name


def looks(name: str) -> frozenset[str]:
    """Return what a name looks like; two names that share a look are hard to tell apart.

    Capitals look like others than their small letters do (a Cyrillic В is like a B, a в is not),
    so a name has a look as it is written and one in small letters.
    """
    bare = _bare(name)
    written = bare if bare.isascii() else _plain(bare)
    return frozenset((_misread(written), small_look(name)))


def small_look(name: str) -> str:
    """Return what a name looks like in small letters: the same, however it is capitalized."""
    bare = _bare(name)
    small = bare.casefold()
    return _misread(small if bare.isascii() else _plain(small))


def _plain(text: str) -> str:
    lookalikes = _lookalikes()
    return _bare("".join(lookalikes.get(letter, letter) for letter in text))


def _misread(text: str) -> str:
    folded = text.casefold()
    for misread, read in _MISREAD:
        folded = folded.replace(misread, read)
    return folded


def _bare(text: str) -> str:
    """Take away accents and compatibility forms, and whatever is not seen."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if unicodedata.category(letter) not in ("Mn", "Me", "Cf")
    )


@cache
def _lookalikes() -> Mapping[str, str]:
    """Letters of all scripts, each with the plainer one it looks like (Unicode's confusables).

    Loaded for the first name that is not plain ASCII: it takes a tenth of a second and, while
    loading, ten megabytes.
    """
    from confusable_homoglyphs.utils import load

    table = {
        key: [entry["c"] for entry in found] for key, found in load("confusables.json").items()
    }
    plain: dict[str, str] = {}
    for letter, alike in table.items():
        # A letter with one look-alike either stands for it, or the two stand for each other.
        if len(letter) == 1 and len(alike) == 1:
            other = alike[0]
            plain[letter] = min(letter, other) if len(table.get(other, ())) == 1 else other
    return plain
