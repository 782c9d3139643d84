"""Which key does what: a list to read, and to change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.bindings import Keys, key_words
from skull_client.screens.window import Window, sentence
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say
from skull_protocol.text import shown

Changed = Callable[[Mapping[str, str]], None]
"""Keeps the keys that were chosen; what goes wrong is told by `refuse`."""


class EditKeys(Window[None]):
    """Enter, then the new key. What would do two things on one screen is said, and not taken."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "usual", "the usual", id="settings.usual_key"),
        Binding("r", "all_usual", "all as usual", id="settings.all_usual"),
    ]

    def __init__(self, keys: Keys, changed: Changed) -> None:
        super().__init__(say("Keys"))
        self._keys = keys
        self._changed = changed

    @property
    def _chosen(self) -> Mapping[str, str]:
        return self.skull.chosen.now.keys

    def furnish(self) -> ComposeResult:
        """A line for each, and what is wrong."""
        yield Menu(classes="first palette")
        yield Lines(id="refusal")

    def show(self, state: ClientState) -> None:
        """List them with the keys they have now."""
        glyphs = self.skull.glyphs
        used, _ = self._keys.usable(self._chosen)
        now = self._keys.now(used)
        items = []
        for name, bound in self._keys.bound.items():
            keys = " ".join(key_words(key) for key in now[name])
            mark = glyphs.chosen if name in used else " "
            line = Content.assemble(
                (paint.fit(glyphs, f"{keys} {mark}", 12), "bold"),
                paint.fit(glyphs, self._keys.words(name), 26),
                (bound.place, paint.QUIET),
            )
            items.append(Item(name, line, verb=say("change")))
        self.query_one(Menu).show(glyphs, items)
        super().show(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is something to be undone only where something was changed."""
        if action == "all_usual":
            return bool(self._chosen)
        if action == "usual" and self.is_mounted:
            selected = self.query_one(Menu).selected
            return selected is not None and selected.key in self._chosen
        return True

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Wait for the new key."""
        name = str(event.item.key)

        def pressed(key: str | None) -> None:
            if key is not None:
                self._give(name, key)

        self.refuse("")
        self.app.push_screen(PressKey(self._keys.words(name)), pressed)

    def _give(self, name: str, key: str) -> None:
        trouble = self._keys.unfit(name, key)
        if not trouble:
            used, _ = self._keys.usable(self._chosen)
            wanted = {**used, name: key}
            if self._keys.bound[name].keys == (key,):
                del wanted[name]
            trouble = self._keys.refusal(wanted)
            if not trouble:
                self._changed(wanted)
        self.refuse(trouble)
        self.show(self.skull.known)

    def action_usual(self) -> None:
        """The usual key, if that does nothing else by now."""
        selected = self.query_one(Menu).selected
        if selected is None:
            return
        used, _ = self._keys.usable(self._chosen)
        wanted = {name: key for name, key in used.items() if name != selected.key}
        trouble = self._keys.refusal(wanted)
        if not trouble:
            self._changed(wanted)
        self.refuse(trouble)
        self.show(self.skull.known)

    def action_all_usual(self) -> None:
        """All as at first."""
        self.refuse("")
        self._changed({})
        self.show(self.skull.known)

    def refuse(self, sentence: str) -> None:
        """Say what went wrong; empty: nothing."""
        line = self.query_one("#refusal", Lines)
        line.display = bool(sentence)
        line.put(Content.styled(shown(sentence), paint.PROBLEM))


class PressKey(Window[str]):
    """Whatever key is pressed next is the answer; Escape is none."""

    def __init__(self, words: str) -> None:
        super().__init__(say("Another key"))
        self._words = words

    def furnish(self) -> ComposeResult:
        """What the key is for."""
        yield sentence(say("Press the key for: {words}", words=self._words))

    def on_key(self, event: events.Key) -> None:
        """That one."""
        if event.key != "escape":
            event.stop()
            event.prevent_default()
            self.dismiss(event.key)
