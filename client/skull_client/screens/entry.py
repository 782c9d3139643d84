"""One line to type: a name, or the code of a table."""

from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from skull_client.screens.window import Window, sentence
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.wording import say
from skull_protocol.text import shown


class Line(Input):
    """A line to type in: nothing blinks, and nothing typed is read as markup."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "done", key_display="enter"),
    ]

    def __init__(
        self, classes: str, longest: int, placeholder: str = "", *, secret: bool = False
    ) -> None:
        super().__init__(
            classes=classes,
            max_length=longest,
            placeholder=placeholder,
            password=secret,
            compact=True,
            highlighter=None,
            select_on_focus=False,
        )
        self.cursor_blink = False


class Entry(Window[str]):
    """Type, then Enter."""

    def __init__(self, title: str, text: str, longest: int, *, secret: bool = False) -> None:
        """`secret`: nobody who looks at the screen can read what is typed."""
        super().__init__(title)
        self.text = text
        self.longest = longest
        self.secret = secret

    def furnish(self) -> ComposeResult:
        """What to type, and where; under it, why it was refused."""
        yield sentence(self.text, "paragraph")
        yield Line("first", self.longest, secret=self.secret)
        yield Lines(id="refusal")

    def refuse(self, sentence: str) -> None:
        """Say what went wrong; what was typed stays."""
        line = self.query_one("#refusal", Lines)
        line.display = True
        line.put(Content.styled(shown(sentence), paint.PROBLEM))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That is what was typed."""
        self.take(event.value)

    def take(self, typed: str) -> None:
        """Take it as the answer; nothing typed is none."""
        if typed.strip():
            self.dismiss(typed)


class WhoYouAre(Struct, frozen=True):
    """What the player typed to be let in."""

    typed: str
    by_code: bool
    """It is a code from another terminal, and no name."""


class NameEntry(Window[WhoYouAre]):
    """Another name, after the server refused one; or a code, for who plays here already.

    Without either there is only the way out.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "other_way", "name or code", key_display="tab"),
        Binding("escape", "close", "quit", key_display="escape"),
        Binding("escape", "back", "back", key_display="escape"),
    ]

    def __init__(self, refusal: str, *, by_code: bool) -> None:
        super().__init__(say("Who are you?"))
        self.refusal = refusal
        self.by_code = by_code

    def furnish(self) -> ComposeResult:
        """Why it is asked, what to type, and where."""
        if self.refusal:
            yield sentence(self.refusal, "paragraph")
        yield Lines(id="wanted")
        yield Line("first", 64)

    def show(self, state: ClientState) -> None:
        """Say which of the two is wanted."""
        self.query_one("#wanted", Lines).put(
            say("The code that your other terminal shows (key k there):")
            if self.by_code
            else say("Type another name. Is it you elsewhere? Tab: type a code.")
        )
        super().show(state)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Nothing typed is no answer."""
        if event.value.strip():
            self.dismiss(WhoYouAre(event.value.strip(), self.by_code))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is no start screen to go back to, the program ends."""
        if action in ("close", "back"):
            return self.skull.stays == (action == "close")
        return True

    def action_back(self) -> None:
        """To where one came from."""
        self.action_close()

    def action_other_way(self) -> None:
        """From the name to the code, and back."""
        self.by_code = not self.by_code
        self.show(self.skull.known)
