"""The colours to choose from: each is seen as soon as it is selected."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.themes import THEMES
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say


class Colours(Window[str]):
    """Arrows try them out, Enter keeps the one that is seen, Escape goes back to the one before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "next", show=False, id="everywhere.colours"),
        Binding("escape", "close", "as before", key_display="escape"),
    ]

    def __init__(self) -> None:
        super().__init__(say("Colours"))
        self._before = ""

    def furnish(self) -> ComposeResult:
        """A list, what the selected ones are for, and how things look in them."""
        yield Menu(classes="first fitted")
        yield Lines(id="meaning")

    def on_mount(self) -> None:
        """Begin with the colours in use."""
        self._before = self.skull.theme
        super().on_mount()
        self.query_one(Menu).select(list(THEMES).index(self._before))

    def show(self, state: ClientState) -> None:
        """List them; the ones in use before are ticked."""
        glyphs = self.skull.glyphs
        items = []
        for name, palette in THEMES.items():
            tick = glyphs.chosen if name == self._before else " "
            label = say(palette.label)
            items.append(Item(name, f"{tick} {label}", letter=name[0], verb=say("keep")))
        menu = self.query_one(Menu)
        menu.show(glyphs, items)
        if menu.selected is not None:
            meaning = say(THEMES[str(menu.selected.key)].meaning)
            self.query_one("#meaning", Lines).put(
                Content.assemble((meaning, paint.QUIET), "\n", self._sample())
            )
        super().show(state)

    def _sample(self) -> Content:
        glyphs, turn = self.skull.glyphs, say("your turn")
        return Content("  ").join(
            [
                Content.styled(f"{glyphs.turn} {turn}", paint.TURN),
                paint.disc(glyphs, "F"),
                paint.disc(glyphs, "S"),
                paint.disc(glyphs, None),
                paint.points(glyphs, 1),
                Content.styled(say("Ana: hello"), "bold $talk"),
                Content.styled(say("! not now"), paint.PROBLEM),
            ]
        )

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Draw everything in them."""
        if event.item is not None and self.is_current:
            self.skull.theme = str(event.item.key)
            self.show(self.skull.known)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """These are kept."""
        self.dismiss(str(event.item.key))

    def action_next(self) -> None:
        """The key that opened the window goes through the list."""
        self.query_one(Menu).action_move(1)

    def action_close(self) -> None:
        """As before."""
        self.skull.theme = self._before
        super().action_close()
