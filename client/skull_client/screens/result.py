"""After the game: who won, how everybody stands, and whether to play again."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.felt import Scene
from skull_client.screens.people import open_people
from skull_client.screens.room import Room, columns, table_heading
from skull_client.screens.talking import TALK_BINDINGS, Talking
from skull_client.state import ClientState
from skull_client.widgets import paint, seat_card
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.story import Story, StoryPicture
from skull_client.wording import say, say_count, winner_line
from skull_protocol import skull
from skull_protocol.requests import LeaveTable, StartGame


class Result(Talking, Room):
    """The winner, the players, what to do."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *TALK_BINDINGS,
        Binding("w", "people", "who"),
        Binding("l", "leave", "leave"),
        Binding("q", "app.quit_game", "quit"),
    ]

    def furnish(self) -> ComposeResult:
        """From the winner down."""
        yield Lines(id="winner")
        yield Lines(id="standing")
        yield Menu(id="todo", classes="first fitted")
        yield Lines(id="hint")
        yield Story(id="story")
        yield from self.talk_line()

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The table."""
        return table_heading(self.glyphs, state), say("game over")

    def draw(self, state: ClientState) -> None:
        """Draw how it ended."""
        if state.game is None or state.table is None:
            return
        glyphs = self.glyphs
        scene = Scene(state.game.view, state.game.you, state.players)
        view = scene.view
        how = ""
        for item in state.story:
            if isinstance(item, skull.GameWon):
                how = (
                    say("With a second point.")
                    if item.by == "points"
                    else say("As the last player in the game.")
                )
        deco = glyphs.deco_flower
        self.query_one("#winner", Lines).put(
            Content.assemble(
                "\n",
                (f"  {deco} {winner_line(view, scene.name, scene.you)} {deco}", "bold $turn"),
                "\n",
                (f"    {how}", paint.QUIET),
                "\n",
            )
        )
        head = "   " + columns(glyphs, (say("Player"), 18), (say("Points"), 8), (say("Discs"), 20))
        lines = [Content.styled(head, paint.QUIET)]
        order = sorted(
            range(len(view.seats)),
            key=lambda s: (s != view.winner, -view.seats[s].points, -view.seats[s].discs),
        )
        for seat in order:
            info, stand = scene.info(seat), view.seats[seat]
            name = info.name + (say(" (you)") if seat == scene.you else "")
            discs = (
                say("out of the game")
                if stand.eliminated
                else say_count(stand.discs, "{n} disc left", "{n} discs left")
            )
            mark = glyphs.turn if seat == view.winner else " "
            line = f" {mark} " + columns(
                glyphs,
                (name, 18),
                (str(stand.points), 8),
                (discs, 16),
                (seat_card.presence(info), 6),
            )
            lines.append(Content.styled(line, "bold" if seat == view.winner else ""))
        lines.append(Content(""))
        self.query_one("#standing", Lines).put(Content("\n").join(lines))
        items = [Item("again", say("Play again"), letter="p")] if state.is_host else []
        items += [
            Item("seats", say("Seats and options"), letter="s"),
            Item("table", say("Look at the table"), letter="v"),
            Item("leave", say("Leave the table")),
        ]
        self.query_one("#todo", Menu).show(glyphs, items)
        host = next((i.name for i in state.table.seats if i.player == state.table.host), "")
        self.query_one("#hint", Lines).put(
            Content("" if state.is_host else say("\n   {host} can start another game.", host=host))
        )
        names = tuple(scene.name(seat) for seat in range(len(view.seats)))
        self.query_one(Story).show(StoryPicture(self.glyphs, state.story, names, scene.you))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While somebody types, only the keys of the line are keys."""
        return self.check_talk(action) if self.is_mounted else True

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Do what was chosen."""
        match event.item.key:
            case "again":
                self.ask(StartGame)
            case "seats":
                self.skull.look_at("seats")
            case "table":
                self.skull.look_at("table")
            case "leave":
                self.action_leave()

    def action_people(self) -> None:
        """Who is here, and what may be done about them."""
        open_people(self)

    def action_leave(self) -> None:
        """Back to the lobby."""
        self.ask(LeaveTable)
