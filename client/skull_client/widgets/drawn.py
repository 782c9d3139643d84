"""A part of the screen that is drawn from one immutable picture, for whatever size it has.

It is drawn when it is painted, not when it is resized: Textual sends no `Resize` for a change of
size that comes with scrolling to what has the focus.
"""

from typing import Generic, Protocol, TypeVar

from textual.content import Content
from textual.widget import Widget

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint


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

    def show(self, picture: P) -> None:
        """Draw this from now on; nothing is painted when it is as before."""
        if picture != self.picture:
            self.picture = picture
            self.refresh()

    def lines(self, picture: P, width: int, height: int) -> list[Content]:
        """Draw the picture for this many cells and rows."""
        raise NotImplementedError

    def render(self) -> Content:
        """Paint the picture, once there is one."""
        width, height = self.size
        if self.picture is None or not width or not height:
            return Content("")
        glyphs = self.picture.glyphs
        lines = self.lines(self.picture, width, height)[:height]
        return Content("\n").join([paint.fit_content(glyphs, line, width) for line in lines])
