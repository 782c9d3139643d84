"""Who is to act, and everything a player may do now."""

from skull_protocol.skull import Choices
from skull_server.games.skull.abandon import may_abandon
from skull_server.games.skull.aftermath import may_show
from skull_server.games.skull.challenge import seats_to_flip
from skull_server.games.skull.placing import to_place_first
from skull_server.games.skull.state import Player, State

NOTHING = Choices()
_VOTE_ALONE = {None: NOTHING, True: Choices(abandon=True), False: Choices(abandon=False)}
"""What is left to a player whom the game does not wait for: their vote, or not even that."""


def seats_to_act(state: State) -> list[int]:
    """Return the seats that the game waits for, lowest first."""
    match state.phase:
        case "initial":
            return to_place_first(state)
        case "round_over":
            return [p.seat for p in state.players if not (p.ready or p.eliminated)]
        case "game_over":
            return []
        case _:
            return [state.turn]


def choices(state: State, seat: int) -> Choices:
    """Return everything this seat may do now, also when the game does not wait for it."""
    player = state.players[seat]
    if state.phase == "game_over":
        return NOTHING
    if player.eliminated:
        if state.phase == "name_starter" and seat == state.turn:
            return Choices(name_starter=tuple(other.seat for other in state.still_in()))
        return NOTHING
    abandon = (not player.agrees) if may_abandon(state) else None
    match state.phase:
        case "initial":
            if player.stack or seat not in to_place_first(state):
                return _VOTE_ALONE[abandon]
            return Choices(place=distinct(player), abandon=abandon)
        case "round_over":
            return Choices(show=_to_show(state, player), ready=not player.ready)
        case _ if seat != state.turn:
            return _VOTE_ALONE[abandon]
        case "turn":
            return Choices(place=distinct(player), bid=(1, state.discs_on_mats), abandon=abandon)
        case "bidding":
            return Choices(bid=(state.bid + 1, state.discs_on_mats), may_pass=True, abandon=abandon)
        case "challenge":
            return Choices(flip=tuple(seats_to_flip(state)), abandon=abandon)
        case "pick":
            return Choices(pick=len(state.offered))
        case "lose":
            return Choices(lose=distinct(player))
        case _:
            raise AssertionError(f"nobody still in acts in {state.phase}")


def distinct(player: Player) -> tuple[str, ...]:
    """Return the discs in a player's hand, each named once."""
    return tuple(dict.fromkeys(player.hand))


def _to_show(state: State, player: Player) -> tuple[int, ...]:
    if not may_show(state):
        return ()
    return tuple(position for position, up in enumerate(player.face_up) if not up)
