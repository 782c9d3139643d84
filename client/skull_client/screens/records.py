"""The records of the players on this server: games, wins, challenges, bluffs."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from skull_client.screens.past import LookingBack
from skull_client.screens.statistics import Statistics
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say
from skull_protocol.requests import ListRecords
from skull_protocol.tables import PlayerRecord


class Records(LookingBack):
    """A table of players to read, most wins first."""

    ABOUT = msg("How the players on this server have done.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "statistics", "your statistics", id="lobby.statistics"),
    ]

    def furnish(self) -> ComposeResult:
        """A head over the players, and what the columns mean."""
        yield Lines(id="lobby-head", classes="head")
        yield Lines(id="lobby-empty")
        yield Menu(id="players", classes="first list")
        yield Lines(
            say(
                " Won, Lost: challenges; a game is won in Wins.\n"
                " Caught: challenges lost to the own skull, so a bluff that was called.\n"
                " Traps: challenges that others lost to this player's skull."
            ),
            id="meanings",
        )

    def on_mount(self) -> None:
        """Ask for the records as they are now."""
        super().on_mount()
        self.ask(ListRecords)

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Of which server."""
        left = say("Skull {dot} Records of the players", dot=self.glyphs.separator)
        return left, self.skull.opening.server_label

    def draw(self, state: ClientState) -> None:
        """List the players."""
        players = state.records.players if state.records is not None else ()
        did = (say("Won"), say("Lost"), say("Caught"), say("Traps"))
        head = (say("Player"), say("Games"), say("Wins"), *did)
        rows = self.put_head(head, map(_cells, players))
        items = [Item(place, row, verb="") for place, row in enumerate(rows)]
        self.query_one(Menu).show(self.glyphs, items)
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = not players
        empty.put(
            self.why_empty(
                say("Games against bots on this machine are not counted."),
                say("No game has ended here yet."),
                asked=state.records is None,
            )
        )

    def action_statistics(self) -> None:
        """Look at what is counted for this player alone."""
        self.app.push_screen(Statistics())


def _cells(record: PlayerRecord) -> tuple[str, ...]:
    counts = (
        record.games,
        record.wins,
        record.challenges_won,
        record.challenges_lost,
        record.bluffs_caught,
        record.skulls_hit,
    )
    return (record.name, *map(str, counts))
