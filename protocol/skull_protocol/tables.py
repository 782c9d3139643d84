"""Tables on the wire: their options, who sits at them, how they look from the lobby."""

from typing import Annotated, Literal

from msgspec import Meta

from skull_protocol.skull import SkullOptions
from skull_protocol.wire import CleanText, Count, PlayerId, TableCode, Wire

TableStage = Literal["waiting", "playing", "finished"]
"""`waiting` for the first game, `playing` one, or `finished` with one and open for a rematch."""


class TableOptions(Wire, frozen=True):
    """What the host may set about a table, whatever is played at it."""

    rules: Annotated[SkullOptions, Meta(description="The game, and the options of its rules.")] = (
        SkullOptions()
    )
    min_seats: Annotated[int, Meta(ge=2, le=6, description="Players needed to start.")] = 3
    max_seats: Annotated[int, Meta(ge=2, le=6, description="Seats at the table.")] = 6
    turn_seconds: Annotated[
        Literal[0, 30, 60, 90],
        Meta(description="Time to act; then the rules' default is done. 0: no clock."),
    ] = 90
    pause_seconds: Annotated[
        int,
        Meta(ge=5, le=120, description="The next round begins at the latest after this pause."),
    ] = 30


class SeatInfo(Wire, frozen=True):
    """Who sits in a seat."""

    player: Annotated[PlayerId | None, Meta(description="Null: a bot.")]
    name: CleanText
    connected: bool
    answered: Annotated[
        bool, Meta(description="Has said when they last gave flowers (who starts may hang on it).")
    ]


class TableSummary(Wire, frozen=True):
    """A table as the lobby lists it."""

    code: TableCode
    host: Annotated[CleanText, Meta(description="The host's name.")]
    stage: TableStage
    seated: Count
    bots: Annotated[Count, Meta(description="How many of the seated are bots.")]
    watchers: Count
    options: TableOptions
