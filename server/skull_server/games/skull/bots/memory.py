"""What a bot remembers: everything in it was seen by everybody. One for each seat."""

from collections import Counter, deque
from collections.abc import Mapping, Sequence

from msgspec import Struct

from skull_protocol.skull import (
    BidMade,
    ChallengeLost,
    ChallengeWon,
    DiscLost,
    Flipped,
    LastChanceGiven,
    LastChanceReturned,
    Passed,
    Placed,
    RoundStarted,
    Shown,
    SkullEvent,
    SkullOptions,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.equity import LOSES_SKULL

STILL_OWNS = (0.0, 0.4, 0.55, 0.8, 1.0)
"""How likely a player of whom nothing was seen still has the skull, by discs left."""


class Move(Struct, frozen=True):
    """Something done before a challenge. `amount`: the bid; 0: a pass; -1: a disc was laid."""

    seat: int
    amount: int


LAID = -1


_ROUNDS = 6
"""So many earlier rounds are gone through again: reckoning takes time."""


class Played(Struct, frozen=True):
    """An earlier round, up to its challenge, with what was public of each seat as it began."""

    starter: int
    moves: Sequence[Move]
    seats: Sequence[int]
    """Those who were in."""
    points: Sequence[int]
    discs: Sequence[int]
    owns: Sequence[float]
    """How likely each had the skull, also by what was flipped in the end."""
    seen: Sequence[Mapping[int, bool]]
    """Of each stack the discs that were turned over, by height: whether they were the skull."""


class Memory:
    """The players' discs as far as they were seen, this round so far, and a few before."""

    def __init__(self, rules: SkullOptions) -> None:
        """Nothing is seen yet."""
        self._chooses = rules.own_skull == "choose"
        self.moves: list[Move] = []
        self.rounds: deque[Played] = deque(maxlen=_ROUNDS)
        """The latest rounds but this one, oldest first."""
        self._starter = 0
        self._points: dict[int, int] = {}
        self._began: dict[int, tuple[int, int, float]] = {}
        """By seat: points, discs and `owns` as this round began, of those that changed since."""
        self._owns: dict[int, float] = {}
        self._discs: dict[int, int] = {}
        self._seen: dict[int, dict[int, bool]] = {}
        """By seat what was turned over in this round, as `Played` keeps it."""
        self._holder: int | None = None
        self._skull: int | None = None

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Remember what happened, oldest first."""
        for event in events:
            self._see(event)

    def owns(self, view: SkullView, seat: int) -> float:
        """How likely a player has the skull, by what earlier rounds have shown."""
        left = min(view.seats[seat].discs, 4)
        if self._discs.get(seat, 4) != left:  # it was lost while this bot was not there
            return STILL_OWNS[left]
        return self._owns.get(seat, 1.0)

    def _see(self, event: SkullEvent) -> None:
        match event:
            case RoundStarted(starter=starter):
                self._keep_round()
                self._starter = starter
                self.moves = []
                self._seen = {}
            case Placed(seat=seat):
                self.moves.append(Move(seat, LAID))
            case BidMade(seat=seat, amount=amount):
                self.moves.append(Move(seat, amount))
            case Passed(seat=seat):
                self.moves.append(Move(seat, 0))
            case Flipped(owner=seat, disc=disc):
                under = self._laid(seat) - len(self._seen.get(seat, ()))
                self._see_disc(seat, under, is_skull(disc))
            case Shown(seat=seat, position=position, disc=disc):
                self._see_disc(seat, position + 1, is_skull(disc))
            case ChallengeWon(seat=seat, points=points):
                self._began[seat] = self._standing(seat)
                self._points[seat] = points
            case ChallengeLost(owner=owner):
                self._skull = owner
            case DiscLost(seat=seat, left=left):
                self._began[seat] = self._standing(seat)
                chosen = self._chooses and self._skull == seat
                gone = LOSES_SKULL[left + 1] if chosen else 1 / (left + 1)
                self._owns[seat] = self._owns.get(seat, 1.0) * (1 - gone)
                self._discs[seat] = left
            case LastChanceGiven(seat=seat):
                self._holder = seat
            case LastChanceReturned():
                self._holder = None
            case _:
                pass

    def _standing(self, seat: int) -> tuple[int, int, float]:
        return self._points.get(seat, 0), self._discs.get(seat, 4), self._owns.get(seat, 1.0)

    def _keep_round(self) -> None:
        laid = Counter(move.seat for move in self.moves if move.amount == LAID)
        if laid:
            seats = sorted(laid)  # everybody who is in lays a disc
            began = [self._began.get(seat) or self._standing(seat) for seat in seats]
            self.rounds.append(
                Played(
                    self._starter,
                    self.moves,
                    seats,
                    [min(points, 1) for points, _, _ in began],
                    # A Last Chance flower is one more.
                    [max(each[1], laid[seat]) for each, seat in zip(began, seats, strict=True)],
                    [owns for _, _, owns in began],
                    [self._seen.get(seat, {}) for seat in seats],
                )
            )
        self._began = {}

    def _laid(self, seat: int) -> int:
        return self.moves.count(Move(seat, LAID))

    def _plays_with(self, seat: int) -> int:
        return self._discs.get(seat, 4) + (seat == self._holder)

    def _see_disc(self, seat: int, height: int, skull: bool) -> None:
        seen = self._seen.setdefault(seat, {})
        seen[height] = skull
        if skull:
            self._owns[seat] = 1.0
        elif not any(seen.values()) and len(seen) == self._plays_with(seat):
            self._owns[seat] = 0.0
