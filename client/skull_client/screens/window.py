"""The small windows that open above a screen: a title, something to do, and Escape to close."""

from __future__ import annotations

from typing import ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from skull_client.client import Client
from skull_client.link_wording import not_now
from skull_client.state import ClientState
from skull_client.widgets.key_line import KeyLine
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Menu
from skull_protocol.pushes import Error
from skull_protocol.requests import Request
from skull_protocol.text import shown

Answer = TypeVar("Answer")


class Window(ModalScreen[Answer]):
    """A window with a title; closing it answers None.

    It closes once, and when nothing is above it any more: asked to close a screen below another,
    Textual would close the other one, and fail when it is asked again.
    """

    AUTO_FOCUS = ".first"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "close", key_display="escape"),
        Binding("question_mark", "explain", "help", show=False, id="everywhere.help"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading = title
        self._done: tuple[Answer | None] | None = None
        """What is to be answered as soon as nothing is above this window."""

    def compose(self) -> ComposeResult:
        """The frame, and inside it what the window is for."""
        with Vertical(id="window") as frame:
            frame.border_title = Content(shown(self.heading))
            yield from self.furnish()
        yield KeyLine()

    def furnish(self) -> ComposeResult:
        """Yield what this window is for."""
        raise NotImplementedError

    @property
    def skull(self) -> Client:
        """The app, by its own type."""
        return cast("Client", self.app)

    def on_mount(self) -> None:
        """Draw what is known already."""
        self.show(self.skull.known)

    def show(self, state: ClientState) -> None:
        """Draw what may have changed."""
        self.query_one(KeyLine).show(self.skull.glyphs)

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """The keys may differ with what is selected."""
        self.query_one(KeyLine).show(self.skull.glyphs)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The keys differ with what has the focus."""
        self.query_one(KeyLine).show(self.skull.glyphs)

    def ask(self, request: type[Request], **fields: object) -> None:
        """Ask the server for something; close when it is done, or say here why it is not."""

        def answered(error: Error | None) -> None:
            if self not in self.app.screen_stack:
                return
            if error is None:
                self.dismiss(None)
            else:
                self.refused(error)

        if not self.skull.ask(request, answered, **fields):
            self.refuse(not_now())

    def refused(self, error: Error) -> None:
        """What was asked for cannot be."""
        self.refuse(error.message)

    def refuse(self, sentence: str) -> None:
        """Say in this window what went wrong."""
        raise NotImplementedError

    async def action_explain(self) -> None:
        """Open the help about this window."""
        await self.app.run_action("app.help")

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer, now or when what is above has gone."""
        if self.app.screen is self:
            return super().dismiss(result)
        if self in self.app.screen_stack:
            self._done = (result,)
        return AwaitComplete()

    def on_screen_resume(self) -> None:
        """Close now, if that was to be done while something was above."""
        if self._done is not None and self.app.screen is self:
            self.dismiss(*self._done)


def sentence(text: str, classes: str = "") -> Lines:
    """A line of text in a window."""
    return Lines(Content(shown(text)), classes=classes)
