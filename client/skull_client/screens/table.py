"""The table: opponents, bids, own discs, what happened, and what to do now."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.people import leaving_costs
from skull_client.screens.ask import Answered, confirm
from skull_client.screens.choices import action_for, items_for
from skull_client.screens.felt import Felt, Scene
from skull_client.screens.people import open_people
from skull_client.screens.room import Room, table_heading
from skull_client.screens.talking import TALK_BINDINGS, Talking
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.action_bar import ActionBar
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.seat_card import SeatCard
from skull_client.wording import prompt, say
from skull_protocol import skull
from skull_protocol.pushes import Error, Update
from skull_protocol.requests import Act, LeaveTable, Request, TakeBack
from skull_protocol.tables import SeatInfo

RESULT = "result"
"""The key of the item that leads to the result."""
TAKE_BACK = "take back"
"""The key of the item with which a player takes the seat back that a bot plays."""
LATE = 10
"""Seconds before the clock runs out from which on it warns."""


class TableRoom(Talking, Room):
    """Everything about the game at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *TALK_BINDINGS,
        Binding("w", "people", "who"),
        Binding("a", "take_back", "take back"),
        Binding("l", "leave", "leave"),
        Binding("q", "app.quit_game", "quit", show=False),
    ]

    def furnish(self) -> ComposeResult:
        """From the far side of the table to the near one."""
        yield Felt(self.glyphs)
        yield Lines(id="prompt")
        yield ActionBar(id="actions")
        yield from self.talk_line()

    def on_mount(self) -> None:
        """The clock ticks while there is one."""
        super().on_mount()
        self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        if self.skull.seconds_left() is not None:
            self.draw_header(self.skull.known)

    def heading(self, state: ClientState) -> tuple[str, str | Content]:
        """Table and round; at the right, the time left."""
        left = table_heading(self.glyphs, state)
        if state.game is not None:
            number = state.game.view.round
            words = say("Round {n}", n=number) if number else say("Practice round, does not count")
            left = f"{left} {self.glyphs.separator} {words}"
        seconds = self.skull.seconds_left()
        if seconds is None:
            return left, ""
        if state.table is not None and not state.table.saving:
            return left, say("the clock waits")
        if seconds > LATE:
            return left, say("{n} s left", n=seconds)
        game = state.game
        yours = game is not None and game.you is not None and game.you.seat in game.view.to_act
        words = say("Hurry: {n} s left", n=seconds) if yours else say("only {n} s left", n=seconds)
        return left, Content.styled(words, paint.PROBLEM)

    def draw(self, state: ClientState) -> None:
        """Draw the game, once there is one."""
        if state.game is None:
            self._say_prompt(say("The discs are being dealt."), acts=False)
            return
        scene = _scene(state.game, state.players)
        self.query_one(Felt).draw(self.glyphs, scene, state.story)
        self._offer(scene)
        self._draw_track(scene)
        self._draw_prompt(scene)

    def _offer(self, scene: Scene) -> None:
        view, own = scene.view, scene.own
        bar = self.query_one(ActionBar)
        if view.phase == "game_over":
            bar.offer(self.glyphs, [Item(RESULT, say("See the result"))])
        elif self.skull.known.bot_plays:
            bar.offer(self.glyphs, [Item(TAKE_BACK, say("Take your seat back"))])
        elif own is not None:
            items = items_for(view, own, scene.name, self.glyphs)
            bar.offer(self.glyphs, items, own.choices.bid)
        else:
            bar.offer(self.glyphs, [])

    def _draw_track(self, scene: Scene) -> None:
        reach = scene.own.choices.bid if scene.own is not None else None
        amount = self.query_one(ActionBar).amount if reach is not None else 0
        self.query_one(Felt).draw_bids(self.glyphs, scene, amount, reach)

    def _draw_prompt(self, scene: Scene) -> None:
        view, own = scene.view, scene.own
        if self.query_one(ActionBar).sending:
            self._say_prompt(say("Sent{dots}", dots=self.glyphs.ellipsis), acts=False)
            return
        if self.skull.known.bot_plays and view.phase != "game_over":
            self._say_prompt(say("A bot plays for you: Enter to take your seat back."), acts=True)
            return
        words = prompt(view, own, scene.name, scene.you)
        agree = [scene.name(s) for s, seat in enumerate(view.seats) if seat.agrees]
        if agree and own is not None and own.choices.abandon:
            words = " ".join((words, say("Press a to take it back too.")))
        self._say_prompt(words, acts=bool(self.query_one(ActionBar).items))

    def _say_prompt(self, words: str, *, acts: bool) -> None:
        lines = Content(words).wrap(max(self.size.width - 3, 1))
        mark = self.glyphs.turn if acts else " "
        text = Content("\n").join(
            [Content.assemble(" " if row else mark, " ", line) for row, line in enumerate(lines)]
        )
        self.query_one("#prompt", Lines).put(text.stylize(paint.TURN) if acts else text)

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """The number of the bid is shown on the track as well."""
        game = self.skull.known.game
        if game is not None:
            self._draw_track(_scene(game, self.skull.known.players))
        super().on_menu_moved(event)

    def on_seat_card_clicked(self, event: SeatCard.Clicked) -> None:
        """A click on somebody selects what can be done about them."""
        bar = self.query_one(ActionBar)
        for index, item in enumerate(bar.items):
            if item.key in (skull.Flip(event.seat), skull.NameStarter(event.seat)):
                bar.select(index)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Do it, and wait for the answer."""
        if event.item.key == RESULT:
            self.skull.look_at("result")
            return
        if event.item.key == TAKE_BACK:
            self._send(TakeBack)
            return
        bar = self.query_one(ActionBar)
        action = action_for(event.item.key, bar.amount)
        if action is not None:
            self._act(action)

    def _act(self, action: skull.SkullAction) -> None:
        game = self.skull.known.game
        if game is not None:
            self._send(Act, seq=game.seq, action=action)

    def _send(self, request: type[Request], **fields: object) -> None:
        """Ask for something of the action bar, which waits for the answer."""
        bar = self.query_one(ActionBar)
        if bar.sending:
            return

        def answered(_error: Error | None) -> None:
            bar.sending = False
            bar.refresh()
            self.show(self.skull.known)

        bar.sending = self.ask(request, answered, **fields)
        bar.deselect()
        self.show(self.skull.known)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The round can be taken back only while the rules let one vote on it."""
        if not self.is_mounted:
            return True
        if action == "take_back":
            return self._vote() is not None and self.check_talk(action)
        return self.check_talk(action)

    def _vote(self) -> bool | None:
        game = self.skull.known.game
        if game is None or game.you is None or self.skull.known.bot_plays:
            return None
        return game.you.choices.abandon

    def action_take_back(self) -> None:
        """Vote on taking the round back, or withdraw the vote."""
        vote = self._vote()
        if vote is None:
            return

        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key:
                self._act(skull.Abandon(vote))

        if vote:
            window = confirm(
                say("Take the round back"),
                say("If everybody agrees, all take their discs back and the round begins anew."),
                say("Yes, take it back"),
                say("No, play on"),
            )
        else:
            window = confirm(
                say("Take the round back"),
                say("You asked to take the round back."),
                say("Play on after all"),
                say("Keep asking"),
            )
        self.app.push_screen(window, answer)

    def action_leave(self) -> None:
        """Leave, after a question if there is something to lose."""
        known = self.skull.known
        costs = leaving_costs(known)
        if not costs:
            self.ask(LeaveTable)
            return

        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key:
                self.ask(LeaveTable)

        self.app.push_screen(
            confirm(
                say("Leave the table"),
                costs,
                say("Yes, leave the game"),
            ),
            answer,
        )

    def action_people(self) -> None:
        """Who is here, and what may be done about them."""
        open_people(self)


def _scene(update: Update, players: tuple[SeatInfo, ...]) -> Scene:
    return Scene(update.view, update.you, players)
