"""The story of a game, drawn from what happened: each challenge, who bluffed, who was caught.

A bluff is a bid by somebody whose own skull lies on their mat. It counts when all have seen it;
the reader's own is known to the reader.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from skull_client.state import StoryItem
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.skull import SkullEvent, is_skull


class Challenge(Struct, frozen=True):
    """One challenge, as it ended."""

    round: int
    """0: the practice round."""
    challenger: int
    bid: int
    flowers: int = 0
    """Flowers that were flipped."""
    skull: int | None = None
    """Whose skull was hit; None: none was."""
    decided: bool = False
    """False: the round was taken back, or nobody told how it ended."""
    out: bool = False
    """The challenger lost the last disc."""
    bluffs: tuple[int, ...] = ()
    """Who else had bid on an own skull, as all saw in the end."""
    unseen: bool = False
    """The reader had bid on an own skull, and nobody saw it."""

    @property
    def caught(self) -> bool:
        """Whether the challenger hit the own skull."""
        return self.decided and self.skull == self.challenger


class Tally(Struct, frozen=True):
    """What one player did in a game. The practice round does not count."""

    won: int = 0
    lost: int = 0
    caught: int = 0
    """Challenges lost to the own skull."""
    traps: int = 0
    """Challenges that others lost to this player's skull."""


def last_game(story: Sequence[StoryItem]) -> tuple[SkullEvent, ...]:
    """Return what happened in the game that was won last, as far as the story goes back."""
    events = [item for item in story if not isinstance(item, Chat)]
    ends = [place for place, event in enumerate(events) if isinstance(event, skull.GameWon)]
    if not ends:
        return tuple(events)
    begin = ends[-2] + 1 if len(ends) > 1 else 0
    return tuple(events[begin : ends[-1] + 1])


def is_whole(events: Sequence[SkullEvent]) -> bool:
    """Tell whether a game is there from its first round to its end, with no round missing."""
    rounds = [event.round for event in events if isinstance(event, skull.RoundStarted)]
    if not events or not isinstance(events[0], skull.RoundStarted) or rounds[0] > 1:
        return False
    steady = all(after - before in (0, 1) for before, after in pairwise(rounds))
    return steady and isinstance(events[-1], skull.GameWon)


class _Round(Struct):
    number: int
    bidders: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    """Whose skull all saw on the mat."""
    own: int | None = None
    """The reader, if their skull lies on their mat."""
    challenge: Challenge | None = None

    def end(self) -> Challenge | None:
        """Return the challenge with what was seen until the end of the round."""
        if self.challenge is None or not self.challenge.decided:
            return None
        bluffs = (self.bidders & self.seen) - {self.challenge.challenger}
        unseen = self.own is not None and self.own in self.bidders - self.seen
        return replace(self.challenge, bluffs=tuple(sorted(bluffs)), unseen=unseen)


def challenges(events: Iterable[SkullEvent]) -> tuple[Challenge, ...]:
    """Return all challenges that were decided, in order."""
    found: list[Challenge | None] = []
    now = _Round(0)
    for event in events:
        match event:
            case skull.RoundStarted(round=number):
                found.append(now.end())
                now = _Round(number)
            case skull.Placed(seat=seat, disc=str(disc)) if is_skull(disc):
                now.own = seat
            case skull.BidMade(seat=seat):
                now.bidders.add(seat)
            case skull.ChallengeStarted(seat=seat, bid=bid):
                now.challenge = Challenge(now.number, seat, bid)
            case skull.Shown(seat=seat, disc=disc) if is_skull(disc):
                now.seen.add(seat)
            case _ if now.challenge is not None:
                now.challenge = _went_on(now, now.challenge, event)
            case _:
                pass
    return tuple(one for one in (*found, now.end()) if one is not None)


def _went_on(now: _Round, challenge: Challenge, event: SkullEvent) -> Challenge:
    match event:
        case skull.Flipped(owner=owner, disc=disc) if is_skull(disc):
            now.seen.add(owner)
        case skull.Flipped():
            return replace(challenge, flowers=challenge.flowers + 1)
        case skull.ChallengeWon():
            return replace(challenge, decided=True)
        case skull.ChallengeLost(owner=owner):
            return replace(challenge, decided=True, skull=owner)
        case skull.Eliminated(seat=seat) if seat == challenge.challenger:
            return replace(challenge, out=True)
        case _:
            pass
    return challenge


def tallies(told: Iterable[Challenge], seats: int) -> tuple[Tally, ...]:
    """Count for each seat what its player did."""
    counted = [one for one in told if one.round]
    return tuple(
        Tally(
            won=sum(one.challenger == seat and one.skull is None for one in counted),
            lost=sum(one.challenger == seat and one.skull is not None for one in counted),
            caught=sum(one.challenger == seat and one.caught for one in counted),
            traps=sum(one.skull == seat and not one.caught for one in counted),
        )
        for seat in range(seats)
    )
