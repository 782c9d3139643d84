"""What the screen is for that one sees, and its keys; then the game and the signs, on one page."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen

from skull_client.glyphs import Glyphs
from skull_client.screens.room import Room
from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.key_line import key_name
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Menu, as_content
from skull_client.wording import msg, say
from skull_protocol.text import shown

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
MEANINGS: dict[str, str] = {
    "choose": msg("do what is selected"),
    "talk": msg("talk to the table"),
    "phrases": msg("say a quick phrase"),
    "settings": msg("settings, keys too"),
    "people": msg("who is here; mute or remove them"),
    "log": msg("what happened, and talk"),
    "read_story(-1)": msg("read back in the log"),
    "take_back": msg("ask to take the round back"),
    "coach": msg("what would a hard bot do?"),
    "leave": msg("leave the table"),
    "leave_lesson": msg("leave the lesson"),
    "next_step": msg("have this step done for you"),
    "resume_code": msg("a code to go on elsewhere"),
    "plain": msg("plain ASCII symbols"),
    "colours": msg("colours"),
    "redraw": msg("draw the screen anew"),
    "app.quit_game": msg("quit"),
    "add_bot": msg("add a bot: easy, normal or hard"),
    "remove_bot": msg("send a bot away"),
    "options": msg("options of this table"),
}
"""What a key does, by its action, where its short name in the line of keys leaves one guessing."""
_UNSAID = ("move", "end", "count", "help", "quit_game")
"""Actions of keys that are told in the text, or are another key for the same."""
_ROOMY = 76
"""Columns from which on keys stand in two columns."""
_LEFT, _RIGHT = 36, 38
"""Cells that each of the two has."""


class Help(Window[None]):
    """A page to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "read(1)", "read on", key_display="up-down"),
        Binding("up", "read(-1)", show=False),
        Binding("pagedown", "read(10)", show=False),
        Binding("pageup", "read(-10)", show=False),
    ]

    def __init__(self, about: Screen[object]) -> None:
        """`about`: the screen on which help was asked for."""
        super().__init__(say("Help"))
        self.title_here = about.heading if isinstance(about, Window) else ""
        self.about = say(about.ABOUT) if isinstance(about, Room) and about.ABOUT else ""
        self.keys = _keys_of(about)

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
        page = self._page(self.skull.glyphs, roomy=self.app.size.width >= _ROOMY)
        self.query_one("#page", Lines).put(page)
        super().show(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is nothing to read on where all is seen."""
        if action == "explain":
            return False
        return action != "read" or self.query_one(VerticalScroll).max_scroll_y > 0

    def action_read(self, lines: int) -> None:
        """Scroll."""
        page = self.query_one(VerticalScroll)
        page.scroll_to(y=page.scroll_y + lines, animate=False)

    def _page(self, glyphs: Glyphs, *, roomy: bool) -> Content:
        """What is on the screen now comes first, the rules and the signs behind it."""
        keys = [
            (letter if binding is None else key_name(binding, glyphs), say(words))
            for letter, binding, words in self.keys
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
                Content.styled(shown(self.title_here) or say("This screen"), paint.TURN),
                *([Content(self.about)] if self.about else []),
                *_pairs(glyphs, keys, roomy=roomy),
                Content(say(SAME)),
                Content.styled(say("The game"), paint.TURN),
                Content(say(GAME)),
                Content.styled(say("Signs"), paint.TURN),
                *_pairs(glyphs, signs, roomy=roomy),
            ]
        )


def _keys_of(screen: Screen[object]) -> list[tuple[str, Binding | None, str]]:
    """Each key that does something there now, and what: letters of choices, then the others.

    A choice's letter comes without a binding.
    """
    found: list[tuple[str, Binding | None, str]] = []
    menu = screen.focused
    if isinstance(menu, Menu):
        letters = [(item.letter, as_content(item.label).plain) for item in menu.items]
        found += [(letter, None, label) for letter, label in letters if letter]
    told = set(_UNSAID)
    for active in screen.active_bindings.values():
        binding = active.binding
        ours = binding.show or binding.action in MEANINGS  # Textual hides some of its own
        if ours and active.enabled and binding.description and binding.action not in told:
            told.add(binding.action)
            found.append(("", binding, MEANINGS.get(binding.action, binding.description)))
    return found


def _pairs(glyphs: Glyphs, pairs: list[tuple[str, str]], *, roomy: bool) -> list[Content]:
    cells = [
        Content.assemble((paint.fit(glyphs, f"  {sign}", 10), "bold"), f" {words}")
        for sign, words in pairs
    ]
    if not roomy:
        return cells
    lines: list[Content] = []
    left: Content | None = None
    for cell in cells:  # what is too long for its column has the line for itself
        if left is not None and cell.cell_length <= _RIGHT:
            lines.append(Content.assemble(paint.fit_content(glyphs, left, _LEFT), cell))
            left = None
            continue
        lines += [] if left is None else [left]
        left = cell if cell.cell_length < _LEFT else None
        lines += [] if left is not None else [cell]
    return lines if left is None else [*lines, left]
