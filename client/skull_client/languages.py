"""Which language the player reads: gettext catalogues, chosen before the start or at run time.

English is the source and needs no catalogue. Nothing is translated while modules are imported, so
a language can be changed at any moment: what is said from then on is said in it.
"""

import gettext
from collections.abc import Mapping
from pathlib import Path
from typing import Final

LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "ro": "Română", "sv": "Svenska"}
"""Every language that can be chosen, by its code, called as its speakers call it."""
SOURCE: Final = "en"
DOMAIN: Final = "skull"
FOLDER: Final = Path(__file__).parent / "locale"

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where an environment says what its user reads, the strongest first."""


class _Spoken:
    """The language in use, and its catalogue."""

    def __init__(self) -> None:
        self.language = SOURCE
        self.catalogue = gettext.NullTranslations()


_spoken = _Spoken()


def use(language: str) -> None:
    """Say everything in this language from now on. Raises `KeyError` for one there is not."""
    if language not in LANGUAGES:
        raise KeyError(language)
    if language == SOURCE:
        _spoken.catalogue = gettext.NullTranslations()
    else:
        _spoken.catalogue = gettext.translation(DOMAIN, FOLDER, [language])
    _spoken.language = language


def language() -> str:
    """Return the code of the language in use."""
    return _spoken.language


def wanted(setting: str | None, environment: Mapping[str, str]) -> str:
    """Return the language to use: the one that was set, else the environment's, else English."""
    if setting is not None and setting in LANGUAGES:
        return setting
    for variable in _VARIABLES:
        value = environment.get(variable, "")
        # Only `LANGUAGE` is a list, the best first; of the others, the first that is set decides.
        for locale in value.split(":"):
            code = locale.partition(".")[0].partition("@")[0].partition("_")[0].lower()
            if code in LANGUAGES:
                return code
        if value and variable != "LANGUAGE":
            return SOURCE
    return SOURCE


def translated(sentence: str) -> str:
    """Return the sentence in the language in use; the English one where there is no other."""
    # The empty sentence is the catalogue's own header.
    return _spoken.catalogue.gettext(sentence) if sentence else ""


def translated_count(number: int, one: str, many: str) -> str:
    """Return the form of a sentence that goes with this number in the language in use."""
    return _spoken.catalogue.ngettext(one, many, number)
