"""Abandoning a round: taken back if every player still in agrees. Rules, "House remedies"."""

from skull_protocol.errors import Refusal, msg
from skull_protocol.skull import Abandon, AbandonVoted, RoundAbandoned, SkullEvent
from skull_server.games.skull.refusals import wrong_phase
from skull_server.games.skull.rounds import begin_round
from skull_server.games.skull.state import State


def may_abandon(state: State) -> bool:
    """Whether the round can still be taken back: until its challenge is decided."""
    return state.phase in ("initial", "turn", "bidding", "challenge")


def vote(state: State, seat: int, action: Abandon, events: list[SkullEvent]) -> None:
    """Change the own vote; with the last one that agrees, the round begins anew.

    No point, no loss, the same starter; a Last Chance flower stays with its holder.
    """
    if not may_abandon(state):
        raise wrong_phase(state)
    player = state.players[seat]
    if action.agree == player.agrees:
        sentence = (
            msg("You agree already: wait for the others.")
            if player.agrees
            else msg("You did not ask to abandon the round: play on.")
        )
        raise Refusal("out_of_range", sentence)
    player.agrees = action.agree
    events.append(AbandonVoted(seat, action.agree))
    if all(other.agrees for other in state.still_in()):
        take_round_back(state, events)


def take_round_back(state: State, events: list[SkullEvent]) -> None:
    """Give everybody their discs back and begin the round anew, from `state.starter`."""
    for player in state.still_in():
        player.take_back()
    events.append(RoundAbandoned())
    begin_round(state, events)
