"""A part of the screen that is drawn from one immutable picture, for whatever size it has.

It is drawn when it is painted, not when it is resized: Textual sends no `Resize` for a change of
size that comes with scrolling to what has the focus.
"""

from typing import Generic, Protocol, TypeVar

from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.rows import painted


class Picture(Protocol):
    """Everything that is shown, comparable with the one before."""

    @property
    def glyphs(self) -> Glyphs:
        """The symbols to draw with."""


P = TypeVar("P", bound=Picture)


class Drawn(Widget, Generic[P]):
    """Paints the lines that `lines` returns, each cut to the width."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self.picture: P | None = None
        self._lines: list[Content] = []
        self._lines_for: Size | None = None
        """The size that the lines were drawn for; None: they are not those of the picture."""

    def show(self, picture: P) -> None:
        """Draw this from now on; only lines that are no longer as before are painted anew."""
        if picture == self.picture:
            return
        self.picture = picture
        size, before = self._lines_for, self._lines
        self._lines_for = None
        if size != self.size or not self.region:  # nobody sees the lines that were drawn last
            self.refresh()
            return
        rows = zip(before, self._drawn(), strict=True)
        width = self.size.width
        changed = [
            Region(0, y, width, 1) for y, (was, now) in enumerate(rows) if not was.is_same(now)
        ]
        if changed:
            self.refresh(*changed)

    def lines(self, picture: P, width: int, height: int) -> list[Content]:
        """Draw the picture for this many cells and rows."""
        raise NotImplementedError

    def _drawn(self) -> list[Content]:
        """The lines for the size there is now, one for each row, each as wide as it is."""
        if self._lines_for != self.size:
            self._lines_for = self.size
            self._lines = self._fitted()
        return self._lines

    def _fitted(self) -> list[Content]:
        width, height = self.size
        if self.picture is None or not width:
            return [Content("")] * height
        glyphs = self.picture.glyphs
        lines = self.lines(self.picture, width, height)[:height]
        lines += [Content("")] * (height - len(lines))
        return [paint.fit_content(glyphs, line, width) for line in lines]

    def render_line(self, y: int) -> Strip:
        """Paint one row (called by Textual, for rows that are to be painted anew)."""
        return painted(self, self._drawn()[y])
