"""Table talk that travels as a code, so that everybody reads it in their own language."""

from typing import Annotated, Literal, get_args

from msgspec import Meta

PhraseCode = Literal[
    "good_luck",
    "trust_me",
    "too_easy",
    "no_way",
    "flip_it",
    "let_me_think",
    "hurry",
    "nice_bluff",
    "ouch",
    "well_played",
    "thanks",
    "one_more",
]
"""Every phrase that can be said by its code, in the order in which they are offered."""

PHRASES: tuple[PhraseCode, ...] = get_args(PhraseCode)

Phrase = Annotated[
    PhraseCode, Meta(description="Table talk by its code; each client words it for its reader.")
]
