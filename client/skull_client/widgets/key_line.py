"""The bottom line: just the keys that do something now, to press or to click."""

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode

from skull_client.bindings import key_words
from skull_client.glyphs import UNICODE, Glyphs
from skull_client.widgets import paint
from skull_client.widgets.menu import Menu
from skull_client.widgets.rows import Rows
from skull_client.wording import say


class KeyLine(Rows):
    """Reads the bindings that are active on its screen."""

    def __init__(self) -> None:
        super().__init__()
        self.glyphs: Glyphs = UNICODE
        self._keys: list[tuple[Content, str, DOMNode]] = []
        self._places: list[tuple[int, int, str, DOMNode]] = []

    def show(self, glyphs: Glyphs) -> None:
        """List the keys as they are now."""
        self.glyphs = glyphs
        found = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            verb = say(binding.description) if binding.description else ""
            if isinstance(active.node, Menu) and binding.action == "choose":
                selected = active.node.selected
                verb = verb if selected is None or selected.verb is None else selected.verb
            if binding.show and active.enabled and binding.action not in found:
                key = key_name(binding, glyphs)
                text = Content.assemble((key, "bold"), " ", (verb, paint.QUIET))
                found[binding.action] = (text, active.node)
        keys = [(text, action, node) for action, (text, node) in found.items()]
        if [(text.plain, node) for text, _, node in keys] != [
            (text.plain, node) for text, _, node in self._keys
        ]:
            self._keys = keys
            self.refresh()

    def rows(self) -> list[Content]:
        """Side by side, closer together where there is little room; help is always among them."""
        keys = list(self._keys)
        while len(keys) > 2 and _width(keys, 1) > self.size.width:
            keys.pop(-2)
        gap = 2 if _width(keys, 2) <= self.size.width else 1
        self._places = []
        column = 1
        for text, action, node in keys:
            self._places.append((column, column + text.cell_length, action, node))
            column += text.cell_length + gap
        line = Content.assemble(" ", Content(" " * gap).join([text for text, _, _ in keys]))
        return [paint.fit_content(self.glyphs, line, self.size.width)]

    async def on_click(self, event: events.Click) -> None:
        """A click on a key is a press of it, where that key only moves or opens something."""
        for start, end, action, node in self._places:
            if start <= event.x < end:
                await self.app.run_action(action, node)
                return


def key_name(binding: Binding, glyphs: Glyphs) -> str:
    """Return what a key is called."""
    names = {
        "up-down": glyphs.up + glyphs.down,
        "left-right": glyphs.left + glyphs.right,
        "enter": "Enter",
        "escape": "Esc",
        "tab": "Tab",
        "pages": "PgUp",
    }
    key = binding.key_display or binding.key
    return names.get(key) or key_words(key)


def _width(keys: list[tuple[Content, str, DOMNode]], gap: int) -> int:
    """Cells that keys take side by side, with so many between them."""
    return 1 + sum(text.cell_length for text, _, _ in keys) + gap * (len(keys) - 1)
