"""What a player may do now: one bar for every decision of the game, with the same keys.

Items stand side by side. Arrows and letters select, digits count or point, Enter does it.
"""

from collections.abc import Hashable, Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.menu import CHOOSE_BINDING, Item, Menu, as_content

BID: Hashable = "bid"
"""The key of the item that carries a number."""
_GAP = 1


def _begins_one(typed: str, low: int, high: int) -> bool:
    return bool(int(typed)) and any(str(n).startswith(typed) for n in range(low, high + 1))


class ActionBar(Menu, inherit_bindings=False):
    """The actions that are possible now, and the number that a bid would be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "move(1)", "choose", key_display="left-right"),
        Binding("left", "move(-1)", show=False),
        Binding("up", "count(1)", "number", key_display="up-down"),
        Binding("down", "count(-1)", show=False),
        CHOOSE_BINDING,
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes="first")
        self.amount = 0
        self._range: tuple[int, int] | None = None
        self._typed = ""
        self._offer: tuple[Item, ...] = ()
        self._not_now = ""
        self._places: list[tuple[int, int, int]] = []
        self.sending = False
        """An action is on its way: nothing can be chosen until it is answered."""

    def offer(
        self,
        glyphs: Glyphs,
        items: Sequence[Item],
        bid: tuple[int, int] | None = None,
        not_now: str = "",
    ) -> None:
        """Offer these actions; `bid` is the range of the number in the item `BID`.

        `not_now` says what cannot be done.

        Nothing is selected at first, unless there is just one thing to do.
        """
        if bid != self._range:
            self._range = bid
            self.amount = bid[0] if bid else 0
            self._typed = ""
        self._offer = tuple(items)
        if not_now != self._not_now:
            self._not_now = not_now
            self.refresh()
        numbered = [self._with_amount(item) for item in items]
        self.show(glyphs, numbered, preselect=len(numbered) == 1)

    def _with_amount(self, item: Item) -> Item:
        if item.key != BID or self._range is None:
            return item
        label = as_content(item.label).plain
        return replace(item, label=f"{label} {self.amount}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing can be chosen while an action is on its way."""
        if self.sending:
            return False
        if action == "count":
            return self._range is not None and self._range[0] < self._range[1]
        return super().check_action(action, parameters)

    def action_choose(self) -> None:
        """Choose it, once: a second Enter right behind the first finds nothing selected."""
        super().action_choose()
        self.deselect()

    def action_count(self, step: int) -> None:
        """Go to the bid; from there, bid one more or one less."""
        self._typed = ""
        if not self._select_bid():
            self._set_amount(self.amount + step)

    def _select_bid(self) -> bool:
        """Tell whether the selection had to move to get to the bid."""
        index = next((i for i, item in enumerate(self.items) if item.key == BID), None)
        if index is None or index == self.index:
            return False
        self.select(index)
        return True

    def _set_amount(self, amount: int) -> None:
        if self._range is None:
            return
        low, high = self._range
        if low <= amount <= high and amount != self.amount:
            self.amount = amount
            self.offer(self.glyphs, self._offer, self._range, self._not_now)
            self.post_message(self.Moved(self, self.selected))

    def on_key(self, event: events.Key) -> None:
        """Digits: the number of a bid, else the item with that digit."""
        if self.sending:
            return
        digit = event.character or ""
        if self._range is None or not ("0" <= digit <= "9"):
            super().on_key(event)
            return
        low, high = self._range
        for typed in (self._typed + digit, digit):
            if low <= int(typed) <= high or _begins_one(typed, low, high):
                event.stop()
                self._typed = typed
                self._select_bid()
                self._set_amount(int(typed))
                return
        self._typed = ""  # the screen says why there is no such bid

    def item_at(self, x: int, y: int) -> int | None:
        """Which item is drawn at this place."""
        for index, (row, start, end) in enumerate(self._places):
            if row == self._top + y and start <= x < end:
                return index
        return None

    def on_click(self, event: events.Click) -> None:
        """As in any menu, but not while an action is on its way."""
        if not self.sending:
            super().on_click(event)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The bar never changes its height: the screen must not jump."""
        return 2

    def rows(self) -> list[Content]:
        """Draw the items side by side, on as many rows as it takes."""
        rows: list[list[Content]] = [[]]
        self._places = []
        column = 0
        for index, item in enumerate(self.items):
            chosen = index == self.index and not self.sending
            label = as_content(item.label)
            text = Content.assemble("[", self.glyphs.turn if chosen else " ", label, " ", "]")
            width = cell_len(text.plain)
            if column and column + width > self.size.width:
                rows.append([])
                column = 0
            if chosen:
                text = text.stylize(paint.CHOSEN)
            elif self.sending:
                text = text.stylize(paint.QUIET)
            rows[-1] += [text, Content(" " * _GAP)]
            self._places.append((len(rows) - 1, column, column + width))
            column += width + _GAP
        if self._not_now:
            if column + 1 + cell_len(self._not_now) > self.size.width:
                rows.append([])
            rows[-1].append(Content.styled(f" {self._not_now}", paint.QUIET))
        selected_row = self._places[self.index][0] if self.index is not None else 0
        self._top = max(0, selected_row - self.size.height + 1)
        return [
            paint.fit_content(self.glyphs, Content.assemble(*row), self.size.width)
            for row in rows[self._top : self._top + self.size.height]
        ]
