"""After the game: who won, how everybody stands, the story of it, and whether to play again."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content

from skull_client.chronicle import Tally, challenges, is_whole, last_game, tallies
from skull_client.screens.felt import Scene
from skull_client.screens.people import open_people
from skull_client.screens.room import Room, table_heading
from skull_client.screens.talking import PHRASES_BINDING, TALK_BINDINGS, Talking
from skull_client.state import ClientState
from skull_client.widgets import paint, seat_card
from skull_client.widgets.after_game import (
    Chronicle,
    ChroniclePicture,
    Stand,
    Standing,
    StandingPicture,
)
from skull_client.widgets.lines import Lines, boxed
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.story import Story, StoryPicture
from skull_client.wording import msg, say, winner_line
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.requests import GetGame, LeaveTable, ListGames, StartGame
from skull_protocol.skull import SkullEvent


class Result(Talking, Room):
    """The winner, the players, what to do; below or beside it, the story."""

    ABOUT = msg("How the game ended, and its challenges.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pagedown", "read(1)", "more", show=False),
        Binding("pageup", "read(-1)", "back", show=False),
        *TALK_BINDINGS,
        Binding("w", "people", "who", id="table.people"),
        Binding("l", "leave", "leave", id="table.leave"),
        PHRASES_BINDING,
        Binding("q", "app.quit_game", "quit", id="everywhere.quit"),
    ]

    LETTERS = "psv"

    def __init__(self) -> None:
        super().__init__()
        self._asked = 0
        """From which step on the server was asked for the game."""
        self._wanted: int | None = None
        """The number of the game that was asked for."""

    def furnish(self) -> ComposeResult:
        """From the winner down."""
        with Container(id="result"):
            with Vertical(id="result-main"):
                yield Lines(id="winner")
                yield boxed(Standing(id="standing"), say("Players"))
                yield Menu(id="todo", classes="first fitted")
                yield Lines(id="hint")
                yield Story(id="story")
            yield boxed(Chronicle(id="chronicle"), say("The challenges"))
        yield from self.talk_line()

    def on_mount(self) -> None:
        """Who came late, or lost the connection, asks the server for the rest of the story."""
        super().on_mount()
        known = self.skull.known
        here = self.skull.opening.is_here
        if known.seat is not None and not here and not is_whole(last_game(known.story)):
            self.skull.ask(ListGames, lambda _error: None, before=None)

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The table."""
        return table_heading(self.glyphs, state), say("game over")

    def draw(self, state: ClientState) -> None:
        """Draw how it ended."""
        if state.game is None or state.table is None:
            return
        glyphs = self.glyphs
        scene = Scene(state.game.view, state.game.you, state.players)
        events = self._events(state)
        told = challenges(events)
        self._draw_winner(scene, events)
        self._draw_standing(scene, tallies(told, len(scene.names)))
        self.query_one(Chronicle).show(
            ChroniclePicture(glyphs, told, scene.names, scene.you, is_whole(events))
        )
        items = [Item("again", say("Play again"), letter="p")] if state.is_host else []
        items += [
            Item("seats", say("Seats and options"), letter="s"),
            Item("table", say("Look at the table"), letter="v"),
            Item("leave", say("Leave the table")),
        ]
        self.query_one("#todo", Menu).show(glyphs, items)
        host = next((i.name for i in state.table.seats if i.player == state.table.host), "")
        hint = self.query_one("#hint", Lines)
        hint.display = not state.is_host
        hint.put(Content(say("  {host} can start another game.", host=host)))
        talk = tuple(item for item in state.story if isinstance(item, Chat))
        story = self.query_one(Story)
        story.display = bool(talk)
        story.show(StoryPicture(glyphs, talk, scene.names, scene.you))

    def _draw_winner(self, scene: Scene, events: tuple[SkullEvent, ...]) -> None:
        won = next((event for event in events if isinstance(event, skull.GameWon)), None)
        how = ""
        if won is not None:
            how = (
                say("With a second point.")
                if won.by == "points"
                else say("As the last player in the game.")
            )
        deco = self.glyphs.deco_flower
        words = winner_line(scene.view, scene.name, scene.you)
        self.query_one("#winner", Lines).put(
            Content.assemble((f"{deco} {words} {deco}", paint.TURN), "  ", (how, paint.QUIET))
        )

    def _draw_standing(self, scene: Scene, did: tuple[Tally, ...]) -> None:
        view = scene.view
        order = sorted(
            range(len(view.seats)),
            key=lambda seat: (
                seat != view.winner,
                -view.seats[seat].points,
                -view.seats[seat].discs,
            ),
        )
        stands = []
        for seat in order:
            info, stand = scene.info(seat), view.seats[seat]
            name = say("{name} (you)", name=info.name) if seat == scene.you else info.name
            stands.append(
                Stand(
                    name,
                    seat == view.winner,
                    stand.points,
                    0 if stand.eliminated else stand.discs,
                    seat_card.presence(info),
                    did[seat],
                )
            )
        standing = self.query_one(Standing)
        standing.styles.height = len(stands) + (2 if self.has_class("-short") else 3)
        standing.show(StandingPicture(self.glyphs, tuple(stands)))

    # -- the story, from the server where it is not known here ------------------------------------

    def _events(self, state: ClientState) -> tuple[SkullEvent, ...]:
        """All that is known of the game that is over."""
        seen = last_game(state.story)
        if is_whole(seen):
            return seen
        self._fetch(state)
        steps = state.steps
        if steps is None or self._wanted is None or steps.game.game != self._wanted:
            return seen
        events = tuple(event for step in steps.steps for event in step.events)
        return events if is_whole(events) else seen

    def _fetch(self, state: ClientState) -> None:
        """Ask for the newest game if it is this one, page by page."""
        games = state.games.games if state.games is not None else ()
        if not games or state.table is None or state.game is None:
            return
        newest = games[0]
        if (newest.table, newest.winner) != (state.table.code, state.game.view.winner):
            return
        have = 0
        if state.steps is not None and state.steps.game.game == newest.game:
            have = len(state.steps.steps)
        if self._wanted is None or self._asked < have < newest.steps:
            self._wanted, self._asked = newest.game, have
            self.skull.ask(GetGame, lambda _error: None, game=newest.game, first=have)

    # -- what may be done -------------------------------------------------------------------------

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

    def action_read(self, pages: int) -> None:
        """Go on in the story, or back."""
        self.query_one(Chronicle).read(pages)

    def action_people(self) -> None:
        """Who is here, and what may be done about them."""
        open_people(self)

    def action_leave(self) -> None:
        """Back to the lobby."""
        self.ask(LeaveTable)
