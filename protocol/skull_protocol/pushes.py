"""What a server sends: answers to requests, and lobby, table and game as they change."""

from typing import Annotated

import msgspec
from msgspec import Meta

from skull_protocol.codec import NULL, Catalogue, encode_part
from skull_protocol.errors import ErrorCode, Refusal
from skull_protocol.phrases import Phrase
from skull_protocol.skull import SkullAction, SkullEvent, SkullOwn, SkullView
from skull_protocol.tables import (
    GameStep,
    GameSummary,
    MissedChance,
    Opponent,
    PlayerRecord,
    SeatInfo,
    TableOptions,
    TableStage,
    TableSummary,
    WatcherInfo,
)
from skull_protocol.wire import (
    CleanText,
    Count,
    GameId,
    Percent,
    PlayerId,
    RequestId,
    Seq,
    TableCode,
    Tagged,
    Wire,
)


class Ok(Tagged, frozen=True):
    """The request was done. Whatever it changed was sent before this."""

    id: RequestId


class Blank(Wire, frozen=True):
    """What fills the blank `{name}` of a sentence."""

    name: Annotated[str, Meta(max_length=20)]
    value: CleanText


class Error(Tagged, frozen=True, omit_defaults=True):
    """The request was refused and changed nothing. `id` is null where the request had none."""

    id: RequestId | None
    code: ErrorCode
    message: Annotated[CleanText, Meta(description="One sentence for people: what to do next.")]
    form: Annotated[
        str,
        Meta(max_length=1000, description="The same with its blanks; left out where it has none."),
    ] = ""
    blanks: tuple[Blank, ...] = ()


def refused(request_id: int | None, refusal: Refusal) -> Error:
    """Return the answer to a request that is refused."""
    if not refusal.blanks:
        return Error(request_id, refusal.code, refusal.sentence)
    blanks = tuple(Blank(name, value) for name, value in refusal.blanks.items())
    return Error(request_id, refusal.code, refusal.sentence, refusal.form, blanks)


class Welcome(Tagged, frozen=True):
    """The answer to `hello`, before its `ok`.

    `token` is secret: with it, whoever lost the connection is the same player again. Each welcome
    carries a new one; the one before it holds until the new one was used.
    """

    player: PlayerId
    name: Annotated[CleanText, Meta(description="As cleaned by the server.")]
    token: str
    server: Annotated[str, Meta(description="The server's version, for people.")]
    resumed: Annotated[bool, Meta(description="The token was known: seat and table are as left.")]


class Glimpse(Tagged, frozen=True):
    """The answer to `peek`, before its `ok`: what a stranger may know, and nobody's name."""

    protocol: Annotated[Count, Meta(description="The version that the server speaks.")]
    server: Annotated[str, Meta(max_length=100, description="The server's version, for people.")]
    tables: Annotated[Count, Meta(description="How many tables there are.")]
    players: Annotated[Count, Meta(description="How many players are connected.")]


class Lobby(Tagged, frozen=True):
    """All tables; sent on arriving in the lobby."""

    tables: tuple[TableSummary, ...]


class LobbyChanged(Tagged, frozen=True):
    """Tables new or changed, and codes of tables gone; sent to those in the lobby."""

    changed: tuple[TableSummary, ...]
    gone: tuple[TableCode, ...]


class Table(Tagged, frozen=True):
    """The table that the receiver is at; sent on arriving and whenever it changes."""

    code: TableCode
    host: PlayerId
    stage: TableStage
    game: Annotated[Count, Meta(description="How many games were started here.")]
    options: TableOptions
    seats: Annotated[
        tuple[SeatInfo, ...], Meta(description="In clockwise order; a seat's number is its index.")
    ]
    watchers: Annotated[
        tuple[WatcherInfo, ...], Meta(description="In the order in which they came to watch.")
    ]
    locked: Annotated[bool, Meta(description="It takes a password to come in.")] = False
    saving: Annotated[
        bool, Meta(description="False: the server cannot save just now, and the game waits for it.")
    ] = True


class LeftTable(Tagged, frozen=True):
    """The receiver is back in the lobby."""


class Update(Tagged, frozen=True):
    """What happened in the game, and how it stands now. On (re)joining, `events` is empty."""

    seq: Seq
    events: tuple[SkullEvent, ...]
    clock_ms: Annotated[
        Count | None,
        Meta(description="Milliseconds until the clock of those to act runs out; null: no clock."),
    ]
    view: Annotated[SkullView, Meta(description="Public: the same for everybody.")]
    you: Annotated[SkullOwn | None, Meta(description="For a seated player's eyes only.")]


class _WatchersUpdate(Tagged, frozen=True, tag="update"):
    """`Update` as those get it who only watch."""

    seq: int
    events: tuple[SkullEvent, ...]
    clock_ms: int | None
    view: msgspec.Raw
    you: None = None


def update_head(
    seq: int, events: tuple[SkullEvent, ...], clock_ms: int | None, view: bytes
) -> bytes:
    """Encode an `Update` up to its last field, in which alone many of its receivers differ.

    `view`: the public view, encoded (`encode_part`). What is to follow (`frame_of`) is the
    receiver's own view, encoded, or `NULL`.
    """
    body = encode_part(_WatchersUpdate(seq, events, clock_ms, msgspec.Raw(view)))
    return body[: -len(NULL)]


class Chat(Tagged, frozen=True):
    """Somebody at the table said something: a text, or one of the usual phrases."""

    player: PlayerId
    name: CleanText
    text: Annotated[CleanText, Meta(description="Empty for a phrase.")]
    phrase: Phrase | None = None


class ResumeCode(Tagged, frozen=True):
    """A short secret: whoever says it in a `hello`, once and in time, is the receiver."""

    code: str
    seconds: Annotated[Count, Meta(description="How long it holds.")]


class Games(Tagged, frozen=True):
    """Some of the receiver's finished games, newest first."""

    games: tuple[GameSummary, ...]
    more: Annotated[bool, Meta(description="There are older ones.")]


class GameSteps(Tagged, frozen=True):
    """Steps of a finished game, from the one numbered `first` on, as many as fit."""

    game: GameSummary
    first: Count
    steps: tuple[GameStep, ...]


class Advice(Tagged, frozen=True):
    """What a hard bot would do in the receiver's place."""

    seq: Annotated[Seq, Meta(description="The update that it is about.")]
    action: SkullAction
    chance: Annotated[
        Percent | None,
        Meta(description="Of winning the game then; null where that is not reckoned."),
    ]


class GameReview(Tagged, frozen=True, tag="review"):
    """The decisions of the receiver in a finished game that cost most, the dearest first."""

    game: GameId
    missed: tuple[MissedChance, ...]


class Records(Tagged, frozen=True):
    """The records of the players on this server, most wins first."""

    players: tuple[PlayerRecord, ...]


class Statistics(Tagged, frozen=True):
    """What the server counts for the receiver alone, over the finished games that they played."""

    games: Count
    wins: Count
    challenges_won: Count
    challenges_lost: Count
    bluffs_held: Annotated[
        Count,
        Meta(
            description=(
                "Bids for which the receiver would have had to flip their own skull, and never had "
                "to: somebody bid more, the round was taken back, or the game ended."
            )
        ),
    ]
    bluffs_caught: Annotated[
        Count, Meta(description="Challenges that the receiver lost to their own skull.")
    ]
    skulls_hit: Annotated[
        Count, Meta(description="Challenges that others lost to the receiver's skull.")
    ]
    opponents: Annotated[tuple[Opponent, ...], Meta(description="Those met last first.")]


class Goodbye(Tagged, frozen=True):
    """The server is about to close the connection, and why.

    `retry` tells whether the client should come back by itself.
    """

    message: CleanText
    retry: bool


AnyPush = (
    Ok
    | Error
    | Welcome
    | Glimpse
    | Lobby
    | LobbyChanged
    | Table
    | LeftTable
    | Update
    | Chat
    | ResumeCode
    | Games
    | GameSteps
    | Advice
    | GameReview
    | Records
    | Statistics
    | Goodbye
)

PUSHES: Catalogue[Tagged] = Catalogue(AnyPush)
