"""A sheet to lay lines on at given places, and the frames around them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.geometry import Region

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint

BLANK = Content("")


class Sheet:
    """Blank rows, on which blocks of lines are laid that do not overlap."""

    def __init__(self, glyphs: Glyphs, width: int, height: int) -> None:
        self._glyphs = glyphs
        self._width = width
        self._rows: list[list[tuple[int, Content]]] = [[] for _ in range(height)]

    def lay(self, place: Region, lines: Sequence[Content]) -> None:
        """Put a block in its place; what does not fit there is left out."""
        for y, line in enumerate(lines[: place.height], place.y):
            if 0 <= y < len(self._rows):
                fitted = paint.fit_content(self._glyphs, line, place.width)
                self._rows[y].append((place.x, fitted))

    def lines(self) -> list[Content]:
        """Return all rows, each as wide as the sheet."""
        return [self._line(sorted(row, key=lambda piece: piece[0])) for row in self._rows]

    def _line(self, row: list[tuple[int, Content]]) -> Content:
        parts: list[Content] = []
        x = 0
        for start, piece in row:
            parts += [Content(" " * max(start - x, 0)), piece]
            x = max(start, x) + piece.cell_length
        return paint.fit_content(self._glyphs, Content.assemble(*parts), self._width)


def edge(
    glyphs: Glyphs, width: int, corners: str, style: str, left: Content, right: Content
) -> Content:
    """Draw the upper or lower edge of a frame, with words set into it at its ends."""
    room = width - 4 - (2 if left else 0) - (2 if right else 0)
    if left.cell_length > room - right.cell_length:
        left = paint.fit_content(glyphs, left, max(room - right.cell_length, 0))
    gap = room - left.cell_length - right.cell_length
    line = glyphs.horizontal
    parts: list[Content] = [Content.styled(corners[0] + line, style)]
    if left:
        parts += [Content(" "), left, Content(" ")]
    parts.append(Content.styled(line * max(gap, 0), style))
    if right:
        parts += [Content(" "), right, Content(" ")]
    parts.append(Content.styled(line + corners[1], style))
    return Content.assemble(*parts)


def frame(
    glyphs: Glyphs,
    width: int,
    lines: Sequence[Content],
    style: str,
    *,
    top: tuple[Content, Content] = (BLANK, BLANK),
    bottom: tuple[Content, Content] = (BLANK, BLANK),
) -> list[Content]:
    """Draw a frame around lines, with words at the left and right of its edges."""
    over, under = glyphs.top_left + glyphs.top_right, glyphs.bottom_left + glyphs.bottom_right
    side = Content.styled(glyphs.vertical, style)
    inside = max(width - 4, 0)
    return [
        edge(glyphs, width, over, style, *top),
        *(
            Content.assemble(side, " ", paint.fit_content(glyphs, line, inside), " ", side)
            for line in lines
        ),
        edge(glyphs, width, under, style, *bottom),
    ]


def spread(glyphs: Glyphs, width: int, left: Content, right: Content) -> Content:
    """One line with something at its left and something at its right, which always fits whole."""
    if not right:
        return paint.fit_content(glyphs, left, width)
    room = max(width - right.cell_length - 1, 0)
    return Content.assemble(paint.fit_content(glyphs, left, room), " ", right)
