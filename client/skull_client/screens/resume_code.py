"""A short code, shown large: with it, one goes on playing on another terminal."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.widgets import paint
from skull_client.widgets.code_box import code_box
from skull_client.widgets.lines import Lines
from skull_client.wording import say, say_count
from skull_protocol.pushes import Error, ResumeCode
from skull_protocol.requests import AskResumeCode
from skull_protocol.text import shown


class ResumeCodeWindow(Window[None]):
    """Asks the server for a code when told so: it is a secret, and not shown by a slip."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "get", "show a code", key_display="enter"),
    ]

    def __init__(self) -> None:
        super().__init__(say("Go on at another terminal"))
        self.asking = False
        self.trouble = ""

    def furnish(self) -> ComposeResult:
        """The code over what to do with it."""
        yield Lines(id="resume-code")

    def on_mount(self) -> None:
        """A code of earlier may be used up."""
        self.skull.forget_resume_code()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One code is enough."""
        return action != "get" or not self.asking

    def action_get(self) -> None:
        """Ask for a code, which comes with the state."""

        def answered(error: Error | None) -> None:
            if error is not None and self.is_current:
                self.asking = False
                self.refuse(error.message)

        self.trouble = ""
        self.asking = self.skull.ask(AskResumeCode, answered)
        if not self.asking:
            self.trouble = say("Not now: there is no connection. It comes back by itself.")
        self.show(self.skull.known)

    def refuse(self, sentence: str) -> None:
        """Say why there is none."""
        self.trouble = shown(sentence)
        self.show(self.skull.known)

    def show(self, state: ClientState) -> None:
        """Show the code once it is there."""
        if state.resume_code is not None:
            content = self._code(state.resume_code)
        elif self.asking:
            content = Content(say("One moment: asking the server for a code."))
        else:
            content = Content(
                say(
                    "With a short code you go on playing on another terminal: your "
                    "name, your seat. Press Enter to see one; let nobody else see it."
                )
            )
        if self.trouble:
            content = Content.assemble(content, "\n\n", (self.trouble, paint.PROBLEM))
        self.query_one("#resume-code", Lines).put(content)
        super().show(state)

    def _code(self, resume: ResumeCode) -> Content:
        code = shown(resume.code)
        return Content.assemble(
            ("\n".join(code_box(self.skull.glyphs, code)), "bold $turn"),
            say("\n\nOn the other terminal, type:\n\n  "),
            (f"{self.skull.opening.command} --code {code}", "bold"),
            say_count(
                max(resume.seconds // 60, 1),
                "\n\nIt works once, within {n} minute; then the game closes here.",
                "\n\nIt works once, within {n} minutes; then the game closes here.",
            ),
            say("\nLet nobody else see it: whoever types it plays for you."),
        )
