"""What is counted for each player: games that are told word for word, counted by hand."""

import itertools
from random import Random

import pytest
from tests.server.finished_games import ReplayTwins, some_action
from tests.server.games.skull.test_golden import STORIES, act

from skull_protocol.skull import (
    BidMade,
    ChallengeLost,
    ChallengeWon,
    GameWon,
    Placed,
    RoundAbandoned,
    RoundStarted,
    SkullEvent,
    SkullOptions,
)
from skull_server.games.skull.forfeit import Forfeit
from skull_server.games.skull.game import SkullGame
from skull_server.statistics import Against, Counts, Tally

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
    tally = Tally({seat: f"P{seat}" for seat in range(story.seats)}, {})
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
    tally = Tally({0: "Ann", 1: "Bob"}, {})
    tally.see([RoundStarted(1, 0), ChallengeLost(0, 0)])
    tally.left(0)
    tally.see([ChallengeWon(0, 1), ChallengeLost(0, 1), ChallengeLost(1, 0), ChallengeWon(0, 2)])
    tally.won(0)
    assert tally.counts == {
        0: Counts(challenges_lost=1, bluffs_caught=1),
        1: Counts(challenges_lost=1, skulls_hit=1),
    }


def test_bots_are_not_counted_but_their_skulls_catch_people() -> None:
    tally = Tally({1: "Bob"}, {0: "Bot Ana"})
    tally.see([RoundStarted(1, 0), ChallengeLost(1, 0), ChallengeLost(0, 0), ChallengeLost(0, 1)])
    assert tally.by_name() == {"Bob": Counts(challenges_lost=1, skulls_hit=1)}
    assert set(tally.own()) == {1}
    assert tally.own()[1].against == (Against("Bot Ana", 0, 0, stopped=1, stopped_by=1),)


# -- bluffs ---------------------------------------------------------------------------------------

SKULL_BELOW = [RoundStarted(1, 0), Placed(0, "S"), Placed(1, "F"), Placed(0, "F"), Placed(1, "F")]
"""Ann's skull lies below one flower."""
TWICE = [*SKULL_BELOW, BidMade(0, 2), BidMade(1, 3), BidMade(0, 4)]
"""She bids beyond it, Bob bids more, and she more again."""
BLUFFS: dict[str, tuple[list[SkullEvent], int]] = {
    "raised over": ([*SKULL_BELOW, BidMade(0, 2), BidMade(1, 3)], 1),
    "not even begun to be a bluff": ([*SKULL_BELOW, BidMade(0, 1), BidMade(1, 3)], 0),
    "still standing": ([*SKULL_BELOW, BidMade(0, 2)], 0),
    "twice in a round": (
        [*TWICE, RoundAbandoned(), RoundStarted(1, 0)],
        2,
    ),
    "held, then caught": (
        [*TWICE, ChallengeLost(0, 0), RoundStarted(2, 0)],
        1,
    ),
    "only the other's bid": ([*SKULL_BELOW, BidMade(1, 2), BidMade(0, 3)], 0),
    "everybody else is gone": ([*SKULL_BELOW, BidMade(0, 2), GameWon(0, "last_player")], 1),
    "the skull of the round before": (
        [*SKULL_BELOW, RoundStarted(2, 0), Placed(0, "F"), BidMade(0, 2), BidMade(1, 3)],
        0,
    ),
    "a card for the skull": (
        [RoundStarted(1, 0), Placed(0, "Qc"), BidMade(0, 1), BidMade(1, 2)],
        1,
    ),
    "the practice round": (
        [RoundStarted(0, 0), Placed(0, "S"), BidMade(0, 1), BidMade(1, 2), RoundStarted(1, 0)],
        0,
    ),
    "standing as practice ends": (
        [RoundStarted(0, 0), Placed(0, "S"), BidMade(0, 1), RoundStarted(1, 0)],
        0,
    ),
}


@pytest.mark.parametrize("name", BLUFFS)
def test_bluffs_that_held(name: str) -> None:
    events, held = BLUFFS[name]
    tally = Tally({0: "Ann", 1: "Bob"}, {})
    tally.see(events)
    assert [own.bluffs_held for own in tally.own().values()] == [held, 0]


def test_the_bluff_of_somebody_who_leaves_before_it_is_decided_is_not_counted() -> None:
    tally = Tally({0: "Ann", 1: "Bob"}, {})
    tally.see([*SKULL_BELOW, BidMade(0, 2)])
    tally.left(0)
    tally.see([BidMade(1, 3)])
    assert tally.own()[0].bluffs_held == 0


# -- one against another ---------------------------------------------------------------------------


def test_who_stopped_whom() -> None:
    tally = Tally({0: "Ann", 1: "Bob"}, {2: "Bot Ana"})
    tally.see([RoundStarted(0, 0), ChallengeLost(0, 1)])  # practice
    tally.see([RoundStarted(1, 0), ChallengeLost(0, 1), ChallengeLost(0, 1), ChallengeLost(1, 0)])
    tally.see([ChallengeLost(2, 0), ChallengeLost(0, 0), ChallengeWon(2, 1)])
    tally.left(1)
    tally.see([ChallengeLost(0, 1), ChallengeLost(1, 0), ChallengeWon(1, 1), ChallengeWon(2, 2)])
    tally.won(2)
    assert {seat: own.against for seat, own in tally.own().items()} == {
        0: (Against("Bob", 0, 0, 1, 2), Against("Bot Ana", 1, 2, 1, 0)),
        1: (Against("Ann", 0, 0, 2, 1), Against("Bot Ana", 1, 2, 0, 0)),
    }


# -- secrets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_own_counts_come_from_what_the_player_was_told_and_from_nothing_else(seed: int) -> None:
    rng = Random(seed)
    seats = rng.randrange(2, 7)
    names = {seat: f"P{seat}" for seat in range(seats)}
    game = SkullGame(SkullOptions(practice=seed % 2 == 0), seats, Random(seed))
    everything = Tally(names, {})
    told = {seat: Tally(names, {}) for seat in names}

    def see(events: list[SkullEvent]) -> None:
        everything.see(events)
        for seat, tally in told.items():
            seen = [game.event_for(event, seat) for event in events]
            tally.see(event for event in seen if event is not None)

    see(game.opening())
    while game.winner() is None:
        seat = rng.choice(sorted(game.to_act()))
        see(game.apply(seat, some_action(rng, game.legal_actions(seat))))
    for seat, tally in told.items():
        assert tally.own()[seat] == everything.own()[seat]


def test_what_one_player_hides_is_in_nobody_elses_counts() -> None:
    own_differed = 0
    for seed in range(200):
        twins = ReplayTwins(seed)
        here, there = (_counted(twins, inputs) for inputs in twins.inputs)
        assert here.by_name() == there.by_name()
        for seat in range(twins.seats):
            if seat == twins.hider:
                own_differed += here.own()[seat] != there.own()[seat]
            else:
                assert here.own()[seat] == there.own()[seat]
    assert own_differed > 5, "a hidden skull must make a difference for the test to mean anything"


def _counted(twins: ReplayTwins, inputs: list[tuple[int, object]]) -> Tally:
    game = SkullGame(twins.options, twins.seats, Random(twins.seed))
    tally = Tally({seat: f"P{seat}" for seat in range(twins.seats)}, {})
    tally.see(game.opening())
    for seat, action in inputs:
        tally.see(game.apply(seat, action))  # type: ignore[arg-type]
    return tally
