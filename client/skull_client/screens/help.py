"""The game, the keys and the signs, on one page."""

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from skull_client.bindings import key_words
from skull_client.glyphs import Glyphs
from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.wording import msg, say

GAME = msg(
    "Everybody has three flowers and a skull. Place discs face down on your mat. On your turn "
    "place one more, or bid how many flowers you can flip. The others raise or pass. The highest "
    "bidder flips: the own stack first, then the tops of others. All flowers: a point. A skull: "
    "one disc is lost. Two points win, and so does being the last with discs."
)
SAME = msg(
    "The same everywhere: arrows select, Enter does it. Letters move to what starts with them "
    "and never act in the game; one that stands for what is not possible now says why. Digits are "
    "the number of a bid."
)
KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("table.talk",), msg("talk to the table")),
    (("table.phrases",), msg("say a quick phrase")),
    (("table.people",), msg("who is here (and mute)")),
    (("table.log",), msg("what happened, and talk")),
    (("everywhere.code",), msg("a code to go on elsewhere")),
    (("table.take_back",), msg("take the round back")),
    (("lobby.history", "lobby.records"), msg("games, records (lobby)")),
    (("table.leave",), msg("leave the table")),
    (("everywhere.settings",), msg("settings, keys too")),
    (("everywhere.plain",), msg("plain ASCII symbols")),
    (("everywhere.colours_too", "everywhere.colours"), msg("colours")),
    (("everywhere.quit",), msg("quit (your seat is held)")),
)
"""What there are keys for, by the ids of their bindings: the keys may be others than the usual."""
_ROOMY = 76
"""Columns from which on keys stand in two columns."""


class Help(Window[None]):
    """A page to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "read(1)", "read on", key_display="up-down"),
        Binding("up", "read(-1)", show=False),
        Binding("pagedown", "read(10)", show=False),
        Binding("pageup", "read(-10)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(say("Help"))

    def furnish(self) -> ComposeResult:
        """The page, which scrolls where it must."""
        with VerticalScroll(can_focus=False):
            yield Lines(id="page")

    def on_resize(self, event: events.Resize) -> None:
        """Fewer columns, more lines."""
        self.show(self.skull.known)
        self.call_after_refresh(lambda: self.show(self.skull.known))

    def show(self, state: ClientState) -> None:
        """Write the page with the symbols in use."""
        now = self.skull.keys.now(self.skull.keys.usable(self.skull.chosen.now.keys)[0])
        page = _page(self.skull.glyphs, now, roomy=self.app.size.width >= _ROOMY)
        self.query_one("#page", Lines).put(page)
        super().show(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to read on where all is seen."""
        return action != "read" or self.query_one(VerticalScroll).max_scroll_y > 0

    def action_read(self, lines: int) -> None:
        """Scroll."""
        page = self.query_one(VerticalScroll)
        page.scroll_to(y=page.scroll_y + lines, animate=False)


def _page(glyphs: Glyphs, now: Mapping[str, tuple[str, ...]], *, roomy: bool) -> Content:
    keys = [
        (" ".join(key_words(now[name][0]) for name in names), say(words)) for names, words in KEYS
    ]
    signs = [
        (glyphs.flower, say("flower")),
        (glyphs.skull, say("skull")),
        (glyphs.face_down, say("face down")),
        (glyphs.turn, say("whose turn it is")),
        (glyphs.point, say("a point")),
        ("( )", say("your disc, seen by all")),
        (say("(bot)"), say("a bot plays for somebody")),
        (say("away"), say("no connection; seat held")),
    ]
    return Content("\n").join(
        [
            Content.styled(say("The game"), paint.TURN),
            Content(say(GAME)),
            Content.styled(say("Keys"), paint.TURN),
            Content(say(SAME)),
            *_pairs(glyphs, keys, roomy=roomy),
            Content.styled(say("Signs"), paint.TURN),
            *_pairs(glyphs, signs, roomy=roomy),
        ]
    )


def _pairs(glyphs: Glyphs, pairs: list[tuple[str, str]], *, roomy: bool) -> list[Content]:
    cells = [
        Content.assemble((paint.fit(glyphs, f"  {sign}", 10), "bold"), f" {words}")
        for sign, words in pairs
    ]
    if not roomy:
        return cells
    return [
        Content.assemble(paint.fit_content(glyphs, left, 36), right)
        for left, right in zip(cells[::2], cells[1::2], strict=True)
    ]
