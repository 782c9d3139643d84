"""A list of things to choose from: arrows move, Enter chooses, and nothing else ever does.

A letter or a click only moves to an item; a click on the item that is selected chooses it.
"""

from collections.abc import Hashable, Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message

from skull_client.glyphs import UNICODE, Glyphs
from skull_client.widgets import paint
from skull_client.widgets.rows import Rows

MOVE_BINDINGS = (
    Binding("down", "move(1)", "choose", key_display="up-down"),
    Binding("up", "move(-1)", show=False),
    Binding("home", "end(0)", show=False),
    Binding("end", "end(-1)", show=False),
)
CHOOSE_BINDING = Binding("enter", "choose", "do it", key_display="enter")


class Item(Struct, frozen=True):
    """One thing to choose."""

    key: Hashable
    """What it is; while this stays, the selection stays with it."""
    label: str | Content
    letter: str = ""
    """The key that jumps here."""
    verb: str | None = None
    """What Enter does with it, for the line of keys; None: it is done; empty: nothing."""


class Menu(Rows, can_focus=True):
    """Items one below the other, scrolled so that the selected one is seen."""

    BINDINGS: ClassVar[list[BindingType]] = [*MOVE_BINDINGS, CHOOSE_BINDING]

    class Moved(Message):
        """Another item is selected now."""

        def __init__(self, menu: "Menu", item: Item | None) -> None:
            super().__init__()
            self.menu = menu
            self.item = item

    class Chosen(Message):
        """Enter was pressed on an item."""

        def __init__(self, menu: "Menu", item: Item) -> None:
            super().__init__()
            self.menu = menu
            self.item = item

        @property
        def control(self) -> "Menu":
            """The menu it was chosen from."""
            return self.menu

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self.glyphs: Glyphs = UNICODE
        self.items: tuple[Item, ...] = ()
        self.index: int | None = None
        self._top = 0

    @property
    def selected(self) -> Item | None:
        """The item that Enter would choose."""
        return None if self.index is None else self.items[self.index]

    def show(self, glyphs: Glyphs, items: Sequence[Item], *, preselect: bool = True) -> None:
        """Offer these items. The selection stays with its item; else it is the first, or none."""
        before = self.selected
        keys = [item.key for item in items]
        if before is not None and before.key in keys:
            index: int | None = keys.index(before.key)
        else:
            index = 0 if items and preselect else None
        if (glyphs, tuple(items), index) == (self.glyphs, self.items, self.index):
            return
        height = len(self.items)
        self.glyphs, self.items, self.index = glyphs, tuple(items), index
        self.refresh(layout=height != len(items) and self.styles.is_auto_height)
        if self.selected != before:
            self.post_message(self.Moved(self, self.selected))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing now are not offered."""
        if action in ("move", "end"):
            return len(self.items) > (0 if self.index is None else 1)
        if action == "choose":
            return self.selected is not None and self.selected.verb != ""
        return True

    def select(self, index: int) -> None:
        """Move to an item."""
        if self.items and index != self.index:
            self.index = max(0, min(index, len(self.items) - 1))
            self.refresh()
            self.post_message(self.Moved(self, self.selected))

    def deselect(self) -> None:
        """Select nothing: whatever is offered next has to be chosen anew."""
        self.index = None
        self.refresh()

    def action_move(self, step: int) -> None:
        """Move to the next or the one before, round the ends."""
        if self.index is None:
            self.select(0 if step > 0 else len(self.items) - 1)
        else:
            self.select((self.index + step) % len(self.items))

    def action_end(self, index: int) -> None:
        """Move to the first or to the last."""
        self.select(index % len(self.items))

    def action_choose(self) -> None:
        """Choose what is selected."""
        if self.selected is not None and self.selected.verb != "":
            self.post_message(self.Chosen(self, self.selected))

    def on_key(self, event: events.Key) -> None:
        """A letter moves to the next item that has it."""
        if not event.character or event.character == " ":
            return
        found = [i for i, item in enumerate(self.items) if item.letter == event.character]
        if found:
            event.stop()
            after = [i for i in found if self.index is not None and i > self.index]
            self.select((after or found)[0])

    def on_click(self, event: events.Click) -> None:
        """Select what was clicked; choose it if it was selected already."""
        event.stop()
        index = self.item_at(event.x, event.y)
        if index is None:
            return
        if index == self.index:
            self.action_choose()
        else:
            self.select(index)

    def item_at(self, _x: int, y: int) -> int | None:
        """Which item is drawn at this place."""
        index = self._top + y
        return index if index < len(self.items) else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line for each item."""
        return max(len(self.items), 1)

    def rows(self) -> list[Content]:
        """Draw the items that fit."""
        height, width = self.size.height, self.size.width
        index = self.index or 0
        self._top = max(min(self._top, index), index - height + 1, 0)
        lines: list[Content] = []
        for position, item in enumerate(self.items[self._top : self._top + height], self._top):
            chosen = position == self.index
            mark = self.glyphs.turn if chosen else " "
            line = paint.fit_content(
                self.glyphs, Content.assemble(mark, " ", as_content(item.label)), width
            )
            # One bar of one colour: what is coloured inside would be a patch in it.
            lines.append(Content.styled(line.plain, paint.CHOSEN) if chosen else line)
        return lines


def as_content(text: str | Content) -> Content:
    """Plain text as content: nothing in it is markup."""
    return text if isinstance(text, Content) else Content(text)
