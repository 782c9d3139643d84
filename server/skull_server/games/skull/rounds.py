"""How a round begins: nothing on the mats, nobody has bid, everybody places a first disc.

Rules, "A round", 8 (next round), and the Last Chance flower, which is held for one round.
"""

from skull_protocol.skull import (
    FLOWER,
    LastChanceGiven,
    LastChanceReturned,
    PracticeOver,
    RoundStarted,
    SkullEvent,
)
from skull_server.games.skull.state import State


def begin_round(state: State, events: list[SkullEvent]) -> None:
    """Begin the round `state.round` from `state.starter`; all discs are in hand already."""
    for player in state.players:
        player.bid = 0
        player.passed = player.ready = player.agrees = False
    state.phase = "initial"
    state.bid = state.flowers = 0
    state.bidder = state.outcome = None
    events.append(RoundStarted(state.round, state.starter))
    for player in state.still_in():
        if player.last_chance_next:
            player.last_chance_next = False
            player.last_chance = True
            player.take_in(FLOWER)
            events.append(LastChanceGiven(player.seat))


def next_round(state: State, events: list[SkullEvent]) -> None:
    """End this round, discs and Last Chance flowers going back, and begin the one after it."""
    for player in state.still_in():
        player.take_back()
        if player.last_chance:
            player.last_chance = False
            player.hand.remove(FLOWER)
            events.append(LastChanceReturned(player.seat))
    if state.is_practice:
        events.append(PracticeOver())
        state.starter = state.first_starter
    else:
        state.starter = state.next_starter
    state.round += 1
    begin_round(state, events)
