"""Before the server has let the player in."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.link_wording import link_banner
from skull_client.screens.room import Room
from skull_client.state import ClientState
from skull_client.widgets import discs
from skull_client.widgets.lines import Lines
from skull_client.wording import say
from skull_protocol.skull import FLOWER, SKULL
from skull_protocol.text import shown


class Connecting(Room):
    """Says what is being done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.home", "back", key_display="escape"),
    ]

    def furnish(self) -> ComposeResult:
        """One sentence in the middle, under a hand of discs."""
        yield Lines(id="middle")

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The game and the server."""
        return say("Skull"), self.skull.opening.server_label

    def draw(self, state: ClientState) -> None:
        """Say how the connection stands."""
        asking = state.link.state == "refused"  # a window says why, and asks who one is
        sentence = "" if asking else link_banner(state.link)
        hand = discs.apart(self.glyphs, (FLOWER, FLOWER, FLOWER, SKULL), {})
        words = Content(shown(sentence))
        self.query_one("#middle", Lines).put(Content("\n").join([*hand, Content(""), words]))
