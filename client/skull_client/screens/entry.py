"""One line to type: a name, or the code of a table."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from skull_client.screens.window import Window, sentence
from skull_client.wording import say


class Line(Input):
    """A line to type in: nothing blinks, and nothing typed is read as markup."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "done", key_display="enter"),
    ]

    def __init__(self, classes: str, longest: int, placeholder: str = "") -> None:
        super().__init__(
            classes=classes,
            max_length=longest,
            placeholder=placeholder,
            compact=True,
            highlighter=None,
            select_on_focus=False,
        )
        self.cursor_blink = False


class Entry(Window[str]):
    """Type, then Enter."""

    def __init__(self, title: str, text: str, longest: int) -> None:
        super().__init__(title)
        self.text = text
        self.longest = longest

    def furnish(self) -> ComposeResult:
        """What to type, and where."""
        yield sentence(self.text, "paragraph")
        yield Line("first", self.longest)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Nothing typed is no answer."""
        if event.value.strip():
            self.dismiss(event.value)


class NameEntry(Entry):
    """Another name, after the server refused one. Without a name there is only the way out."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "quit", key_display="escape"),
    ]

    def __init__(self, refusal: str) -> None:
        super().__init__(say("Your name"), refusal or say("What shall we call you?"), 64)

    def action_close(self) -> None:
        """Without a name one cannot stay."""
        self.app.exit()
