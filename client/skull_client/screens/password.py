"""The password of a table: asked of whoever wants to come in, and set by its host."""

from skull_client.screens.entry import Entry
from skull_client.wording import say
from skull_protocol.pushes import Error
from skull_protocol.requests import JoinTable, SetPassword, WatchTable

LONGEST = 64
"""Characters in a password, at most."""


def typed_password(text: str) -> str | None:
    """Return the password that was typed; None for none."""
    return text.strip() or None


class ComeIn(Entry):
    """Asks for the password until it is the right one, or the window is closed."""

    def __init__(self, request: type[JoinTable | WatchTable], code: str) -> None:
        super().__init__(
            say("Table {code}", code=code),
            say("It takes a password to come in: type it, then Enter."),
            LONGEST,
            secret=True,
        )
        self.request = request
        self.code = code
        self.password: str | None = None

    def take(self, typed: str) -> None:
        """Try it."""
        self.password = typed_password(typed)
        if self.password is not None:
            self.ask(self.request, code=self.code, password=self.password)

    def refused(self, error: Error) -> None:
        """Where no seat can be had, watch; else say why not, and let it be tried again."""
        if self.request is JoinTable and error.code in ("table_full", "game_running"):
            self.request = WatchTable
            self.ask(WatchTable, code=self.code, password=self.password)
        else:
            super().refused(error)


class NewPassword(Entry):
    """The host sets the password of the table, or takes it away."""

    def __init__(self) -> None:
        super().__init__(
            say("Password of the table"),
            say("Whoever comes in from now on has to type it. Empty: anybody may come in."),
            LONGEST,
        )

    def take(self, typed: str) -> None:
        """Set it; stay open while that is refused."""
        self.ask(SetPassword, password=typed_password(typed))
