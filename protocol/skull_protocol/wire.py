"""The base of every value that travels, and the small types that many of them share."""

from typing import Annotated

import msgspec
from msgspec import Meta

MAX_INT = 2**53 - 1
"""The largest integer on the wire: what every language's plain number type can hold exactly."""


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that travels: immutable, and refused when it has a field that is not known."""


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


class Tagged(Wire, frozen=True, tag_field="type", tag=_snake):
    """A value that says in its `type` field what it is (`JoinTable`: `join_table`)."""


RequestId = Annotated[
    int, Meta(ge=1, le=MAX_INT, description="Chosen by the client, larger for each new request.")
]
Seat = Annotated[int, Meta(ge=0, le=5, description="A seat at the table, from 0, clockwise.")]
PlayerId = Annotated[
    int, Meta(ge=1, le=MAX_INT, description="Names a person to others; gives no rights.")
]
Seq = Annotated[int, Meta(ge=0, le=MAX_INT, description="Counts the updates of one table, from 0.")]
Count = Annotated[int, Meta(ge=0, le=MAX_INT)]
Percent = Annotated[int, Meta(ge=0, le=100)]
GameId = Annotated[int, Meta(ge=1, le=MAX_INT, description="Names a game on this server.")]
TableCode = Annotated[
    str,
    Meta(
        pattern=r"\A[BCDFGHJKLMNPQRSTVWXZ]{4}\Z",
        description="Four consonants; what people tell each other to meet at a table.",
    ),
]
RawText = Annotated[
    str, Meta(max_length=1000, description="Anything a person typed; the server cleans it.")
]
Password = Annotated[
    str, Meta(max_length=64, description="What the host told those who may come in.")
]
CleanText = Annotated[
    str, Meta(max_length=1000, description="Other people's text; never markup, never trusted.")
]
