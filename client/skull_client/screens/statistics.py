"""This player's own statistics: games, challenges, bluffs that held, and each opponent."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.history_wording import (
    counted_meanings,
    most_met,
    opponent_cells,
    opponent_head,
    totals_words,
)
from skull_client.screens.room import Room, columns
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say
from skull_protocol.requests import AskStatistics


class Statistics(Room):
    """What was counted in all, over a table of opponents to read, those met most often first."""

    ABOUT = msg("What is counted for you alone.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    def furnish(self) -> ComposeResult:
        """The totals, a head over the opponents, and what the columns mean."""
        yield Lines(id="totals")
        yield Lines(id="lobby-head", classes="head")
        yield Lines(id="lobby-empty")
        yield Menu(id="met", classes="first list")
        yield Lines(counted_meanings(), id="meanings")

    def on_mount(self) -> None:
        """Ask for the statistics as they are now."""
        super().on_mount()
        self.ask(AskStatistics)

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Whose statistics; they are shown to nobody else."""
        you = state.me.name if state.me is not None else ""
        left = say("Skull {dot} Your statistics, for your eyes only", dot=self.glyphs.separator)
        return left, you

    def draw(self, state: ClientState) -> None:
        """Tell the totals and list the opponents."""
        counted = state.statistics if state.statistics and state.statistics.games else None
        for name in ("#totals", "#lobby-head", "#meanings"):
            self.query_one(name).display = counted is not None
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = counted is None
        if counted is None:
            empty.put(self._why_empty(state))
            self.query_one(Menu).show(self.glyphs, ())
            return
        totals = "\n".join(f"  {sentence}" for sentence in totals_words(counted))
        self.query_one("#totals", Lines).put(totals)
        head = self._line(say("Opponent"), *opponent_head())
        self.query_one("#lobby-head", Lines).put(Content(f"  {head}"))
        items = [
            Item(met.name, self._line(met.name, *opponent_cells(met)), verb="")
            for met in most_met(counted)
        ]
        self.query_one(Menu).show(self.glyphs, items)

    def _line(self, name: str, games: str, *pairs: str) -> str:
        cells = [games.rjust(6), *(pair.rjust(9) for pair in pairs)]
        return columns(self.glyphs, (name, 16), *((cell, 0) for cell in cells))

    def _why_empty(self, state: ClientState) -> str:
        if self.skull.opening.is_here:
            return say("\n  Games against bots on this machine are not counted.")
        if state.statistics is None:
            return say("\n  One moment: asking the server.")
        return say("\n  No game of yours has ended here yet. Play one, then look again.")

    def action_back(self) -> None:
        """Back to where one came from."""
        self.app.pop_screen()
