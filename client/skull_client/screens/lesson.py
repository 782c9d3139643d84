"""The lesson at the table: one step after the other is said, and only what it is about is done."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from skull_client import lesson
from skull_client.lesson import Guidance
from skull_client.screens.ask import Answered, Ask, confirm
from skull_client.screens.felt import Scene
from skull_client.screens.table import LOG_KEY, TableRoom, scene_of
from skull_client.state import ClientState
from skull_client.widgets.action_bar import ActionBar
from skull_client.widgets.menu import Item
from skull_client.widgets.now_lines import NowLines
from skull_client.wording import msg, say
from skull_protocol.skull import SkullAction

HOW: Final = {
    1: msg("f chooses it, Enter does it."),
    2: msg("2 and Enter."),
}
"""The keys, until they are known."""


class LessonRoom(TableRoom, inherit_bindings=False):
    """The table, with what to do now in a box; whatever else is chosen, nothing is lost."""

    ABOUT = msg("The lesson. Do what the box says; anything else is answered, and nothing is lost.")
    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the letter of "Next round", which would only select it.
        Binding("n", "next_step", "do it for me", priority=True, id="lesson.next_step"),
        Binding("l", "leave_lesson", "leave the lesson", id="lesson.leave"),
        Binding(LOG_KEY, "log", "log", id="table.log"),
        Binding("escape", "close_log", "close", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    LETTERS = "fsbrp"

    def __init__(self) -> None:
        super().__init__()
        self._ended = False

    def draw(self, state: ClientState) -> None:
        """Draw the game; when all has been shown, ask how to go on."""
        super().draw(state)
        if state.game is not None and lesson.is_over(state.game.view) and not self._ended:
            self._ended = True
            self.call_later(self._end)

    def heading(self, state: ClientState) -> tuple[str, str]:
        """What this is; there is no clock."""
        return say("Skull {dot} Lesson", dot=self.glyphs.separator), ""

    def _seconds(self, _state: ClientState) -> int | None:
        """Nobody is hurried, not even in the pause between rounds."""
        return None

    def _guidance(self) -> Guidance | None:
        game = self.skull.known.game
        if game is None or game.you is None:
            return None
        scene = scene_of(game, self.skull.known.players)
        return lesson.guidance(game.view, game.you, scene.name)

    def draw_prompt(self, scene: Scene) -> None:
        """Say the step; while others act, whom the game waits for."""
        told = self._guidance()
        if told is None or self.query_one(ActionBar).sending:
            super().draw_prompt(scene)
            return
        self.query_one(NowLines).border_title = lesson.title(told)
        how = HOW.get(told.step)
        words = told.words if how is None else " ".join((told.words, say(how)))
        self.say_now(words, acts=True)

    def chosen(self, action: SkullAction) -> None:
        """Do it if it is what the step is about; else say what that is."""
        told, game = self._guidance(), self.skull.known.game
        why_not = ""
        if told is not None and game is not None and game.you is not None:
            scene = scene_of(game, self.skull.known.players)
            why_not = lesson.why_not(told, action, scene.view, scene.name, game.you.seat)
        if why_not:
            self.refuse(why_not)
        else:
            self.act(action)

    def action_next_step(self) -> None:
        """Have the step done."""
        told = self._guidance()
        if told is not None:
            self.act(told.wanted)
        elif self.skull.known.game is not None:
            self.refuse(lesson.others_play())

    def action_leave_lesson(self) -> None:
        """Leave the lesson, when asked twice."""

        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key:
                self.skull.leave_lesson()

        words = lesson.about_leaving()
        yes, no = say("Yes, leave the lesson"), say("No, go on learning")
        self.app.push_screen(confirm(say("Leave the lesson"), words, yes, no), answer)

    def _end(self) -> None:
        def answer(answered: Answered | None) -> None:
            if answered is not None and answered.key == "back":
                self.skull.leave_lesson()
            else:
                self.skull.play_on()

        self.app.push_screen(
            Ask(
                say("You know it all now"),
                lesson.summary(),
                [
                    Item("on", say("Play on against these bots"), letter=say("play")[0]),
                    Item("back", say("Leave the lesson"), letter=say("leave")[0]),
                ],
            ),
            answer,
        )
