"""Leaving the game for good. A house remedy: the printed rules know no such thing.

Who forfeits is out with all discs, and nobody learns which they were. A round that is not decided
yet could not be played on fairly without their discs: it is taken back, with no point, no loss
and the same starter, as if everybody had agreed to it. A decided round stays decided.

A forfeit is recorded like any action, and needs no dice: so the record leads to the same game.
"""

from skull_protocol.skull import (
    FLOWER,
    Eliminated,
    Forfeited,
    GameWon,
    Pick,
    SkullAction,
    SkullEvent,
)
from skull_protocol.wire import Tagged
from skull_server.games.skull import refusals
from skull_server.games.skull.abandon import may_abandon, take_round_back
from skull_server.games.skull.aftermath import begin_aftermath, go_on_when_all_are_ready
from skull_server.games.skull.loss import next_still_in, pick
from skull_server.games.skull.state import Player, State


class Forfeit(Tagged, frozen=True, tag="skull.forfeit"):
    """Leave the game for good. The table does it for who left; no player can ask for it."""


SkullInput = SkullAction | Forfeit
"""Everything that a game of Skull is told."""


def forfeit(state: State, seat: int, events: list[SkullEvent]) -> None:
    """Take a player out of the game, and let the others go on. Raises `Refusal` if out already.

    If the leaver was to pick a disc blind, that is done first, as for one who ran out of time:
    the first of those offered, which were shuffled. If the others were waiting for the leaver to
    lose a disc, there is nothing left to wait for.
    """
    player = state.players[seat]
    if player.eliminated:
        raise refusals.eliminated()
    events.append(Forfeited(seat))
    if state.phase == "pick" and state.turn == seat:
        pick(state, seat, Pick(0), events)
    _take_out(player)
    events.append(Eliminated(seat))

    survivors = [other.seat for other in state.still_in()]
    if len(survivors) == 1:
        state.phase = "game_over"
        state.winner = survivors[0]
        state.offered = []
        events.append(GameWon(survivors[0], "last_player"))
        return
    _hand_on_the_start(state, seat)
    if may_abandon(state):
        take_round_back(state, events)
    elif state.phase == "pick" and state.bidder == seat:
        assert state.outcome is not None
        assert state.outcome.skull is not None
        state.offered = []
        state.next_starter = state.outcome.skull
        begin_aftermath(state)
    elif state.phase == "lose" and state.turn == seat:
        state.next_starter = next_still_in(state, seat)
        begin_aftermath(state)
    elif state.phase == "round_over":
        go_on_when_all_are_ready(state, events)


def _take_out(player: Player) -> None:
    player.take_back()
    if player.last_chance:
        player.last_chance = False
        player.hand.remove(FLOWER)
    player.lost += player.hand
    player.hand.clear()
    player.agrees = player.ready = False
    player.eliminated = True


def _hand_on_the_start(state: State, seat: int) -> None:
    """Where the leaver started this round or was to start a later one, the next clockwise does."""
    heir = next_still_in(state, seat)
    if state.starter == seat:
        state.starter = heir
    if state.next_starter == seat:
        state.next_starter = heir
    if state.first_starter == seat:
        state.first_starter = heir
