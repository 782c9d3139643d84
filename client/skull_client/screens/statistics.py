"""This player's own statistics: games, challenges, bluffs that held, and each opponent."""

from textual.app import ComposeResult

from skull_client.history_wording import (
    counted_meanings,
    most_met,
    opponent_cells,
    opponent_head,
    totals_words,
)
from skull_client.screens.past import LookingBack
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say
from skull_protocol.requests import AskStatistics


class Statistics(LookingBack):
    """What was counted in all, over a table of opponents to read, those met most often first."""

    ABOUT = msg("What is counted for you alone.")

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
            empty.put(
                self.why_empty(
                    say("Games against bots on this machine are not counted."),
                    say("No game of yours has ended here yet. Play one, then look again."),
                    asked=state.statistics is None,
                )
            )
            self.query_one(Menu).show(self.glyphs, ())
            return
        totals = "\n".join(f"  {sentence}" for sentence in totals_words(counted))
        self.query_one("#totals", Lines).put(totals)
        met = most_met(counted)
        head = (say("Opponent"), *opponent_head())
        rows = self.put_head(head, [(some.name, *opponent_cells(some)) for some in met])
        items = [Item(some.name, row, verb="") for some, row in zip(met, rows, strict=True)]
        self.query_one(Menu).show(self.glyphs, items)
