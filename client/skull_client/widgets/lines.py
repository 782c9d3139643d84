"""Text on the screen: never markup, and sent to the terminal only when it has changed."""

from typing import TypeVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

W = TypeVar("W", bound=Widget)


class Lines(Static):
    """Lines of text. A widget of a fixed height never makes the screen arrange itself anew."""

    def __init__(
        self,
        text: str | Content = "",
        *,
        id: str | None = None,  # noqa: A002 - as Textual calls it
        classes: str | None = None,
    ) -> None:
        super().__init__(text, id=id, classes=classes, markup=False)

    def put(self, text: str | Content) -> None:
        """Show this from now on."""
        content = text if isinstance(text, Content) else Content(text)
        before = self.content
        if not (isinstance(before, Content) and before.is_same(content)):
            self.update(content, layout=self.styles.is_auto_height)


def boxed(widget: W, title: str) -> W:
    """Put a frame around a widget, with a title in it."""
    widget.add_class("box")
    title_box(widget, title)
    return widget


def title_box(widget: Widget, title: str, under: str = "") -> None:
    """Change the words in the frame; `under` stands in its lower edge."""
    if widget.border_title != title or widget.border_subtitle != under:
        widget.border_title = Content(title)
        widget.border_subtitle = Content(under)
