"""Placing discs: the initial disc, and one more on a turn. Rules, "A round", 1 and 2."""

from skull_protocol.errors import Refusal
from skull_protocol.skull import Place, Placed, SkullEvent
from skull_server.games.skull.refusals import not_your_turn, wrong_phase
from skull_server.games.skull.state import State


def to_place_first(state: State) -> list[int]:
    """Return the seats that may place their initial disc now.

    With `starter_last` the starter comes once everybody else has placed.
    """
    waiting = [player.seat for player in state.players if not (player.stack or player.eliminated)]
    if state.options.initial == "starter_last" and len(waiting) > 1:
        return [seat for seat in waiting if seat != state.starter]
    return waiting


def place(state: State, seat: int, action: Place, events: list[SkullEvent]) -> None:
    """Put a disc face down on the own stack."""
    player = state.players[seat]
    if state.phase == "initial":
        if seat not in to_place_first(state):
            raise not_your_turn(state, seat)
    elif state.phase == "turn":
        if seat != state.turn:
            raise not_your_turn(state, seat)
        if not player.hand:
            raise Refusal("must_bid", "You have no disc left in hand: open the bidding.")
    else:
        raise wrong_phase(state)
    if action.disc not in player.hand:
        raise Refusal("not_in_hand", "You do not hold that disc: choose one from your hand.")

    player.put(action.disc)
    events.append(Placed(seat, action.disc))
    if state.phase == "turn":
        state.turn = state.next_clockwise(seat)
    elif all(other.stack for other in state.still_in()):
        state.phase = "turn"
        state.turn = state.starter
