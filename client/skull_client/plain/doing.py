"""What a typed line can lead to, and how what may be typed is described."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

from skull_client.moments import Mark
from skull_client.opening import LooksFor, Opening
from skull_client.setting_out import Destination, Seen
from skull_client.settings import Settings
from skull_client.state import ClientState
from skull_protocol.requests import Request
from skull_protocol.tables import GameStep, GameSummary
from skull_protocol.text import shown


class NotUnderstood(Exception):  # noqa: N818 - says what was typed
    """A line asks for nothing that can be done now; the message says what may be typed."""


class Ask(Struct, frozen=True):
    """Ask the server for something."""

    request: type[Request]
    fields: Mapping[str, object] = field(default_factory=dict)
    done: str = ""
    """What to say once it is done, where nothing that arrives tells it."""
    mutes: tuple[int, bool] | None = None
    """The player that it mutes or no longer mutes."""


class Tell(Struct, frozen=True):
    """Only tell something."""

    lines: tuple[str, ...]


class Wait(Struct, frozen=True):
    """Take no more lines until the player is asked for something in the game, or it is over."""


class Quit(Struct, frozen=True):
    """Hang up."""


class SetOut(Struct, frozen=True):
    """Go somewhere, and perhaps look there for something."""

    destination: Destination
    looks_for: LooksFor = ""


class LookRound(Struct, frozen=True):
    """Ask the servers that were played on how they stand."""


class Home(Struct, frozen=True):
    """Hang up, and go back to where everything began."""


class PlayOn(Struct, frozen=True):
    """The lesson is over: go on as in a game like any other."""


class SetTo(Struct, frozen=True):
    """Change some of the player's settings, and tell something of them."""

    values: Mapping[str, str]
    lines: tuple[str, ...] = ()


class BeSomebody(Struct, frozen=True):
    """After a refusal: try again with this name, or by this code of another terminal."""

    name: str = ""
    code: str = ""


class LookBack(Struct, frozen=True):
    """Tell a finished game, write it to a file, or begin to go through it.

    `number` counts from the latest, from 1.
    """

    number: int
    how: Literal["tell", "write", "go through"]


class GoTo(Struct, frozen=True):
    """Go to a step of the finished game that is looked at; steps are counted from 0."""

    at: int


class Past(Struct, frozen=True):
    """A finished game that is looked at, at one of its steps."""

    game: GameSummary
    steps: tuple[GameStep, ...]
    """All of them."""
    at: int = 0
    marks: tuple[Mark, ...] = ()
    """What the coach has to say about single steps."""


Doing = (
    Ask
    | Tell
    | Wait
    | Quit
    | SetOut
    | LookRound
    | Home
    | PlayOn
    | SetTo
    | BeSomebody
    | LookBack
    | GoTo
)


class Command(Struct, frozen=True):
    """Something that may be typed now: a word, and perhaps more behind it."""

    word: str
    forms: tuple[str, ...]
    """Exactly what may be typed, with capitals for what one has to fill in."""
    meaning: str
    take: Callable[[str], Doing]
    """Makes sense of what stands behind the word. Raises `NotUnderstood`."""
    asked: bool = False
    """Whether the prompt names it; the others are told by `help`."""


class Here(Struct, frozen=True):
    """Everything on which depends what may be typed."""

    state: ClientState
    opening: Opening
    muted: frozenset[int] = frozenset()
    seconds_left: int | None = None
    past: Past | None = None
    """The finished game that is looked at step by step."""
    opened: bool = True
    """What the command line asked for has been done."""
    begins: bool = False
    """Where everything begins: connected to nothing, and free to choose."""
    leads_back: bool = False
    """One came from there, and can go back."""
    learning: bool = False
    """The game is the lesson."""
    settings: Settings = field(default_factory=Settings)
    file: str = ""
    """Where they are kept; empty: nowhere."""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    """How the servers stand that were played on, as far as it is known."""

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers that were played on, the latest first."""
        return self.settings.servers

    @property
    def phrases(self) -> tuple[str, ...]:
        """The quick phrases in the order of their numbers: codes, or the player's own words."""
        return self.settings.phrases

    def names(self, seat: int) -> str:
        """Tell the name of whoever sits in a seat of the game."""
        players = self.state.players
        return shown(players[seat].name) if seat < len(players) else ""
