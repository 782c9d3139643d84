"""A finished game as one line, with a letter for each challenge and each mark set into it."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn

CHALLENGE, MARK = "c", "m"
"""What stands for a challenge and for a mark; usually also the keys that go there."""


class TimelinePicture(Struct, frozen=True):
    """Everything that the line shows. Steps are counted from 0."""

    glyphs: Glyphs
    at: int
    known: int
    """How many steps have come."""
    steps: int
    """How many there are."""
    rounds: tuple[int, ...]
    challenges: tuple[int, ...]
    marks: tuple[int, ...]
    words: str
    """The place in words."""


class Timeline(Drawn[TimelinePicture]):
    """One line."""

    def lines(self, picture: TimelinePicture, width: int, height: int) -> list[Content]:
        """The line, and the place in words behind it."""
        return [timeline(picture, width)]


def timeline(picture: TimelinePicture, width: int) -> Content:
    """Draw the game from its beginning to its end in this many cells.

    Where several things fall into one cell, the place itself is shown, else a mark, a challenge.
    """
    glyphs = picture.glyphs
    words = Content.styled(picture.words, paint.TURN)
    room = max(width - words.cell_length - 5, 1)

    def cell(step: int) -> int:
        return min(step * (room - 1) // max(picture.steps - 1, 1), room - 1)

    come = cell(max(picture.known - 1, 0)) + 1 if picture.known else 0
    cells = [(glyphs.horizontal, "$line")] * come + [(glyphs.separator, "$line")] * (room - come)
    for places, sign, style in (
        (picture.rounds, glyphs.vertical, paint.QUIET),
        (picture.challenges, CHALLENGE, ""),
        (picture.marks, MARK, "bold $talk"),
        ((picture.at,), glyphs.turn, paint.CHOSEN),
    ):
        for step in places:
            cells[cell(step)] = (sign, style)
    return Content.assemble("  ", *cells, "  ", words, " ")
