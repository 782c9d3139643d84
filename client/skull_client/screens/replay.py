"""A finished game, step by step, as this player saw it when it was played."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.timer import Timer

from skull_client import export, moments
from skull_client.coaching import marks
from skull_client.history_wording import (
    ended_words,
    happened,
    only_bots,
    seat_name,
    step_words,
)
from skull_client.moments import Mark
from skull_client.screens.felt import Felt, Scene
from skull_client.screens.room import Room
from skull_client.screens.table import LOG_KEY
from skull_client.state import MAX_STORY, ClientState, StoryItem
from skull_client.widgets.board import Board
from skull_client.widgets.lines import Lines
from skull_client.widgets.motion import LASTS
from skull_client.widgets.now_lines import NowLines, NowPicture
from skull_client.widgets.sheet import BLANK
from skull_client.widgets.story import story_line
from skull_client.widgets.timeline import Timeline, TimelinePicture
from skull_client.wording import msg, prompt, say
from skull_protocol.pushes import Error
from skull_protocol.requests import GetGame, ReviewGame
from skull_protocol.tables import GameStep, GameSummary, SeatInfo
from skull_protocol.text import shown

SPEEDS: tuple[tuple[float, str], ...] = (
    (2.0, msg("a step every 2 seconds")),
    (1.0, msg("a step a second")),
    (0.5, msg("2 steps a second")),
    (0.25, msg("4 steps a second")),
)
"""How fast it can be played: seconds for a step, and the words for it."""


class Replay(Room):
    """The table, and keys to go through the game."""

    ABOUT = msg("A finished game, step by step, as you knew it then.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "step", key_display="left-right"),
        Binding("left", "step(-1)", show=False),
        Binding("down", "round(1)", "round", key_display="up-down"),
        Binding("up", "round(-1)", show=False),
        Binding("p", "play", "play", id="replay.play"),
        Binding("p", "stop", "stop", id="replay.play"),
        Binding("space", "play", show=False),
        Binding("space", "stop", show=False),
        Binding("escape", "back", "back", key_display="escape"),
        Binding("c", "challenge(1)", "challenge", id="replay.challenge"),
        Binding("x", "challenge(-1)", "challenge before", show=False, id="replay.challenge_before"),
        Binding("pagedown", "challenge(1)", show=False),
        Binding("pageup", "challenge(-1)", show=False),
        Binding("m", "mark", "mark", id="replay.mark"),
        Binding("e", "export", "export", id="replay.export"),
        Binding(LOG_KEY, "log", "log", id="table.log"),
        Binding("home", "end(0)", show=False),
        Binding("end", "end(-1)", show=False),
        Binding("1", "speed(0)", show=False),
        Binding("2", "speed(1)", show=False),
        Binding("3", "speed(2)", show=False),
        Binding("4", "speed(3)", show=False),
        Binding("f,plus,equals_sign", "faster(1)", "faster", show=False, id="replay.faster"),
        Binding("s,minus", "faster(-1)", "slower", show=False, id="replay.slower"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    def __init__(self, game: GameSummary) -> None:
        super().__init__()
        self.game = game
        self.at = 0
        """The step that is shown, counted from 0."""
        self.marks: Sequence[Mark] = ()
        """What somebody has to say about single steps; shown with the next thing drawn."""
        self._review_asked = False
        self._asked = -1
        """From which step on more were asked for last."""
        self._one_on = False
        """Whether one step on led here: then discs turn over as they did in the game."""
        self._hint = ""
        self._speed = 1
        self._due: float | None = None
        """When the next step is shown by itself, by the app's clock; None: it does not play."""
        self._timer: Timer | None = None

    def furnish(self) -> ComposeResult:
        """The table as it was, what was asked of the player then, and where in the game it is."""
        yield Felt()
        yield NowLines(id="now")
        yield Timeline(id="timeline")
        yield Lines(id="hint")

    def on_mount(self) -> None:
        """Discs turn over by the same clock as in a game."""
        self.query_one(Board).clock = self.skull.clock
        super().on_mount()

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Which game, which round, and when it ended."""
        dot = self.glyphs.separator
        left = say("Skull {dot} Table {code}", dot=dot, code=self.game.table)
        steps = self._steps(state)
        if steps:
            number = steps[min(self.at, len(steps) - 1)].view.round
            words = say("Round {n}", n=number) if number else say("Practice round")
            left = f"{left} {dot} {words}"
        return left, ended_words(self.game.ended)

    def draw(self, state: ClientState) -> None:
        """Draw the step, and ask for what is missing."""
        steps = self._steps(state)
        if steps:
            self.at = min(self.at, len(steps) - 1)
            self._draw_step(steps)
        else:
            self._say(say("One moment: asking the server."))
        self._mark(state, steps)
        self._draw_place(steps)
        if self._asked < len(steps) < self.game.steps and state.link.state == "online":
            self._asked = len(steps)
            self.ask(GetGame, self._answered, game=self.game.game, first=self._asked)

    def _mark(self, state: ClientState, steps: tuple[GameStep, ...]) -> None:
        """Have the coach look at a game with bots, and mark what it names."""
        game = self.game
        if not self._review_asked and only_bots(game) and state.link.state == "online":
            self._review_asked = self.ask(ReviewGame, lambda _: None, game=game.game)
        self.marks = marks(game, steps, state.review) or self.marks

    def _answered(self, error: Error | None) -> None:
        if error is not None:  # no more steps will come
            self.action_stop()

    def _draw_step(self, steps: tuple[GameStep, ...]) -> None:
        step = steps[self.at]
        players = tuple(
            SeatInfo(1, seat_name(self.game, seat), connected=True, answered=True)
            for seat in range(len(self.game.names))
        )
        scene = Scene(step.view, step.you, players)
        story: list[StoryItem] = []
        for past in reversed(steps[: self.at + 1]):
            story[:0] = past.events
            if len(story) >= MAX_STORY:
                break
        motion = self._one_on and self.skull.motion and not self._too_fast
        self.query_one(Felt).draw(self.glyphs, scene, story, motion=motion)
        lines = [story_line(event, scene.name, scene.you) for event in happened(step)]
        self._say(prompt(step.view, step.you, scene.name, scene.you), Content(" ").join(lines))

    def _say(self, words: str, last: Content = BLANK) -> None:
        self.query_one(NowLines).show(NowPicture(self.glyphs, words, acts=False, last=last))

    def _draw_place(self, steps: tuple[GameStep, ...]) -> None:
        last = max(self.game.steps, 1) - 1
        place = step_words(self.game, self.at)
        room = max(cell_len(step_words(self.game, last)) - cell_len(place), 0)
        self.query_one(Timeline).show(
            TimelinePicture(
                self.glyphs,
                self.at,
                len(steps),
                max(self.game.steps, len(steps)),
                moments.rounds(steps),
                moments.challenges(steps),
                tuple(mark.step for mark in self.marks if 0 <= mark.step < len(steps)),
                " " * room + place,
            )
        )
        about = [shown(mark.words) for mark in self.marks if mark.step == self.at]
        if about:
            note = Content.styled(" ".join(about), "bold $talk")
        elif self._due is not None:
            speed = say(SPEEDS[self._speed][1])
            note = Content(say("Playing: {speed} (1 to 4: how fast).", speed=speed))
        else:
            note = Content(self._hint)
        # A row of its own even when nothing is said: else the table would jump.
        self.query_one("#hint", Lines).put(Content.assemble("  ", note))

    def _steps(self, state: ClientState) -> tuple[GameStep, ...]:
        """What has come of this game."""
        known = state.steps
        return known.steps if known is not None and known.game.game == self.game.game else ()

    # -- going through the game --------------------------------------------------------------------

    def _go(self, step: int, hint: str = "") -> None:
        before = self.at
        last = len(self._steps(self.skull.known)) - 1
        self.at = max(0, min(step, last))
        self._one_on = self.at == before + 1
        self._hint = hint
        self.show(self.skull.known)

    def action_step(self, by: int) -> None:
        """One step on or back."""
        self._stop()
        self._go(self.at + by)

    def action_round(self, by: int) -> None:
        """To where the next round begins, or this or the one before."""
        self._stop()
        steps = self._steps(self.skull.known)
        begin = moments.rounds(steps)
        if by > 0:
            place = moments.after(begin, self.at)
            self._go(len(steps) - 1 if place is None else place)
        else:
            self._go(moments.before(begin, self.at) or 0)

    def action_challenge(self, by: int) -> None:
        """To where the next challenge begins, or this or the one before."""
        self._stop()
        begin = moments.challenges(self._steps(self.skull.known))
        if by > 0:
            place = moments.after(begin, self.at)
            none = say("There is no challenge after this.")
        else:
            place = moments.before(begin, self.at)
            none = say("There is no challenge before this.")
        if place is None:
            self._go(self.at, none)
        else:
            self._go(place)

    def action_mark(self) -> None:
        """To the next mark; after the last, to the first."""
        self._stop()
        steps = self._steps(self.skull.known)
        places = [mark.step for mark in self.marks if 0 <= mark.step < len(steps)]
        if places:
            place = moments.after(places, self.at)
            self._go(min(places) if place is None else place)

    def action_end(self, step: int) -> None:
        """To the beginning, or to the end."""
        self._stop()
        self._go(step % max(len(self._steps(self.skull.known)), 1))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing now are not offered."""
        if action == "mark":
            return bool(self.marks)
        if action in ("play", "stop"):
            return self.playing == (action == "stop")
        return action != "log" or not self.has_class("-wide")

    # -- playing by itself -------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether steps are shown by themselves."""
        return self._due is not None

    @property
    def _period(self) -> float:
        """Seconds for a step."""
        return SPEEDS[self._speed][0]

    @property
    def _too_fast(self) -> bool:
        """Whether the next step comes before discs have turned over."""
        return self.playing and self._period < LASTS

    def action_play(self) -> None:
        """Play on from here; at the end, from the beginning."""
        if self._steps(self.skull.known):
            self._due = self.skull.clock() + self._period
            self._go(0 if self.at + 1 >= self.game.steps else self.at)
            self.play_on()

    def action_stop(self) -> None:
        """Stay at this step."""
        self._stop()
        self._go(self.at)

    def play_on(self) -> None:
        """Show the next step if its time has come, and come back for the one after it.

        However late it is, no step is left out. It ends with the game.
        """
        self._rest()
        if self._due is None:
            return
        now = self.skull.clock()
        if now >= self._due:
            due = self._due + self._period
            self._due = due if due > now else now + self._period
            if self.at + 1 < len(self._steps(self.skull.known)):
                if self.at + 2 >= self.game.steps:
                    self._due = None
                self._go(self.at + 1)
        if self._due is not None:
            self._timer = self.set_timer(max(self._due - now, 0.01), self.play_on)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _stop(self) -> None:
        self._rest()
        self._due = None

    def on_screen_suspend(self) -> None:
        """What nobody sees is not played."""
        self._stop()

    def action_speed(self, speed: int) -> None:
        """Play that fast from now on; say so."""
        self._speed = max(0, min(speed, len(SPEEDS) - 1))
        if self._due is not None:
            self._due = self.skull.clock() + self._period
            self.play_on()
        self._hint = say("Speed: {speed}.", speed=say(SPEEDS[self._speed][1]))
        self.show(self.skull.known)

    def action_faster(self, by: int) -> None:
        """Faster, or slower."""
        self.action_speed(self._speed + by)

    # -- beside it ---------------------------------------------------------------------------------

    def action_log(self) -> None:
        """Open what happened before, or close it."""
        self.toggle_class("-log")

    def action_export(self) -> None:
        """Write the whole game to a file, and say where."""
        steps = self._steps(self.skull.known)
        if len(steps) < self.game.steps:
            self.notice(say("Not all of the game is here yet: wait a moment, then try again."))
            return
        try:
            path = export.keep(self.game, steps)
        except export.NotKept as why:
            self.notice(str(why))
            return
        self.notice("")
        self._stop()
        self._go(self.at, say("Written to {path}", path=path))

    def action_back(self) -> None:
        """Close the log; else back to the list."""
        if self.has_class("-log") and not self.has_class("-wide"):
            self.action_log()
        else:
            self.app.pop_screen()
