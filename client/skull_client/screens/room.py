"""What every screen has: a header, the banner of a lost connection, a line for refusals, the keys.

A screen is shown the state, draws it, and asks for things; it never changes the state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from skull_client.client import Client
from skull_client.glyphs import ASCII, Glyphs
from skull_client.link_wording import link_banner, not_now, not_saving
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.key_line import KeyLine
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Menu, as_content
from skull_client.wording import say
from skull_protocol.pushes import Error
from skull_protocol.requests import Request
from skull_protocol.text import shown

SMALLEST = (60, 20)
"""Columns and rows below which a screen only says how much it needs."""

_NO_NOTICE = ("stale", "bad_password")
"""Refusals that are no news: what is shown has changed; a password is asked for."""


class Room(Screen[None]):
    """A whole screen."""

    ABOUT: ClassVar[str] = ""
    """What one does here, in a sentence or two that are said in the help."""
    AUTO_FOCUS = ".first"
    LETTERS: ClassVar[str] = ""
    """What letters select here: no binding can have them."""
    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - as its base declares it
        (0, "-tiny"),
        (SMALLEST[0], "-narrow"),
        (110, "-wide"),
    ]
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012 - as its base declares it
        (0, "-flat"),
        (SMALLEST[1], "-short"),
        (34, "-tall"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._focused_last: Widget | None = None
        self._parts = 0
        """How many there are, once they are there."""

    def compose(self) -> ComposeResult:
        """Put the common parts round what the screen is for."""
        yield Lines(id="header")
        yield Lines(id="banner")
        yield from self.furnish()
        yield Lines(id="notice")
        yield KeyLine()
        yield Lines(id="too-small")

    def furnish(self) -> ComposeResult:
        """Yield what this screen is for."""
        raise NotImplementedError

    def draw(self, state: ClientState) -> None:
        """Draw the state."""
        raise NotImplementedError

    def heading(self, state: ClientState) -> tuple[str, str | Content]:
        """Return what the header says at its left and at its right."""
        raise NotImplementedError

    def terminal_title(self, state: ClientState) -> str:
        """Return what the title of the terminal's window says."""
        return table_heading(self.glyphs, state)

    @property
    def skull(self) -> Client:
        """The app, by its own type."""
        return cast("Client", self.app)

    @property
    def glyphs(self) -> Glyphs:
        """The symbols to draw with now."""
        return self.skull.glyphs

    def on_mount(self) -> None:
        """Draw what is known already."""
        self._parts = len(self.children)
        self.show(self.skull.known)

    def show(self, state: ClientState) -> None:
        """Draw everything that may have changed, unless the screen is gone or not there yet.

        When the app closes its parts go one by one, while there may still be news.
        """
        if not (self.is_mounted and self.is_attached) or len(self.children) < self._parts:
            return
        banner = self.query_one("#banner", Lines)
        sentence = link_banner(state.link) if state.me is not None else ""
        if state.goodbye and sentence:
            sentence = f"{state.goodbye} {sentence}"
        if state.table is not None and not state.table.saving:
            sentence = f"{sentence} {not_saving()}".lstrip()
        banner.display = bool(sentence)
        banner.put(Content(shown(sentence)))
        if state.trouble:
            self.notice(state.trouble)
        self.draw_header(state)
        self.draw(state)
        self.skull.terminal_title.put(self.terminal_title(state), plain=self.glyphs is ASCII)
        self.query_one(KeyLine).show(self.glyphs)

    def draw_header(self, state: ClientState) -> None:
        """Draw the top line."""
        left, right = self.heading(state)
        width = max(self.size.width, 1)
        right = as_content(right)
        left = paint.fit(self.glyphs, f" {left}", max(width - right.cell_length - 2, 1))
        self.query_one("#header", Lines).put(Content.assemble((left, "bold"), " ", right, " "))

    def on_resize(self, event: events.Resize) -> None:
        """Say what is needed when there is too little room; else draw for the new width."""
        width, height = event.size
        if width < SMALLEST[0] or height < SMALLEST[1]:
            self.query_one("#too-small", Lines).put(
                say(
                    "Skull needs {columns}x{rows}; this is {width}x{height}. Please enlarge.",
                    columns=SMALLEST[0],
                    rows=SMALLEST[1],
                    width=width,
                    height=height,
                )
            )
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        """Draw for the new size. What had the focus lost it if there was too little room."""
        last = self._focused_last
        if self.focused is None and last is not None and last.is_attached and last.focusable:
            self.set_focus(last)
        self.show(self.skull.known)

    def notice(self, sentence: str) -> None:
        """Say what went wrong, until the next thing is asked for; empty: nothing."""
        self._put_notice(sentence and f"! {sentence}", paint.PROBLEM)

    def tell(self, sentence: str) -> None:
        """Say something where refusals are said, until the next thing is asked for."""
        self._put_notice(sentence, paint.TURN)

    def _put_notice(self, words: str, colour: str) -> None:
        line = self.query_one("#notice", Lines)
        line.display = bool(words)
        line.put(Content.styled(f" {shown(words)}", colour))

    def ask(
        self,
        request: type[Request],
        answered: Callable[[Error | None], None] | None = None,
        **fields: object,
    ) -> bool:
        """Ask the server for something; a refusal is shown here in its sentence.

        Returns whether it was asked at all: without a connection it is not.
        """

        def answer(error: Error | None) -> None:
            if error is not None and error.code not in _NO_NOTICE and self.is_attached:
                self.notice(error.message)
            if answered is not None and self.is_attached:
                answered(error)

        sent = self.skull.ask(request, answer, **fields)
        self.notice("" if sent else not_now())
        return sent

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """The keys may differ with what is selected."""
        self.query_one(KeyLine).show(self.glyphs)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The keys differ with what has the focus."""
        self._focused_last = event.widget
        self.query_one(KeyLine).show(self.glyphs)


def table_heading(glyphs: Glyphs, state: ClientState) -> str:
    """Return what the header says about the table at which one is."""
    if state.table is None:
        return say("Skull")
    words = say("Skull {dot} Table {code}", dot=glyphs.separator, code=state.table.code)
    return say("{table} (locked)", table=words) if state.table.locked else words


def columns(glyphs: Glyphs, *cells: tuple[str, int]) -> str:
    """Return a line of cells, each in its width; 0: as wide as it is."""
    return " ".join(
        paint.fit(glyphs, shown(text), width) if width else shown(text) for text, width in cells
    )


def rule(glyphs: Glyphs) -> Widget:
    """A line across the screen."""
    return Lines(Content(glyphs.horizontal * 400), classes="rule")
