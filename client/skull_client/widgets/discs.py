"""Discs as they lie on the table: a pile with the top at its right, or side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from rich.cells import cell_len
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_protocol.skull import Disc

Stage = Literal["back", "edge", "face"]
"""How far a disc is that is being turned over: still face down, on its edge, just face up."""
Turning = Mapping[int, Stage]
"""Discs of one stack that are being turned over, by position from the bottom."""


def look(glyphs: Glyphs, face: Disc | None, stage: Stage | None = None) -> tuple[str, str]:
    """Return the label of a disc and its style."""
    match stage:
        case "back":
            return glyphs.face_down, paint.disc_style(None)
        case "edge":
            return glyphs.vertical, paint.disc_style(None)
        case "face":
            return glyphs.disc_label(face), f"{paint.disc_style(face)} reverse"
        case None:
            return glyphs.disc_label(face), paint.disc_style(face)


def labels(glyphs: Glyphs, discs: Sequence[Disc | None], turning: Turning) -> list[Content]:
    """Return each disc as a letter, a card, or face down."""
    return [
        Content.styled(*look(glyphs, face, turning.get(position)))
        for position, face in enumerate(discs)
    ]


def row(glyphs: Glyphs, discs: Sequence[Disc | None], turning: Turning) -> Content:
    """Draw discs on one line; cards stand apart, since each has two letters or three."""
    drawn = labels(glyphs, discs, turning)
    gap = " " if any(cell_len(disc.plain) > 1 for disc in drawn) else ""
    return Content(gap).join(drawn)


def pile(
    glyphs: Glyphs, discs: Sequence[Disc | None], turning: Turning, *, big: bool = False
) -> list[Content]:
    """Three lines, or five: each disc covers most of the one below it, the top one lies open."""
    rows: list[list[Content]] = [[] for _ in range(tall(big=big))]
    middle = len(rows) // 2
    for position, face in enumerate(discs):
        label, style = look(glyphs, face, turning.get(position))
        top = position == len(discs) - 1
        inside = _inside(label, open_=top, big=big)
        line, blank = glyphs.horizontal * cell_len(inside), " " * cell_len(inside)
        for at, row_ in enumerate(rows):
            if at in (0, len(rows) - 1):
                first = glyphs.bottom_left if at else glyphs.top_left
                last = glyphs.bottom_right if at else glyphs.top_right
                text = first + line + (last if top else "")
            else:
                text = glyphs.vertical + (inside if at == middle else blank)
                text += glyphs.vertical if top else ""
            row_.append(Content.styled(text, style))
    return [Content.assemble(*cells) for cells in rows]


def tall(*, big: bool) -> int:
    """Rows of a drawn disc."""
    return 5 if big else 3


def _inside(label: str, *, open_: bool, big: bool) -> str:
    """What stands in the middle of a disc, as wide as it is drawn."""
    if open_:
        return label.center(max(5 if big else 3, cell_len(label)))
    return f" {label}" if big else label


def apart(
    glyphs: Glyphs, discs: Sequence[Disc | None], turning: Turning, *, big: bool = False
) -> list[Content]:
    """Three lines, or five: discs side by side."""
    drawn = [
        pile(glyphs, [face], {0: turning[at]} if at in turning else {}, big=big)
        for at, face in enumerate(discs)
    ]
    return [Content(" ").join([disc[line] for disc in drawn]) for line in range(tall(big=big))]
