"""The games that this player has finished, newest first; Enter looks at one again."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from skull_client.history_wording import ended_words, others_words, outcome_words, winner_words
from skull_client.screens.past import LookingBack
from skull_client.screens.replay import Replay
from skull_client.screens.statistics import Statistics
from skull_client.state import ClientState
from skull_client.widgets.columns import in_columns
from skull_client.widgets.lines import Lines, boxed, title_box
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.past_game import PastGame, PastGamePicture
from skull_client.wording import msg, say
from skull_protocol.pushes import Error
from skull_protocol.requests import ListGames
from skull_protocol.tables import GameSummary

_ROOMY = 78
"""Columns from which on a row tells with whom it was played."""
_FRAME = 6
"""Columns for the frame and the mark of what is selected."""


class History(LookingBack):
    """A list to choose a game from, which grows at its end."""

    ABOUT = msg("Your finished games, the latest first. Enter shows one at the table.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "statistics", "your statistics", id="lobby.statistics"),
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
        every = [head, *rows]
        line, *lines = in_columns(
            self.glyphs, every, self.size.width - _FRAME, gives=len(head) - 1 if roomy else 0
        )
        top = self.query_one("#games-head", Lines)
        top.display = bool(games)
        top.put(Content(f"  {line}"))
        items = [
            Item(game, words, verb=say("look at it"))
            for game, words in zip(games, lines, strict=True)
        ]
        self.query_one(Menu).show(self.glyphs, items)
        more = state.games is not None and state.games.more
        under = say("older ones at the end") if more else ""
        title_box(self.query_one("#games-box"), say("Finished games"), under)
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = not games
        empty.put(
            self.why_empty(
                say("Games against bots on this machine are not kept."),
                say("No game of yours has ended here yet. Play one, then look again."),
                asked=state.games is None,
            )
        )
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


def _cells(
    ended: str, table: str, you: str, winner: str, others: str, *, roomy: bool
) -> tuple[str, ...]:
    """Return the cells of a row, as many as there is room for."""
    cells = (ended, table, you, winner)
    return (*cells, others) if roomy else cells
