"""What the player's client knows and may ask: the part of the app that its screens rely on."""

import math
from collections.abc import Callable
from typing import Literal, Self

from msgspec.structs import replace
from rich.console import RenderableType
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget

from skull_client.bindings import Keys
from skull_client.cells import ShownCells
from skull_client.chosen import Chosen
from skull_client.glyphs import Glyphs
from skull_client.link import NOWHERE, Arrival, Link
from skull_client.link_wording import broken
from skull_client.opening import LooksFor, Opening
from skull_client.setting_out import Destination, Ways
from skull_client.state import ClientState, arrived
from skull_client.terminal_title import TerminalTitle
from skull_client.trust import UnfitAuthority
from skull_protocol.pushes import Error, Update
from skull_protocol.requests import Request
from skull_protocol.tables import BotLevel

AfterGame = Literal["table", "result", "seats"]
"""What one looks at once a game is over."""


class Client(App[None]):
    """Holds what is known, and carries requests to the link."""

    def __init__(
        self,
        link: Link,
        opening: Opening,
        glyphs: Glyphs,
        clock: Callable[[], float],
        chosen: Chosen,
        ways: Ways | None,
    ) -> None:
        """`clock()` tells the time in seconds, from an arbitrary start.

        `ways`: how one gets somewhere else; None: there is no start screen.
        """
        self.shown_cells = ShownCells()
        self._has_styles = False
        super().__init__()
        self.link = link
        self.opening = opening
        self.glyphs = glyphs
        self.chosen = chosen
        """What the player has set."""
        self.ways = ways
        self.stays = link is not NOWHERE
        """Where this connection ends, the program ends: it was all that was asked for."""
        self._destination = ""
        """The server that was set out to, to be kept once it has let this player in."""
        self.opened = False
        """Whether what is to be done first at the other end was begun."""
        self.on_the_way = False
        """Not yet where the player wants to be: no screen in between is worth drawing."""
        self.keys: Keys
        """All bindings there are; the app knows its screens."""
        self.known = ClientState()
        """What is known now; replaced as a whole with every arrival."""
        self.muted: frozenset[int] = frozenset()
        """Players at this table whose talk this player asked not to be sent."""
        self.looks_at: AfterGame = "table"
        self.motion = True
        """Whether discs turn over before everybody's eyes; else they lie face up at once."""
        self.bell_wanted = False
        """Whether the terminal rings when the turn comes to this player."""
        self.terminal_title = TerminalTitle(self._send_codes)
        self.bot_level: BotLevel = opening.level
        """How well the bots play that were added last."""
        self.learning = opening.learning
        """Whether the game is the lesson, which is not over."""
        self.clock = clock
        self._deadline: float | None = None

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Send the terminal a picture: nothing of it that is there already."""
        if isinstance(renderable, CompositorUpdate):
            renderable = self.shown_cells.only_changes(renderable, screen.size)
        super()._display(screen, renderable)

    def paint_now(self) -> None:
        """Send what has changed at once, where nothing is to be arranged anew.

        Textual would hand each widget round by messages and wait for the next frame.
        """
        screen = self.screen
        parts = [part for part in screen.walk_children(Widget) if part._repaint_required]
        if any(part._layout_required for part in (screen, *parts)):
            return
        seen = screen._compositor.visible_widgets
        for part in parts:
            part._repaint_required = False
            if part in seen:  # what is hidden is painted when it is shown
                screen._dirty_widgets.add(part)
        screen._on_timer_update()

    def on_resize(self) -> None:
        """Terminals move what they show when they are resized."""
        self.shown_cells.forget()

    def refresh(
        self,
        *,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Draw everything, whatever the terminal shows."""
        self.shown_cells.forget()
        return super().refresh(repaint=repaint, layout=layout, recompose=recompose)

    def refresh_css(self, animate: bool = True) -> None:
        """Read the styles anew, for other colours.

        At the start they have not been read yet: they need not be read twice.
        """
        if self._has_styles:
            super().refresh_css(animate)
            return
        self._has_styles = True
        self.stylesheet.set_variables(self.get_css_variables())
        self.stylesheet.update(self, animate=animate)

    def action_redraw(self) -> None:
        """Draw everything: something else has written on the screen."""
        self.refresh()

    # -- from here to there ----------------------------------------------------------------------

    def listen(self) -> None:
        """Start the link; what a former one still has to say is nobody's business."""
        link = self.link

        def deliver(arrival: Arrival) -> None:
            if self.link is link:
                self.arrived(arrival)

        link.start(deliver)

    def _change_link(self, link: Link, opening: Opening) -> None:
        """Know nothing any more, and hang up."""
        former, self.link, self.opening = self.link, link, opening
        self.known, self.muted, self.looks_at = ClientState(), frozenset(), "table"
        self.opened = self.on_the_way = self.stays = False
        self.learning = opening.learning
        self.run_worker(former.close(), exit_on_error=False)
        self.call_later(self.redraw)

    def set_out(self, destination: Destination, looks_for: LooksFor = "") -> None:
        """Connect to somewhere else, and perhaps look there for something."""
        if self.ways is None:
            return
        try:
            link, opening = self.ways.to(destination, self.chosen.now.name)
        except UnfitAuthority as unfit:
            self.trouble(str(unfit))
            return
        self._change_link(link, replace(opening, looks_for=looks_for))
        self._destination = "" if destination.address is None else str(destination)
        self.listen()

    def action_home(self) -> None:
        """Go back to the start screen."""
        self.go_home("")

    def go_home(self, sentence: str) -> None:
        """Hang up, and say at the start screen why."""
        self._change_link(NOWHERE, Opening())
        if sentence:
            self.call_later(self.trouble, sentence)

    def note_server(self) -> None:
        """Keep the server that was set out to, now that it has let this player in."""
        if self._destination:
            self.chosen.note_server(self._destination)

    def arrived(self, arrival: Arrival) -> None:
        """Take in what the link has brought, and draw it soon."""
        raise NotImplementedError

    def trouble(self, sentence: str) -> None:
        """Say what went wrong, where one is."""
        raise NotImplementedError

    # -- drawing, and asking ---------------------------------------------------------------------

    def _send_codes(self, codes: str) -> None:
        """Send control codes to the terminal."""
        if self._driver is not None:
            self._driver.write(codes)

    def key_of(self, binding: str, usual: str) -> str:
        """The key of a binding, by its id: the usual one, or what the player chose instead."""
        return self._keymap.get(binding, usual)

    def apply_settings(self) -> None:
        """Draw and do everything as it is set now."""
        raise NotImplementedError

    async def redraw(self) -> None:
        """Show the screen that fits what is known."""
        raise NotImplementedError

    def learn(self, arrival: Arrival) -> None:
        """Take in what has arrived."""
        before = self.known
        self.known = arrived(before, arrival, self.clock())
        if isinstance(arrival, Update):
            clock = arrival.clock_ms
            self._deadline = None if clock is None else self.clock() + clock / 1000
        if _game_number(before) != _game_number(self.known):
            self.looks_at = "table"
        if _table_code(before) != _table_code(self.known):
            self.muted = frozenset()

    def seconds_left(self) -> int | None:
        """Whole seconds until the clock of those to act runs out; None without a clock."""
        if self._deadline is None:
            return None
        return max(0, math.ceil(self._deadline - self.clock()))

    def ask(
        self,
        request: type[Request],
        answered: Callable[[Error | None], None],
        **fields: object,
    ) -> bool:
        """Ask the server for something, and hand over the answer: None for ok.

        Returns False, and asks nothing, while there is no connection.
        """
        if self.known.link.state != "online":
            return False
        self.known = replace(self.known, trouble="")

        async def asking() -> None:
            try:
                error = await self.link.ask(request, **fields)
            except Exception:
                answered(Error(None, "internal", broken()))
                raise  # and so it is shown, as every failed worker
            answered(error)

        self.run_worker(asking(), exit_on_error=False)
        return True

    def look_at(self, what: AfterGame) -> None:
        """After a game: look at the table, the result, or the seats for the next one."""
        self.looks_at = what
        self.call_later(self.redraw)

    def play_on(self) -> None:
        """The lesson is over: what follows is a game like any other."""
        self.learning = False
        self.call_later(self.redraw)

    def leave_lesson(self) -> None:
        """Go back to where one came from."""
        if self.stays:
            self.exit()
        else:
            self.go_home("")

    def mute(self, player: int, *, muted: bool) -> None:
        """Remember whose talk is muted: the server does not tell."""
        self.muted = self.muted | {player} if muted else self.muted - {player}

    def forget_resume_code(self) -> None:
        """A new one is asked for: the one before is not to be shown."""
        self.known = replace(self.known, resume_code=None)


def _table_code(known: ClientState) -> str | None:
    return None if known.table is None else known.table.code


def _game_number(known: ClientState) -> tuple[str, int] | None:
    return None if known.table is None else (known.table.code, known.table.game)
