"""A part of the screen whose rows are painted as they are."""

from typing import Self

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget


class Rows(Widget):
    """Paints the rows that `rows` returns, each exactly as wide as the widget.

    What Textual does for text (wrap, align, look for what is selected) takes several times as long
    as to paint a row.
    """

    _rows: list[Content] | None = None
    _rows_for: Size | None = None

    def rows(self) -> list[Content]:
        """Return what to paint, for the size there is now."""
        raise NotImplementedError

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Something has changed: the rows are made anew when they are painted."""
        self._rows = None
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def render_line(self, y: int) -> Strip:
        """Paint one row (called by Textual)."""
        if self._rows is None or self._rows_for != self.size:
            self._rows, self._rows_for = self.rows(), self.size
        if y >= len(self._rows):
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        return painted(self, self._rows[y])


def painted(widget: Widget, row: Content) -> Strip:
    """Paint a row that is as wide as the widget."""
    base = widget.visual_style
    pieces = row.render(base, end="", parse_style=widget._get_style)
    segments = [Segment(text, (base + style).rich_style) for text, style in pieces]
    return Strip(segments, widget.size.width)
