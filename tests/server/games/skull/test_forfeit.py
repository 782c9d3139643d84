"""Leaving for good, by the house remedy: out with all discs, the round taken back, play goes on."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    Bid,
    ChallengeLost,
    DiscLost,
    Eliminated,
    Forfeited,
    GameWon,
    Lose,
    NameStarter,
    Pick,
    Place,
    PressedOn,
    Ready,
    RoundAbandoned,
    RoundStarted,
)
from skull_server.games.skull.forfeit import Forfeit


def in_phase(phase: str) -> Scene:
    """Four players in round 2, started by seat 1."""
    scene = Scene(4)
    scene.win_challenge(1)
    scene.press_on()
    scene.place(0, "S")
    if phase != "initial":
        scene.first_discs()
    if phase in ("bidding", "challenge"):
        scene.bid(1, 2)
        scene.passes(2, 3)
    if phase == "challenge":
        scene.bid(0, 3)
        scene.passes(1)
    assert scene.view.phase == phase
    return scene


@pytest.mark.parametrize("phase", ["initial", "turn", "bidding", "challenge"])
@pytest.mark.parametrize(("leaver", "starter"), [(0, 1), (1, 2), (2, 1), (3, 1)])
def test_a_round_not_decided_is_taken_back(phase: str, leaver: int, starter: int) -> None:
    scene = in_phase(phase)
    assert scene.do(leaver, Forfeit()) == [
        Forfeited(leaver),
        Eliminated(leaver),
        RoundAbandoned(),
        RoundStarted(2, starter),
    ]
    view = scene.view
    assert (view.phase, view.starter, view.bid, view.bidder) == ("initial", starter, 0, None)
    assert [seat.points for seat in view.seats] == [0, 1, 0, 0]
    for seat, public in enumerate(view.seats):
        left = 0 if seat == leaver else 4
        assert (public.discs, public.hand, public.stack) == (left, left, ())
        assert public.eliminated == (seat == leaver)
        assert not public.agrees
    assert set(scene.to_act()) == {0, 1, 2, 3} - {leaver, starter}
    assert sorted(scene.own(leaver).lost) == ["F", "F", "F", "S"]
    assert not scene.game.legal_actions(leaver)


def test_the_next_starter_clockwise_is_one_still_in() -> None:
    scene = in_phase("turn")
    scene.do(2, Forfeit())
    assert scene.do(1, Forfeit())[-1] == RoundStarted(2, 3)
    scene.first_discs()
    assert scene.do(3, Forfeit())[-1] == GameWon(0, "last_player")


def test_when_one_is_left_they_have_won_at_once() -> None:
    scene = Scene(2)
    scene.first_discs()
    assert scene.do(0, Forfeit()) == [Forfeited(0), Eliminated(0), GameWon(1, "last_player")]
    assert scene.game.winner() == 1
    assert scene.to_act() == []
    assert scene.refused(1, Forfeit()).code == "wrong_phase"


def test_nobody_who_is_out_can_forfeit_again() -> None:
    scene = Scene(3)
    scene.do(1, Forfeit())
    assert scene.refused(1, Forfeit()).code == "eliminated"
    assert scene.refused(1, Place("F")).code == "eliminated"


def test_a_player_who_was_to_pick_picks_first() -> None:
    """The challenger does not get the disc back: the challenge was lost."""
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    events = scene.do(1, Forfeit())
    lost = events[1]
    assert isinstance(lost, DiscLost)
    assert (lost.seat, lost.left) == (0, 3)
    assert [events[0], *events[2:]] == [Forfeited(1), Eliminated(1)]
    assert scene.view.phase == "round_over"
    assert scene.press_on()[-1] == RoundStarted(2, 0)


def test_the_discs_lost_to_one_who_left_are_drawn_evenly() -> None:
    lost = []
    for seed in range(400):
        scene = Scene(3, seed=seed)
        scene.hit_skull_of(1, challenger=0)
        lost.append(scene.do(1, Forfeit())[1].disc)  # type: ignore[union-attr]
    assert 60 < lost.count("S") < 140, "a quarter"


def test_nothing_is_picked_from_a_challenger_who_left() -> None:
    scene = Scene(3)
    scene.hit_skull_of(2, challenger=0)
    assert scene.do(0, Forfeit()) == [Forfeited(0), Eliminated(0)]
    assert scene.view.phase == "round_over"
    assert scene.refused(2, Pick(0)).code == "wrong_phase"
    assert scene.press_on()[-1] == RoundStarted(2, 2), "the skull's owner starts, as ever"


def test_a_challenger_who_was_to_lose_a_disc_is_out_with_all() -> None:
    scene = Scene(3)
    scene.win_challenge(2)
    scene.press_on()
    scene.hit_own_skull(0)
    assert scene.do(0, Forfeit()) == [Forfeited(0), Eliminated(0)]
    assert scene.press_on()[-1] == RoundStarted(3, 1), "the next clockwise starts"


@pytest.mark.parametrize("phase", ["pick", "lose", "name_starter"])
def test_a_decided_challenge_goes_on_when_a_third_player_leaves(phase: str) -> None:
    scene = Scene(4)
    if phase == "pick":
        scene.hit_skull_of(1, challenger=0)
    elif phase == "lose":
        scene.hit_own_skull(0)
    else:
        for _ in range(3):
            scene.hit_own_skull(0, "F")
            scene.press_on()
        scene.hit_own_skull(0)
    assert scene.view.phase == phase
    assert scene.do(2, Forfeit()) == [Forfeited(2), Eliminated(2)]
    assert scene.view.phase == phase
    if phase == "pick":
        scene.do(1, Pick(3))
    elif phase == "lose":
        scene.do(0, Lose("F"))
    else:
        assert scene.refused(0, Forfeit()).code == "eliminated"
        assert scene.refused(0, NameStarter(2)).code == "out_of_range"
        scene.do(0, NameStarter(3))
    assert scene.view.phase == "round_over"
    assert isinstance(scene.press_on()[-1], RoundStarted)


def test_between_rounds_the_others_wait_for_nobody_who_left() -> None:
    scene = Scene(3)
    scene.win_challenge(0)
    assert scene.do(1, Ready()) == [PressedOn(1)]
    assert scene.do(0, Forfeit()) == [Forfeited(0), Eliminated(0)]
    assert scene.to_act() == [2]
    assert scene.do(2, Ready()) == [PressedOn(2), RoundStarted(2, 1)]

    again = Scene(3)
    again.win_challenge(0)
    again.do(1, Ready())
    again.do(2, Ready())
    assert again.do(0, Forfeit()) == [Forfeited(0), Eliminated(0), RoundStarted(2, 1)]


@pytest.mark.parametrize("when", ["initial", "round_over"])
def test_in_a_practice_round_too(when: str) -> None:
    scene = Scene(3, practice=True, first_player=1)
    if when == "round_over":
        scene.hit_skull_of(0, challenger=1)
        scene.do(1, Forfeit())
        scene.press_on()
        assert (scene.view.round, scene.view.starter) == (1, 2)
    else:
        scene.do(1, Forfeit())
        assert (scene.view.round, scene.view.starter) == (0, 2)
        scene.win_challenge(2)
        scene.press_on()
        assert (scene.view.round, scene.view.starter) == (1, 2)


def test_a_last_chance_flower_leaves_with_who_holds_it_and_stays_with_others() -> None:
    def holder() -> Scene:
        scene = Scene(3, last_chance=True)
        for _ in range(3):
            scene.hit_own_skull(0, "F")
            scene.press_on()
        assert scene.view.seats[0].last_chance
        return scene

    scene = holder()
    scene.do(0, Forfeit())
    assert not scene.view.seats[0].last_chance
    assert scene.own(0).lost == ("F", "F", "F", "S")
    scene = holder()
    scene.first_discs(s0="F")
    scene.do(1, Forfeit())
    assert scene.view.seats[0].last_chance
    assert scene.own(0).hand == ("F", "S")


def test_others_are_told_nothing_of_the_discs() -> None:
    scene = in_phase("challenge")
    events = scene.do(2, Forfeit())
    assert not any(isinstance(event, DiscLost | ChallengeLost) for event in events)
    assert scene.view.seats[2].stack == ()
    for viewer in (0, 1, 3):
        assert scene.own(viewer).lost == ()


def test_play_goes_on_as_ever() -> None:
    scene = in_phase("bidding")
    scene.do(1, Forfeit())
    assert scene.refused(2, Bid(1)).code == "wrong_phase"
    scene.hit_skull_of(3, challenger=2)
    scene.do(3, Pick(0))
    assert scene.press_on()[-1] == RoundStarted(3, 2)
