"""Rules, "A round", 2 and 3: opening, raising, passing, and how the bidding ends."""

from typing import Any

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import Bid, BidMade, ChallengeStarted, Pass, Passed


def placed(seats: int = 3, **options: Any) -> Scene:
    scene = Scene(seats, **options)
    scene.first_discs()
    return scene


@pytest.mark.parametrize("amount", [0, -1, 4, 5, 2**53 - 1, -(2**53) + 1])
def test_an_opening_bid_is_from_1_to_all_discs_on_the_mats(amount: int) -> None:
    scene = placed()
    refusal = scene.refused(0, Bid(amount))
    assert refusal.code == "bid_out_of_range"
    assert "1 to 3" in refusal.sentence


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (0, "bid_out_of_range"),
        (-5, "bid_out_of_range"),
        (1, "bid_too_low"),
        (2, "bid_too_low"),
        (6, "bid_out_of_range"),
    ],
)
def test_a_raise_is_above_the_highest_bid_and_not_above_the_total(amount: int, code: str) -> None:
    scene = placed(5)
    scene.bid(0, 2)
    refusal = scene.refused(1, Bid(amount))
    assert refusal.code == code
    assert "3 to 5" in refusal.sentence


def test_the_only_bid_left_is_named() -> None:
    scene = placed(3)
    scene.bid(0, 2)
    assert "only bid possible now is 3" in scene.refused(1, Bid(2)).sentence


def test_a_raise_may_jump() -> None:
    scene = placed(6)
    scene.bid(0, 1)
    assert scene.bid(1, 5) == [BidMade(1, 5)]
    assert (scene.view.bid, scene.view.bidder) == (5, 1)
    assert scene.own(2).choices.bid == (6, 6)


def test_an_opening_bid_of_everything_starts_the_challenge_at_once() -> None:
    scene = placed()
    assert scene.bid(0, 3) == [BidMade(0, 3), ChallengeStarted(0, 3)]
    assert scene.view.phase == "challenge"
    assert scene.to_act() == [0]


def test_a_raise_to_everything_starts_the_challenge_at_once() -> None:
    scene = placed()
    scene.place(0, "F")
    scene.bid(1, 2)
    scene.passes(2)
    assert scene.bid(0, 4) == [BidMade(0, 4), ChallengeStarted(0, 4)]
    assert scene.refused(1, Pass()).code == "wrong_phase"
    assert scene.refused(1, Bid(5)).code == "wrong_phase"


def test_one_below_everything_does_not_end_the_bidding() -> None:
    scene = placed()
    assert scene.bid(0, 2) == [BidMade(0, 2)]
    assert scene.to_act() == [1]


def test_the_bidding_ends_when_all_others_have_passed() -> None:
    scene = placed(4)
    scene.bid(0, 1)
    assert scene.passes(1) == [Passed(1)]
    scene.passes(2)
    assert scene.view.phase == "bidding"
    assert scene.passes(3) == [Passed(3), ChallengeStarted(0, 1)]
    assert scene.view.bidder == 0


def test_turn_order_after_passes_and_raises() -> None:
    scene = Scene(5, first_player=3)
    scene.first_discs()
    scene.bid(3, 1)
    scene.passes(4)
    scene.bid(0, 2)
    scene.passes(1)
    assert scene.to_act() == [2]
    scene.bid(2, 3)
    assert scene.to_act() == [3]
    scene.bid(3, 4)
    assert scene.to_act() == [0]  # 4 has passed
    scene.passes(0)
    assert scene.to_act() == [2]  # 1 has passed
    assert scene.passes(2) == [Passed(2), ChallengeStarted(3, 4)]


def test_who_passed_is_out_for_the_round() -> None:
    scene = placed(4)
    scene.bid(0, 1)
    scene.passes(1)
    scene.bid(2, 2)
    for action in (Pass(), Bid(3), Bid(4)):
        refusal = scene.refused(1, action)
        assert refusal.code == "not_your_turn"
        assert "passed" in refusal.sentence
    scene.bid(3, 3)
    scene.passes(0)
    assert scene.to_act() == [2]
    assert scene.refused(1, Pass()).code == "not_your_turn"


def test_the_highest_bidder_cannot_pass_or_raise_out_of_turn() -> None:
    scene = placed()
    scene.bid(0, 1)
    assert scene.refused(0, Pass()).code == "cannot_pass"
    assert scene.refused(0, Bid(2)).code == "not_your_turn"
    scene.bid(1, 2)
    assert scene.refused(1, Pass()).code == "cannot_pass"
    assert scene.refused(0, Pass()).code == "not_your_turn"


def test_bidding_between_two() -> None:
    scene = placed(2)
    scene.place(0, "F")
    scene.bid(1, 1)
    scene.bid(0, 2)
    assert scene.passes(1) == [Passed(1), ChallengeStarted(0, 2)]


def test_last_bids_and_passes_are_public_and_gone_in_the_next_round() -> None:
    scene = placed()
    scene.bid(0, 1)
    scene.bid(1, 2)
    scene.passes(2)
    assert [seat.bid for seat in scene.view.seats] == [1, 2, 0]
    assert [seat.passed for seat in scene.view.seats] == [False, False, True]
    scene.passes(0)
    scene.flips(1, 1, 2)
    scene.press_on()
    assert [(seat.bid, seat.passed) for seat in scene.view.seats] == [(0, False)] * 3
    assert (scene.view.bid, scene.view.bidder, scene.view.flowers) == (0, None, 0)
    assert scene.view.outcome is None
