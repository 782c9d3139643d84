"""What each may see: the public view, a player's own view, and events with the secrets taken out.

Rules, "Public and secret". Nothing secret may be added to `public_view`: it goes to everybody.
"""

from skull_protocol.skull import DiscLost, Placed, SkullEvent, SkullOwn, SkullSeat, SkullView
from skull_server.games.skull.choices import choices, seats_to_act
from skull_server.games.skull.state import Player, State


def public_view(state: State) -> SkullView:
    """Return the game as everybody may see it, spectators included."""
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
        seats=tuple([_public_seat(player) for player in state.players]),
    )


def _public_seat(player: Player) -> SkullSeat:
    return SkullSeat(
        points=player.points,
        hand=len(player.hand),
        stack=tuple(
            [disc if up else None for disc, up in zip(player.stack, player.face_up, strict=True)]
        ),
        discs=player.discs,
        bid=player.bid,
        passed=player.passed,
        last_chance=player.last_chance,
        eliminated=player.eliminated,
        ready=player.ready,
        agrees=player.agrees,
    )


def own_view(state: State, seat: int) -> SkullOwn:
    """Return what only this seat sees."""
    player = state.players[seat]
    return SkullOwn(
        seat=seat,
        hand=tuple(player.hand),
        stack=tuple(player.stack),
        lost=tuple(player.lost),
        choices=choices(state, seat),
    )


def event_for(event: SkullEvent, seat: int | None) -> SkullEvent:
    """Return an event as a seat (None: a spectator) may see it."""
    match event:
        case Placed(seat=owner) if owner != seat:
            return Placed(owner, None)
        case DiscLost(seat=owner, left=left) if owner != seat:
            return DiscLost(owner, None, left)
        case _:
            return event
