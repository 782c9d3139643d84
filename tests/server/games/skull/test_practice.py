"""Rules, "Variants": the practice round awards no point and takes no disc."""

from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    ChallengeWon,
    LastChanceGiven,
    Outcome,
    PracticeOver,
    PressedOn,
    RoundStarted,
    Show,
)


def test_it_is_round_0_and_the_first_starter_starts_it() -> None:
    scene = Scene(3, practice=True, first_player=2)
    assert scene.game.opening() == [RoundStarted(0, 2)]
    assert scene.view.round == 0
    assert Scene(3).game.opening() == [RoundStarted(1, 0)]


def test_a_success_earns_nothing_and_the_first_starter_starts_again() -> None:
    scene = Scene(3, practice=True, first_player=2)
    scene.first_discs()
    scene.challenge(1, 1)
    assert scene.flips(1, 1)[-1] == ChallengeWon(1, 0)
    assert scene.view.phase == "round_over"
    pressed: list[object] = [PressedOn(seat) for seat in range(3)]
    assert scene.press_on() == [*pressed, PracticeOver(), RoundStarted(1, 2)]
    assert [seat.points for seat in scene.view.seats] == [0, 0, 0]
    assert [seat.hand for seat in scene.view.seats] == [4, 4, 4]


def test_a_failure_costs_nothing_and_asks_nobody() -> None:
    by_another = Scene(3, practice=True)
    by_another.hit_skull_of(1, challenger=0)
    assert by_another.view.outcome == Outcome(0, 2, 1)
    assert by_another.view.phase == "round_over"
    by_another.do(2, Show(0))
    by_own = Scene(3, practice=True)
    by_own.hit_own_skull(0)
    assert by_own.view.phase == "round_over"
    for scene in (by_another, by_own):
        assert scene.press_on()[-2:] == [PracticeOver(), RoundStarted(1, 0)]
        for seat in range(3):
            assert scene.own(seat).hand == ("F", "F", "F", "S")
            assert scene.own(seat).lost == ()


def test_the_next_round_counts() -> None:
    scene = Scene(3, practice=True, last_chance=True)
    scene.win_challenge(0)
    scene.press_on()
    scene.win_challenge(0)
    scene.press_on()
    assert scene.view.round == 2
    assert scene.view.seats[0].points == 1
    for _ in range(3):
        scene.hit_own_skull(0, "F")
        scene.press_on()
    assert scene.events.count(PracticeOver()) == 1
    assert scene.events.count(LastChanceGiven(0)) == 1
    assert scene.view.seats[0].points == 1
