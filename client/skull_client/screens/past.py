"""What the screens that look back have in common: the way out, and why there is nothing yet."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.room import Room
from skull_client.widgets.columns import in_columns
from skull_client.widgets.lines import Lines
from skull_client.wording import say

_FRAME = 3
"""Columns for the margin and the mark of what is selected."""


class LookingBack(Room):
    """Something that the server was asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    def why_empty(self, here: str, none: str, *, asked: bool) -> str:
        """Say why there is nothing to see.

        `here`: what is so when one plays on this machine; `none`: what is so when the server has
        nothing; `asked`: its answer has not come.
        """
        if self.skull.opening.is_here:
            words = here
        else:
            words = say("One moment: asking the server.") if asked else none
        return f"\n  {words}"

    def put_head(self, head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
        """Put a head over the list, and return its lines: a name each, and numbers."""
        every = [head, *rows]
        top, *lines = in_columns(
            self.glyphs, every, self.size.width - _FRAME, numbers=range(1, len(head))
        )
        self.query_one("#lobby-head", Lines).put(Content(f"  {top}"))
        return lines

    def action_back(self) -> None:
        """Back to where one came from."""
        self.app.pop_screen()
