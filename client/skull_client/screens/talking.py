"""Talking at the table: one key opens a line, Enter says it, Escape closes it."""

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input

from skull_client.screens.entry import Line
from skull_client.screens.phrases import Phrases
from skull_client.screens.room import Room
from skull_client.widgets.lines import Lines
from skull_client.widgets.story import Story
from skull_client.wording import say
from skull_protocol.pushes import Error
from skull_protocol.requests import Say

TALK_BINDINGS = (
    Binding("t", "talk", "talk", id="table.talk"),
    Binding("escape", "hush", "close", key_display="escape"),
    Binding("pageup", "read_story(-1)", "read back", show=False, key_display="pages"),
    Binding("pagedown", "read_story(1)", show=False),
)
# Behind all others: where there is little room, the line of keys drops it first.
PHRASES_BINDING = Binding("e", "phrases", "phrases", id="table.phrases")


class Talking(Room):
    """A room in which one can talk."""

    def talk_line(self) -> ComposeResult:
        """The line, hidden until it is wanted."""
        with Horizontal(id="talk"):
            yield Lines(say(" Say:"))
            yield Line("", 400)

    @property
    def talking(self) -> bool:
        """Whether somebody types: then only the keys of the line are keys."""
        return bool(self.query_one("#talk").display)

    def check_talk(self, action: str) -> bool:
        """While somebody types, nothing but closing the line is offered; else all but that."""
        if action == "read_story":  # also while one types an answer
            return bool(self.query_one(Story).region)
        if action in ("talk", "phrases") and not self._may_talk():
            return False
        return self.talking == (action == "hush")

    def _may_talk(self) -> bool:
        """Whether the table lets this person talk: those who watch may have to be quiet."""
        known = self.skull.known
        return known.table is None or known.seat is not None or known.table.options.watchers_talk

    def on_key(self, event: events.Key) -> None:
        """Where talking is not allowed, its keys say so."""
        wanted = self.skull.key_of("table.talk", "t"), self.skull.key_of("table.phrases", "e")
        if event.key in wanted and not self.talking and not self._may_talk():
            self.notice(say("Those who watch may not talk at this table."))

    def action_talk(self) -> None:
        """Open the line."""
        self.query_one("#talk").display = True
        self.set_focus(self.query_one(Line))

    def action_read_story(self, pages: int) -> None:
        """Go back in what happened and was said, or on again."""
        self.query_one(Story).read(pages)

    def action_phrases(self) -> None:
        """Open the palette of quick phrases."""
        self.app.push_screen(Phrases(self.skull.chosen.now.phrases))

    def action_hush(self) -> None:
        """Close the line; what was typed stays for later."""
        self.query_one("#talk").display = False
        self.set_focus(self.query_one(".first"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it; nothing typed closes the line."""
        if not event.value.strip():
            self.action_hush()
            return

        def said(error: Error | None) -> None:
            if error is None:
                self.query_one(Line).value = ""
                self.action_hush()

        self.ask(Say, said, text=event.value)
