"""Asking for what is not possible now: the screen says why not, and nothing else happens."""

from typing import Any

import pytest

from skull_protocol import skull
from skull_protocol.skull import Choices


def bidding(world: Any, **own: Any) -> list[Any]:
    """Ana has passed; Boris is to act."""
    seats = [world.seat(passed=True), world.seat(), world.seat(bid=2)]
    view = world.view(seats, phase="bidding", bid=2, bidder=2, to_act=(1,))
    return world.at_table(world.update(view, world.own(Choices(abandon=True), **own)))


def my_turn(world: Any) -> list[Any]:
    view = world.view([world.seat()] * 3, phase="turn", to_act=(0,), starter=0)
    own = world.own(Choices(place=("F",), bid=(1, 3)), hand=("F", "F", "F"), stack=("S",))
    return world.at_table(world.update(view, own))


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("f", "Somebody has bid: no more discs in this round."),
        ("s", "Somebody has bid: no more discs in this round."),
        ("b", "You passed: out until the next round."),
        ("r", "You passed: out until the next round."),
        ("p", "You passed: out until the next round."),
        ("n", "This round is not over yet."),
        ("5", "You passed: out until the next round."),
    ],
)
async def test_a_key_that_is_not_possible_says_why(
    play: Any, world: Any, key: str, sentence: str
) -> None:
    async with play(*bidding(world)) as p:
        assert sentence not in p.text()
        await p.press(key)
        assert sentence in p.text()
        await p.press("enter")
        assert p.link.asked == []


async def test_on_the_own_turn_only_what_is_not_possible_is_explained(
    play: Any, world: Any
) -> None:
    async with play(*my_turn(world)) as p:
        for key, sentence in (
            ("p", "Nobody has bid yet: place a disc or bid."),
            ("s", "Your skull lies on your mat already."),
            ("7", "There are just 3 discs on the mats: no bid can be higher."),
            ("0", "A bid must be higher than 0."),
        ):
            await p.press(key)
            assert sentence in p.text()
        await p.press("2", "enter")
        assert p.link.actions == [skull.Bid(2)]
        assert " ! " not in p.text()


async def test_the_round_that_can_no_longer_be_taken_back(play: Any, world: Any) -> None:
    view = world.view([world.seat()] * 3, phase="round_over", outcome=skull.Outcome(1, 2, None))
    async with play(*world.at_table(world.update(view, world.own(Choices(ready=True))))) as p:
        await p.press("a")
        assert "The challenge is decided: the round cannot be taken back." in p.text()


async def test_the_reason_goes_when_the_game_goes_on(play: Any, world: Any) -> None:
    async with play(*bidding(world)) as p:
        await p.press("b")
        assert "You passed" in p.text()
        update = my_turn(world)[2]
        await p.arrive(world.update(update.view, update.you, seq=8))
        assert "You passed" not in p.text()


async def test_what_is_not_possible_is_named_with_its_keys(play: Any, world: Any) -> None:
    async with play(*bidding(world)) as p:
        assert "not now: f s place  b bid  p pass" in p.text()
    async with play(*my_turn(world)) as p:
        assert "not now: p pass" in p.text()


async def test_either_letter_goes_to_the_bid(play: Any, world: Any) -> None:
    for letter in ("b", "r"):
        async with play(*my_turn(world)) as p:
            await p.press(letter, "enter")
            assert p.link.actions == [skull.Bid(1)]


async def test_a_spectator_is_told_that_they_watch(play: Any, world: Any) -> None:
    people = world.table(world.seats(3), host=world.ME + 1, watchers=("Ida",))
    view = world.view([world.seat()] * 3)
    update = world.update(view, None)
    async with play(world.welcome("Ida"), people, update, world.online()) as p:
        assert "not now" not in p.text()
        await p.press("b")
        assert "You are watching: only those who sit at the table play." in p.text()


async def test_while_somebody_types_letters_are_letters(play: Any, world: Any) -> None:
    async with play(*bidding(world)) as p:
        await p.press("t", "b")
        assert "You passed" not in p.text()


async def test_while_a_bot_plays_nothing_is_explained(play: Any, world: Any) -> None:
    seats = list(world.seats(3))
    seats[0] = type(seats[0])(world.ME, "Ana", True, False, True)
    _, _, update, _ = bidding(world)
    table = world.table(tuple(seats))
    async with play(world.welcome(), table, update, world.online()) as p:
        await p.press("b")
        assert "You passed" not in p.text()
