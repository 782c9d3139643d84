"""The lobby: all tables, as they are at this moment."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.option_wording import unusual_options
from skull_client.screens.entry import Entry
from skull_client.screens.history import History
from skull_client.screens.password import ComeIn
from skull_client.screens.records import Records
from skull_client.screens.room import Room, columns
from skull_client.screens.setup import SetUp
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say, say_count, stage_words
from skull_protocol.pushes import Error
from skull_protocol.requests import CreateTable, JoinTable, WatchTable
from skull_protocol.tables import TableOptions, TableSummary


class Lobby(Room):
    """A list to choose a table from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", "watch"),
        Binding("n", "new", "new table"),
        Binding("c", "code", "code"),
        Binding("h", "history", "games"),
        Binding("r", "records", "records"),
        Binding("q", "app.quit_game", "quit"),
    ]

    def furnish(self) -> ComposeResult:
        """A head over the list."""
        yield Lines(id="lobby-head", classes="head")
        yield Lines(id="lobby-empty")
        yield Menu(id="tables", classes="first list")
        yield Lines(id="detail")

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The player and the server."""
        you = state.me.name if state.me is not None else ""
        return (
            say("Skull {dot} Lobby", dot=self.glyphs.separator),
            say("{you} at {server}", you=you, server=self.skull.opening.server_label),
        )

    def draw(self, state: ClientState) -> None:
        """List the tables, those that can be joined first."""
        glyphs = self.glyphs
        tables = sorted(state.lobby.values(), key=lambda t: (not _open(t), t.code))
        self.query_one("#lobby-head", Lines).put(
            Content(
                "  "
                + columns(
                    glyphs,
                    ("Table", 6),
                    ("Host", 16),
                    ("Players", 15),
                    ("State", 20),
                    ("Rules", 0),
                )
            )
        )
        menu = self.query_one(Menu)
        menu.show(
            glyphs,
            [
                Item(
                    table.code,
                    _row(self, table),
                    verb=_verb(table),
                )
                for table in tables
            ],
        )
        empty = self.query_one("#lobby-empty", Lines)
        self._tell_rules()
        empty.display = not tables
        empty.put(
            say(
                "\n  No table here yet.\n\n"
                "  Press n to set one up, then tell your friends its code."
            )
        )

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Tell the rules of the selected table in full."""
        self._tell_rules()
        super().on_menu_moved(event)

    def _tell_rules(self) -> None:
        table = self._selected()
        rules = unusual_options(table.options) if table is not None else ""
        words = ""
        if table is not None:
            lock = say("takes a password; ") if table.locked else ""
            rules = rules or say("the usual rules")
            words = say(" {code}: {lock}{rules}", code=table.code, lock=lock, rules=rules)
        self.query_one("#detail", Lines).put(words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Watching needs a table that lets one."""
        if action == "watch" and self.is_mounted:
            table = self._selected()
            return table is not None and table.options.watching
        return True

    def _selected(self) -> TableSummary | None:
        selected = self.query_one(Menu).selected
        return None if selected is None else self.skull.known.lobby.get(str(selected.key))

    def _go(self, request: type[JoinTable | WatchTable], code: str) -> None:
        """Go to a table; ask for its password if it has one."""
        table = self.skull.known.lobby.get(code)
        if table is not None and table.locked:
            self.app.push_screen(ComeIn(request, code))
            return

        def answered(error: Error | None) -> None:
            if error is not None and error.code == "bad_password":
                self.app.push_screen(ComeIn(request, code))

        self.ask(request, answered, code=code)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Join, or watch where no seat can be had."""
        table = self.skull.known.lobby.get(str(event.item.key))
        if table is not None:
            self._go(JoinTable if _open(table) else WatchTable, table.code)

    def action_watch(self) -> None:
        """Go and watch the selected table."""
        table = self._selected()
        if table is not None:
            self._go(WatchTable, table.code)

    def action_new(self) -> None:
        """Set up a table."""
        self.app.push_screen(SetUp(TableOptions(), say("Set up a table"), CreateTable))

    def action_code(self) -> None:
        """Type the code of a table."""

        def join(code: str | None) -> None:
            if code:
                self._go(JoinTable, code.strip().upper())

        self.app.push_screen(
            Entry(say("Which table?"), say("Type its code of four letters, then Enter."), 4), join
        )

    def action_history(self) -> None:
        """Look at own games that are over."""
        self.app.push_screen(History())

    def action_records(self) -> None:
        """Look at how the players have done so far."""
        self.app.push_screen(Records())


def _open(table: TableSummary) -> bool:
    return table.stage != "playing" and table.seated < table.options.max_seats


def _verb(table: TableSummary) -> str:
    """What Enter does with a table; empty: nothing."""
    if _open(table):
        return say("join")
    return say("watch") if table.options.watching else ""


def _row(lobby: Lobby, table: TableSummary) -> str:
    bots = say_count(table.bots, " ({n} bot)", " ({n} bots)") if table.bots else ""
    seats = say("{seated}/{all}{bots}", seated=table.seated, all=table.options.max_seats, bots=bots)
    stage = stage_words(table.stage)
    if table.stage != "playing" and not _open(table):
        stage = say("full")
    rules = unusual_options(table.options) or say("usual")
    return columns(
        lobby.glyphs,
        (table.code, 6),
        (table.host, 16),
        (seats, 15),
        (stage, 20),
        (say("locked, {rules}", rules=rules) if table.locked else rules, 0),
    )
