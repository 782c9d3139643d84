"""The lobby: all tables, as they are at this moment."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.option_wording import unusual_options
from skull_client.screens.entry import Entry
from skull_client.screens.history import History
from skull_client.screens.password import ComeIn
from skull_client.screens.records import Records
from skull_client.screens.room import Room, columns
from skull_client.screens.setup import SetUp
from skull_client.state import ClientState, has_room, in_order, shows_a_game
from skull_client.widgets import discs, paint
from skull_client.widgets.lines import Lines, boxed, title_box
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.rules import Rules, RulesPicture, seat_signs
from skull_client.wording import msg, say, say_count, stage_words
from skull_protocol.pushes import Error
from skull_protocol.requests import CreateTable, JoinTable, WatchTable
from skull_protocol.skull import FLOWER, SKULL
from skull_protocol.tables import TableOptions, TableSummary

_ROOMY = 78
"""Columns from which on a row tells who watches, and the rules."""


class Lobby(Room):
    """A list to choose a table from."""

    ABOUT = msg("The tables of this server: choose one to take a seat or to watch, or set one up.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "watch", "watch", id="lobby.watch"),
        Binding("n", "new", "new table", id="lobby.new"),
        Binding("c", "code", "code", id="lobby.code"),
        Binding("h", "history", "games", id="lobby.history"),
        Binding("r", "records", "records", id="lobby.records"),
        Binding("b", "app.home", "back", id="lobby.home"),
        Binding("q", "app.quit_game", "quit", id="everywhere.quit"),
    ]

    def furnish(self) -> ComposeResult:
        """The list; below it, or beside it, what there is to know about the selected table."""
        with Container(id="lobby"):
            with boxed(Vertical(id="tables-box"), say("Tables")):
                yield Lines(id="tables-head", classes="head")
                yield Menu(id="tables", classes="first list")
                yield Lines(id="nobody")
            yield boxed(Rules(id="detail"), "")

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
        to_watch = self.skull.opening.looks_for == "watch"
        tables = in_order(state.lobby.values(), to_watch=to_watch)
        roomy = self.size.width >= _ROOMY
        menu = self.query_one(Menu)
        menu.show(
            glyphs,
            [Item(table.code, _row(glyphs, table, roomy), verb=_verb(table)) for table in tables],
        )
        # Hidden it would lose the focus: then no key would reach the first table to come.
        self.query_one("#tables-box").set_class(not tables, "-empty")
        head = self.query_one("#tables-head", Lines)
        head.display = bool(tables)
        head.put("  " + _head(glyphs, roomy))
        if to_watch:
            count = sum(map(shows_a_game, tables))
            under = say_count(count, "{n} game to watch", "{n} games to watch")
        else:
            count = sum(map(has_room, tables))
            under = say_count(count, "{n} to join", "{n} to join") if tables else ""
        title_box(self.query_one("#tables-box"), say("Tables"), under)
        nobody = self.query_one("#nobody", Lines)
        nobody.display = not tables
        nobody.put(_nobody(glyphs))
        self._tell(self._selected())

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Tell all about the selected table."""
        self._tell(self._selected())
        super().on_menu_moved(event)

    def _tell(self, table: TableSummary | None) -> None:
        detail = self.query_one("#detail", Rules)
        detail.display = table is not None
        if table is not None:
            title_box(detail, say("Table {code}", code=table.code), _under(table))
            detail.show(RulesPicture(self.glyphs, table.options, table))

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

    def on_key(self, event: events.Key) -> None:
        """The key of something that is not possible now: say why not."""
        table = self._selected()
        watch = self.skull.key_of("lobby.watch", "w")
        if event.key not in (watch, "enter") or (table is not None and table.options.watching):
            return
        if table is None:
            self.notice(say("There is no table yet: press n to set one up."))
        elif event.key == watch:
            self.notice(say("Nobody may watch at table {code}.", code=table.code))
        elif not has_room(table):
            self.notice(say("No seat can be had at table {code} now.", code=table.code))

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Join, or watch where no seat can be had."""
        table = self.skull.known.lobby.get(str(event.item.key))
        if table is not None:
            self._go(JoinTable if has_room(table) else WatchTable, table.code)

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


def _verb(table: TableSummary) -> str:
    """What Enter does with a table; empty: nothing."""
    if has_room(table):
        return say("join")
    return say("watch") if table.options.watching else ""


def _under(table: TableSummary) -> str:
    words = stage_words(table.stage)
    if table.stage != "playing" and not has_room(table):
        words = say("full")
    return say("{stage}, takes a password", stage=words) if table.locked else words


def _head(glyphs: Glyphs, roomy: bool) -> str:
    cells = [(say("Table"), 5), (say("Host"), 16), (say("Seats"), 10), (say("State"), 17)]
    if roomy:
        cells += [(say("Watch"), 5), (say("Rules"), 0)]
    return columns(glyphs, *cells)


def _row(glyphs: Glyphs, table: TableSummary, roomy: bool) -> Content:
    stage = stage_words(table.stage)
    if table.stage != "playing" and not has_room(table):
        stage = say("full")
    if table.locked:
        stage = say("{stage}, locked", stage=stage)
    seats = table.options.max_seats
    signs = seat_signs(glyphs, table.seated - table.bots, table.bots, seats)
    row = Content.assemble(
        columns(glyphs, (table.code, 5), (table.host, 16)),
        " ",
        paint.fit_content(glyphs, signs, 6),
        f" {table.seated}/{seats}",
        " ",
        paint.fit(glyphs, stage, 17),
    )
    if not roomy:
        return row
    rules = unusual_options(table.options) or say("usual")
    watch = str(table.watchers) if table.watchers else ""
    return Content.assemble(row, " ", columns(glyphs, (watch, 5), (rules, 0)))


def _nobody(glyphs: Glyphs) -> Content:
    """Nothing to choose from: what to do instead, under a hand of discs."""
    return Content("\n").join(
        [
            *discs.apart(glyphs, (FLOWER, FLOWER, FLOWER, SKULL), {}),
            Content(""),
            Content.styled(say("No table here yet."), "bold"),
            Content(say("Press n to set one up, then tell your friends its code.")),
            Content.styled(say("Or press c, and type the code that you were told."), paint.QUIET),
        ]
    )
