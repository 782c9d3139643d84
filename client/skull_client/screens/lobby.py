"""The lobby: all tables, as they are at this moment."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.option_wording import unusual_options
from skull_client.screens.entry import Entry
from skull_client.screens.room import Room, columns
from skull_client.screens.setup import SetUp
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import STAGES, say, say_count
from skull_protocol.requests import CreateTable, JoinTable, WatchTable
from skull_protocol.tables import TableOptions, TableSummary


class Lobby(Room):
    """A list to choose a table from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", "watch"),
        Binding("n", "new", "new table"),
        Binding("c", "code", "type a code"),
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
                    verb=say("join") if _open(table) else say("watch"),
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
        selected = self.query_one(Menu).selected
        table = self.skull.known.lobby.get(str(selected.key)) if selected is not None else None
        rules = unusual_options(table.options) if table is not None else ""
        words = ""
        if table is not None:
            words = say(" {code}: {rules}", code=table.code, rules=rules or say("the usual rules"))
        self.query_one("#detail", Lines).put(words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Watching needs a table."""
        if action == "watch" and self.is_mounted:
            return self.query_one(Menu).selected is not None
        return True

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Join, or watch where no seat can be had."""
        table = self.skull.known.lobby.get(str(event.item.key))
        if table is not None:
            self.ask(JoinTable if _open(table) else WatchTable, code=table.code)

    def action_watch(self) -> None:
        """Go and watch the selected table."""
        selected = self.query_one(Menu).selected
        if selected is not None:
            self.ask(WatchTable, code=selected.key)

    def action_new(self) -> None:
        """Set up a table."""
        self.app.push_screen(SetUp(TableOptions(), say("Set up a table"), CreateTable))

    def action_code(self) -> None:
        """Type the code of a table."""

        def join(code: str | None) -> None:
            if code:
                self.ask(JoinTable, code=code.strip().upper())

        self.app.push_screen(
            Entry(say("Which table?"), say("Type its code of four letters, then Enter."), 4), join
        )


def _open(table: TableSummary) -> bool:
    return table.stage != "playing" and table.seated < table.options.max_seats


def _row(lobby: Lobby, table: TableSummary) -> str:
    bots = say_count(table.bots, " ({n} bot)", " ({n} bots)") if table.bots else ""
    seats = say("{seated}/{all}{bots}", seated=table.seated, all=table.options.max_seats, bots=bots)
    stage = STAGES[table.stage]
    if table.stage != "playing" and not _open(table):
        stage = say("full")
    return columns(
        lobby.glyphs,
        (table.code, 6),
        (table.host, 16),
        (seats, 15),
        (stage, 20),
        (unusual_options(table.options) or say("usual"), 0),
    )
