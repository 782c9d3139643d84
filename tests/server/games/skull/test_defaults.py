"""Rules, "Out of time": what is done for a player whose clock ran out."""

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import Bid, Flip, Lose, NameStarter, Pass, Pick, Place, Ready, SkullAction


def drawn(scene: Scene, seat: int) -> set[SkullAction]:
    return {scene.game.default_action(seat) for _ in range(100)}


def test_initial_disc_any_of_the_hand() -> None:
    assert drawn(Scene(3), 1) == {Place("F"), Place("S")}


def test_on_a_turn_any_of_the_hand_or_a_bid_of_1_without_one() -> None:
    scene = Scene(2)
    scene.first_discs(s0="F", s1="S")
    assert drawn(scene, 0) == {Place("F"), Place("S")}
    for _ in range(2):
        scene.place(0, "F")
        scene.place(1, "F")
    scene.place(0, "S")
    scene.place(1, "F")
    assert drawn(scene, 0) == {Bid(1)}


def test_in_the_bidding_pass() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.bid(0, 1)
    assert drawn(scene, 1) == {Pass()}


def test_in_the_challenge_the_own_top_disc_then_any_other_stack() -> None:
    scene = Scene(4)
    scene.first_discs()
    scene.challenge(0, 3)
    assert drawn(scene, 0) == {Flip(0)}
    scene.flips(0, 0)
    assert drawn(scene, 0) == {Flip(1), Flip(2), Flip(3)}
    scene.flips(0, 2)
    assert drawn(scene, 0) == {Flip(1), Flip(3)}


def test_blind_pick_and_own_loss_at_random() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    assert drawn(scene, 1) == {Pick(position) for position in range(4)}
    own = Scene(3)
    own.hit_own_skull(0)
    assert drawn(own, 0) == {Lose("F"), Lose("S")}


@pytest.mark.parametrize(("challenger", "next_seat"), [(0, 1), (2, 0)])
def test_next_starter_the_next_clockwise(challenger: int, next_seat: int) -> None:
    scene = Scene(3, first_player=challenger)
    for _ in range(3):
        scene.hit_own_skull(challenger, "F")
        scene.press_on()
    scene.hit_own_skull(challenger)
    assert drawn(scene, challenger) == {NameStarter(next_seat)}


def test_showing_nothing() -> None:
    scene = Scene(3)
    scene.hit_own_skull(0, "F")
    assert drawn(scene, 1) == {Ready()}


def test_nobody_is_acted_for_who_is_not_waited_for() -> None:
    scene = Scene(3)
    with pytest.raises(ValueError, match="not waited for"):
        scene.game.default_action(0)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_of_absent_players_runs_on_legal_actions(seed: int) -> None:
    scene = Scene(4, seed=seed)
    for _ in range(300):
        for seat in scene.to_act():
            if seat in scene.game.to_act():
                action = scene.game.default_action(seat)
                assert action in scene.game.legal_actions(seat)
                scene.do(seat, action)


def test_asking_for_defaults_does_not_shift_the_games_dice() -> None:
    asked, quiet = Scene(3, seed=9), Scene(3, seed=9)
    asked.game.default_action(1)
    for scene in (asked, quiet):
        scene.hit_skull_of(1, challenger=0)
        if scene is asked:
            scene.game.default_action(1)
        scene.do(1, Pick(1))
    assert asked.everything() == quiet.everything()
    assert asked.events == quiet.events
