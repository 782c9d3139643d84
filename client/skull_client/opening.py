"""What a client does by itself as soon as the server has let it in, as the command line asked."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from skull_client import lesson
from skull_client.link import Link
from skull_protocol.pushes import Error
from skull_protocol.requests import (
    AddBot,
    CreateTable,
    JoinTable,
    Request,
    StartGame,
    WatchTable,
)
from skull_protocol.tables import BotLevel, TableOptions

PLAY_HERE = 3
"""Bots that play along when nobody said how many."""
MOST_BOTS = 5
"""Bots for whom a table has room."""


LooksFor = Literal["", "games", "watch"]


class Step(Struct, frozen=True):
    """One request to make, as `Link.ask(step.request, **step.fields)`."""

    request: type[Request]
    fields: Mapping[str, object] = field(default_factory=dict)


class Opening(Struct, frozen=True):
    """Where the player wants to be: the lobby, a table, or a new table with some bots."""

    table: str | None = None
    """The code of a table to go to."""
    bots: int = 0
    """Bots to seat at a new table; 0: no new table."""
    level: BotLevel = "normal"
    """How well they play."""
    coach: bool = False
    """Whether the new table has a coach."""
    learning: bool = False
    """The game at the new table is the lesson."""
    start_now: bool = False
    """Start the game at the new table at once, without waiting for friends."""
    looks_for: LooksFor = ""
    """What to look for, once in the lobby: the own games that are over, or one to watch."""
    server_label: str = ""
    """How to call the server on the screen, such as `box:7585`."""
    tls: bool = False
    """Whether the connection to it is encrypted."""

    @property
    def is_here(self) -> bool:
        """Whether the server is in this process, so that nobody else can come."""
        return self.start_now

    @property
    def command(self) -> str:
        """What friends type to get to the same server."""
        return f"skull-client {self.server_label}{' --tls' if self.tls else ''}"

    def steps(self, *, at_table: bool) -> tuple[Step, ...]:
        """Return the requests to make, each only if the one before was not refused.

        Ask when the link is online for the first time. Whoever came back to a table stays there.
        """
        if at_table:
            return ()
        if self.table is not None:
            return (Step(JoinTable, {"code": self.table}),)
        if self.bots == 0:
            return ()
        made = (
            Step(CreateTable, {"options": self._options()}),
            *(Step(AddBot, {"level": self.level}) for _ in range(self.bots)),
        )
        return (*made, Step(StartGame)) if self.start_now else made

    def instead(self, step: Step, refusal: Error) -> Step | None:
        """Return what to try when a step was refused: a table without room can be watched."""
        if step.request is JoinTable and refusal.code in ("table_full", "game_running"):
            return Step(WatchTable, step.fields)
        return None

    def _options(self) -> TableOptions:
        if self.learning:
            return lesson.OPTIONS
        if not self.start_now:
            return TableOptions(coach=self.coach)
        # Alone with bots nobody is kept waiting: no clock, and long pauses.
        enough = min(self.bots + 1, TableOptions().min_seats)
        return TableOptions(min_seats=enough, turn_seconds=0, pause_seconds=120, coach=self.coach)


class Refused(Struct, frozen=True):
    """A step that the server refused, after which the rest was not tried."""

    step: Step
    error: Error


async def carry_out(link: Link, opening: Opening, *, at_table: bool) -> Refused | None:
    """Make the requests of an opening; return what was refused, None when all went well."""
    for step in opening.steps(at_table=at_table):
        error = await link.ask(step.request, **step.fields)
        if error is not None:
            instead = opening.instead(step, error)
            if instead is not None:
                error = await link.ask(instead.request, **instead.fields)
        if error is not None:
            return Refused(step, error)
    return None
