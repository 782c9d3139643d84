"""Rules, "A round", 4 and 5: flipping, success, the second point."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    Bid,
    ChallengeWon,
    Flip,
    Flipped,
    GameWon,
    Outcome,
    Pass,
    Place,
    PressedOn,
    RoundStarted,
)


def tall() -> Scene:
    """Seat 0 challenges for 5; stacks, bottom first: FF, SF, FF."""
    scene = Scene(3)
    scene.first_discs(s0="F", s1="S", s2="F")
    for seat in range(3):
        scene.place(seat, "F")
    scene.bid(0, 5)
    scene.passes(1, 2)
    return scene


def test_the_own_stack_first_and_all_of_it() -> None:
    scene = tall()
    assert scene.own(0).choices.flip == (0,)
    for target in (1, 2, 3, -1, 99):
        assert scene.refused(0, Flip(target)).code == "own_stack_first"
    scene.flips(0, 0)
    assert scene.refused(0, Flip(1)).code == "own_stack_first"
    scene.flips(0, 0)
    assert scene.own(0).choices.flip == (1, 2)
    assert scene.refused(0, Flip(0)).code == "nothing_to_flip"


def test_stacks_are_flipped_from_the_top() -> None:
    scene = tall()
    assert scene.flips(0, 0, 0) == [Flipped(0, 0, "F"), Flipped(0, 0, "F")]
    assert scene.flips(0, 1) == [Flipped(0, 1, "F")]  # the skull below is not reached
    assert scene.view.seats[1].stack == (None, "F")
    assert scene.view.flowers == 3
    assert scene.view.phase == "challenge"


def test_the_own_stack_too_is_flipped_from_the_top() -> None:
    scene = Scene(2)
    scene.first_discs(s0="S", s1="F")
    scene.place(0, "F")
    scene.place(1, "F")
    scene.bid(0, 2)
    scene.passes(1)
    assert scene.flips(0, 0) == [Flipped(0, 0, "F")]
    assert scene.view.phase == "challenge"
    scene.flips(0, 0)
    assert scene.view.outcome == Outcome(0, 2, 0)


def test_other_stacks_may_be_changed_between_at_will() -> None:
    scene = tall()
    scene.flips(0, 0, 0, 2, 1)
    assert scene.own(0).choices.flip == (1, 2)
    scene.flips(0, 2)
    assert scene.view.outcome == Outcome(0, 5, None)


def test_an_empty_stack_and_a_seat_that_is_not_there_cannot_be_flipped() -> None:
    scene = tall()
    scene.flips(0, 0, 0, 2, 2)
    for target in (0, 2, 3, 5, -1, 10**9):
        assert scene.refused(0, Flip(target)).code == "nothing_to_flip"
    assert scene.own(0).choices.flip == (1,)


def test_only_the_challenger_flips_and_does_nothing_else() -> None:
    scene = tall()
    for seat in (1, 2):
        assert scene.refused(seat, Flip(seat)).code == "not_your_turn"
        assert scene.refused(seat, Flip(0)).code == "not_your_turn"
    for action in (Place("F"), Bid(6), Pass()):
        assert scene.refused(0, action).code == "wrong_phase"


def test_nobody_flips_before_the_challenge_or_after_it() -> None:
    scene = Scene(3)
    assert scene.refused(0, Flip(0)).code == "wrong_phase"
    scene.first_discs()
    assert scene.refused(0, Flip(0)).code == "wrong_phase"
    scene.bid(0, 1)
    assert scene.refused(0, Flip(0)).code == "wrong_phase"
    scene.passes(1, 2)
    scene.flips(0, 0)
    assert scene.refused(0, Flip(1)).code == "wrong_phase"


def test_a_small_bid_ends_inside_the_own_stack() -> None:
    scene = Scene(2)
    scene.first_discs(s0="S", s1="F")
    scene.place(0, "F")
    scene.place(1, "F")
    scene.place(0, "F")
    scene.bid(1, 1)
    scene.bid(0, 2)
    scene.passes(1)
    scene.flips(0, 0)
    assert scene.flips(0, 0) == [Flipped(0, 0, "F"), ChallengeWon(0, 1)]
    assert scene.view.seats[0].stack == (None, "F", "F")  # the skull below stays hidden


def test_a_bid_of_one_is_decided_by_one_flip() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.challenge(0, 1)
    assert scene.flips(0, 0) == [Flipped(0, 0, "F"), ChallengeWon(0, 1)]


def test_passed_players_stacks_are_targets() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.bid(0, 1)
    scene.passes(1)
    scene.bid(2, 2)
    scene.passes(0)
    scene.flips(2, 2)
    assert scene.own(2).choices.flip == (0, 1)
    assert scene.flips(2, 1) == [Flipped(2, 1, "F"), ChallengeWon(2, 1)]


def test_a_skull_ends_the_challenge_at_once() -> None:
    scene = Scene(3)
    scene.first_discs(s1="S")
    scene.bid(0, 3)
    scene.flips(0, 0, 1)
    assert scene.view.outcome == Outcome(0, 3, 1)
    assert scene.view.flowers == 1
    assert scene.view.phase == "pick"


def test_the_first_point_is_kept_and_the_challenger_starts_the_next_round() -> None:
    scene = Scene(3, first_player=0)
    scene.first_discs()
    scene.challenge(2, 1)
    scene.flips(2, 2)
    assert [seat.points for seat in scene.view.seats] == [0, 0, 1]
    assert scene.game.winner() is None
    assert scene.press_on() == [PressedOn(0), PressedOn(1), PressedOn(2), RoundStarted(2, 2)]
    assert scene.view.starter == 2
    scene.hit_own_skull(2, "F")
    assert [seat.points for seat in scene.view.seats] == [0, 0, 1]


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_second_point_wins_at_once(seats: int) -> None:
    scene = Scene(seats)
    scene.win_challenge(0)
    scene.press_on()
    scene.first_discs()
    scene.challenge(0, 1)
    assert scene.flips(0, 0) == [Flipped(0, 0, "F"), ChallengeWon(0, 2), GameWon(0, "points")]
    assert scene.game.winner() == scene.view.winner == 0
    assert scene.view.phase == "game_over"
    assert scene.to_act() == []
    for seat in range(seats):
        assert scene.game.legal_actions(seat) == ()
        assert scene.refused(seat, Place("F")).code == "wrong_phase"


def test_points_of_different_players_do_not_add_up() -> None:
    scene = Scene(3)
    scene.win_challenge(0)
    scene.press_on()
    scene.win_challenge(1)
    assert scene.game.winner() is None
    assert [seat.points for seat in scene.view.seats] == [1, 1, 0]
    scene.press_on()
    assert scene.view.starter == 1
