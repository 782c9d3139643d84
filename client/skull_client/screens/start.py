"""Where everything begins: play here, learn, a server, games to watch or to look back on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.address import BadAddress
from skull_client.opening import MOST_BOTS, PLAY_HERE
from skull_client.screens.entry import Entry
from skull_client.screens.room import Room
from skull_client.screens.settings import SettingsRoom
from skull_client.screens.setup import Settings
from skull_client.setting_out import (
    Destination,
    Seen,
    destinations,
    here,
    liveliest,
    parse_destination,
    standing,
    to_learn,
)
from skull_client.settings import LONGEST_SERVER
from skull_client.state import ClientState
from skull_client.widgets import discs, paint
from skull_client.widgets.lines import Lines, boxed
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say, say_count
from skull_protocol.skull import FLOWER, SKULL

_HERE, _LESSON, _OTHER, _WATCH, _GAMES, _SETTINGS, _QUIT = (
    "here",
    "lesson",
    "other",
    "watch",
    "games",
    "settings",
    "quit",
)
_WIDTH = 30
"""Columns of what can be done; behind it stands how it is there."""


class Start(Room):
    """A list to choose from. Servers are asked how they stand while one looks at it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "look", "look again", id="start.look"),
        Binding("q", "app.quit_game", "quit", id="everywhere.quit"),
    ]
    LETTERS = "plawgs"

    def __init__(self) -> None:
        super().__init__()
        self.bots = PLAY_HERE
        self._seen: dict[str, Seen] = {}

    def furnish(self) -> ComposeResult:
        """A hand of discs, the list, and what the selected thing is."""
        yield Lines(id="hand")
        yield boxed(Settings(id="begin", classes="first list"), say("Where do you want to play?"))
        yield Lines(id="about")

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The game, and who plays."""
        return say("Skull"), self.skull.chosen.now.name

    def on_mount(self) -> None:
        """Look at the servers at once."""
        super().on_mount()
        self.action_look()

    def action_look(self) -> None:
        """Ask every server how it stands, all at the same time."""
        ways = self.skull.ways
        for typed, destination in self._servers().items():
            if ways is not None:
                self._seen[typed] = Seen()
                self.run_worker(self._look(typed, destination), exit_on_error=False)
        self.show(self.skull.known)

    async def _look(self, typed: str, destination: Destination) -> None:
        ways = self.skull.ways
        assert ways is not None
        self._seen[typed] = await ways.look(destination)
        self.show(self.skull.known)

    def _servers(self) -> dict[str, Destination]:
        """The servers that were played on, the latest first."""
        return destinations(self.skull.chosen.now.servers)

    def _to_watch(self) -> Destination | None:
        """Where to look for a game to watch."""
        return liveliest(self._servers(), self._seen)

    def draw(self, state: ClientState) -> None:
        """List what can be done."""
        glyphs = self.glyphs
        hand = discs.apart(glyphs, (FLOWER, FLOWER, FLOWER, SKULL), {})
        self.query_one("#hand", Lines).put(Content("\n").join(hand))
        menu = self.query_one(Settings)
        chosen = menu.selected.key if menu.selected else _HERE
        against = say_count(self.bots, "against {n} bot", "against {n} bots")
        if chosen == _HERE:
            against = f"{glyphs.left} {against} {glyphs.right}"
        items = [self._item(_HERE, say("Play here"), against, "p", say("play"))]
        words = say("two rounds with bots, step by step")
        items.append(self._item(_LESSON, say("Learn to play"), words, "l", say("learn")))
        servers = self._servers()
        for number, (typed, server) in enumerate(servers.items(), 1):
            words = standing(self._seen.get(typed, Seen()), glyphs.ellipsis)
            items.append(
                self._item(("server", typed), server.label, words, str(number), say("connect"))
            )
        items.append(self._item(_OTHER, say("Another server"), "", "a", say("type it")))
        if (there := self._to_watch()) is not None:
            words = say("on {server}", server=there.label)
            items.append(self._item(_WATCH, say("Watch a game"), words, "w", say("watch")))
            words = say("on {server}", server=next(iter(servers.values())).label)
            items.append(self._item(_GAMES, say("Games that are over"), words, "g", say("look")))
        items.append(self._item(_SETTINGS, say("Settings"), "", "s", say("open")))
        items.append(self._item(_QUIT, say("Quit"), "", "", say("quit")))
        menu.still = frozenset(item.key for item in items) - {_HERE}
        menu.show(glyphs, items)
        self._tell(menu.selected)

    def _item(self, key: object, words: str, state: str, letter: str, verb: str) -> Item:
        line = Content.assemble(
            paint.fit(self.glyphs, words, _WIDTH), ("  " + state if state else "", paint.QUIET)
        )
        return Item(key, line, letter, verb)

    def _tell(self, item: Item | None) -> None:
        """Say what the selected thing is."""
        match None if item is None else item.key:
            case "here":
                words = say("On this computer, without a network. How many bots: left and right.")
            case "lesson":
                words = say("A few minutes; it can be left at any step, and cannot be lost.")
            case "other":
                words = say("Type the address of a server that you were told.")
            case "watch":
                words = say("Games under way on the server with most tables, to look on.")
            case "games":
                words = say("Your games on the latest server, to be looked at step by step.")
            case "settings":
                words = say("Name, colours, language, quick phrases, keys.")
            case ("server", _):
                words = say("A server that you have played on. r asks them all again.")
            case _:
                words = ""
        self.query_one("#about", Lines).put(Content.styled(words, paint.QUIET))

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Another thing, other words."""
        self.show(self.skull.known)

    def on_settings_turned(self, event: Settings.Turned) -> None:
        """More bots, or fewer."""
        if event.field == _HERE:
            self.bots = (self.bots - 1 + event.step) % MOST_BOTS + 1
            self.show(self.skull.known)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Go there."""
        self.notice("")
        match event.item.key:
            case "here":
                self.skull.set_out(here(self.bots))
            case "lesson":
                self.skull.set_out(to_learn())
            case "other":
                self.app.push_screen(OtherServer(), self._go)
            case "watch":
                there = self._to_watch()
                assert there is not None
                self.skull.set_out(there, "watch")
            case "games":
                self.skull.set_out(next(iter(self._servers().values())), "games")
            case "settings":
                self.app.push_screen(SettingsRoom())
            case "quit":
                self.app.exit()
            case ("server", typed):
                self.skull.set_out(parse_destination(str(typed)))

    def _go(self, typed: str | None) -> None:
        if typed:
            self.skull.set_out(parse_destination(typed))


class OtherServer(Entry):
    """An address, typed as on the command line."""

    def __init__(self) -> None:
        super().__init__(
            say("Another server"),
            say("Type HOST or HOST:PORT, then Enter. With --tls behind it: encrypted."),
            LONGEST_SERVER,
        )

    def take(self, typed: str) -> None:
        """What is no address is said at once."""
        if not typed.strip():
            return
        try:
            self.dismiss(str(parse_destination(typed)))
        except BadAddress as fault:
            self.refuse(str(fault))
