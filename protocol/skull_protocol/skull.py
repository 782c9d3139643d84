"""Skull on the wire: discs, options, what a player may do, what happened, what each may see.

`SkullView` is public: the same for everybody. `SkullOwn` is for one player's eyes. Nothing else
about the game is ever sent, so whatever is absent from a `SkullView` is secret.
"""

from typing import Annotated, Literal

from msgspec import Meta

from skull_protocol.wire import Count, Seat, Tagged, Wire

Disc = Annotated[
    str,
    Meta(
        pattern=r"\A(F|S|(10|[2-9])[cdhs]|[JQK][cdhs])\Z",
        description=(
            "`F` a flower, `S` the skull. In the travel set a playing card, rank then suit: "
            "`7h` counts as a flower; `Jc`, `Qc`, `Kc` as the skull."
        ),
    ),
]
FLOWER: Disc = "F"
SKULL: Disc = "S"


def is_skull(disc: Disc) -> bool:
    """Tell whether a disc (or the card that stands for it) is the skull."""
    return disc[0] in "SJQK"


Phase = Literal[
    "initial",
    "turn",
    "bidding",
    "challenge",
    "pick",
    "lose",
    "name_starter",
    "round_over",
    "game_over",
]
"""Where in a round the game stands:

- `initial`: everybody places a first disc;
- `turn`: place one more disc, or open the bidding;
- `bidding`: raise or pass;
- `challenge`: the challenger flips;
- `pick`: the skull's owner picks one of the challenger's discs blind;
- `lose`: the challenger, hit by the own skull, chooses the disc to lose;
- `name_starter`: the challenger, just eliminated by the own skull, names the next starter;
- `round_over`: discs may be shown, then everybody presses on;
- `game_over`: somebody has won.
"""


class SkullOptions(Wire, frozen=True, tag_field="game", tag="skull"):
    """The options of a game of Skull; each default is the printed rule."""

    first_player: Annotated[
        Literal["flowers", "random"] | Seat,
        Meta(
            description="Who starts: who last gave flowers, anybody, or the seat with this number."
        ),
    ] = "flowers"
    initial: Annotated[
        Literal["starter_last", "together"],
        Meta(description="Does the starter place the first disc after the others or with them?"),
    ] = "starter_last"
    own_skull: Annotated[
        Literal["choose", "random"],
        Meta(description="Hit by the own skull: choose the disc to lose, or have one drawn?"),
    ] = "choose"
    self_elimination_starter: Annotated[
        Literal["choose", "left"],
        Meta(
            description="Eliminated by the own skull: name the next starter, or the next clockwise?"
        ),
    ] = "choose"
    last_chance: Annotated[
        bool, Meta(description="A player down to one disc gets a Last Chance flower for a round.")
    ] = False
    equipment: Annotated[
        Literal["discs", "cards"], Meta(description="Discs, or the travel set of playing cards.")
    ] = "discs"
    practice: Annotated[
        bool, Meta(description="Begin with a practice round that costs and earns nothing.")
    ] = False


# -- actions -------------------------------------------------------------------------------------


class Place(Tagged, frozen=True, tag="skull.place"):
    """Put a disc from hand face down on top of the own stack."""

    disc: Disc


class Bid(Tagged, frozen=True, tag="skull.bid"):
    """Open the bidding, or raise."""

    amount: Annotated[int, Meta(ge=-(2**53) + 1, le=2**53 - 1)]


class Pass(Tagged, frozen=True, tag="skull.pass"):
    """Leave the bidding for this round."""


class Flip(Tagged, frozen=True, tag="skull.flip"):
    """The challenger turns over the top face-down disc of a seat's stack."""

    seat: Seat


class Pick(Tagged, frozen=True, tag="skull.pick"):
    """The skull's owner takes one of the challenger's shuffled discs, by position from 0."""

    position: Annotated[int, Meta(ge=0, le=3)]


class Lose(Tagged, frozen=True, tag="skull.lose"):
    """The challenger gives up a disc after the own skull."""

    disc: Disc


class NameStarter(Tagged, frozen=True, tag="skull.name_starter"):
    """The challenger just eliminated says who starts the next round."""

    seat: Seat


class Show(Tagged, frozen=True, tag="skull.show"):
    """After a failed challenge, turn over an own disc, by position from the bottom, from 0."""

    position: Annotated[int, Meta(ge=0, le=3)]


class Ready(Tagged, frozen=True, tag="skull.ready"):
    """Press on to the next round."""


class Abandon(Tagged, frozen=True, tag="skull.abandon"):
    """Agree (or no longer agree) to take the round back: no point, no loss, same starter."""

    agree: bool


SkullAction = Place | Bid | Pass | Flip | Pick | Lose | NameStarter | Show | Ready | Abandon


class Choices(Wire, frozen=True, omit_defaults=True):
    """Everything one player may do now. A field that is left out allows nothing of its kind."""

    place: Annotated[
        tuple[Disc, ...], Meta(description="Discs that may be placed, each named once.")
    ] = ()
    bid: Annotated[
        tuple[Count, Count] | None, Meta(description="The lowest and the highest bid allowed.")
    ] = None
    may_pass: bool = False
    flip: Annotated[tuple[Seat, ...], Meta(description="Seats whose top disc may be flipped.")] = ()
    pick: Annotated[
        Count, Meta(description="How many face-down discs are offered; positions from 0.")
    ] = 0
    lose: Annotated[tuple[Disc, ...], Meta(description="Discs one of which must be given up.")] = ()
    name_starter: tuple[Seat, ...] = ()
    show: Annotated[
        tuple[Count, ...], Meta(description="Positions in the own stack that may be shown.")
    ] = ()
    ready: bool = False
    abandon: Annotated[
        bool | None,
        Meta(description="May vote on abandoning the round: what the vote would change to."),
    ] = None

    def actions(self) -> tuple[SkullAction, ...]:
        """List every single action that these choices allow."""
        found: list[SkullAction] = [Place(disc) for disc in self.place]
        if self.bid is not None:
            found += [Bid(amount) for amount in range(self.bid[0], self.bid[1] + 1)]
        if self.may_pass:
            found.append(Pass())
        found += [Flip(seat) for seat in self.flip]
        found += [Pick(position) for position in range(self.pick)]
        found += [Lose(disc) for disc in self.lose]
        found += [NameStarter(seat) for seat in self.name_starter]
        found += [Show(position) for position in self.show]
        if self.ready:
            found.append(Ready())
        if self.abandon is not None:
            found.append(Abandon(self.abandon))
        return tuple(found)


# -- events --------------------------------------------------------------------------------------


class RoundStarted(Tagged, frozen=True, tag="skull.round_started"):
    """A round begins. Round 0 is the practice round."""

    round: Count
    starter: Seat


class Placed(Tagged, frozen=True, tag="skull.placed"):
    """A disc was placed; `disc` is null for everybody but the player who placed it."""

    seat: Seat
    disc: Disc | None


class BidMade(Tagged, frozen=True, tag="skull.bid_made"):
    """A bid was opened or raised."""

    seat: Seat
    amount: Count


class Passed(Tagged, frozen=True, tag="skull.passed"):
    """A player left the bidding."""

    seat: Seat


class ChallengeStarted(Tagged, frozen=True, tag="skull.challenge_started"):
    """The highest bidder must now flip `bid` flowers."""

    seat: Seat
    bid: Count


class Flipped(Tagged, frozen=True, tag="skull.flipped"):
    """The challenger (`seat`) flipped a disc of `owner`."""

    seat: Seat
    owner: Seat
    disc: Disc


class ChallengeWon(Tagged, frozen=True, tag="skull.challenge_won"):
    """The challenger flipped as many flowers as bid. `points` are those after it."""

    seat: Seat
    points: Count


class ChallengeLost(Tagged, frozen=True, tag="skull.challenge_lost"):
    """The challenger flipped the skull of `owner`."""

    seat: Seat
    owner: Seat


class DiscLost(Tagged, frozen=True, tag="skull.disc_lost"):
    """The challenger lost a disc for good. `disc` is null for everybody else; `left` are kept."""

    seat: Seat
    disc: Disc | None
    left: Count


class Eliminated(Tagged, frozen=True, tag="skull.eliminated"):
    """A player has no disc left and is out of the game."""

    seat: Seat


class Forfeited(Tagged, frozen=True, tag="skull.forfeited"):
    """A player left the game for good, and is out with all discs."""

    seat: Seat


class StarterNamed(Tagged, frozen=True, tag="skull.starter_named"):
    """The eliminated challenger named the next starter."""

    seat: Seat
    starter: Seat


class LastChanceGiven(Tagged, frozen=True, tag="skull.last_chance_given"):
    """A player down to one disc holds the Last Chance flower for this round."""

    seat: Seat


class LastChanceReturned(Tagged, frozen=True, tag="skull.last_chance_returned"):
    """The round is over and the Last Chance flower goes back."""

    seat: Seat


class Shown(Tagged, frozen=True, tag="skull.shown"):
    """A player turned over one of their own discs, to show what it was."""

    seat: Seat
    position: Count
    disc: Disc


class PressedOn(Tagged, frozen=True, tag="skull.pressed_on"):
    """A player is ready for the next round."""

    seat: Seat


class AbandonVoted(Tagged, frozen=True, tag="skull.abandon_voted"):
    """A player agreed, or no longer agrees, to take the round back."""

    seat: Seat
    agree: bool


class RoundAbandoned(Tagged, frozen=True, tag="skull.round_abandoned"):
    """Everybody agreed, or somebody left: discs are taken back, and the round begins anew."""


class PracticeOver(Tagged, frozen=True, tag="skull.practice_over"):
    """The practice round is over and everything is as it was before the game."""


class GameWon(Tagged, frozen=True, tag="skull.game_won"):
    """The game is over: by a second point, or as the last player with discs."""

    seat: Seat
    by: Literal["points", "last_player"]


SkullEvent = (
    RoundStarted
    | Placed
    | BidMade
    | Passed
    | ChallengeStarted
    | Flipped
    | ChallengeWon
    | ChallengeLost
    | DiscLost
    | Eliminated
    | Forfeited
    | StarterNamed
    | LastChanceGiven
    | LastChanceReturned
    | Shown
    | PressedOn
    | AbandonVoted
    | RoundAbandoned
    | PracticeOver
    | GameWon
)

# -- views ---------------------------------------------------------------------------------------


class SkullSeat(Wire, frozen=True):
    """What everybody sees of one player."""

    points: Count
    hand: Annotated[Count, Meta(description="Discs in hand.")]
    stack: Annotated[
        tuple[Disc | None, ...],
        Meta(description="Discs on the mat, bottom first; null: face down."),
    ]
    discs: Annotated[
        Count, Meta(description="Own discs left in the game, the Last Chance flower not counted.")
    ]
    bid: Annotated[Count, Meta(description="The player's last bid in this round; 0: none.")]
    passed: bool
    last_chance: Annotated[bool, Meta(description="Holds the Last Chance flower in this round.")]
    eliminated: bool
    ready: Annotated[bool, Meta(description="Has pressed on, while the round is over.")]
    agrees: Annotated[bool, Meta(description="Agrees to abandon the round.")]


class Outcome(Wire, frozen=True):
    """How the challenge of this round ended."""

    challenger: Seat
    bid: Count
    skull: Annotated[Seat | None, Meta(description="Whose skull it was; null: a success.")]


class SkullView(Wire, frozen=True, tag_field="game", tag="skull"):
    """The game as everybody may see it, spectators included."""

    phase: Phase
    round: Annotated[Count, Meta(description="From 1; 0 is the practice round.")]
    starter: Seat
    to_act: Annotated[
        tuple[Seat, ...], Meta(description="The seats that the game waits for, lowest first.")
    ]
    bid: Annotated[Count, Meta(description="The highest bid; 0: none yet.")]
    bidder: Annotated[
        Seat | None, Meta(description="Who made it; from the challenge on, the challenger.")
    ]
    flowers: Annotated[Count, Meta(description="Flowers flipped in this challenge.")]
    discs_on_mats: Annotated[Count, Meta(description="The highest bid that is possible.")]
    outcome: Outcome | None
    winner: Seat | None
    seats: tuple[SkullSeat, ...]


class SkullOwn(Wire, frozen=True, tag_field="game", tag="skull"):
    """What one seated player sees besides: the own discs, and what they may do now."""

    seat: Seat
    hand: tuple[Disc, ...]
    stack: Annotated[tuple[Disc, ...], Meta(description="Bottom first.")]
    lost: Annotated[tuple[Disc, ...], Meta(description="Lost in this game, first lost first.")]
    choices: Choices
