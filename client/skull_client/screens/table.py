"""The table: opponents, bids, own discs, what happened, and what to do now."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer

from skull_client.bindings import key_words
from skull_client.people import leaving_costs
from skull_client.reasons import why_not
from skull_client.screens.ask import Answered, confirm
from skull_client.screens.choices import action_for, asked_for, items_for, not_now
from skull_client.screens.felt import Felt, Scene
from skull_client.screens.noticing import Noticing
from skull_client.screens.people import open_people
from skull_client.screens.room import Room, table_heading
from skull_client.screens.talking import PHRASES_BINDING, TALK_BINDINGS, Talking
from skull_client.state import ClientState, StoryItem
from skull_client.talk_wording import said
from skull_client.widgets import paint
from skull_client.widgets.action_bar import BID, ActionBar
from skull_client.widgets.board import Board
from skull_client.widgets.menu import Item, Menu
from skull_client.widgets.now_lines import NowLines, NowPicture
from skull_client.widgets.seat_card import LATE
from skull_client.widgets.sheet import BLANK
from skull_client.widgets.story import story_line
from skull_client.wording import hurry, msg, prompt, say, winner_line
from skull_protocol import skull
from skull_protocol.pushes import Chat, Error, Update
from skull_protocol.requests import Act, LeaveTable, Request, TakeBack
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown

RESULT = "result"
"""The key of the item that leads to the result."""
TAKE_BACK = "take back"
"""The key of the item with which a player takes the seat back that a bot plays."""
LOG_KEY = "o"
"""Opens and closes the log where there is no room for it beside the table."""


class TableRoom(Noticing, Talking, Room):
    """Everything about the game at once."""

    ABOUT = msg("The table. Choose in the line above the keys what you do; Enter does it.")
    BINDINGS: ClassVar[list[BindingType]] = [
        *TALK_BINDINGS,
        Binding(LOG_KEY, "log", "log", id="table.log"),
        Binding("escape", "close_log", "close", key_display="escape"),
        Binding("c", "coach", "coach", id="table.coach"),
        Binding("w", "people", "who", id="table.people"),
        Binding("a", "take_back", "take back", id="table.take_back"),
        Binding("l", "leave", "leave", id="table.leave"),
        PHRASES_BINDING,
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    LETTERS = "fsbrpn"
    """Select actions of the game, and say why one is not possible."""

    def furnish(self) -> ComposeResult:
        """From the far side of the table to the near one."""
        yield Felt()
        yield NowLines(id="now")
        yield ActionBar(id="actions")
        yield from self.talk_line()

    def __init__(self) -> None:
        super().__init__()
        self._was_mine = False
        self._read_to: StoryItem | None = None
        """The last thing that happened when the log was seen last."""
        self._hush: Timer | None = None

    def on_mount(self) -> None:
        """The clock ticks while there is one."""
        self.query_one(Board).clock = self.skull.clock
        super().on_mount()
        self.set_interval(1.0, self._tick)

    def _tick(self) -> None:
        seconds = self.skull.seconds_left()
        if seconds is not None:
            self.draw_header(self.skull.known)
            self.query_one(Felt).tick(self._seconds(self.skull.known))

    def _seconds(self, state: ClientState) -> int | None:
        """Until the clock runs out; None while it waits, too."""
        saving = state.table is None or state.table.saving
        return self.skull.seconds_left() if saving else None

    def heading(self, state: ClientState) -> tuple[str, str | Content]:
        """Table and round; at the right, the time left."""
        left = table_heading(self.glyphs, state)
        if state.game is not None:
            number = state.game.view.round
            words = say("Round {n}", n=number) if number else say("Practice round, does not count")
            left = f"{left} {self.glyphs.separator} {words}"
            if state.game.you is None:
                watching = say("You are watching")
                left = f"{left} {self.glyphs.separator} {watching}"
        seconds = self.skull.seconds_left()
        if seconds is None:
            return left, ""
        if state.table is not None and not state.table.saving:
            return left, say("the clock waits")
        if seconds > LATE:
            return left, say("{n} s left", n=seconds)
        game = state.game
        yours = game is not None and game.you is not None and game.you.seat in game.view.to_act
        words = hurry(seconds) if yours else say("only {n} s left", n=seconds)
        return left, Content.styled(words, paint.PROBLEM)

    def draw(self, state: ClientState) -> None:
        """Draw the game, once there is one."""
        if state.game is None:
            self.say_now(say("The discs are being dealt."), acts=False)
            return
        self.drop_old_notices(state)
        scene = scene_of(state.game, state.players)
        self.tell_advice(scene, state.advice)
        self._offer(scene)
        self._draw_table(scene, state)
        self.draw_prompt(scene)
        self._call(scene)

    def _offer(self, scene: Scene) -> None:
        view, own = scene.view, scene.own
        bar = self.query_one(ActionBar)
        if view.phase == "game_over":
            bar.offer(self.glyphs, [Item(RESULT, say("See the result"))])
        elif self.skull.known.bot_plays:
            bar.offer(self.glyphs, [Item(TAKE_BACK, say("Take your seat back"))])
        elif own is not None:
            items = items_for(view, own, scene.name, self.glyphs)
            bar.offer(self.glyphs, items, own.choices.bid, not_now(view, own))
        else:
            bar.offer(self.glyphs, [])

    def _draw_table(self, scene: Scene, state: ClientState) -> None:
        bar, now = self.query_one(ActionBar), self.skull.clock()
        self._hush_later(state.speech_ends(now))
        chosen = bar.selected is not None and bar.selected.key == BID
        self.query_one(Felt).draw(
            self.glyphs,
            scene,
            state.story,
            amount=bar.amount if chosen else 0,
            seconds=self._seconds(state),
            speech={seat: shown(said(chat)) for seat, chat in state.speaking(now).items()},
            motion=self.skull.motion,
        )

    @property
    def hushing(self) -> bool:
        """Whether the table is to be drawn anew by itself, because somebody is speaking."""
        return self._hush is not None

    def hush(self) -> None:
        """Draw the table anew, without what was said a moment ago."""
        self._hush_later(None)
        self.show(self.skull.known)

    def _hush_later(self, seconds: float | None) -> None:
        if self._hush is not None:
            self._hush.stop()
            self._hush = None
        if seconds is not None:
            self._hush = self.set_timer(seconds, self.hush)

    def draw_prompt(self, scene: Scene) -> None:
        """Say what to do now, or whom the game waits for."""
        view, own = scene.view, scene.own
        if self.query_one(ActionBar).sending:
            self.say_now(say("Sent{dots}", dots=self.glyphs.ellipsis), acts=False)
            return
        if self.skull.known.bot_plays and view.phase != "game_over":
            self.say_now(say("A bot plays for you: Enter to take your seat back."), acts=True)
            return
        words = prompt(view, own, scene.name, scene.you)
        agree = [scene.name(s) for s, seat in enumerate(view.seats) if seat.agrees]
        if agree and own is not None and own.choices.abandon:
            too = say("Press a to take it back too.")
            words = f"{words} {too}"
        self.say_now(words, acts=bool(self.query_one(ActionBar).items))

    def say_now(self, words: str, *, acts: bool) -> None:
        """Say it above the actions; `acts`: it is the reader who may do something."""
        known = self.skull.known
        last, unread = BLANK, self._unread(known)
        if not self.has_class("-wide"):
            told = [item for item in known.story if not isinstance(item, skull.PressedOn)]
            if told and known.game is not None:
                scene = scene_of(known.game, known.players)
                last = story_line(told[-1], scene.name, scene.you)
        log_key = key_words(self.skull.key_of("table.log", LOG_KEY))
        picture = NowPicture(self.glyphs, words, acts, last, unread, log_key)
        self.query_one(NowLines).show(picture)

    def _call(self, scene: Scene) -> None:
        """Ring when the turn comes to the reader, if that is wanted."""
        mine = scene.you is not None and scene.you in scene.view.to_act
        if mine and not self._was_mine and self.skull.bell_wanted:
            self.app.bell()
        self._was_mine = mine

    def terminal_title(self, state: ClientState) -> str:
        """Whose turn it is can be read while another window is in front."""
        if state.game is None:
            return super().terminal_title(state)
        scene = scene_of(state.game, state.players)
        view = scene.view
        if view.phase == "game_over":
            return say("Skull: {words}", words=winner_line(view, scene.name, scene.you))
        if scene.you is not None and scene.you in view.to_act:
            return say("Skull: your turn")
        if len(view.to_act) == 1:
            return say("Skull: {name} is to act", name=scene.name(view.to_act[0]))
        return super().terminal_title(state)

    # -- the log, in a drawer where there is no room beside the table ------------------------------

    def _unread(self, state: ClientState) -> int:
        """How much others said since the log was seen last."""
        if self.has_class("-wide") or self.has_class("-log"):
            self._read_to = state.story[-1] if state.story else None
            return 0
        count = 0
        me = state.me.player if state.me is not None else None
        for item in reversed(state.story):
            if item is self._read_to:
                break
            count += isinstance(item, Chat) and item.player != me
        return count

    def action_log(self) -> None:
        """Open the log, or close it."""
        self._unread(self.skull.known)
        self.toggle_class("-log")
        self.call_after_refresh(lambda: self.show(self.skull.known))

    def action_close_log(self) -> None:
        """Close the log."""
        self.action_log()

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """The number of the bid is shown on the track as well."""
        known = self.skull.known
        if known.game is not None:
            self._draw_table(scene_of(known.game, known.players), known)
        super().on_menu_moved(event)

    def on_key(self, event: events.Key) -> None:
        """The key of something that is not possible now: say why not."""
        game, bar = self.skull.known.game, self.query_one(ActionBar)
        if game is None or bar.sending or self.talking or self.skull.known.bot_plays:
            return
        if event.character == "c" and not self.check_action("coach", ()):
            event.stop()
            self.action_coach()
            return
        wanted = asked_for(event.character or "", game.view, game.you)
        if wanted is None:
            return
        scene = scene_of(game, self.skull.known.players)
        sentence = why_not(scene.view, scene.own, wanted, scene.name)
        if sentence is not None:
            event.stop()
            self.refuse(sentence)
        elif wanted is skull.Bid:  # either of its two letters
            event.stop()
            bar.action_count(0)

    def on_board_clicked(self, event: Board.Clicked) -> None:
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
            self.chosen(action)

    def chosen(self, action: skull.SkullAction) -> None:
        """The player has chosen to do this in the game."""
        self.act(action)

    def act(self, action: skull.SkullAction) -> None:
        """Do something in the game."""
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
        if action == "log":
            return not self.has_class("-wide") and self.check_talk(action)
        if action == "close_log":
            return self.has_class("-log") and self.check_talk(action)
        if action == "coach":
            table = self.skull.known.table
            return table is not None and table.options.coach and self.check_talk(action)
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
                self.act(skull.Abandon(vote))

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


def scene_of(update: Update, players: tuple[SeatInfo, ...]) -> Scene:
    """The game as an update has it."""
    return Scene(update.view, update.you, players)
