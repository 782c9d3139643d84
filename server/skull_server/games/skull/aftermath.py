"""After the challenge: discs are shown, then everybody presses on. Rules, "A round", 7."""

from skull_protocol.errors import Refusal
from skull_protocol.skull import PressedOn, Show, Shown, SkullEvent
from skull_server.games.skull.refusals import not_your_turn, wrong_phase
from skull_server.games.skull.rounds import next_round
from skull_server.games.skull.state import State


def begin_aftermath(state: State) -> None:
    """Let everybody look at how the round ended."""
    state.phase = "round_over"


def may_show(state: State) -> bool:
    """Whether discs may be shown now: only when the challenge failed."""
    return (
        state.phase == "round_over"
        and state.outcome is not None
        and state.outcome.skull is not None
    )


def show(state: State, seat: int, action: Show, events: list[SkullEvent]) -> None:
    """Turn over an own disc that is still face down on the mat; it changes nothing."""
    if state.phase != "round_over":
        raise wrong_phase(state)
    if not may_show(state):
        raise Refusal("wrong_phase", "Discs are shown only after a failed challenge: press on.")
    player = state.players[seat]
    position = action.position
    if not 0 <= position < len(player.stack) or player.face_up[position]:
        raise Refusal("nothing_to_flip", "You have no face-down disc there: choose another.")
    player.face_up[position] = True
    events.append(Shown(seat, position, player.stack[position]))


def press_on(state: State, seat: int, events: list[SkullEvent]) -> None:
    """Say that the next round may begin; it does once everybody still in has."""
    if state.phase != "round_over":
        raise wrong_phase(state)
    player = state.players[seat]
    if player.ready:
        raise not_your_turn(state, seat)
    player.ready = True
    events.append(PressedOn(seat))
    go_on_when_all_are_ready(state, events)


def go_on_when_all_are_ready(state: State, events: list[SkullEvent]) -> None:
    """Begin the next round if nobody still in wants to look any longer."""
    if all(player.ready for player in state.still_in()):
        next_round(state, events)
