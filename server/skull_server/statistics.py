"""What is counted for each player: for everybody to see, and for the player alone.

The public counts come from public events, so no count can tell what was secret. The own ones add
the bluffs that held, for which a player's own discs are looked at and nobody else's.

The practice round does not count, and neither does what a bot did in the seat of somebody who left
for good; a bot that plays for somebody until they are back plays for their counts too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skull_protocol.skull import (
    BidMade,
    ChallengeLost,
    ChallengeWon,
    Disc,
    GameWon,
    Placed,
    RoundStarted,
    SkullEvent,
    is_skull,
)


@dataclass
class Counts:
    """What everybody may know of a player in one game."""

    wins: int = 0
    challenges_won: int = 0
    challenges_lost: int = 0
    bluffs_caught: int = 0
    """Challenges lost to the own skull."""
    skulls_hit: int = 0
    """Challenges that others lost to this player's skull."""


@dataclass(frozen=True)
class Against:
    """Another player or a bot in one game, as a player's own statistics count them."""

    name: str
    wins: int
    challenges_won: int
    stopped: int = 0
    """Challenges of theirs that the player's skull stopped, while both were there."""
    stopped_by: int = 0
    """Challenges of the player that their skull stopped, while both were there."""


@dataclass(frozen=True)
class OwnCounts:
    """What one player alone is told of one game."""

    counts: Counts
    bluffs_held: int
    against: tuple[Against, ...]


class Tally:
    """Counts along while a game is played.

    A bluff is a bid higher than the number of discs on top of the own skull in the own stack: to
    make it good the skull would have to be turned over. It held if that was never to be done,
    because somebody bid more, the round was taken back, or the game ended first. Else it is caught.
    Every such bid counts, also several in one round.
    """

    def __init__(self, people: Mapping[int, str], bots: Mapping[int, str]) -> None:
        """Seats and names of those who begin the game: people, and bots."""
        self._people = people
        self._names = {**people, **bots}
        self.counts = {seat: Counts() for seat in self._names}
        """By seat, for everybody who began the game; who left has played it too."""
        self._here = set(self._names)
        self._practice = False
        self._stopped: dict[tuple[int, int], int] = {}
        """How often the skull of the first seat stopped a challenge of the second."""
        self._stacks: dict[int, list[Disc]] = {seat: [] for seat in people}
        self._bluffs_held = dict.fromkeys(people, 0)
        self._bluffer: int | None = None
        """Whose bid, the highest so far, is a bluff."""

    def left(self, seat: int) -> None:
        """Somebody left for good: what their seat does from now on is not theirs."""
        self._here.discard(seat)

    def see(self, events: Iterable[SkullEvent]) -> None:
        """Count what happened; the events with everybody's secrets."""
        for event in events:
            match event:
                case Placed(seat=seat, disc=disc) if seat in self._stacks and disc is not None:
                    self._stacks[seat].append(disc)
                case BidMade(seat=seat, amount=amount):
                    self._bluff_held()
                    self._bluffer = seat if self._is_bluff(seat, amount) else None
                case RoundStarted(round=number):
                    self._bluff_held()
                    self._practice = number == 0
                    for stack in self._stacks.values():
                        stack.clear()
                case ChallengeWon(seat=seat) if not self._practice and seat in self._here:
                    self.counts[seat].challenges_won += 1
                case ChallengeLost(seat=seat, owner=owner):
                    self._bluffer = None
                    if not self._practice:
                        self._lost(seat, owner)
                case GameWon():
                    self._bluff_held()
                case _:
                    pass

    def won(self, seat: int) -> None:
        """The game is over, and won by this seat."""
        if seat in self._here:
            self.counts[seat].wins += 1

    def by_name(self) -> dict[str, Counts]:
        """The public counts, by the names of the people who began the game."""
        return {name: self.counts[seat] for seat, name in self._people.items()}

    def own(self) -> dict[int, OwnCounts]:
        """What is for each of the people who began the game, by their seats."""
        return {
            seat: OwnCounts(
                self.counts[seat],
                self._bluffs_held[seat],
                tuple(self._against(seat, other) for other in self._names if other != seat),
            )
            for seat in self._people
        }

    def _against(self, seat: int, other: int) -> Against:
        counts = self.counts[other]
        return Against(
            self._names[other],
            counts.wins,
            counts.challenges_won,
            self._stopped.get((seat, other), 0),
            self._stopped.get((other, seat), 0),
        )

    def _lost(self, challenger: int, owner: int) -> None:
        if challenger in self._here:
            self.counts[challenger].challenges_lost += 1
            self.counts[challenger].bluffs_caught += challenger == owner
        if owner in self._here and owner != challenger:
            self.counts[owner].skulls_hit += 1
            if challenger in self._here:
                pair = owner, challenger
                self._stopped[pair] = self._stopped.get(pair, 0) + 1

    def _is_bluff(self, seat: int, amount: int) -> bool:
        from_the_top = reversed(self._stacks.get(seat, ()))
        return any(is_skull(disc) and amount > above for above, disc in enumerate(from_the_top))

    def _bluff_held(self) -> None:
        """The highest bid does not have to be made good: if it was a bluff, that has held."""
        if self._bluffer in self._here and not self._practice:
            self._bluffs_held[self._bluffer] += 1
        self._bluffer = None
