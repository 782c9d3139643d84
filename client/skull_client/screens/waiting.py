"""The waiting room: who is here, the code for those who are not, and what the host may do."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content

from skull_client.option_wording import LEVELS
from skull_client.people import seat_notes
from skull_client.screens.ask import Answered, Ask
from skull_client.screens.password import NewPassword
from skull_client.screens.people import open_people
from skull_client.screens.room import Room, table_heading
from skull_client.screens.setup import SetUp
from skull_client.screens.talking import PHRASES_BINDING, TALK_BINDINGS, Talking
from skull_client.state import ClientState, has_left, is_bot
from skull_client.widgets import paint
from skull_client.widgets.code_box import code_box
from skull_client.widgets.lines import Lines, boxed, title_box
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.rules import Rules, RulesPicture
from skull_client.widgets.seats import SeatPicture, Seats, SeatsPicture
from skull_client.widgets.story import Story, StoryPicture
from skull_client.wording import msg, say, say_count
from skull_protocol.pushes import Table
from skull_protocol.requests import (
    AddBot,
    AnswerFlowers,
    ChangeOptions,
    LeaveTable,
    RemoveBot,
    StartGame,
    TakeSeat,
)
from skull_protocol.text import shown

_ROOMY = 76
"""Columns from which on names and titles are told in full."""
FLOWERS: tuple[tuple[int | None, str], ...] = (
    (0, msg("Today")),
    (1, msg("Yesterday")),
    (7, msg("This week")),
    (30, msg("This month")),
    (365, msg("This year")),
    (None, msg("Longer ago, or never")),
)
"""The answers to the question that decides who starts, with the days that they stand for."""


class Waiting(Talking, Room):
    """Seats at the left, what to do at the right."""

    ABOUT = msg(
        "The table before the game. The host adds bots and starts; friends join by the code."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "add_bot", "add bot", id="waiting.add_bot"),
        Binding("x", "remove_bot", "drop it", id="waiting.remove_bot"),
        Binding("o", "options", "options", id="waiting.options"),
        *TALK_BINDINGS,
        Binding("w", "people", "who", id="table.people"),
        Binding("l", "leave", "leave", id="table.leave"),
        PHRASES_BINDING,
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    LETTERS = "sfr"

    def furnish(self) -> ComposeResult:
        """The code, the seats, the menu, the talk; at the end, or at the right, the rules."""
        with Container(id="waiting"):
            with Vertical(id="waiting-main"):
                yield Lines(id="code")
                with Horizontal(id="waiting-middle"):
                    yield boxed(Seats(id="seats"), say("Seats, in the order of play"))
                    with boxed(Vertical(id="waiting-todo"), say("What to do")):
                        yield Menu(id="todo", classes="first list")
                yield boxed(Story(id="story"), say("Talk"))
            yield boxed(Rules(id="rules"), say("Rules"))
        yield from self.talk_line()

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The table."""
        waits = state.table is not None and state.table.stage == "waiting"
        return table_heading(self.glyphs, state), say("waiting to start") if waits else ""

    def draw(self, state: ClientState) -> None:
        """Draw who is here and what may be done."""
        table = state.table
        if table is None:
            return
        self.query_one("#code", Lines).put(self._code(table))
        seats = self.query_one(Seats)
        seats.show(_seats(self, state, table))
        watching = len(table.watchers)
        under = say_count(watching, "{n} watches", "{n} watch") if watching else ""
        roomy = self.size.width >= _ROOMY
        title_box(seats, say("Seats, in the order of play") if roomy else say("Seats"), under)
        self.query_one(Rules).show(RulesPicture(self.glyphs, table.options))
        self.query_one("#todo", Menu).show(self.glyphs, _todo(state, table))
        names = tuple(shown(seat.name) for seat in table.seats)
        self.query_one(Story).show(StoryPicture(self.glyphs, state.story, names, state.seat))

    def _code(self, table: Table) -> Content:
        top, middle, bottom = code_box(self.glyphs, table.code)
        opening = self.skull.opening
        if opening.is_here:
            told, command = say("You play here, against bots."), ""
        else:
            told = (
                say("Friends join by password, with") if table.locked else say("Friends join with")
            )
            command = f"{opening.command} --table {table.code}"
        return Content.assemble(
            (top, paint.TURN),
            (f"   {told}", paint.QUIET),
            (f"\n{middle}", paint.TURN),
            (f"   {command}", "bold"),
            (f"\n{bottom}", paint.TURN),
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Most keys are the host's."""
        known = self.skull.known
        if known.table is None or not self.is_mounted:
            return True
        if action == "add_bot":
            return known.is_host and _seated(known.table) < known.table.options.max_seats
        if action == "remove_bot":
            return known.is_host and _last_bot(known.table) is not None
        if action == "options":
            return known.is_host
        return self.check_talk(action)

    def on_key(self, event: events.Key) -> None:
        """The key of something that is not possible now: say why not."""
        table = self.skull.known.table
        key_of = self.skull.key_of
        action = {
            key_of("waiting.add_bot", "b"): "add_bot",
            key_of("waiting.remove_bot", "x"): "remove_bot",
            key_of("waiting.options", "o"): "options",
        }.get(event.key)
        if action is None or table is None or self.talking or self.check_action(action, ()):
            return
        event.stop()
        if not self.skull.known.is_host:
            self.notice(say("Only the host changes the table: ask for it."))
        elif action == "add_bot":
            self.notice(say("Every seat is taken: send somebody away, or change the options."))
        else:
            self.notice(say("There is no bot to send away."))

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Do what was chosen."""
        match event.item.key:
            case "start":
                self.ask(StartGame)
            case "seat":
                self.ask(TakeSeat)
            case "flowers":
                self._ask_flowers()
            case "bot":
                self.action_add_bot()
            case ("remove", int(seat)):
                self.ask(RemoveBot, seat=seat)
            case "options":
                self.action_options()
            case "password":
                self.app.push_screen(NewPassword())
            case "leave":
                self.action_leave()
            case "result":
                self.skull.look_at("result")

    def action_add_bot(self) -> None:
        """Seat a bot, of the level that is chosen."""

        def answer(answered: Answered | None) -> None:
            for level in LEVELS:
                if answered is not None and answered.key == level:
                    self.skull.bot_level = level
                    self.ask(AddBot, level=level)

        levels = [
            Item(
                level,
                Content.assemble(paint.fit(self.glyphs, say(words.label), 8), " ", meaning),
                letter=say(words.label)[0],
                verb=say("add bot"),
            )
            for level, words in LEVELS.items()
            for meaning in ((say(words.meaning), paint.QUIET),)
        ]
        chosen = list(LEVELS).index(self.skull.bot_level)
        self.app.push_screen(Ask(say("Add a bot"), "", levels, chosen), answer)

    def action_remove_bot(self) -> None:
        """Send the selected bot away, else the last one."""
        selected = self.query_one("#todo", Menu).selected
        table = self.skull.known.table
        seat = _last_bot(table) if table is not None else None
        if selected is not None and isinstance(selected.key, tuple):
            seat = selected.key[1]
        if seat is not None:
            self.ask(RemoveBot, seat=seat)

    def action_options(self) -> None:
        """Change the table's options."""
        table = self.skull.known.table
        if table is not None:
            self.app.push_screen(SetUp(table.options, say("Options of the table"), ChangeOptions))

    def action_people(self) -> None:
        """Who is here, and what may be done about them."""
        open_people(self)

    def action_leave(self) -> None:
        """Nothing is lost by leaving before the game."""
        self.ask(LeaveTable)

    def _ask_flowers(self) -> None:
        def answer(answered: Answered | None) -> None:
            if answered is not None:
                self.ask(AnswerFlowers, days=answered.key)

        self.app.push_screen(
            Ask(
                say("Who starts?"),
                say("When did you last give somebody flowers?"),
                [Item(days, say(words), letter=words[0].lower()) for days, words in FLOWERS],
            ),
            answer,
        )


def _seated(table: Table) -> int:
    return sum(not has_left(info) for info in table.seats)


def _last_bot(table: Table) -> int | None:
    bots = [seat for seat, info in enumerate(table.seats) if is_bot(info)]
    return bots[-1] if bots else None


def _seats(room: Room, state: ClientState, table: Table) -> SeatsPicture:
    flowers = table.options.rules.first_player == "flowers"
    seats = []
    for seat in range(table.options.max_seats):
        info = state.seat_info(seat)
        if info is None:
            seats.append(SeatPicture())
            continue
        notes = seat_notes(state, table, seat, info)
        if flowers and info.player is not None:
            mark = room.glyphs.chosen
            notes.append(say("flowers {mark}", mark=mark) if info.answered else say("flowers ?"))
        seats.append(SeatPicture(shown(info.name), tuple(notes), seat == state.seat))
    return SeatsPicture(room.glyphs, tuple(seats))


def _todo(state: ClientState, table: Table) -> list[Item]:
    items = []
    if state.seat is None and _seated(table) < table.options.max_seats:
        items.append(Item("seat", say("Take a seat")))
    if state.is_host:
        missing = table.options.min_seats - _seated(table)
        if missing > 0:
            label = say_count(missing, "Start ({n} player missing)", "Start ({n} players missing)")
        else:
            label = say("Start the game")
        items.append(Item("start", label, letter="s"))
    if state.seat is not None and table.options.rules.first_player == "flowers":
        answered = table.seats[state.seat].answered
        words = say("Flowers: change the answer") if answered else say("Flowers: who starts?")
        items.append(Item("flowers", words, letter="f"))
    if state.is_host:
        if _seated(table) < table.options.max_seats:
            items.append(Item("bot", say("Add a bot")))
        items += [
            Item(("remove", seat), say("Send {name} away", name=shown(info.name)))
            for seat, info in enumerate(table.seats)
            if is_bot(info)
        ]
        items.append(Item("options", say("Change the options")))
        words = say("Change the password") if table.locked else say("Set a password")
        items.append(Item("password", words))
    if table.stage == "finished" and state.game is not None:
        items.append(Item("result", say("Back to the result"), letter="r"))
    items.append(Item("leave", say("Leave the table")))
    return items
