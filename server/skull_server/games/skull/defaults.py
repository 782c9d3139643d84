"""What is done for a player who ran out of time. Rules, "Out of time"."""

from random import Random

from skull_protocol.skull import (
    Bid,
    Flip,
    Lose,
    NameStarter,
    Pass,
    Pick,
    Place,
    Ready,
    SkullAction,
)
from skull_server.games.skull.challenge import seats_to_flip
from skull_server.games.skull.choices import seats_to_act
from skull_server.games.skull.loss import next_still_in
from skull_server.games.skull.state import State


def default_action(state: State, seat: int, rng: Random) -> SkullAction:
    """Return it; chance comes from `rng`. Raises `ValueError` for a seat not waited for."""
    if seat not in seats_to_act(state):
        raise ValueError(f"seat {seat} is not waited for")
    hand = state.players[seat].hand
    match state.phase:
        case "initial":
            return Place(rng.choice(hand))
        case "turn":
            return Place(rng.choice(hand)) if hand else Bid(1)
        case "bidding":
            return Pass()
        case "challenge":
            return Flip(rng.choice(seats_to_flip(state)))
        case "pick":
            return Pick(rng.randrange(len(state.offered)))
        case "lose":
            return Lose(rng.choice(hand))
        case "name_starter":
            return NameStarter(next_still_in(state, seat))
        case _:
            return Ready()
