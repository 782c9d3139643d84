"""A question with a few answers: leave, quit, take the round back, when were the flowers given."""

from collections.abc import Hashable, Sequence

from msgspec import Struct
from textual.app import ComposeResult

from skull_client.screens.window import Window, sentence
from skull_client.state import ClientState
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say


class Answered(Struct, frozen=True):
    """Which answer was chosen. Closing the window is no answer."""

    key: Hashable


class Ask(Window[Answered]):
    """Arrows, then Enter. The first answer is the harmless one."""

    def __init__(self, title: str, text: str, answers: Sequence[Item], chosen: int = 0) -> None:
        """`chosen`: which answer is selected at first, counted from 0."""
        super().__init__(title)
        self.text = text
        self.answers = tuple(answers)
        self.chosen = chosen

    def furnish(self) -> ComposeResult:
        """The question over its answers."""
        if self.text:
            yield sentence(self.text, "paragraph")
        yield Menu(classes="first fitted")

    def on_mount(self) -> None:
        """Begin at the answer that is likely."""
        super().on_mount()
        self.query_one(Menu).select(self.chosen)

    def show(self, state: ClientState) -> None:
        """The answers never change, the symbols may."""
        self.query_one(Menu).show(self.skull.glyphs, self.answers)
        super().show(state)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """That is the answer."""
        self.dismiss(Answered(event.item.key))


def confirm(title: str, text: str, yes: str, no: str = "") -> Ask:
    """Ask whether to go through with something; the answer's key is True or False."""
    return Ask(title, text, [Item(False, no or say("No, stay")), Item(True, yes)])
