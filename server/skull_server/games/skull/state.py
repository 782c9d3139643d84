"""Everything there is to know about a game of Skull, secrets included; changed in place."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from skull_protocol.skull import FLOWER, SKULL, Disc, Outcome, Phase, SkullOptions

POINTS_TO_WIN = 2
NUMBER_CARDS: tuple[Disc, ...] = tuple(
    rank + suit for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10") for suit in "cdhs"
)
FACE_CARDS: tuple[Disc, ...] = tuple(rank + suit for rank in "JQK" for suit in "cdhs")
_DISC_ORDER = {
    disc: place for place, disc in enumerate((FLOWER, *NUMBER_CARDS, SKULL, *FACE_CARDS))
}


@dataclass(slots=True)
class Player:
    """One player's discs and standing."""

    seat: int
    hand: list[Disc]
    """Discs not on the mat, always in one fixed order, so that it tells nothing of the past."""
    stack: list[Disc] = field(default_factory=list)
    """Discs on the mat, bottom first."""
    face_up: list[bool] = field(default_factory=list)
    """For each disc of the stack, whether everybody can see its face."""
    lost: list[Disc] = field(default_factory=list)
    """Own discs out of the game, first lost first."""
    points: int = 0
    bid: int = 0
    """The last bid in this round; 0: none."""
    passed: bool = False
    ready: bool = False
    agrees: bool = False
    """Agrees to abandon this round."""
    eliminated: bool = False
    last_chance: bool = False
    """Holds the Last Chance flower in this round, somewhere among hand and stack."""
    last_chance_next: bool = False
    """Gets the Last Chance flower when the next round begins."""

    @property
    def discs(self) -> int:
        """Own discs left in the game, the Last Chance flower not counted."""
        return len(self.hand) + len(self.stack) - self.last_chance

    def put(self, disc: Disc) -> None:
        """Move a disc from hand face down onto the top of the stack."""
        self.hand.remove(disc)
        self.stack.append(disc)
        self.face_up.append(False)

    def top_face_down(self) -> int | None:
        """Return the position of the topmost face-down disc; None if there is none."""
        for position in range(len(self.stack) - 1, -1, -1):
            if not self.face_up[position]:
                return position
        return None

    def take_in(self, *discs: Disc) -> None:
        """Add discs to the hand, keeping its order."""
        self.hand += discs
        self.hand.sort(key=_DISC_ORDER.__getitem__)

    def take_back(self) -> None:
        """Move the whole stack back to hand."""
        self.take_in(*self.stack)
        self.stack.clear()
        self.face_up.clear()


@dataclass(slots=True)
class State:
    """The game: its players, and where the round stands."""

    options: SkullOptions
    players: list[Player]
    rng: Random
    first_starter: int
    starter: int
    round: int
    """From 1; 0 is the practice round."""
    phase: Phase = "initial"
    turn: int = 0
    """The one seat waited for, in every phase but `initial`, `round_over` and `game_over`."""
    next_starter: int = 0
    """Who starts the next round; set when the challenge ends or the eliminated name somebody."""
    bid: int = 0
    bidder: int | None = None
    """Who made the highest bid; from the challenge on, the challenger."""
    flowers: int = 0
    """Flowers flipped in this challenge."""
    outcome: Outcome | None = None
    offered: list[Disc] = field(default_factory=list)
    """The challenger's discs as shuffled for the blind pick. Secret from everybody."""
    winner: int | None = None

    @property
    def is_practice(self) -> bool:
        """Whether this round awards no point and takes no disc."""
        return self.round == 0

    @property
    def discs_on_mats(self) -> int:
        """The highest bid that is possible."""
        return sum([len(player.stack) for player in self.players])

    def still_in(self) -> Iterator[Player]:
        """Iterate over the players not eliminated, in seat order."""
        return (player for player in self.players if not player.eliminated)

    def next_clockwise(self, seat: int) -> int:
        """Return the next seat after this one that is neither eliminated nor out of the bidding."""
        count = len(self.players)
        for step in range(1, count + 1):
            player = self.players[(seat + step) % count]
            if not player.eliminated and not player.passed:
                return player.seat
        raise AssertionError("a running game has players")
