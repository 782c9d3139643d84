"""What the terminal shows, cell by cell, so that only cells that change are sent to it.

Textual paints a widget from its left edge to the last cell that may have changed; a slow line
feels that. Here each picture is compared with the one before, whatever widget it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console
from rich.control import Control
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

Cell = tuple[str, Style | None]
"""What a cell shows: a letter with its accents, or nothing behind one that is two cells wide."""
_GAP = 4
"""Unchanged cells that are sent along, since to jump over them would take as many bytes."""


class CellUpdate(CompositorUpdate):
    """Stretches of cells to send."""

    def __init__(self, stretches: list[tuple[int, int, Strip]]) -> None:
        """`stretches`: column and row of the first cell, and what is sent from there on."""
        self.stretches = stretches

    def render_segments(self, console: Console) -> str:
        """Return the bytes for the terminal, as text."""
        return "".join(
            Control.move_to(x, y).segment.text + strip.render(console)
            for x, y, strip in self.stretches
        )


class ShownCells:
    """The cells that the terminal shows, as far as they are known."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Cell | None]] = {}
        self._size = (0, 0)

    def forget(self) -> None:
        """The terminal may show anything: the next picture is sent whole."""
        self._rows.clear()

    def only_changes(
        self, update: CompositorUpdate, size: tuple[int, int]
    ) -> CompositorUpdate | None:
        """Return what has to be sent for an update; None: nothing. `size`: columns and rows."""
        if size != self._size:
            self._size = size
            self.forget()
        stretches: list[tuple[int, int, Strip]] = []
        for y, x, cells in _pieces(update):
            row = self._rows.setdefault(y, [None] * size[0])
            stretches += [
                (start, y, _strip(row[start:end])) for start, end in _write(row, x, cells)
            ]
        return CellUpdate(stretches) if stretches else None


def _pieces(update: CompositorUpdate) -> Iterator[tuple[int, int, list[Cell]]]:
    """What an update may send: row, first column, cells from there on."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield y, update.region.x, [cell for strip in strips for cell in _cells(strip)]
    elif isinstance(update, ChopsUpdate):
        for y, first, last in update.spans:
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                if strip is not None and x < last and end > first:
                    yield y, x, list(_cells(strip))


def _cells(strip: Iterable[Segment]) -> Iterator[Cell]:
    for text, style, control in strip:
        if control:
            continue
        if text.isascii():
            for character in text:
                yield character, style
        else:
            yield from _wide_cells(text, style)


def _wide_cells(text: str, style: Style | None) -> Iterator[Cell]:
    """Cells of text with letters two cells wide, and accents, which have no cell of their own."""
    letters: list[str] = []
    for character in text:
        if letters and not cell_len(character):
            letters[-1] += character
        else:
            letters.append(character)
    for letter in letters:
        yield letter, style
        for _ in range(cell_len(letter) - 1):
            yield "", style


def _write(row: list[Cell | None], x: int, cells: list[Cell]) -> list[tuple[int, int]]:
    """Take over cells from column `x` on; return the stretches that differ, end excluded."""
    changed: list[tuple[int, int]] = []
    if row[x : x + len(cells)] == cells:
        return changed
    for column, cell in enumerate(cells[: len(row) - x], x):
        if row[column] == cell:
            continue
        row[column] = cell
        if changed and column - changed[-1][1] <= _GAP:
            changed[-1] = (changed[-1][0], column + 1)
        else:
            changed.append((column, column + 1))
    return changed  # both cells of a wide letter are new with it, or its second shows nothing


def _strip(cells: list[Cell | None]) -> Strip:
    """Put cells together to segments, one for each run of the same style."""
    segments: list[Segment] = []
    letters, style = "", None
    for cell in cells:
        text, this = cell if cell is not None else (" ", None)
        if letters and this != style:
            segments.append(Segment(letters, style))
            letters = ""
        letters, style = letters + text, this
    return Strip([*segments, Segment(letters, style)])
