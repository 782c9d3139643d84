"""What a client asks. Each request has an `id` and is answered once, by `ok` or `error`."""

from typing import Annotated

from msgspec import Meta

from skull_protocol.codec import Catalogue
from skull_protocol.phrases import Phrase
from skull_protocol.skull import SkullAction
from skull_protocol.tables import BotLevel, TableOptions
from skull_protocol.wire import (
    GameId,
    Password,
    PlayerId,
    RawText,
    RequestId,
    Seat,
    Seq,
    TableCode,
    Tagged,
)


class Request(Tagged, frozen=True):
    """Every request: answered once, with the same `id`."""

    id: RequestId


class Hello(Request, frozen=True):
    """The first message.

    With a `token`, the sender is again who the token was given to; with a `code`, who asked for
    that code on another terminal.
    """

    protocol: Annotated[int, Meta(ge=0, le=2**31, description="The version the client speaks.")]
    name: RawText
    token: Annotated[str, Meta(max_length=200)] | None
    code: Annotated[str, Meta(max_length=20)] | None = None


class Peek(Request, frozen=True):
    """Ask how it stands at this server; without a hello too, and then the server hangs up."""


class Ping(Request, frozen=True):
    """Says that the client is alive; send one whenever nothing else was sent for 15 s."""


class CreateTable(Request, frozen=True):
    """Set up a table and sit down as its host."""

    options: TableOptions
    password: Password | None = None


class JoinTable(Request, frozen=True):
    """Go to a table and take a seat; only while no game is running."""

    code: TableCode
    password: Password | None = None


class WatchTable(Request, frozen=True):
    """Go to a table and watch."""

    code: TableCode
    password: Password | None = None


class TakeSeat(Request, frozen=True):
    """From watching, take a seat; only while no game is running."""


class LeaveTable(Request, frozen=True):
    """Go back to the lobby. In a running game that is for good: the table's `leavers` says how."""


class ChangeOptions(Request, frozen=True):
    """The host sets the table's options; only while no game is running."""

    options: TableOptions


class SetPassword(Request, frozen=True):
    """The host sets the password that it takes to come in; null: none."""

    password: Password | None


class RemovePlayer(Request, frozen=True):
    """The host sends somebody away for good: as if they had left, and they cannot come back.

    Neither the player nor anybody with a name like theirs can. Where they connect from is not
    looked at, since many people share one address: who takes another name needs a password to be
    kept out.
    """

    player: PlayerId


class HandToBot(Request, frozen=True):
    """The host has a bot play for somebody in a running game, until they take the seat back."""

    player: PlayerId


class TakeBack(Request, frozen=True):
    """The sender plays again, whose seat a bot has been playing."""


class Mute(Request, frozen=True):
    """No longer be sent what somebody at the table says; or be sent it again."""

    player: PlayerId
    muted: bool


class AddBot(Request, frozen=True):
    """The host seats a bot; only while no game is running."""

    level: BotLevel = "normal"


class RemoveBot(Request, frozen=True):
    """The host sends a bot away; only while no game is running."""

    seat: Seat


class AnswerFlowers(Request, frozen=True):
    """Say how long ago the sender last gave somebody flowers: the most recent may start."""

    days: Annotated[
        Annotated[int, Meta(ge=0, le=36_500)] | None,
        Meta(description="Days ago; null: never, or no answer."),
    ]


class StartGame(Request, frozen=True):
    """The host starts the game; after a game, a rematch with those seated now."""


class Say(Request, frozen=True):
    """Say something to everybody at the table."""

    text: RawText


class SayPhrase(Request, frozen=True):
    """Say one of the usual phrases to everybody at the table; it counts as talk."""

    phrase: Phrase


class AskResumeCode(Request, frozen=True):
    """Ask for a short code with which to come back on another terminal."""


class ListGames(Request, frozen=True):
    """Ask for the sender's finished games, newest first, before the game with this number."""

    before: GameId | None


class GetGame(Request, frozen=True):
    """Ask for the steps of a finished game that the sender played, from a step on."""

    game: GameId
    first: Annotated[int, Meta(ge=0, le=2**31)]


class AskCoach(Request, frozen=True):
    """Ask what a hard bot would do in the sender's place; `advice` follows in its time.

    Only where the sender is to act, alone with bots, and the table's options allow it.
    """


class ReviewGame(Request, frozen=True):
    """Ask which decisions cost the sender most in a finished game; `review` follows in its time.

    Only for a game that the sender played alone with bots.
    """

    game: GameId


class ListRecords(Request, frozen=True):
    """Ask for the records of the players on this server."""


class AskStatistics(Request, frozen=True):
    """Ask for what the server counts for the sender alone."""


class Act(Request, frozen=True):
    """Do something in the game.

    Refused as `stale` if what the sender may do has changed since the update numbered `seq`.
    """

    seq: Annotated[Seq, Meta(description="The latest update that the player saw.")]
    action: SkullAction


AnyRequest = (
    Hello
    | Peek
    | Ping
    | CreateTable
    | JoinTable
    | WatchTable
    | TakeSeat
    | LeaveTable
    | ChangeOptions
    | SetPassword
    | RemovePlayer
    | HandToBot
    | TakeBack
    | Mute
    | AddBot
    | RemoveBot
    | AnswerFlowers
    | StartGame
    | Say
    | SayPhrase
    | AskResumeCode
    | ListGames
    | GetGame
    | AskCoach
    | ReviewGame
    | ListRecords
    | AskStatistics
    | Act
)

REQUESTS: Catalogue[Request] = Catalogue(AnyRequest)
