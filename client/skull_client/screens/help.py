"""The keys and the game, on one page."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.wording import msg, say

TEXT = msg(
    """\
THE GAME   Everybody has three flowers and a skull. Place discs face down
on your mat. On your turn place one more, or bid how many flowers you can
flip. The others raise or pass. The highest bidder flips: the own stack
first, then the tops of others. All flowers: a point. A skull: one disc
is lost. Two points win, and so does being the last with discs.

KEYS       The same everywhere: arrows select, Enter does it.
  letters     move to what starts with them; they never act in the game
  digits      the number of a bid, or the position of a disc
  t           talk to the table        w   who is here (and mute)
  a           take the round back      k   a code to go on elsewhere
  l           leave the table          q   quit (your seat is held)
  In the lobby: h your games that are over, r records of the players
  F2          plain ASCII symbols      ?   this page
  Mouse       a click selects, a second click does it

SIGNS      {flower} flower   {skull} skull   {down} face down   {turn} whose turn it is
           {point} a point   {left} the highest bid   ( ) your disc, seen by all
           (bot) a bot plays for somebody, until they are back
"""
)


class Help(Window[None]):
    """A page to read."""

    def __init__(self) -> None:
        super().__init__(say("Help"))

    def furnish(self) -> ComposeResult:
        """The page, which scrolls where it must."""
        with VerticalScroll(classes="first"):
            yield Lines(id="page")

    def show(self, state: ClientState) -> None:
        """Write the page with the symbols in use."""
        glyphs = self.skull.glyphs
        self.query_one("#page", Lines).put(
            say(
                TEXT,
                flower=glyphs.flower,
                skull=glyphs.skull,
                down=glyphs.face_down,
                turn=glyphs.turn,
                point=glyphs.point,
                left=glyphs.left,
            )
        )
        super().show(state)
