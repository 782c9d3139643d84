"""Lines of cells below each other, every column as wide as its widest word in any language."""

from collections.abc import Sequence

from rich.cells import cell_len

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_protocol.text import shown

_GAP = 2
"""Cells between columns, where there is room for more than one."""


def in_columns(
    glyphs: Glyphs,
    rows: Sequence[Sequence[str]],
    room: int,
    *,
    gives: int = 0,
    numbers: range = range(0),
) -> list[str]:
    """Return the rows, the first of which may be a head, as lines of at most `room` cells.

    `gives`: the column that is shortened where there is too little room; `numbers`: the columns
    that are lined up at their right. A column without a word takes no room.
    """
    table = [[shown(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    kept = [column for column, width in enumerate(widths) if width]
    width = sum(widths)
    gap = _GAP if width + _GAP * (len(kept) - 1) <= room else 1
    spare = room - width - gap * (len(kept) - 1)
    if spare < 0:
        widths[gives] = max(widths[gives] + spare, 1)

    def cell(row: Sequence[str], column: int) -> str:
        word = row[column]
        before = max(widths[column] - cell_len(word), 0) if column in numbers else 0
        return paint.fit(glyphs, " " * before + word, widths[column])

    lines = [(" " * gap).join(cell(row, column) for column in kept).rstrip() for row in table]
    return [line if cell_len(line) <= room else paint.fit(glyphs, line, room) for line in lines]
