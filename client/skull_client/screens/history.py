"""The games that this player has finished, newest first; Enter looks at one again."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.history_wording import ended_words, others_words, outcome_words, winner_words
from skull_client.screens.replay import Replay
from skull_client.screens.room import Room, columns
from skull_client.screens.statistics import Statistics
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say
from skull_protocol.pushes import Error
from skull_protocol.requests import ListGames
from skull_protocol.tables import GameSummary


class History(Room):
    """A list to choose a game from, which grows at its end."""

    ABOUT = msg("Your finished games, the latest first. Enter shows one at the table.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "statistics", "your statistics"),
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._asking = False

    def furnish(self) -> ComposeResult:
        """A head over the list."""
        yield Lines(id="lobby-head", classes="head")
        yield Lines(id="lobby-empty")
        yield Menu(id="games", classes="first list")

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
        head = columns(
            self.glyphs,
            (say("Ended"), 16),
            (say("Table"), 5),
            (say("You"), 4),
            (say("Winner"), 16),
            (say("Played with"), 0),
        )
        self.query_one("#lobby-head", Lines).put(Content(f"  {head}"))
        games = state.games.games if state.games is not None else ()
        items = [Item(game, self._row(game), verb=say("look at it")) for game in games]
        self.query_one(Menu).show(self.glyphs, items)
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = not games
        empty.put(self._why_empty(state))

    def _row(self, game: GameSummary) -> str:
        return columns(
            self.glyphs,
            (ended_words(game.ended), 16),
            (game.table, 5),
            (outcome_words(game), 4),
            (winner_words(game), 16),
            (others_words(game), 0),
        )

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
        """At the end of the list, ask for older games."""
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
        """Back to the lobby."""
        self.app.pop_screen()
