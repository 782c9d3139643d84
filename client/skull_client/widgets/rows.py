"""A part of the screen whose rows are painted as they are."""

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget, _RenderCache


class Rows(Widget):
    """Paints the rows that `rows` returns, each exactly as wide as the widget.

    What Textual does for text (wrap, align, look for what is selected) takes several times as long
    as to paint a row.
    """

    def rows(self) -> list[Content]:
        """Return what to paint, for the size there is now."""
        raise NotImplementedError

    def _render_content(self) -> None:
        """Paint all rows: called by Textual when something has changed, and kept until then."""
        rows = [painted(self, row) for row in self.rows()]
        self._render_cache = _RenderCache(self.size, rows)
        self._dirty_regions.clear()


def painted(widget: Widget, row: Content) -> Strip:
    """Paint a row that is as wide as the widget."""
    base = widget.visual_style
    pieces = row.render(base, end="", parse_style=widget._get_style)
    segments = [Segment(text, (base + style).rich_style) for text, style in pieces]
    return Strip(segments, widget.size.width)
