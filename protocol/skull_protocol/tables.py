"""Tables on the wire: their options, who sits at them, how they look from the lobby."""

from typing import Annotated, Literal

from msgspec import Meta

from skull_protocol.skull import SkullAction, SkullEvent, SkullOptions, SkullOwn, SkullView
from skull_protocol.wire import CleanText, Count, GameId, Percent, PlayerId, Seat, TableCode, Wire

TableStage = Literal["waiting", "playing", "finished"]
"""`waiting` for the first game, `playing` one, or `finished` with one and open for a rematch."""


BotLevel = Literal["easy", "normal", "hard"]
"""How well a bot plays."""


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
    leavers: Annotated[
        Literal["bot", "forfeit"],
        Meta(description="Who leaves a running game for good: a bot plays on, or they are out."),
    ] = "bot"
    watching: Annotated[bool, Meta(description="May others watch?")] = True
    coach: Annotated[
        bool,
        Meta(description="May who plays here alone with bots ask what a hard bot would do?"),
    ] = False
    watchers_talk: Annotated[bool, Meta(description="May those who watch talk?")] = True


class SeatInfo(Wire, frozen=True):
    """Who sits in a seat."""

    player: Annotated[
        PlayerId | None,
        Meta(description="Null: a bot; or, if not `connected`, one who left the game for good."),
    ]
    name: CleanText
    connected: bool
    answered: Annotated[
        bool, Meta(description="Has said when they last gave flowers (who starts may hang on it).")
    ]
    bot_plays: Annotated[
        bool, Meta(description="A bot plays for the person who sits here, until they are back.")
    ] = False
    level: Annotated[
        BotLevel | None, Meta(description="How well the bot plays that sits here; null: none does.")
    ] = None


class WatcherInfo(Wire, frozen=True):
    """Who watches."""

    player: PlayerId
    name: CleanText


class TableSummary(Wire, frozen=True):
    """A table as the lobby lists it."""

    code: TableCode
    host: Annotated[CleanText, Meta(description="The host's name.")]
    stage: TableStage
    seated: Count
    bots: Annotated[Count, Meta(description="How many of the seated are bots.")]
    watchers: Count
    options: TableOptions
    locked: Annotated[bool, Meta(description="It takes a password to come in.")] = False


class PlayerRecord(Wire, frozen=True):
    """What the server counts for a player, over all finished games played here."""

    name: CleanText
    games: Count
    wins: Count
    challenges_won: Count
    challenges_lost: Count
    bluffs_caught: Annotated[
        Count, Meta(description="Challenges that the player lost to their own skull.")
    ]
    skulls_hit: Annotated[
        Count, Meta(description="Challenges that others lost to this player's skull.")
    ]


class Opponent(Wire, frozen=True):
    """Somebody, or a bot, in the games that the receiver played with them."""

    name: CleanText
    games: Count
    wins: Annotated[Count, Meta(description="Of the receiver.")]
    their_wins: Count
    challenges_won: Annotated[Count, Meta(description="By the receiver.")]
    their_challenges_won: Count
    stopped: Annotated[
        Count, Meta(description="Their challenges that the receiver's skull stopped.")
    ]
    stopped_by: Annotated[
        Count, Meta(description="The receiver's challenges that their skull stopped.")
    ]


class GameSummary(Wire, frozen=True):
    """A finished game, as the list of a player's games shows it."""

    game: GameId
    ended: Annotated[Count, Meta(description="Seconds since 1970, UTC.")]
    table: TableCode
    names: Annotated[tuple[CleanText, ...], Meta(description="Who sat where, in seat order.")]
    seat: Annotated[Seat, Meta(description="Where the receiver sat.")]
    winner: Seat
    rounds: Count
    steps: Annotated[Count, Meta(description="How many steps it can be looked at in.")]
    left: Annotated[
        tuple[Seat, ...], Meta(description="Seats whose player left for good before the end.")
    ] = ()


class MissedChance(Wire, frozen=True):
    """A decision in a finished game that was worth less than another, as a hard bot sees it."""

    step: Annotated[Count, Meta(description="The step of the game that it led to.")]
    better: SkullAction
    cost: Annotated[Percent, Meta(description="Of the chance to win the game.")]


class GameStep(Wire, frozen=True):
    """One step of a finished game, exactly as it was sent to the receiver when it was played."""

    events: tuple[SkullEvent, ...]
    view: SkullView
    you: SkullOwn | None
