"""Rules, "Variants": the Last Chance flower."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    Abandon,
    ChallengeLost,
    Choices,
    DiscLost,
    Eliminated,
    Flipped,
    GameWon,
    LastChanceGiven,
    LastChanceReturned,
    NameStarter,
    Pick,
    PressedOn,
    RoundAbandoned,
    RoundStarted,
)


def holder(disc: str = "F", seats: int = 3) -> Scene:
    """Seat 0 has this one disc and holds the Last Chance flower; it starts round 4."""
    scene = Scene(seats, last_chance=True)
    for lost in ("F", "F", "S" if disc == "F" else "F"):
        scene.hit_own_skull(0, lost)
        scene.press_on()
    return scene


def test_it_is_given_in_the_round_after_the_loss_that_leaves_one_disc() -> None:
    scene = Scene(3, last_chance=True)
    for lost in ("F", "F"):
        scene.hit_own_skull(0, lost)
        scene.press_on()
        assert not any(seat.last_chance for seat in scene.view.seats)
    scene.hit_own_skull(0, "F")
    assert scene.view.seats[0].discs == 1
    assert not scene.view.seats[0].last_chance
    assert scene.press_on()[-2:] == [RoundStarted(4, 0), LastChanceGiven(0)]
    assert [seat.last_chance for seat in scene.view.seats] == [True, False, False]
    assert (scene.view.seats[0].hand, scene.view.seats[0].discs) == (2, 1)
    assert scene.own(0).hand == ("F", "S")


def test_without_the_option_there_is_none() -> None:
    scene = Scene(3)
    for lost in ("F", "F", "F"):
        scene.hit_own_skull(0, lost)
        scene.press_on()
    assert scene.own(0).hand == ("S",)
    assert LastChanceGiven(0) not in scene.events


def test_a_blind_pick_gives_it_as_well() -> None:
    scene = Scene(3, last_chance=True)
    scene.hit_own_skull(0, "S")
    scene.press_on()
    for _ in range(2):
        scene.hit_skull_of(1, challenger=0)
        scene.do(1, Pick(0))
        scene.press_on()
    assert scene.own(0).hand == ("F", "F")
    assert scene.view.seats[0].last_chance


def test_it_counts_as_one_more_disc_in_hand() -> None:
    scene = holder("S")
    scene.first_discs(s0="S")
    assert scene.view.seats[0].stack == (None,)  # one initial disc all the same
    assert scene.own(0).choices.place == ("F",)
    scene.place(0, "F")
    assert scene.own(0).stack == ("S", "F")
    assert scene.view.discs_on_mats == 4
    assert scene.view.seats[0].discs == 1


@pytest.mark.parametrize("first", ["F", "S"])
def test_it_goes_back_at_the_end_of_the_round_wherever_it_was_played(first: str) -> None:
    scene = holder("S")
    scene.first_discs(s0=first)
    scene.place(0, "S" if first == "F" else "F")
    scene.bid(1, 1)
    scene.passes(2, 0)
    scene.flips(1, 1)
    assert scene.view.seats[0].last_chance  # the discs still lie there
    assert scene.press_on()[-2:] == [LastChanceReturned(0), RoundStarted(5, 1)]
    assert scene.own(0).hand == ("S",)
    assert scene.own(0).lost == ("F", "F", "F")
    assert not scene.view.seats[0].last_chance


def test_it_goes_back_unplayed() -> None:
    scene = holder("S")
    scene.first_discs(s0="S")
    scene.bid(0, 1)
    scene.bid(1, 2)
    scene.passes(2, 0)
    scene.flips(1, 1, 2)
    scene.press_on()
    assert scene.own(0).hand == ("S",)


def test_a_holder_who_succeeds_gives_it_back_and_keeps_the_disc() -> None:
    scene = holder("F")
    scene.first_discs()
    scene.place(0, "F")
    scene.place(1, "F")
    scene.place(2, "F")
    scene.bid(0, 2)
    scene.passes(1, 2)
    scene.flips(0, 0, 0)
    assert scene.view.seats[0].points == 1
    assert scene.press_on()[-2:] == [LastChanceReturned(0), RoundStarted(5, 0)]
    assert scene.own(0).hand == ("F",)


@pytest.mark.parametrize("disc", ["F", "S"])
def test_a_holder_who_fails_by_anothers_skull_is_out_unasked(disc: str) -> None:
    scene = holder(disc)
    scene.first_discs(s0="F", s2="S")
    scene.challenge(0, 2)
    assert scene.flips(0, 0, 2)[1:] == [
        Flipped(0, 2, "S"),
        ChallengeLost(0, 2),
        DiscLost(0, disc, 0),
        Eliminated(0),
    ]
    assert scene.view.phase == "round_over"
    assert not scene.view.seats[0].last_chance
    assert (scene.own(0).hand, scene.own(0).choices) == ((), Choices())
    assert scene.own(0).lost[-1] == disc
    assert len(scene.own(0).lost) == 4
    assert scene.press_on()[-1] == RoundStarted(5, 2)  # the skull's owner starts
    assert LastChanceReturned(0) not in scene.events


def test_a_holder_who_fails_by_the_own_skull_names_the_next_starter() -> None:
    scene = holder("S")
    scene.hit_own_skull(0)
    assert scene.events[-2:] == [DiscLost(0, "S", 0), Eliminated(0)]
    assert scene.view.phase == "name_starter"
    scene.do(0, NameStarter(2))
    assert scene.press_on()[-1] == RoundStarted(5, 2)


def test_a_holder_who_fails_against_the_last_other_ends_the_game() -> None:
    scene = holder("F", seats=2)
    scene.hit_skull_of(1, challenger=0)
    assert scene.events[-3:] == [DiscLost(0, "F", 0), Eliminated(0), GameWon(1, "last_player")]


def test_a_holder_who_is_not_the_challenger_loses_nothing_when_that_one_fails() -> None:
    scene = holder("F")
    scene.first_discs(s1="F", s2="S")
    scene.place(0, "F")
    scene.bid(1, 2)
    scene.passes(2, 0)
    scene.flips(1, 1, 2)
    scene.do(2, Pick(0))
    assert scene.press_on()[-2:] == [LastChanceReturned(0), RoundStarted(5, 1)]
    assert scene.own(0).hand == ("F",)


def test_an_abandoned_round_does_not_use_it_up() -> None:
    scene = holder("F")
    scene.first_discs()
    scene.place(0, "F")
    for seat in (0, 1):
        scene.do(seat, Abandon(True))
    assert scene.do(2, Abandon(True))[1:] == [RoundAbandoned(), RoundStarted(4, 0)]
    assert scene.view.seats[0].last_chance
    assert scene.own(0).hand == ("F", "F")
    scene.first_discs()
    scene.bid(0, 1)
    scene.passes(1, 2)
    scene.flips(0, 0)
    assert LastChanceReturned(0) in scene.press_on()
    assert scene.own(0).hand == ("F",)


def test_it_comes_once_a_game_for_each_player() -> None:
    scene = holder("F")
    scene.win_challenge(0)
    scene.press_on()
    scene.first_discs()
    scene.challenge(1, 2)
    scene.flips(1, 1, 0)
    scene.press_on()
    assert scene.events.count(LastChanceGiven(0)) == 1
    assert scene.own(0).hand == ("F",)
    for lost in ("F", "F", "F"):
        scene.hit_own_skull(1, lost)
        ended = scene.press_on()
    assert ended[-3:] == [PressedOn(2), RoundStarted(scene.view.round, 1), LastChanceGiven(1)]
    assert [seat.last_chance for seat in scene.view.seats] == [False, True, False]
