"""The games that this player has finished, newest first; Enter looks at one again."""

from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from skull_client.history_wording import ended_words, others_words, outcome_words, winner_words
from skull_client.screens.replay import Replay
from skull_client.screens.room import Room, columns
from skull_client.screens.statistics import Statistics
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines, boxed, title_box
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.past_game import PastGame, PastGamePicture
from skull_client.wording import msg, say
from skull_protocol.pushes import Error
from skull_protocol.requests import ListGames
from skull_protocol.tables import GameSummary

_ROOMY = 78
"""Columns from which on a row tells with whom it was played."""


class History(Room):
    """A list to choose a game from, which grows at its end."""

    ABOUT = msg("Your finished games, the latest first. Enter shows one at the table.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "statistics", "your statistics", id="lobby.statistics"),
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._asking = False

    def furnish(self) -> ComposeResult:
        """The list; below it, or beside it, more about the selected game."""
        with Container(id="lobby"):
            with boxed(Vertical(id="games-box"), say("Finished games")):
                yield Lines(id="games-head", classes="head")
                yield Lines(id="lobby-empty")
                yield Menu(id="games", classes="first list")
            yield boxed(PastGame(id="detail"), "")

    def on_mount(self) -> None:
        """Ask for the list as it is now."""
        super().on_mount()
        self._ask_for_games(None)

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Whose games."""
        you = state.me.name if state.me is not None else ""
        return say("Skull {dot} Your games", dot=self.glyphs.separator), you

    def draw(self, state: ClientState) -> None:
        """List the games."""
        games = state.games.games if state.games is not None else ()
        roomy = self.size.width >= _ROOMY
        head = _cells(
            say("Ended"), say("Table"), say("You"), say("Winner"), say("Played with"), roomy=roomy
        )
        rows = [
            _cells(
                ended_words(game.ended),
                game.table,
                outcome_words(game),
                winner_words(game),
                others_words(game),
                roomy=roomy,
            )
            for game in games
        ]
        widths = [max(map(cell_len, column)) for column in zip(head, *rows, strict=True)]
        if roomy:
            widths[-1] = 0  # as wide as it is

        def line(cells: tuple[str, ...]) -> str:
            return columns(self.glyphs, *zip(cells, widths, strict=True))

        top = self.query_one("#games-head", Lines)
        top.display = bool(games)
        top.put(Content(f"  {line(head)}"))
        items = [
            Item(game, line(row), verb=say("look at it"))
            for game, row in zip(games, rows, strict=True)
        ]
        self.query_one(Menu).show(self.glyphs, items)
        more = state.games is not None and state.games.more
        under = say("older ones at the end") if more else ""
        title_box(self.query_one("#games-box"), say("Finished games"), under)
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = not games
        empty.put(self._why_empty(state))
        self._tell()

    def _tell(self) -> None:
        """Tell more about the selected game."""
        selected = self.query_one(Menu).selected
        detail = self.query_one(PastGame)
        detail.display = selected is not None
        if selected is not None:
            assert isinstance(selected.key, GameSummary)
            table = say("Table {code}", code=selected.key.table)
            title_box(detail, table, ended_words(selected.key.ended))
            detail.show(PastGamePicture(self.glyphs, selected.key))

    def _why_empty(self, state: ClientState) -> str:
        if self.skull.opening.is_here:
            return say("\n  Games against bots on this machine are not kept.")
        if state.games is None:
            return say("\n  One moment: asking the server.")
        return say("\n  No game of yours has ended here yet. Play one, then look again.")

    def _ask_for_games(self, before: int | None) -> None:
        def answered(_error: Error | None) -> None:
            self._asking = False

        self._asking = self.ask(ListGames, answered, before=before)

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Tell about the selected game; at the end of the list, ask for older ones."""
        self._tell()
        games = self.skull.known.games
        if games is not None and games.more and games.games and not self._asking:
            oldest = games.games[-1]
            if event.item is not None and event.item.key == oldest:
                self._ask_for_games(oldest.game)
        super().on_menu_moved(event)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Look at it again."""
        assert isinstance(event.item.key, GameSummary)
        self.app.push_screen(Replay(event.item.key))

    def action_statistics(self) -> None:
        """Look at what is counted for this player alone."""
        self.app.push_screen(Statistics())

    def action_back(self) -> None:
        """Back to where one came from."""
        self.app.pop_screen()


def _cells(
    ended: str, table: str, you: str, winner: str, others: str, *, roomy: bool
) -> tuple[str, ...]:
    """Return the cells of a row, as many as there is room for."""
    cells = (ended, table, you, winner)
    return (*cells, others) if roomy else cells
