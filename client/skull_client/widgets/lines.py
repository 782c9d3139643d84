"""Text on the screen: never markup, and sent to the terminal only when it has changed."""

from textual.content import Content
from textual.widgets import Static


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
