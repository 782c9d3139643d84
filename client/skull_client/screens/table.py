"""The table: opponents, bids, own discs, what happened, and what to do now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content

from skull_client.screens.ask import Answered, confirm
from skull_client.screens.choices import action_for, items_for
from skull_client.screens.room import Room, rule
from skull_client.screens.talking import TALK_BINDINGS, Talking
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.action_bar import ActionBar
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.own_mat import OwnMat, OwnPicture
from skull_client.widgets.seat_card import CardPicture, SeatCard
from skull_client.widgets.story import Story, StoryPicture
from skull_client.widgets.track import Track, TrackPicture
from skull_client.wording import prompt, say
from skull_protocol import skull
from skull_protocol.pushes import Error, Update
from skull_protocol.requests import Act, LeaveTable
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown

RESULT = "result"
"""The key of the item that leads to the result."""


@dataclass(frozen=True)
class Scene:
    """The game as this screen draws it: the update, and who sits where."""

    update: Update
    players: tuple[SeatInfo, ...]

    @property
    def you(self) -> int | None:
        """The reader's seat; None for a spectator."""
        return self.update.you.seat if self.update.you is not None else None

    def name(self, seat: int) -> str:
        """Who sits in a seat."""
        if seat < len(self.players):
            return shown(self.players[seat].name)
        return say("Seat {n}", n=seat + 1)

    def info(self, seat: int) -> SeatInfo:
        """Who sits in a seat, with the rest that is known of them."""
        if seat < len(self.players):
            info = self.players[seat]
            return SeatInfo(info.player, shown(info.name), info.connected, info.answered)
        return SeatInfo(None, self.name(seat), connected=True, answered=False)

    @property
    def opponents(self) -> list[int]:
        """The others, clockwise from the reader."""
        count = len(self.update.view.seats)
        start = self.you if self.you is not None else -1
        return [(start + step) % count for step in range(1, count + (self.you is None))]


class TableRoom(Talking, Room):
    """Everything about the game at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *TALK_BINDINGS,
        Binding("a", "take_back", "take back"),
        Binding("l", "leave", "leave"),
        Binding("q", "app.quit_game", "quit", show=False),
    ]

    def furnish(self) -> ComposeResult:
        """From the far side of the table to the near one."""
        with Horizontal(id="table"):
            with Vertical(id="felt"):
                with Horizontal(id="opponents"):
                    for _ in range(6):
                        yield SeatCard()
                yield rule(self.glyphs)
                yield Track(id="track")
                yield rule(self.glyphs)
                yield OwnMat(id="own")
                yield rule(self.glyphs)
            with Vertical(id="aside"):
                yield Story(id="story")
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

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Table and round; at the right, the time left."""
        dot = self.glyphs.separator
        code = state.table.code if state.table is not None else ""
        left = say("Skull {dot} Table {code}", dot=dot, code=code)
        if state.game is not None:
            number = state.game.view.round
            words = say("Round {n}", n=number) if number else say("Practice round, does not count")
            left = f"{left} {dot} {words}"
        seconds = self.skull.seconds_left()
        if seconds is None:
            return left, ""
        return left, say("{n} s left", n=seconds)

    def draw(self, state: ClientState) -> None:
        """Draw the game, once there is one."""
        if state.game is None:
            self._say_prompt(say("The discs are being dealt."), acts=False)
            return
        scene = Scene(state.game, state.players)
        view, own, glyphs = scene.update.view, scene.update.you, self.glyphs
        opponents = scene.opponents
        for place, card in enumerate(self.query(SeatCard)):
            card.display = place < len(opponents)
            if card.display:
                seat = opponents[place]
                card.show(CardPicture(glyphs, view, seat, scene.info(seat)))
        you = scene.you
        info = scene.info(you) if you is not None else None
        self.query_one(OwnMat).show(OwnPicture(glyphs, view, own, info))
        self._offer(scene)
        self._draw_track(scene)
        names = tuple(scene.name(seat) for seat in range(len(view.seats)))
        self.query_one(Story).show(StoryPicture(self.glyphs, state.story, names, you))
        self._draw_prompt(scene)

    def _offer(self, scene: Scene) -> None:
        view, own = scene.update.view, scene.update.you
        bar = self.query_one(ActionBar)
        if view.phase == "game_over":
            bar.offer(self.glyphs, [Item(RESULT, say("See the result"))])
        elif own is not None:
            items = items_for(view, own, scene.name, self.glyphs)
            bar.offer(self.glyphs, items, own.choices.bid)
        else:
            bar.offer(self.glyphs, [])

    def _draw_track(self, scene: Scene) -> None:
        view, own = scene.update.view, scene.update.you
        bar = self.query_one(ActionBar)
        reach = own.choices.bid if own is not None else None
        names = tuple(scene.name(seat) for seat in range(len(view.seats)))
        amount = bar.amount if reach is not None else 0
        self.query_one(Track).show(TrackPicture(self.glyphs, view, names, scene.you, amount, reach))

    def _draw_prompt(self, scene: Scene) -> None:
        view, own = scene.update.view, scene.update.you
        if self.query_one(ActionBar).sending:
            self._say_prompt(say("Sent{dots}", dots=self.glyphs.ellipsis), acts=False)
            return
        words = prompt(view, own, scene.name, scene.you)
        agree = [scene.name(s) for s, seat in enumerate(view.seats) if seat.agrees]
        if agree and own is not None and own.choices.abandon:
            words = f"{words} {say('Press a to take it back too.')}"
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
            self._draw_track(Scene(game, self.skull.known.players))
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
        bar = self.query_one(ActionBar)
        action = action_for(event.item.key, bar.amount)
        if action is not None:
            self._act(action)

    def _act(self, action: skull.SkullAction) -> None:
        game = self.skull.known.game
        bar = self.query_one(ActionBar)
        if game is None or bar.sending:
            return

        def answered(_error: Error | None) -> None:
            bar.sending = False
            bar.refresh()
            self.show(self.skull.known)

        bar.sending = self.ask(Act, answered, seq=game.seq, action=action)
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
        return game.you.choices.abandon if game is not None and game.you is not None else None

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
        playing = known.table is not None and known.table.stage == "playing"
        if known.seat is None or not playing:
            self.ask(LeaveTable)
            return

        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key:
                self.ask(LeaveTable)

        self.app.push_screen(
            confirm(
                say("Leave the table"),
                say("A bot takes over your seat, and you cannot have it back in this game."),
                say("Yes, leave the game"),
            ),
            answer,
        )
