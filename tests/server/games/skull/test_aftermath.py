"""Rules, "A round", 7: showing after a failure, and pressing on."""

from tests.server.games.skull.scene import Scene

from skull_protocol.skull import Choices, Pick, PressedOn, Ready, RoundStarted, Show, Shown


def failed() -> Scene:
    """Seat 0 failed; left on the mats, bottom first: seat 1 F S(up), seat 2 F S."""
    scene = Scene(3)
    scene.first_discs(s1="F", s2="F")
    scene.place(0, "F")
    scene.place(1, "S")
    scene.place(2, "S")
    scene.bid(0, 5)
    scene.passes(1, 2)
    scene.flips(0, 0, 0, 1)
    scene.do(1, Pick(0))
    return scene


def test_face_down_discs_may_be_shown_in_any_order() -> None:
    scene = failed()
    assert scene.game.is_pause()
    assert scene.own(1).choices == Choices(show=(0,), ready=True)
    assert scene.own(2).choices == Choices(show=(0, 1), ready=True)
    assert scene.do(2, Show(0)) == [Shown(2, 0, "F")]
    assert scene.view.seats[2].stack == ("F", None)
    assert scene.own(2).stack == ("F", "S")
    assert scene.do(2, Show(1)) == [Shown(2, 1, "S")]
    assert scene.own(2).choices == Choices(ready=True)
    assert scene.do(1, Show(0)) == [Shown(1, 0, "F")]


def test_what_cannot_be_shown() -> None:
    scene = failed()
    for seat, position in ((1, 1), (1, 2), (2, 2), (2, -1), (2, 2**53), (0, 0)):
        assert scene.refused(seat, Show(position)).code == "nothing_to_flip"
    scene.do(2, Show(0))
    assert scene.refused(2, Show(0)).code == "nothing_to_flip"


def test_the_challengers_mat_is_empty_and_shows_nothing() -> None:
    scene = failed()
    assert scene.view.seats[0].stack == ()
    assert scene.own(0).choices == Choices(ready=True)


def test_nothing_is_shown_after_a_success_or_during_a_round() -> None:
    scene = Scene(3)
    assert scene.refused(1, Show(0)).code == "wrong_phase"
    scene.first_discs()
    assert scene.refused(1, Show(0)).code == "wrong_phase"
    scene.challenge(0, 1)
    scene.flips(0, 0)
    assert scene.game.is_pause()
    assert scene.own(1).choices == Choices(ready=True)
    assert scene.refused(1, Show(0)).code == "wrong_phase"


def test_showing_changes_nothing_else_and_is_possible_after_pressing_on() -> None:
    scene = failed()
    scene.do(2, Ready())
    scene.do(2, Show(1))
    assert scene.to_act() == [0, 1]
    scene.press_on()
    assert scene.own(2).hand == ("F", "F", "F", "S")


def test_the_next_round_waits_until_everybody_has_pressed_on() -> None:
    scene = failed()
    assert scene.to_act() == [0, 1, 2]
    assert scene.do(1, Ready()) == [PressedOn(1)]
    assert scene.to_act() == [0, 2]
    assert [seat.ready for seat in scene.view.seats] == [False, True, False]
    assert scene.refused(1, Ready()).code == "not_your_turn"
    scene.do(0, Ready())
    assert scene.do(2, Ready()) == [PressedOn(2), RoundStarted(2, 0)]
    assert not scene.game.is_pause()
    assert [seat.ready for seat in scene.view.seats] == [False] * 3


def test_nobody_presses_on_while_there_is_something_to_do() -> None:
    scene = Scene(3)
    assert scene.refused(0, Ready()).code == "wrong_phase"
    scene.hit_own_skull(0)
    assert not scene.game.is_pause()
    assert scene.refused(1, Ready()).code == "wrong_phase"


def test_seats_that_do_not_exist_are_refused() -> None:
    scene = Scene(3)
    for seat in (-1, 3, 6):
        assert scene.refused(seat, Ready()).code == "out_of_range"
