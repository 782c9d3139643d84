"""What is counted for each player, from what everybody at the table saw and nothing else.

Since only public events are looked at, no count can tell what was secret. The practice round does
not count, and neither does what a bot did in the seat of somebody who left for good; a bot that
plays for somebody until they are back plays for their record too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from skull_protocol.skull import ChallengeLost, ChallengeWon, RoundStarted, SkullEvent


@dataclass
class Counts:
    """What a player did in one game."""

    wins: int = 0
    challenges_won: int = 0
    challenges_lost: int = 0
    bluffs_caught: int = 0
    """Challenges lost to the own skull."""
    skulls_hit: int = 0
    """Challenges that others lost to this player's skull."""


class Tally:
    """Counts along while a game is played."""

    def __init__(self, people: Mapping[int, str]) -> None:
        """`people`: the seats and names of those who play, bots not among them."""
        self._names = people
        self.counts = {seat: Counts() for seat in people}
        """By seat, for everybody who began the game; who left has played it too."""
        self._here = set(self.counts)
        self._practice = False

    def left(self, seat: int) -> None:
        """Somebody left for good: what their seat does from now on is not theirs."""
        self._here.discard(seat)

    def see(self, events: Iterable[SkullEvent]) -> None:
        """Count what happened."""
        for event in events:
            match event:
                case RoundStarted(round=number):
                    self._practice = number == 0
                case ChallengeWon(seat=seat) if not self._practice and seat in self._here:
                    self.counts[seat].challenges_won += 1
                case ChallengeLost(seat=seat, owner=owner) if not self._practice:
                    self._lost(seat, owner)
                case _:
                    pass

    def won(self, seat: int) -> None:
        """The game is over, and won by this seat."""
        if seat in self._here:
            self.counts[seat].wins += 1

    def by_name(self) -> dict[str, Counts]:
        """The counts, by the names of those who began the game."""
        return {self._names[seat]: some for seat, some in self.counts.items()}

    def _lost(self, challenger: int, owner: int) -> None:
        if challenger in self._here:
            self.counts[challenger].challenges_lost += 1
            self.counts[challenger].bluffs_caught += challenger == owner
        if owner in self._here and owner != challenger:
            self.counts[owner].skulls_hit += 1
