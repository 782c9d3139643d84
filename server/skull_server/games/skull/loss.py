"""A failed challenge costs the challenger a disc: who chooses it, elimination, the next starter.

Rules, "A round", 6 and 8. Which disc was lost is known to the challenger alone, for ever.
"""

from skull_protocol.errors import Refusal
from skull_protocol.skull import (
    FLOWER,
    Disc,
    DiscLost,
    Eliminated,
    GameWon,
    Lose,
    NameStarter,
    Pick,
    SkullEvent,
    StarterNamed,
)
from skull_server.games.skull.aftermath import begin_aftermath
from skull_server.games.skull.refusals import not_your_turn, wrong_phase
from skull_server.games.skull.state import Player, State


def begin_loss(
    state: State, challenger: Player, skull_owner: int, events: list[SkullEvent]
) -> None:
    """Find out how the disc to lose is chosen; all the challenger's discs are in hand for it.

    The last disc is lost without asking. A holder of the Last Chance flower has one own disc, so
    the flower and that disc are lost together.
    """
    challenger.take_back()
    if challenger.last_chance:
        challenger.last_chance = False
        challenger.hand.remove(FLOWER)
    if len(challenger.hand) == 1:
        _lose_disc(state, challenger, challenger.hand[0], events)
    elif skull_owner != challenger.seat:
        state.phase = "pick"
        state.turn = skull_owner
        state.offered = challenger.hand.copy()
        state.rng.shuffle(state.offered)
    elif state.options.own_skull == "random":
        _lose_disc(state, challenger, state.rng.choice(challenger.hand), events)
    else:
        state.phase = "lose"
        state.turn = challenger.seat


def pick(state: State, seat: int, action: Pick, events: list[SkullEvent]) -> None:
    """The skull's owner takes one of the shuffled discs blind, by position."""
    if state.phase != "pick":
        raise wrong_phase(state)
    if seat != state.turn:
        raise not_your_turn(state, seat)
    if not 0 <= action.position < len(state.offered):
        raise Refusal(
            "out_of_range", "Take one of the {n} discs that are offered.", n=len(state.offered)
        )
    assert state.bidder is not None
    taken = state.offered[action.position]
    state.offered = []
    _lose_disc(state, state.players[state.bidder], taken, events)


def lose(state: State, seat: int, action: Lose, events: list[SkullEvent]) -> None:
    """The challenger, hit by the own skull, gives up a disc of their choice."""
    if state.phase != "lose":
        raise wrong_phase(state)
    if seat != state.turn:
        raise not_your_turn(state, seat)
    challenger = state.players[seat]
    if action.disc not in challenger.hand:
        raise Refusal("not_in_hand", "You do not hold that disc: give up one of your own.")
    _lose_disc(state, challenger, action.disc, events)


def name_starter(state: State, seat: int, action: NameStarter, events: list[SkullEvent]) -> None:
    """The challenger, eliminated by the own skull, says who starts the next round."""
    if state.phase != "name_starter":
        raise wrong_phase(state)
    if seat != state.turn:
        raise not_your_turn(state, seat)
    if all(player.seat != action.seat for player in state.still_in()):
        raise Refusal("out_of_range", "Name one of the players who are still in the game.")
    state.next_starter = action.seat
    events.append(StarterNamed(seat, action.seat))
    begin_aftermath(state)


def _lose_disc(state: State, challenger: Player, disc: Disc, events: list[SkullEvent]) -> None:
    challenger.hand.remove(disc)
    challenger.lost.append(disc)
    left = challenger.discs
    events.append(DiscLost(challenger.seat, disc, left))
    if left == 0:
        _eliminate(state, challenger, events)
        return
    if left == 1 and state.options.last_chance:
        # Once a game by itself: discs never come back, so nobody comes down to one twice.
        challenger.last_chance_next = True
    state.next_starter = challenger.seat
    begin_aftermath(state)


def _eliminate(state: State, challenger: Player, events: list[SkullEvent]) -> None:
    """Take the challenger out, and see who starts next, if there is a next round at all."""
    challenger.eliminated = True
    events.append(Eliminated(challenger.seat))
    survivors = list(state.still_in())
    assert state.outcome is not None
    assert state.outcome.skull is not None
    if len(survivors) == 1:
        state.phase = "game_over"
        state.winner = survivors[0].seat
        events.append(GameWon(survivors[0].seat, "last_player"))
    elif state.outcome.skull != challenger.seat:
        state.next_starter = state.outcome.skull
        begin_aftermath(state)
    elif state.options.self_elimination_starter == "left":
        state.next_starter = next_still_in(state, challenger.seat)
        begin_aftermath(state)
    else:
        state.phase = "name_starter"
        state.turn = challenger.seat


def next_still_in(state: State, seat: int) -> int:
    """Return the next seat clockwise that is not eliminated; who passed does not matter here."""
    survivors = [player.seat for player in state.still_in()]
    return next((other for other in survivors if other > seat), survivors[0])
