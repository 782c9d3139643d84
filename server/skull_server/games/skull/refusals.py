"""What a player is told who does something that the moment does not allow."""

from skull_protocol.errors import Refusal, msg
from skull_protocol.skull import Phase
from skull_server.games.skull.state import State

_AWAITED: dict[Phase, str] = {
    "initial": msg("Everybody places a first disc now; bids come after that."),
    "turn": msg("Discs are being placed: on your turn, place one more or open the bidding."),
    "bidding": msg("The bidding is open: on your turn, raise or pass."),
    "challenge": msg("The challenge is on: the challenger flips discs until it is decided."),
    "pick": msg("The owner of the skull now takes one of the challenger's discs."),
    "lose": msg("The challenger now chooses a disc to give up."),
    "name_starter": msg("The player just eliminated now names the next starter."),
    "round_over": msg("The round is over: press on to start the next one."),
    "game_over": msg("The game is over: start another one."),
}
_NOT_YOURS: dict[Phase, str] = {
    "initial": msg("The starter places last: wait until everybody else has placed."),
    "turn": msg("It is not your turn yet: wait for the player who is to place or bid."),
    "bidding": msg("It is not your turn yet: wait for the player who is to raise or pass."),
    "challenge": msg("Only the challenger flips: wait for the end of the challenge."),
    "pick": msg("Only the owner of the skull takes a disc: wait for it."),
    "lose": msg("Only the challenger chooses which disc to give up: wait for it."),
    "name_starter": msg("Only the player just eliminated names the next starter: wait for it."),
    "round_over": msg("You have pressed on already: wait for the others."),
    "game_over": msg("The game is over: start another one."),
}


def wrong_phase(state: State) -> Refusal:
    """Return the refusal of an action that does not belong to this phase."""
    return Refusal("wrong_phase", _AWAITED[state.phase])


def not_your_turn(state: State, seat: int) -> Refusal:
    """Return the refusal of an action that fits the phase but not the player."""
    player = state.players[seat]
    sentence = _NOT_YOURS[state.phase]
    if state.phase == "initial" and player.stack:
        sentence = msg("Your first disc is placed: wait for the others.")
    elif state.phase == "bidding" and player.passed:
        sentence = msg("You passed: you are out of the bidding until the next round.")
    return Refusal("not_your_turn", sentence)


def eliminated() -> Refusal:
    """Return the refusal of whatever a player does who is out of the game."""
    return Refusal("eliminated", "You are out of the game: watch the others until it is over.")
