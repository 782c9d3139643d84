"""What is counted for each player: games that are told word for word, counted by hand."""

import itertools
from random import Random

import pytest
from tests.server.games.skull.test_golden import STORIES, act

from skull_protocol.skull import ChallengeLost, ChallengeWon, RoundStarted
from skull_server.games.skull.forfeit import Forfeit
from skull_server.games.skull.game import SkullGame
from skull_server.statistics import Counts, Tally

ANN, BOB, CID, DORA, EVE = range(5)

BY_HAND: dict[str, dict[int, Counts]] = {
    "printed_rules": {
        ANN: Counts(challenges_won=1, challenges_lost=4, bluffs_caught=4),
        CID: Counts(wins=1, challenges_won=2),
    },
    "two_players": {
        ANN: Counts(wins=1),
        BOB: Counts(challenges_lost=4, bluffs_caught=4),
    },
    "six_players": {
        BOB: Counts(challenges_lost=4, bluffs_caught=4),
        CID: Counts(wins=1, challenges_won=2),
        EVE: Counts(challenges_lost=1, bluffs_caught=1),
    },
    "last_chance": {
        ANN: Counts(challenges_lost=4, bluffs_caught=4, skulls_hit=1),
        BOB: Counts(challenges_lost=4, bluffs_caught=3),
        CID: Counts(wins=1),
    },
    # Cid's success in the practice round is none.
    "practice": {BOB: Counts(wins=1, challenges_won=2, challenges_lost=1, bluffs_caught=1)},
    # Cid leaves when Dora has hit the skull, so that still counts.
    "forfeited": {
        BOB: Counts(wins=1),
        CID: Counts(skulls_hit=1),
        DORA: Counts(challenges_lost=2, bluffs_caught=1),
    },
}


@pytest.mark.parametrize("name", BY_HAND)
def test_a_game_is_counted_as_by_hand(name: str) -> None:
    story = next(story for story in STORIES if story.name == name)
    tally = Tally({seat: f"P{seat}" for seat in range(story.seats)})
    game = SkullGame(story.options, story.seats, Random(story.seed), story.flowers)
    rng, leavers = Random(story.seed), dict(story.leavers)

    def see(events: list[object]) -> None:
        tally.see([game.event_for(event, None) for event in events])  # type: ignore[arg-type]

    see(list(game.opening()))
    for count in itertools.count():
        if count in leavers:
            tally.left(leavers[count])
            see(list(game.apply(leavers[count], Forfeit())))
        winner = game.winner()
        if winner is not None:
            tally.won(winner)
            break
        see(list(game.apply(*act(game, rng, story.votes))))
    expected = {seat: BY_HAND[name].get(seat, Counts()) for seat in range(story.seats)}
    assert tally.counts == expected


def test_what_a_bot_does_in_the_seat_of_somebody_who_left_is_not_theirs() -> None:
    tally = Tally({0: "Ann", 1: "Bob"})
    tally.see([RoundStarted(1, 0), ChallengeLost(0, 0)])
    tally.left(0)
    tally.see([ChallengeWon(0, 1), ChallengeLost(0, 1), ChallengeLost(1, 0), ChallengeWon(0, 2)])
    tally.won(0)
    assert tally.counts == {
        0: Counts(challenges_lost=1, bluffs_caught=1),
        1: Counts(challenges_lost=1, skulls_hit=1),
    }


def test_bots_are_not_counted_but_their_skulls_catch_people() -> None:
    tally = Tally({1: "Bob"})
    tally.see([RoundStarted(1, 0), ChallengeLost(1, 0), ChallengeLost(0, 0), ChallengeLost(0, 1)])
    assert tally.counts == {1: Counts(challenges_lost=1, skulls_hit=1)}
