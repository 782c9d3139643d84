"""Rules, "House remedies": abandoning a round when every player still in agrees."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    Abandon,
    AbandonVoted,
    Flip,
    Lose,
    NameStarter,
    Place,
    RoundAbandoned,
    RoundStarted,
)


def in_phase(phase: str) -> Scene:
    scene = Scene(3)
    scene.win_challenge(1)
    scene.press_on()
    if phase == "initial":
        scene.place(0, "S")
        return scene
    scene.first_discs(s0="S")
    scene.place(1, "F")
    if phase == "turn":
        return scene
    scene.bid(2, 1)
    if phase == "bidding":
        return scene
    scene.passes(0)
    scene.bid(1, 3)
    scene.passes(2)
    scene.flips(1, 1, 1)
    assert phase == "challenge"
    return scene


@pytest.mark.parametrize("phase", ["initial", "turn", "bidding", "challenge"])
def test_when_all_agree_discs_come_back_and_the_same_starter_starts(phase: str) -> None:
    scene = in_phase(phase)
    assert scene.view.phase == phase
    assert scene.do(2, Abandon(True)) == [AbandonVoted(2, True)]
    scene.do(0, Abandon(True))
    assert [seat.agrees for seat in scene.view.seats] == [True, False, True]
    assert scene.do(1, Abandon(True)) == [
        AbandonVoted(1, True),
        RoundAbandoned(),
        RoundStarted(2, 1),
    ]
    view = scene.view
    assert (view.phase, view.round, view.starter) == ("initial", 2, 1)
    assert (view.bid, view.bidder, view.flowers, view.outcome) == (0, None, 0, None)
    for seat, public in enumerate(view.seats):
        assert scene.own(seat).hand == ("F", "F", "F", "S")
        assert public.stack == ()
        assert (public.bid, public.passed, public.agrees) == (0, False, False)
    assert [seat.points for seat in view.seats] == [0, 1, 0]
    assert scene.to_act() == [0, 2]


def test_a_vote_must_change_something_and_can_be_taken_back() -> None:
    scene = Scene(3)
    assert scene.refused(0, Abandon(False)).code == "out_of_range"
    assert scene.own(0).choices.abandon is True
    scene.do(0, Abandon(True))
    assert scene.refused(0, Abandon(True)).code == "out_of_range"
    assert scene.own(0).choices.abandon is False
    assert scene.do(0, Abandon(False)) == [AbandonVoted(0, False)]
    scene.do(1, Abandon(True))
    scene.do(2, Abandon(True))
    assert scene.view.phase == "initial"
    assert RoundAbandoned() not in scene.events


def test_votes_do_not_change_whose_turn_it_is_and_end_with_the_round() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.do(1, Abandon(True))
    scene.do(2, Abandon(True))
    assert scene.to_act() == [0]
    scene.challenge(0, 1)
    scene.flips(0, 0)
    scene.press_on()
    assert not any(seat.agrees for seat in scene.view.seats)


def test_a_round_that_is_decided_cannot_be_abandoned() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    assert scene.view.phase == "pick"
    for seat in range(3):
        assert scene.own(seat).choices.abandon is None
        assert scene.refused(seat, Abandon(True)).code == "wrong_phase"
    won = Scene(3)
    won.win_challenge(0)
    assert won.refused(1, Abandon(True)).code == "wrong_phase"


def test_the_eliminated_have_no_vote_and_are_not_needed() -> None:
    scene = Scene(3)
    for _ in range(3):
        scene.hit_own_skull(0, "F")
        scene.press_on()
    scene.hit_own_skull(0)
    scene.do(0, NameStarter(2))
    scene.press_on()
    assert scene.refused(0, Abandon(True)).code == "eliminated"
    scene.do(1, Abandon(True))
    assert scene.do(2, Abandon(True))[1:] == [RoundAbandoned(), RoundStarted(5, 2)]
    assert scene.view.seats[0].hand == 0


def test_after_an_abandoned_round_play_goes_on_as_ever() -> None:
    scene = in_phase("challenge")
    for seat in range(3):
        scene.do(seat, Abandon(True))
    assert scene.refused(1, Flip(0)).code == "wrong_phase"
    assert scene.refused(1, Place("F")).code == "not_your_turn"
    assert scene.refused(1, Lose("F")).code == "wrong_phase"
    scene.win_challenge(1)
    assert scene.game.winner() == 1
