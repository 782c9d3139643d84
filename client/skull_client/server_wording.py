"""What a server and the protocol word themselves, in the reader's language.

It comes as an English sentence and what fills its blanks; the sentence is looked up here.
"""

import re
from collections.abc import Mapping
from typing import Final

from skull_client import languages
from skull_protocol.errors import Worded
from skull_protocol.pushes import Error

_BLANK: Final = re.compile(r"\{(\w+)\}")


def refusal_words(error: Error) -> str:
    """Return why the server refused something, in the reader's language where it is known there.

    What the server sent is never a format: a blank that it does not fill stays as it is.
    """
    return _filled(error.form or error.message, {item.name: item.value for item in error.blanks})


def goodbye_words(message: str) -> str:
    """Return why the server hangs up, in the reader's language where it is known there."""
    return languages.translated(message)


def worded(fault: Worded) -> str:
    """Return what something is wrong with, in the reader's language."""
    return _filled(fault.form, fault.blanks)


def _filled(form: str, blanks: Mapping[str, str]) -> str:
    sentence = languages.translated(form)
    return _BLANK.sub(lambda blank: blanks.get(blank[1], blank[0]), sentence)
