"""Rules, "A round", 6 and 8: which disc is lost and who knows, elimination, the next starter."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.skull import (
    Bid,
    ChallengeLost,
    ChallengeStarted,
    Choices,
    DiscLost,
    Eliminated,
    Flip,
    Flipped,
    GameWon,
    Lose,
    NameStarter,
    Pass,
    Pick,
    Place,
    Ready,
    RoundStarted,
    Show,
    SkullOptions,
    StarterNamed,
)
from skull_server.games.skull.game import SkullGame


def one_disc_left(disc: str, seats: int = 3, **options: Any) -> Scene:
    """Seat 0 is down to this disc, and starts."""
    scene = Scene(seats, **options)
    for lost in ("F", "F", "S" if disc == "F" else "F"):
        scene.hit_own_skull(0, lost)
        scene.press_on()
    assert scene.own(0).hand == (disc,)
    assert scene.view.starter == 0
    return scene


# -- somebody else's skull


def test_the_skulls_owner_picks_blind_by_position() -> None:
    scene = Scene(3)
    scene.first_discs(s1="S")
    scene.place(0, "F")
    scene.place(1, "F")
    scene.place(2, "F")
    scene.bid(0, 5)
    scene.passes(1, 2)
    scene.flips(0, 0, 0, 1)
    assert scene.flips(0, 1) == [Flipped(0, 1, "S"), ChallengeLost(0, 1)]
    assert scene.to_act() == [1]
    assert scene.own(1).choices == Choices(pick=4)
    assert scene.own(0).choices == scene.own(2).choices == Choices()
    for seat in (0, 2):
        assert scene.refused(seat, Pick(0)).code == "not_your_turn"
    for position in (-1, 4, 2**53):
        assert scene.refused(1, Pick(position)).code == "out_of_range"
    assert scene.refused(1, Lose("F")).code == "wrong_phase"
    (lost,) = scene.do(1, Pick(3))
    assert isinstance(lost, DiscLost)
    assert (lost.seat, lost.left) == (0, 3)
    assert scene.own(0).lost == (lost.disc,)
    assert scene.view.phase == "round_over"


def test_fewer_discs_are_offered_when_fewer_are_left() -> None:
    scene = Scene(2)
    for left in (4, 3, 2):
        scene.first_discs(s0="F" if "F" in scene.own(0).hand else "S", s1="S")
        scene.challenge(0, 2)
        scene.flips(0, 0, 1)
        assert scene.own(1).choices == Choices(pick=left)
        assert scene.refused(1, Pick(left)).code == "out_of_range"
        offered = [replayed_loss(scene, position) for position in range(left)]
        scene.do(1, Pick(offered.index("S") if "S" in offered else 0))
        scene.press_on()
    assert scene.own(0).hand == ("F",)


def replayed_loss(scene: Scene, position: int) -> str | None:
    """What a pick would take, found out in a copy of the game."""
    game = SkullGame(scene.options, scene.seats, Random(scene.seed), scene.flowers)
    for seat, action in scene.actions:
        game.apply(seat, action)
    (lost,) = game.apply(1, Pick(position))
    assert isinstance(lost, DiscLost)
    return lost.disc


def test_played_and_unplayed_discs_alike_are_offered_and_the_mat_is_empty() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    assert scene.view.seats[0].stack == ()
    assert scene.view.seats[0].hand == 4
    assert scene.view.seats[1].stack == ("S",)
    assert scene.view.seats[2].stack == (None,)
    assert scene.own(0).hand == ("F", "F", "F", "S")


def test_which_disc_was_lost_is_known_to_the_challenger_alone() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    (lost,) = scene.do(1, Pick(2))
    assert isinstance(lost, DiscLost)
    assert scene.game.event_for(lost, 0) == lost
    for viewer in (1, 2, None):
        assert scene.game.event_for(lost, viewer) == DiscLost(0, None, 3)
    assert scene.own(1).lost == scene.own(2).lost == ()


def test_blind_losses_are_uniform_and_independent_of_the_position() -> None:
    tries = 20_000
    chosen = Random(77)
    lost: Counter[tuple[int, str]] = Counter()
    for seed in range(tries):
        game = SkullGame(SkullOptions(first_player=0), 2, Random(seed))
        position = chosen.randrange(4)
        for seat, action in (
            (1, Place("S")),
            (0, Place("F")),
            (0, Bid(2)),
            (0, Flip(0)),
            (0, Flip(1)),
        ):
            game.apply(seat, action)
        (event,) = game.apply(1, Pick(position))
        assert isinstance(event, DiscLost)
        assert event.disc is not None
        lost[position, event.disc] += 1
    skulls = sum(n for (_, disc), n in lost.items() if disc == "S")
    assert 0.24 < skulls / tries < 0.26
    deviation = 0.0
    for position in range(4):
        taken = lost[position, "S"] + lost[position, "F"]
        for disc, share in (("S", 0.25), ("F", 0.75)):
            deviation += (lost[position, disc] - share * taken) ** 2 / (share * taken)
    assert deviation < 18.5  # 4 degrees of freedom: p < 0.001


def test_the_last_disc_is_lost_without_asking() -> None:
    scene = one_disc_left("F")
    scene.first_discs(s2="S")
    scene.challenge(0, 2)
    assert scene.flips(0, 0, 2)[1:] == [
        Flipped(0, 2, "S"),
        ChallengeLost(0, 2),
        DiscLost(0, "F", 0),
        Eliminated(0),
    ]
    assert scene.view.phase == "round_over"


# -- the own skull


def test_own_skull_the_challenger_chooses_secretly() -> None:
    scene = Scene(3)
    scene.hit_own_skull(0)
    assert scene.view.phase == "lose"
    assert scene.to_act() == [0]
    assert scene.own(0).choices == Choices(lose=("F", "S"))
    assert scene.own(1).choices == Choices()
    assert scene.refused(1, Lose("F")).code == "not_your_turn"
    assert scene.refused(0, Pick(0)).code == "wrong_phase"
    assert scene.refused(0, Lose("7h")).code == "not_in_hand"
    assert scene.do(0, Lose("S")) == [DiscLost(0, "S", 3)]
    assert scene.own(0).hand == ("F", "F", "F")
    assert scene.own(0).lost == ("S",)
    assert scene.view.seats[0].discs == 3
    scene.press_on()
    assert scene.refused(1, Lose("F")).code == "wrong_phase"


def test_own_skull_at_random_asks_nobody_and_draws_uniformly() -> None:
    lost: Counter[str | None] = Counter()
    for seed in range(4000):
        game = SkullGame(SkullOptions(first_player=0, own_skull="random"), 2, Random(seed))
        for seat, action in ((1, Place("F")), (0, Place("S")), (0, Bid(1)), (1, Pass())):
            game.apply(seat, action)
        event = game.apply(0, Flip(0))[-1]
        assert isinstance(event, DiscLost)
        lost[event.disc] += 1
    assert game.is_pause()
    assert 0.22 < lost["S"] / 4000 < 0.28


def test_own_skull_option_does_not_touch_anothers_skull() -> None:
    scene = Scene(3, own_skull="random")
    scene.hit_skull_of(1, challenger=0)
    assert scene.view.phase == "pick"


# -- the next starter, after each way a challenge can end


def test_after_a_loss_the_challenger_starts() -> None:
    by_another = Scene(4)
    by_another.first_discs(s3="S")
    by_another.challenge(2, 3)
    by_another.flips(2, 2, 3)
    by_another.do(3, Pick(0))
    assert by_another.press_on()[-1] == RoundStarted(2, 2)
    by_own = Scene(4)
    by_own.hit_own_skull(2, "F")
    assert by_own.press_on()[-1] == RoundStarted(2, 2)


def test_eliminated_by_anothers_skull_its_owner_starts() -> None:
    for owner in (1, 2, 3):
        scene = one_disc_left("F", seats=4)
        scene.hit_skull_of(owner, challenger=0)
        assert scene.view.phase == "round_over"
        assert scene.press_on()[-1] == RoundStarted(5, owner)


def test_eliminated_by_the_own_skull_they_name_the_next_starter() -> None:
    scene = one_disc_left("S", seats=4)
    scene.hit_own_skull(0)
    assert scene.events[-2:] == [DiscLost(0, "S", 0), Eliminated(0)]
    assert scene.view.phase == "name_starter"
    assert scene.to_act() == [0]
    assert scene.own(0).choices == Choices(name_starter=(1, 2, 3))
    for seat in (-1, 0, 4, 2**53):
        assert scene.refused(0, NameStarter(seat)).code == "out_of_range"
    for seat in (1, 2, 3):
        assert scene.refused(seat, NameStarter(2)).code == "not_your_turn"
        assert scene.own(seat).choices == Choices()
    assert scene.refused(0, Ready()).code == "wrong_phase"
    assert scene.do(0, NameStarter(2)) == [StarterNamed(0, 2)]
    assert scene.refused(0, NameStarter(1)).code == "eliminated"
    assert scene.press_on()[-1] == RoundStarted(5, 2)


@pytest.mark.parametrize("challenger", [0, 1, 3])
def test_eliminated_by_the_own_skull_or_left_starts(challenger: int) -> None:
    scene = Scene(4, first_player=challenger, self_elimination_starter="left")
    for lost in ("F", "F", "F"):
        scene.hit_own_skull(challenger, lost)
        scene.press_on()
    scene.hit_own_skull(challenger)
    assert scene.view.phase == "round_over"
    assert scene.press_on()[-1] == RoundStarted(5, (challenger + 1) % 4)


def test_left_skips_the_eliminated_and_not_those_who_passed() -> None:
    scene = one_disc_left("S", seats=4, self_elimination_starter="left")
    scene.hit_own_skull(0)
    scene.press_on()  # 1 starts now, 0 is out
    scene.win_challenge(3)
    scene.press_on()
    assert scene.view.starter == 3
    for lost in ("F", "F", "F"):
        scene.hit_own_skull(3, lost)
        scene.press_on()
    scene.hit_own_skull(3)
    assert scene.view.seats[1].passed
    assert scene.press_on()[-1] == RoundStarted(scene.view.round, 1)


# -- eliminated


def test_the_eliminated_are_never_awaited_asked_bid_for_or_named() -> None:
    scene = one_disc_left("S", seats=4)
    scene.hit_own_skull(0)
    scene.do(0, NameStarter(3))
    own, public = scene.own(0), scene.view.seats[0]
    assert (own.hand, own.stack, own.choices) == ((), (), Choices())
    assert own.lost == ("F", "F", "F", "S")
    assert (public.hand, public.stack, public.discs, public.eliminated) == (0, (), 0, True)
    assert scene.to_act() == [1, 2, 3]
    scene.press_on()
    assert scene.to_act() == [1, 2]  # the starter comes last
    for action in (
        Place("F"),
        Bid(1),
        Pass(),
        Flip(1),
        Pick(0),
        Lose("F"),
        NameStarter(1),
        Show(0),
        Ready(),
    ):
        assert scene.refused(0, action).code == "eliminated"
    scene.first_discs()
    assert scene.view.discs_on_mats == 3
    assert scene.refused(3, Bid(4)).code == "bid_out_of_range"
    scene.place(3, "F")
    assert scene.to_act() == [1]  # 0 is skipped
    scene.bid(1, 3)
    scene.passes(2)
    assert scene.passes(3)[-1] == ChallengeStarted(1, 3)
    scene.flips(1, 1)
    assert scene.own(1).choices.flip == (2, 3)
    assert scene.refused(1, Flip(0)).code == "nothing_to_flip"
    scene.flips(1, 2, 3)
    assert scene.to_act() == [1, 2, 3]


def test_the_last_one_left_wins_when_the_other_hits_the_own_skull() -> None:
    scene = one_disc_left("S", seats=2)
    scene.hit_own_skull(0)
    assert scene.events[-3:] == [DiscLost(0, "S", 0), Eliminated(0), GameWon(1, "last_player")]
    assert scene.view.phase == "game_over"
    assert scene.game.winner() == 1
    assert scene.to_act() == []
    assert scene.game.legal_actions(0) == scene.game.legal_actions(1) == ()


def test_the_last_one_left_wins_by_their_skull() -> None:
    scene = one_disc_left("F", seats=2)
    scene.hit_skull_of(1, challenger=0)
    assert scene.events[-1] == GameWon(1, "last_player")
    assert scene.view.winner == 1
    assert scene.to_act() == []


def test_discs_go_back_to_hand_after_each_round() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, challenger=0)
    scene.do(1, Pick(0))
    scene.press_on()
    assert [seat.hand for seat in scene.view.seats] == [3, 4, 4]
    assert [seat.stack for seat in scene.view.seats] == [(), (), ()]
    scene.win_challenge(0)
    scene.press_on()
    assert [seat.hand for seat in scene.view.seats] == [3, 4, 4]
    assert scene.own(2).hand == ("F", "F", "F", "S")
