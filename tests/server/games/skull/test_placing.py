"""Rules, "A round", 1 and 2: the initial disc; place one more or open the bidding."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import Bid, Pass, Place, Placed


def test_the_starter_places_after_all_others() -> None:
    scene = Scene(4, first_player=1)
    assert scene.to_act() == [0, 2, 3]
    assert scene.refused(1, Place("F")).code == "not_your_turn"
    scene.place(3, "F")
    scene.place(0, "F")
    assert scene.to_act() == [2]
    assert scene.refused(1, Place("F")).code == "not_your_turn"
    scene.place(2, "F")
    assert scene.to_act() == [1]
    scene.place(1, "F")
    assert scene.view.phase == "turn"
    assert scene.to_act() == [1]


def test_together_means_that_the_starter_need_not_wait() -> None:
    scene = Scene(3, first_player=1, initial="together")
    assert scene.to_act() == [0, 1, 2]
    scene.place(1, "S")
    assert scene.to_act() == [0, 2]
    scene.place(0, "F")
    scene.place(2, "F")
    assert scene.to_act() == [1]
    assert scene.view.phase == "turn"


@pytest.mark.parametrize("initial", ["starter_last", "together"])
def test_nobody_bids_places_twice_or_passes_before_all_have_placed(initial: str) -> None:
    scene = Scene(3, initial=initial)
    scene.place(1, "F")
    assert scene.refused(1, Place("F")).code == "not_your_turn"
    for seat in range(3):
        assert scene.refused(seat, Bid(1)).code == "wrong_phase"
        assert scene.refused(seat, Pass()).code == "wrong_phase"


def test_a_disc_goes_from_hand_onto_the_top_of_the_own_stack() -> None:
    scene = Scene(2)
    scene.place(1, "F")
    scene.place(0, "F")
    assert scene.place(0, "S") == [Placed(0, "S")]
    scene.place(1, "F")
    scene.place(0, "F")
    assert scene.own(0).stack == ("F", "S", "F")
    assert scene.own(0).hand == ("F",)
    assert scene.view.seats[0].stack == (None, None, None)
    assert scene.view.seats[0].hand == 1
    assert scene.view.discs_on_mats == 5


def test_only_what_is_in_hand_can_be_placed() -> None:
    scene = Scene(2)
    scene.place(1, "S")
    scene.place(0, "F")
    scene.place(0, "F")
    for disc in ("S", "7h", "", "f"):
        assert scene.refused(1, Place(disc)).code == "not_in_hand"
    assert scene.own(1).choices.place == ("F",)


def test_turns_to_place_go_clockwise_and_around() -> None:
    scene = Scene(4, first_player=2)
    scene.first_discs()
    for seat in (2, 3, 0, 1, 2, 3):
        assert scene.to_act() == [seat]
        for other in {0, 1, 2, 3} - {seat}:
            assert scene.refused(other, Place("F")).code == "not_your_turn"
            assert scene.refused(other, Bid(1)).code == "not_your_turn"
            assert scene.refused(other, Pass()).code == "not_your_turn"
        scene.place(seat, "F")


def test_nothing_to_pass_on_before_the_first_bid() -> None:
    scene = Scene(3)
    scene.first_discs()
    assert scene.refused(0, Pass()).code == "cannot_pass"


def test_with_no_disc_in_hand_a_player_must_bid() -> None:
    scene = Scene(2)
    scene.first_discs(s0="S", s1="S")
    for _ in range(3):
        scene.place(0, "F")
        scene.place(1, "F")
    assert scene.own(0).hand == ()
    assert scene.own(0).choices.place == ()
    assert scene.own(0).choices.bid == (1, 8)
    assert scene.refused(0, Place("F")).code == "must_bid"
    scene.bid(0, 1)


def test_no_disc_is_placed_once_the_bidding_is_open() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.bid(0, 1)
    for seat in range(3):
        assert scene.refused(seat, Place("F")).code == "wrong_phase"


def test_that_a_player_placed_is_public_and_what_is_not() -> None:
    scene = Scene(3)
    (placed,) = scene.place(2, "S")
    assert scene.game.event_for(placed, 2) == Placed(2, "S")
    for viewer in (0, 1, None):
        assert scene.game.event_for(placed, viewer) == Placed(2, None)
