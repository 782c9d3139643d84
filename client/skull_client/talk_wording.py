"""The words for table talk: the usual phrases, and what somebody said."""

from collections.abc import Mapping
from typing import Final

from skull_client.wording import msg, say
from skull_protocol.phrases import PhraseCode
from skull_protocol.pushes import Chat

_PHRASES: Final[Mapping[PhraseCode, str]] = {
    "good_luck": msg("Good luck!"),
    "trust_me": msg("Trust me: all flowers."),
    "too_easy": msg("Too easy!"),
    "no_way": msg("I don't believe you."),
    "flip_it": msg("Go on, flip it!"),
    "let_me_think": msg("Let me think."),
    "hurry": msg("Hurry up!"),
    "nice_bluff": msg("Nice bluff!"),
    "ouch": msg("Ouch!"),
    "well_played": msg("Well played!"),
    "thanks": msg("Thanks!"),
    "one_more": msg("One more game?"),
}


def phrase_words(phrase: PhraseCode) -> str:
    """Return one of the usual phrases in the reader's language."""
    return say(_PHRASES[phrase])


def phrase_text(phrase: str) -> str:
    """Return a quick phrase in the reader's language: one of the usual, or the player's own."""
    usual = next((words for code, words in _PHRASES.items() if code == phrase), None)
    return phrase if usual is None else say(usual)


def said(chat: Chat) -> str:
    """Return what somebody said: a phrase in the reader's language, else their own words."""
    return chat.text if chat.phrase is None else phrase_words(chat.phrase)
