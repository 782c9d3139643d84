"""The records of the players on this server: games, wins, challenges, bluffs."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.room import Room, columns
from skull_client.screens.statistics import Statistics
from skull_client.state import ClientState
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say
from skull_protocol.requests import ListRecords
from skull_protocol.tables import PlayerRecord


class Records(Room):
    """A table of players to read, most wins first."""

    ABOUT = msg("How the players on this server have done.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "statistics", "your statistics", id="lobby.statistics"),
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
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
        head = self._line(
            say("Player"),
            (say("Games"), say("Wins"), say("Won"), say("Lost"), say("Caught"), say("Traps")),
        )
        self.query_one("#lobby-head", Lines).put(Content(f"  {head}"))
        players = state.records.players if state.records is not None else ()
        items = [Item(place, self._row(record), verb="") for place, record in enumerate(players)]
        self.query_one(Menu).show(self.glyphs, items)
        empty = self.query_one("#lobby-empty", Lines)
        empty.display = not players
        if self.skull.opening.is_here:
            empty.put(say("\n  Games against bots on this machine are not counted."))
        elif state.records is None:
            empty.put(say("\n  One moment: asking the server."))
        else:
            empty.put(say("\n  No game has ended here yet."))

    def _row(self, record: PlayerRecord) -> str:
        counts = (
            record.games,
            record.wins,
            record.challenges_won,
            record.challenges_lost,
            record.bluffs_caught,
            record.skulls_hit,
        )
        return self._line(record.name, tuple(str(count) for count in counts))

    def _line(self, name: str, cells: tuple[str, ...]) -> str:
        widths = [max(len(cell), 7) for cell in cells]
        right = [(cell.rjust(width), width) for cell, width in zip(cells, widths, strict=True)]
        return columns(self.glyphs, (name, 16), *right)

    def action_statistics(self) -> None:
        """Look at what is counted for this player alone."""
        self.app.push_screen(Statistics())

    def action_back(self) -> None:
        """Back to the lobby."""
        self.app.pop_screen()
