"""Setting up a table: every option, its values, and what the highlighted one means."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input

from skull_client.option_wording import SKULL_OPTIONS, TABLE_OPTIONS, option_value
from skull_client.screens.entry import Line
from skull_client.screens.password import LONGEST, typed_password
from skull_client.screens.window import Window
from skull_client.setting_up import VALUES, contradiction, value_of, with_value, words_of
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import CHOOSE_BINDING, MOVE_BINDINGS, Item, Menu
from skull_client.wording import say
from skull_protocol.requests import ChangeOptions, CreateTable
from skull_protocol.tables import TableOptions
from skull_protocol.text import shown

_ROOMY = 100
"""Columns from which on every option is explained at once."""


class Settings(Menu, inherit_bindings=False):
    """Options one below the other; left and right change the one that is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *MOVE_BINDINGS,
        Binding("right", "turn(1)", "change", key_display="left-right"),
        Binding("left", "turn(-1)", show=False),
        CHOOSE_BINDING,
    ]

    class Turned(Message):
        """The selected option should have its next or its former value."""

        def __init__(self, field: str, step: int) -> None:
            super().__init__()
            self.field = field
            self.step = step

    still: frozenset[Hashable] = frozenset()
    """Items that have no other value to be turned to."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing now are not offered."""
        if action == "turn":
            return self.selected is not None and self.selected.key not in self.still
        return super().check_action(action, parameters)

    def action_turn(self, step: int) -> None:
        """Change the selected option."""
        if self.selected is not None:
            self.post_message(self.Turned(str(self.selected.key), step))

    def on_click(self, event: events.Click) -> None:
        """A click on the selected option changes it."""
        event.stop()
        index = self.item_at(event.x, event.y)
        if index is not None and index == self.index:
            self.action_turn(1)
        elif index is not None:
            self.select(index)


class SetUp(Window[None]):
    """Makes a table, or changes the options of one; stays open while they are refused.

    A new table can be given a password here; later there is a window for that alone.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn_to", "password", key_display="tab"),
    ]

    def __init__(
        self, options: TableOptions, title: str, request: type[CreateTable | ChangeOptions]
    ) -> None:
        super().__init__(title)
        self.options = options
        self.request = request
        self.refusal = ""

    def furnish(self) -> ComposeResult:
        """The options over the password and what the selected one means."""
        yield Settings(classes="first")
        if self.request is CreateTable:
            with Horizontal(id="password"):
                yield Lines(say("  Password          "))
                yield Line("", LONGEST, say("none: anybody may come in"))
        yield Lines(id="meaning")

    def on_resize(self, event: events.Resize) -> None:
        """Where there is room, each option is explained beside it."""
        self.set_class(event.size.width >= _ROOMY, "-roomy")
        self.show(self.skull.known)

    def show(self, state: ClientState) -> None:
        """Draw the options as they are set now."""
        glyphs = self.skull.glyphs
        menu = self.query_one(Settings)
        chosen = menu.selected.key if menu.selected else next(iter(TABLE_OPTIONS))
        items = []
        for field, words in {**TABLE_OPTIONS, **SKULL_OPTIONS}.items():
            value = value_of(self.options, field)
            told = option_value(words, value)
            usual = value == value_of(TableOptions(), field)
            if field == chosen:
                choice = f"{glyphs.left} {paint.fit(glyphs, told.label, 14)} {glyphs.right}"
            else:
                choice = f"  {told.label:<16}"
            items.append(
                Item(
                    field,
                    Content.assemble(
                        f"{words.label:<18}",
                        (choice, "" if usual else paint.TURN),
                        (f"  {told.meaning}" if self.has_class("-roomy") else "", paint.QUIET),
                    ),
                    verb=say("create") if self.request is CreateTable else say("save"),
                )
            )
        menu.show(glyphs, items)
        self._explain(menu.selected)
        super().show(state)

    def _explain(self, item: Item | None) -> None:
        if item is None:
            return
        field = str(item.key)
        words = words_of(field)
        problem = contradiction(self.options) or self.refusal
        value = option_value(words, value_of(self.options, field))
        told = words.meaning if self.has_class("-roomy") else f"{words.meaning}\n{value.meaning}"
        meaning = Content(told)
        if problem:
            meaning = Content.assemble(meaning, "\n", (problem, paint.PROBLEM))
        self.query_one("#meaning", Lines).put(meaning)

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Another option, another meaning."""
        self.show(self.skull.known)

    def on_settings_turned(self, event: Settings.Turned) -> None:
        """Go to the next value, round the ends."""
        values = VALUES[event.field]
        now = value_of(self.options, event.field)
        index = values.index(now) if now in values else 0
        self.options = with_value(
            self.options, event.field, values[(index + event.step) % len(values)]
        )
        self.refusal = ""
        self.show(self.skull.known)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a new table has a second place to go to."""
        return action != "turn_to" or self.request is CreateTable

    def action_turn_to(self) -> None:
        """Go to the password, or back to the options."""
        self.focus_next()

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Enter on any option takes them all."""
        self._take_all()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """So does Enter in the password."""
        self._take_all()

    def _take_all(self) -> None:
        if contradiction(self.options):
            return
        if self.request is CreateTable:
            password = typed_password(self.query_one(Line).value)
            self.ask(CreateTable, options=self.options, password=password)
        else:
            self.ask(self.request, options=self.options)

    def refuse(self, sentence: str) -> None:
        """Say it under the options."""
        self.refusal = shown(sentence)
        self.show(self.skull.known)
