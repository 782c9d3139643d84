"""What each may see: the public view, a player's own view, and events with the secrets taken out.

Rules, "Public and secret". Nothing secret may be added to `_public_seat` or to `Views.public`: it
goes to everybody.
"""

from collections.abc import Iterable, Sequence

from skull_protocol.skull import (
    AbandonVoted,
    BidMade,
    Disc,
    DiscLost,
    Flipped,
    Passed,
    Phase,
    Placed,
    PressedOn,
    Shown,
    SkullEvent,
    SkullOwn,
    SkullSeat,
    SkullView,
)
from skull_server.games.skull.choices import choices, seats_to_act
from skull_server.games.skull.state import Player, State

_OF_ONE_SEAT = (Placed, BidMade, Passed, Flipped, PressedOn, AbandonVoted, Shown)
"""Events after which, in the same phase, nothing is new but what concerns their seat, and who is
to act."""
_SECRET = (Placed, DiscLost)
"""Events of which only their seat may know all."""


class Views:
    """The views of one game, made anew only where an action may have changed them."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._seats: list[SkullSeat | None] = [None] * len(state.players)
        self._owns: list[SkullOwn | None] = [None] * len(state.players)

    def acted(self, phase: Phase, events: Sequence[SkullEvent]) -> None:
        """Forget what an action may have changed; `phase`: the one that it was done in."""
        state = self._state
        for event in events:
            if phase != state.phase or not isinstance(event, _OF_ONE_SEAT):
                self._seats = [None] * len(state.players)
                self._owns = [None] * len(state.players)
                return
            self._seats[event.owner if isinstance(event, Flipped) else event.seat] = None
            self._owns[event.seat] = None
        # Whose turn it has become; in the initial phase, the starter comes last.
        self._owns[state.turn] = self._owns[state.starter] = None

    def public(self) -> SkullView:
        """Return the game as everybody may see it, spectators included."""
        state = self._state
        for seat, seen in enumerate(self._seats):
            if seen is None:
                self._seats[seat] = _public_seat(state.players[seat])
        return SkullView(
            phase=state.phase,
            round=state.round,
            starter=state.starter,
            to_act=tuple(seats_to_act(state)),
            bid=state.bid,
            bidder=state.bidder,
            flowers=state.flowers,
            discs_on_mats=state.discs_on_mats,
            outcome=state.outcome,
            winner=state.winner,
            seats=tuple(self._seats),  # type: ignore[arg-type] # all are made by now
        )

    def own(self, seat: int) -> SkullOwn:
        """Return what only this seat sees; the same object as before where nothing is new."""
        seen = self._owns[seat]
        if seen is None:
            seen = self._owns[seat] = _own_view(self._state, seat)
        return seen


def _public_seat(player: Player) -> SkullSeat:
    return SkullSeat(
        points=player.points,
        hand=len(player.hand),
        stack=_shown(player),
        discs=player.discs,
        bid=player.bid,
        passed=player.passed,
        last_chance=player.last_chance,
        eliminated=player.eliminated,
        ready=player.ready,
        agrees=player.agrees,
    )


def _shown(player: Player) -> tuple[Disc | None, ...]:
    if True not in player.face_up:
        return (None,) * len(player.stack)
    return tuple(
        [disc if up else None for disc, up in zip(player.stack, player.face_up, strict=True)]
    )


def _own_view(state: State, seat: int) -> SkullOwn:
    player = state.players[seat]
    return SkullOwn(
        seat=seat,
        hand=tuple(player.hand),
        stack=tuple(player.stack),
        lost=tuple(player.lost),
        choices=choices(state, seat),
    )


def insiders(events: Iterable[SkullEvent]) -> list[int]:
    """Return the seats that `event_for` tells more of events than everybody."""
    return [event.seat for event in events if isinstance(event, _SECRET)]


def event_for(event: SkullEvent, seat: int | None) -> SkullEvent:
    """Return an event as a seat (None: a spectator) may see it."""
    if not isinstance(event, _SECRET) or event.seat == seat:
        return event
    if isinstance(event, Placed):
        return Placed(event.seat, None)
    return DiscLost(event.seat, None, event.left)
