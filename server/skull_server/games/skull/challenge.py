"""The challenge: the highest bidder flips discs until success or a skull.

Rules, "A round", 4 and 5; what a failure costs is in `loss`.
"""

from skull_protocol.errors import Refusal
from skull_protocol.skull import (
    ChallengeLost,
    ChallengeStarted,
    ChallengeWon,
    Flip,
    Flipped,
    GameWon,
    Outcome,
    SkullEvent,
    is_skull,
)
from skull_server.games.skull.aftermath import begin_aftermath
from skull_server.games.skull.loss import begin_loss
from skull_server.games.skull.refusals import not_your_turn, wrong_phase
from skull_server.games.skull.state import POINTS_TO_WIN, State


def begin_challenge(state: State, events: list[SkullEvent]) -> None:
    """Make the highest bidder the challenger."""
    assert state.bidder is not None
    state.phase = "challenge"
    state.turn = state.bidder
    events.append(ChallengeStarted(state.bidder, state.bid))


def seats_to_flip(state: State) -> list[int]:
    """Return the seats whose top disc the challenger may flip: the own first, then any other."""
    if state.players[state.turn].top_face_down() is not None:
        return [state.turn]
    return [player.seat for player in state.players if player.top_face_down() is not None]


def flip(state: State, seat: int, action: Flip, events: list[SkullEvent]) -> None:
    """Turn over the topmost face-down disc of a stack, and end the challenge if that decides it."""
    if state.phase != "challenge":
        raise wrong_phase(state)
    if seat != state.turn:
        raise not_your_turn(state, seat)
    if action.seat != seat and state.players[seat].top_face_down() is not None:
        raise Refusal("own_stack_first", "Flip your own stack first, from the top down.")
    owner = state.players[action.seat] if 0 <= action.seat < len(state.players) else None
    position = None if owner is None else owner.top_face_down()
    if owner is None or position is None:
        raise Refusal("nothing_to_flip", "No face-down disc lies there: choose another stack.")

    owner.face_up[position] = True
    disc = owner.stack[position]
    events.append(Flipped(seat, owner.seat, disc))
    if is_skull(disc):
        _fail(state, owner.seat, events)
        return
    state.flowers += 1
    if state.flowers == state.bid:
        _succeed(state, events)


def _succeed(state: State, events: list[SkullEvent]) -> None:
    challenger = state.players[state.turn]
    state.outcome = Outcome(challenger.seat, state.bid, None)
    state.next_starter = challenger.seat
    if not state.is_practice:
        challenger.points += 1
    events.append(ChallengeWon(challenger.seat, challenger.points))
    if challenger.points == POINTS_TO_WIN:
        state.phase = "game_over"
        state.winner = challenger.seat
        events.append(GameWon(challenger.seat, "points"))
    else:
        begin_aftermath(state)


def _fail(state: State, owner: int, events: list[SkullEvent]) -> None:
    state.outcome = Outcome(state.turn, state.bid, owner)
    events.append(ChallengeLost(state.turn, owner))
    if state.is_practice:
        begin_aftermath(state)
    else:
        begin_loss(state, state.players[state.turn], owner, events)
