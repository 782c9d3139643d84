"""Bidding: opening, raising, passing, and how it ends. Rules, "A round", 2 and 3."""

from skull_protocol.errors import ErrorCode, Refusal, msg
from skull_protocol.skull import Bid, BidMade, Passed, SkullEvent
from skull_server.games.skull.challenge import begin_challenge
from skull_server.games.skull.refusals import not_your_turn, wrong_phase
from skull_server.games.skull.state import State


def bid(state: State, seat: int, action: Bid, events: list[SkullEvent]) -> None:
    """Open the bidding or raise; a bid of all discs on the mats ends it at once."""
    if state.phase not in ("turn", "bidding"):
        raise wrong_phase(state)
    if seat != state.turn:
        raise not_your_turn(state, seat)
    lowest, highest = state.bid + 1, state.discs_on_mats
    if not 1 <= action.amount <= highest:
        raise _refused("bid_out_of_range", lowest, highest)
    if action.amount < lowest:
        raise _refused("bid_too_low", lowest, highest)

    state.phase = "bidding"
    state.bid = state.players[seat].bid = action.amount
    state.bidder = seat
    events.append(BidMade(seat, action.amount))
    if action.amount == highest:
        begin_challenge(state, events)
    else:
        state.turn = state.next_clockwise(seat)


def pass_bid(state: State, seat: int, events: list[SkullEvent]) -> None:
    """Leave the bidding for this round; it ends when only the highest bidder is left in it."""
    if state.phase not in ("turn", "bidding"):
        raise wrong_phase(state)
    if seat == state.bidder:
        raise Refusal("cannot_pass", "The highest bid is yours: wait whether somebody raises it.")
    if seat != state.turn:
        raise not_your_turn(state, seat)
    if state.phase == "turn":
        raise Refusal("cannot_pass", "Nobody has bid yet: place a disc or open the bidding.")

    state.players[seat].passed = True
    events.append(Passed(seat))
    state.turn = state.next_clockwise(seat)
    if state.turn == state.bidder:
        begin_challenge(state, events)


def _refused(code: ErrorCode, lowest: int, highest: int) -> Refusal:
    if lowest == highest:
        return Refusal(code, "The only bid possible now is {n}.", n=lowest)
    words = msg("Bid a whole number from {lowest} to {highest}.")
    return Refusal(code, words, lowest=lowest, highest=highest)
