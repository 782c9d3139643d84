"""A finished game, step by step, as this player saw it when it was played."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client import export
from skull_client.history_wording import ended_words, seat_name
from skull_client.screens.felt import Felt, Scene
from skull_client.screens.room import Room
from skull_client.state import MAX_STORY, ClientState, StoryItem
from skull_client.widgets.lines import Lines
from skull_client.widgets.now_lines import NowLines, NowPicture
from skull_client.widgets.sheet import BLANK
from skull_client.widgets.story import story_line
from skull_client.wording import msg, prompt, say
from skull_protocol.requests import GetGame
from skull_protocol.skull import RoundStarted
from skull_protocol.tables import GameStep, GameSummary, SeatInfo
from skull_protocol.text import shown


class Replay(Room):
    """The table, and arrows to go through the game."""

    ABOUT = msg("A finished game, step by step, as you knew it then.")
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "step", key_display="left-right"),
        Binding("left", "step(-1)", show=False),
        Binding("down", "round(1)", "round", key_display="up-down"),
        Binding("up", "round(-1)", show=False),
        Binding("home", "end(0)", show=False),
        Binding("end", "end(-1)", show=False),
        Binding("e", "export", "write to a file"),
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False),
    ]

    def __init__(self, game: GameSummary) -> None:
        super().__init__()
        self.game = game
        self.at = 0
        """The step that is shown."""
        self._asked = -1
        """From which step on more were asked for last."""

    def furnish(self) -> ComposeResult:
        """The table as it was, and what was asked of the player then."""
        yield Felt()
        yield NowLines(id="now")
        yield Lines(id="hint")

    def heading(self, state: ClientState) -> tuple[str, str]:
        """Which game, and where in it."""
        dot = self.glyphs.separator
        left = say("Skull {dot} Table {code}", dot=dot, code=self.game.table)
        steps = self._steps(state)
        if steps:
            number = steps[self.at].view.round
            words = say("Round {n}", n=number) if number else say("Practice round")
            left = f"{left} {dot} {words}"
        place = say("Step {n} of {all}", n=self.at + 1, all=self.game.steps)
        return left, say(
            "{ended} {dot} {at}", ended=ended_words(self.game.ended), dot=dot, at=place
        )

    def draw(self, state: ClientState) -> None:
        """Draw the step, and ask for what is missing."""
        steps = self._steps(state)
        if steps:
            self._draw_step(steps)
        else:
            self._say(say("One moment: asking the server."))
        if self._asked < len(steps) < self.game.steps and state.link.state == "online":
            self._asked = len(steps)
            self.ask(GetGame, game=self.game.game, first=self._asked)

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
        self.query_one(Felt).draw(self.glyphs, scene, story)
        last = BLANK
        if story:
            last = story_line(story[-1], scene.name, scene.you)
        self._say(prompt(step.view, step.you, scene.name, scene.you), last)

    def _say(self, words: str, last: Content = BLANK) -> None:
        self.query_one(NowLines).show(NowPicture(self.glyphs, words, acts=False, last=last))

    def _steps(self, state: ClientState) -> tuple[GameStep, ...]:
        """What has come of this game."""
        known = state.steps
        return known.steps if known is not None and known.game.game == self.game.game else ()

    # -- going through the game --------------------------------------------------------------------

    def _go(self, step: int) -> None:
        last = len(self._steps(self.skull.known)) - 1
        self.at = max(0, min(step, last))
        self.query_one("#hint", Lines).put("")
        self.show(self.skull.known)

    def action_step(self, by: int) -> None:
        """One step on or back."""
        self._go(self.at + by)

    def action_round(self, by: int) -> None:
        """To where the next round begins, or this or the one before."""
        steps = self._steps(self.skull.known)
        begin = [
            number
            for number, step in enumerate(steps)
            if any(isinstance(event, RoundStarted) for event in step.events)
        ]
        if by > 0:
            self._go(next((number for number in begin if number > self.at), len(steps) - 1))
        else:
            self._go(next((number for number in reversed(begin) if number < self.at), 0))

    def action_end(self, step: int) -> None:
        """To the beginning, or to the end."""
        self._go(step % max(len(self._steps(self.skull.known)), 1))

    def action_export(self) -> None:
        """Write the whole game to a file, and say where."""
        steps = self._steps(self.skull.known)
        if len(steps) < self.game.steps:
            self.notice(say("Not all of the game is here yet: wait a moment, then try again."))
            return
        try:
            path = export.save(export.game_text(self.game, steps), export.file_name(self.game))
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            folder = shown(export.path_words(export.folder()))
            self.notice(say("Cannot write to {folder}: {reason}.", folder=folder, reason=reason))
            return
        self.notice("")
        self.query_one("#hint", Lines).put(
            Content(say(" Written to {path}", path=shown(export.path_words(path))))
        )

    def action_back(self) -> None:
        """Back to the list."""
        self.app.pop_screen()
