"""The app: shows the screen that fits what is known, and has the keys that work everywhere.

Which screen is shown follows from the state alone; after a game, also from what one looks at.
"""

import logging
import sys
import time
from collections.abc import Callable
from typing import ClassVar
from weakref import WeakKeyDictionary

from textual import events
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.filter import Monochrome
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from skull_client import languages
from skull_client.bindings import Keys, kinds_of
from skull_client.chosen import Chosen
from skull_client.client import AfterGame, Client
from skull_client.driver import TerminalDriver
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.link import NAME_TROUBLE, NOWHERE, Arrival, Link, LinkStatus
from skull_client.link_wording import own_mistake
from skull_client.opening import Opening, Refused, carry_out
from skull_client.screens.ask import Answered, Ask, confirm
from skull_client.screens.colours import Colours
from skull_client.screens.connecting import Connecting
from skull_client.screens.entry import NameEntry, WhoYouAre
from skull_client.screens.help import Help
from skull_client.screens.history import History
from skull_client.screens.lesson import LessonRoom
from skull_client.screens.lobby import Lobby
from skull_client.screens.password import ComeIn
from skull_client.screens.result import Result
from skull_client.screens.resume_code import ResumeCodeWindow
from skull_client.screens.room import Room
from skull_client.screens.settings import SettingsRoom
from skull_client.screens.start import Start
from skull_client.screens.table import TableRoom
from skull_client.screens.waiting import Waiting
from skull_client.screens.window import Window
from skull_client.setting_out import Ways
from skull_client.themes import DARK, THEMES
from skull_client.widgets.ascii_only import AsciiOnly
from skull_client.widgets.colours import PlainColours, theme_of
from skull_client.wording import say
from skull_protocol.requests import JoinTable, Mute, WatchTable
from skull_protocol.text import shown

_LOG = logging.getLogger(__name__)


class SkullApp(Client):
    """The client's screen."""

    CSS_PATH = "skull.tcss"
    TITLE = "Skull"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("comma", "settings", "settings", show=False, id="everywhere.settings"),
        Binding("k", "resume_code", "code", show=False, id="everywhere.code"),
        Binding("y", "colours", "colours", show=False, id="everywhere.colours"),
        Binding("f2", "plain", "ASCII", show=False, priority=True, id="everywhere.plain"),
        Binding("f3", "colours", "colours", show=False, priority=True, id="everywhere.colours_too"),
        Binding("ctrl+l", "redraw", "draw anew", show=False, priority=True, id="everywhere.redraw"),
        Binding("question_mark", "help", "help", id="everywhere.help"),
        Binding("ctrl+c", "quit_game", "quit", show=False, priority=True),
        Binding("ctrl+q", "quit_game", "quit", show=False, priority=True),
    ]

    def __init__(
        self,
        link: Link,
        opening: Opening,
        glyphs: Glyphs,
        clock: Callable[[], float] = time.monotonic,
        theme: str = DARK.name,
        chosen: Chosen | None = None,
        ways: Ways | None = None,
    ) -> None:
        """`theme`: the name of one of `THEMES`. With the link `NOWHERE`, the start screen opens."""
        super().__init__(link, opening, glyphs, clock, chosen or Chosen(), ways)
        self._pressed_on: WeakKeyDictionary[events.Event, Screen[object]] = WeakKeyDictionary()
        self._stale = False
        self._ascii_only = AsciiOnly(enabled=glyphs is ASCII)
        self._plain_colours = PlainColours()
        # NO_COLOR is a theme here. Textual's own way with it is greys.
        self._filters = [some for some in self._filters if not isinstance(some, Monochrome)]
        self._filters += [self._plain_colours, self._ascii_only]
        for palette in THEMES.values():
            self.register_theme(theme_of(palette))
        self.theme = theme
        self.keys = Keys(type(self), kinds_of(Room), kinds_of(Window))
        used, problems = self.keys.usable(self.chosen.now.keys)
        self.chosen.problems += tuple(problems)
        self.set_keymap(used)

    def watch_theme(self, name: str) -> None:
        """Draw with other colours: those of the terminal need a filter as well."""
        self._plain_colours.follow(THEMES[name])

    async def on_mount(self) -> None:
        """Begin where one is already, or with where to connect to."""
        self.listen()
        if self.opening.is_here and self._let_in():
            await self._open()  # no network to wait for: the first picture is that of the table
            self.on_the_way = False
        await self.redraw()

    def get_driver_class(self) -> type[Driver]:
        """Return what stands between this app and the terminal."""
        return TerminalDriver

    def _set_pointer_shape(self, shape: str) -> None:
        """Leave the pointer as it is: consoles print what they do not know of this."""

    def leave(self, status: int) -> None:
        """Close, with this exit status; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.exit, None, status)

    def _fatal_error(self) -> None:
        """Close, and say so in a sentence. What Textual would print shows secrets, and is long."""
        fault = sys.exc_info()[1]
        assert fault is not None
        _LOG.critical("this ended the client", exc_info=fault)
        self.exit(None, 1, own_mistake(fault))

    async def on_event(self, event: events.Event) -> None:
        """Note for which screen Enter was pressed: it gets there by way of several queues."""
        pressed = isinstance(event, events.Key) and event.key == "enter"
        if pressed and not event.is_forwarded and self.screen_stack:
            self._pressed_on[event] = self.screen
        await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Forget an Enter from before this screen came: it meant something else."""
        if self._pressed_on.get(event, self.screen) is not self.screen:
            event.prevent_default()

    @property
    def room(self) -> Screen[None]:
        """The screen that all windows are above. Textual has an empty one of its own below it."""
        return self.screen_stack[1]

    async def on_unmount(self) -> None:
        """Hang up, and leave the terminal's title as it was."""
        self.terminal_title.clear()
        await self.link.close()

    # -- what arrives ----------------------------------------------------------------------------

    def arrived(self, arrival: Arrival) -> None:
        """Take in what the link has brought, and draw it soon."""
        self.learn(arrival)
        if isinstance(arrival, LinkStatus):
            self.call_later(self._link_changed, arrival)
        if not self._stale:
            self._stale = True
            self.call_later(self.redraw)

    def _link_changed(self, status: LinkStatus) -> None:
        if status.state == "refused" and status.code in NAME_TROUBLE:
            by_code = status.code in ("bad_code", "too_many_tries")
            self.push_screen(NameEntry(status.detail, by_code=by_code), self._renamed)
        elif status.state == "online":
            for player in self.muted:  # a server that was restarted has forgotten it
                self.ask(Mute, lambda _error: None, player=player, muted=True)
        elif status.state in ("refused", "closed"):
            sentence = self.known.goodbye or status.detail or say("The connection is closed.")
            if self.stays:
                self.exit(return_code=1, message=shown(sentence))
            else:
                self.go_home(sentence)

    def _renamed(self, who: WhoYouAre | None) -> None:
        if who is None:  # without a name one cannot stay
            if self.stays:
                self.exit()
            else:
                self.action_home()
        elif who.by_code:
            self.link.use_code(who.typed)
        else:
            self.link.rename(who.typed)

    def _let_in(self) -> bool:
        """Whether the server has let this player in, for the first time."""
        if self.opened or self.known.link.state != "online":
            return False
        self.opened = True
        self.note_server()
        self.on_the_way = bool(self.opening.steps(at_table=self.known.table is not None))
        return True

    async def _open(self) -> None:
        link = self.link
        refused = await carry_out(link, self.opening, at_table=not self.on_the_way)
        if link is self.link:
            self.call_later(self._opening_done, refused)

    async def _opening_done(self, refused: Refused | None) -> None:
        """Show where one has got to, and what was refused on the way."""
        self.on_the_way = False
        await self.redraw()
        if refused is not None and refused.error.code == "bad_password":
            request = WatchTable if refused.step.request is WatchTable else JoinTable
            self.push_screen(ComeIn(request, str(refused.step.fields["code"])))
        elif refused is not None:
            self.trouble(refused.error.message)
        elif self.opening.looks_for == "games" and self.known.table is None:
            self.push_screen(History())

    # -- what is shown ---------------------------------------------------------------------------

    async def redraw(self) -> None:
        """Show the screen that fits what is known, and let it and its windows draw it."""
        self._stale = False
        if self._let_in():
            self.run_worker(self._open(), exit_on_error=False)
        room = self._room()
        with self.batch_update():  # a new screen is painted once, with everything in it
            if len(self.screen_stack) == 1:
                await self.push_screen(room())
            elif type(self.room) is not room:
                while len(self.screen_stack) > 2:
                    await self.pop_screen()
                await self.switch_screen(room())
            for screen in self.screen_stack:
                if isinstance(screen, Room | Window) and screen.is_mounted:
                    screen.show(self.known)
        self.paint_now()

    def _room(self) -> type[Room]:
        known = self.known
        if self.link is NOWHERE:
            return Start
        if known.me is None or self.on_the_way:
            return Connecting
        if known.table is None:
            return Lobby
        if known.table.stage == "playing":
            return LessonRoom if self.learning else TableRoom
        if known.table.stage == "waiting" or known.game is None:
            return Waiting
        after: dict[AfterGame, type[Room]] = {
            "table": TableRoom,
            "result": Result,
            "seats": Waiting,
        }
        return after[self.looks_at]

    def trouble(self, sentence: str) -> None:
        """Say what went wrong, where one is."""
        if isinstance(self.room, Room):
            self.room.notice(sentence)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A failure of our own is shown, never hidden."""
        if event.state is WorkerState.ERROR:
            self.trouble(
                say("Something broke in this program ({fault!r}).", fault=event.worker.error)
            )

    # -- keys that work everywhere ---------------------------------------------------------------

    def action_help(self) -> None:
        """Open the page of help."""
        self.push_screen(Help(self.screen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nobody comes back to a game in this process from another terminal."""
        if action == "home":
            return self.ways is not None
        if action == "resume_code":
            return self.known.me is not None and not self.opening.is_here
        return True

    def action_resume_code(self) -> None:
        """Ask for a code for another terminal."""
        self.push_screen(ResumeCodeWindow())

    def action_plain(self) -> None:
        """Draw with plain ASCII, or no longer."""
        glyphs = UNICODE if self.glyphs is ASCII else ASCII
        self.chosen.note(glyphs=glyphs.name)
        self._draw_with(glyphs)

    def _draw_with(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self._ascii_only.enabled = self.glyphs is ASCII
        for screen in self.screen_stack:
            if isinstance(screen, Room | Window) and screen.is_mounted:
                screen.show(self.known)
        self.refresh_css(animate=False)
        for screen in self.screen_stack:  # frames that look the same are kept in the old symbols
            for part in screen.walk_children():
                part.refresh()

    def action_colours(self) -> None:
        """Choose colours; in their window, the same key goes to the next."""
        if isinstance(self.screen, Colours):
            self.screen.action_next()
        else:
            self.push_screen(Colours(), self._coloured)

    def _coloured(self, theme: str | None) -> None:
        if theme is not None:
            self.chosen.note(theme=theme)

    def action_settings(self) -> None:
        """Look at what can be set."""
        if not isinstance(self.screen, SettingsRoom):
            self.push_screen(SettingsRoom())

    def apply_settings(self) -> None:
        """Draw and do everything as it is set now."""
        chosen = self.chosen
        self.motion = chosen.motion
        self.bell_wanted = chosen.now.bell != "off"
        self.theme = chosen.theme
        used, _ = self.keys.usable(chosen.now.keys)
        self.set_keymap(used)
        if self.glyphs is not chosen.glyphs:
            self._draw_with(chosen.glyphs)
        if languages.language() != chosen.language:
            languages.use(chosen.language)
            self.call_later(self._say_anew)

    async def _say_anew(self) -> None:
        """Make every screen anew: titles and frames were worded when they were made."""
        settings = self.screen
        with self.batch_update():
            while len(self.screen_stack) > 2:
                await self.pop_screen()
            await self.switch_screen(self._room()())
            if isinstance(settings, SettingsRoom):
                await self.push_screen(SettingsRoom(settings.selected))
            await self.redraw()

    def action_quit_game(self) -> None:
        """Quit; in a game, only when asked twice or told so."""
        known = self.known
        playing = known.table is not None and known.table.stage == "playing"
        if not playing or known.seat is None or isinstance(self.screen, Ask):
            self.exit()
            return

        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key:
                self.exit()

        self.push_screen(
            confirm(
                say("Quit"),
                say("Your seat is held for a while: come back with the same name."),
                say("Yes, quit"),
            ),
            answer,
        )
