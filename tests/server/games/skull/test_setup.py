"""Rules, "Set-up": seats, discs, the first starter, the travel set, options that cannot be."""

from collections import Counter
from random import Random
from typing import Literal

import pytest
from tests.server.games.skull.scene import Scene

from skull_protocol.errors import Refusal
from skull_protocol.skull import RoundStarted, SkullOptions, is_skull
from skull_server.games.skull.game import SkullGame


def starter(
    first: Literal["flowers", "random"], seats: int, seed: int, *flowers: int | None
) -> int:
    game = SkullGame(SkullOptions(first_player=first), seats, Random(seed), flowers)
    (begun,) = game.opening()
    assert begun == RoundStarted(1, game.view().starter)
    return game.view().starter


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_starts_with_three_flowers_and_a_skull_in_hand(seats: int) -> None:
    scene = Scene(seats)
    assert len(scene.view.seats) == seats
    for seat, public in enumerate(scene.view.seats):
        assert scene.own(seat).hand == ("F", "F", "F", "S")
        assert (public.hand, public.discs, public.stack, public.points) == (4, 4, (), 0)


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(Refusal) as caught:
        SkullGame(SkullOptions(), seats, Random(1))
    assert caught.value.code == "bad_options"


def test_the_host_may_choose_the_first_seat() -> None:
    for seat in range(4):
        assert Scene(4, first_player=seat, flowers=(3, 2, 1, 0)).view.starter == seat


def test_a_first_seat_nobody_sits_in_is_refused() -> None:
    Scene(3, first_player=2)
    with pytest.raises(Refusal) as caught:
        Scene(3, first_player=3)
    assert caught.value.code == "bad_options"


def test_last_chance_and_travel_set_exclude_each_other() -> None:
    Scene(last_chance=True)
    Scene(equipment="cards")
    with pytest.raises(Refusal) as caught:
        Scene(last_chance=True, equipment="cards")
    assert caught.value.code == "bad_options"
    assert "Last Chance" in caught.value.sentence


def test_answers_must_be_one_for_each_seat() -> None:
    with pytest.raises(ValueError, match="2 answers"):
        Scene(3, flowers=(1, None))


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("first", ["random", "flowers"])
def test_every_seat_is_drawn_equally_often_as_first_starter(
    first: Literal["random", "flowers"], seats: int
) -> None:
    drawn = Counter(starter(first, seats, seed) for seed in range(600))
    assert set(drawn) == set(range(seats))
    expected = 600 / seats
    assert sum((n - expected) ** 2 / expected for n in drawn.values()) < 21  # 5 df: p < 0.001


def test_who_gave_flowers_most_recently_starts() -> None:
    for seed in range(20):
        assert starter("flowers", 4, seed, 30, 2, None, 400) == 1
        assert starter("flowers", 4, seed, None, None, None, 36_500) == 3
        assert starter("flowers", 3, seed, 0, 1, None) == 0


def test_ties_about_flowers_are_drawn_among_the_tied_only() -> None:
    drawn = Counter(starter("flowers", 5, seed, 9, 1, None, 1, 1) for seed in range(300))
    assert set(drawn) == {1, 3, 4}
    assert min(drawn.values()) > 70


def test_flowers_do_not_matter_to_a_random_first_starter() -> None:
    assert {starter("random", 3, seed, 0, None, None) for seed in range(40)} == {0, 1, 2}


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_travel_set_is_dealt_from_one_pack(seats: int) -> None:
    dealt = set()
    for seed in range(60):
        scene = Scene(seats, seed=seed, equipment="cards")
        hands = [scene.own(seat).hand for seat in range(seats)]
        cards = [card for hand in hands for card in hand]
        assert len(set(cards)) == 4 * seats
        for hand in hands:
            assert [is_skull(card) for card in hand] == [False, False, False, True]
            assert all(
                card[:-1] in {"2", "3", "4", "5", "6", "7", "8", "9", "10"} for card in hand[:3]
            )
            assert hand[3][0] in "JQK"
        dealt.update(cards)
    assert len(dealt) == 48  # all but the aces


def test_a_travel_set_plays_like_discs() -> None:
    scene = Scene(3, equipment="cards")
    flower, skull = scene.own(0).hand[0], scene.own(1).hand[3]
    scene.place(1, skull)
    scene.place(2, scene.own(2).hand[0])
    scene.place(0, flower)
    scene.bid(0, 2)
    scene.passes(1, 2)
    scene.flips(0, 0, 1)
    assert scene.view.outcome is not None
    assert scene.view.outcome.skull == 1
    assert scene.view.phase == "pick"
