"""Discs turn over in front of everybody: briefly, in the right place, and in nobody's way."""

from typing import Any

import pytest

from skull_client.widgets.board import Board
from skull_client.widgets.motion import LASTS, Motion, flipped_between
from skull_protocol import skull
from skull_protocol.skull import Choices, Outcome


class Clock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def challenge(world: Any, *stacks: tuple[str | None, ...], **more: Any) -> Any:
    """The reader is the challenger of four, and these lie on the mats."""
    flowers = sum(face == "F" for stack in stacks for face in stack)
    seats = [world.seat(stack=stack) for stack in stacks]
    view = {"phase": "challenge", "bid": 4, "bidder": 0, "flowers": flowers, **more}
    return world.view(seats, **view)


def test_what_was_flipped_is_what_lay_face_down_before(world: Any) -> None:
    before = challenge(world, ("F", "F"), (None, None), (None,))
    after = challenge(world, ("F", "F"), (None, "S"), (None,))
    assert flipped_between(before, after) == {(1, 1)}
    assert flipped_between(after, after) == frozenset()
    assert flipped_between(after, before) == frozenset()


def test_discs_taken_back_and_laid_anew_are_not_flipped(world: Any) -> None:
    before = challenge(world, (None, None), (None,))
    assert flipped_between(before, challenge(world, ("F",), ("F",), round=4)) == frozenset()


def test_a_disc_shows_its_back_its_edge_and_its_face_within_400_ms() -> None:
    motion = Motion(100.0, frozenset({(1, 0)}))
    seen = []
    now = 100.0
    while (wait := motion.next_change(now)) is not None:
        seen.append(motion.at(now)[1, 0])
        assert wait > 0
        now += wait + 0.001
    assert seen == ["back", "edge", "face"]
    assert now - 100.0 == pytest.approx(LASTS, abs=0.01)
    assert LASTS < 0.4
    assert motion.at(now) == {}
    assert motion.at(99.0) == {}, "a clock that went back moves nothing"


async def flip(p: Any, world: Any) -> Any:
    """The reader's top disc is turned over. Returns the table."""
    own = world.own(Choices(flip=(0,)), hand=("S",), stack=("F", "F"))
    await p.arrive(world.update(challenge(world, (None, None), (None,), (None,)), own))
    flipped = challenge(world, (None, "F"), (None,), (None,))
    await p.arrive(world.update(flipped, own, skull.Flipped(0, 0, "F"), seq=8))
    return p.app.screen.query_one(Board)


async def test_a_flip_is_a_moment_and_no_key_waits_for_it(play: Any, world: Any) -> None:
    clock = Clock()
    start = world.at_table(world.update(challenge(world, (None,), (None,), (None,)), None))
    async with play(*start, motion=True, clock=clock) as p:
        board = await flip(p, world)
        text = p.text()
        assert "Flowers: 0 of 4" in text, "it is on its back still"
        assert "■" in text.splitlines()[9] or "■" in text.splitlines()[10]
        await p.press("enter")
        assert p.link.actions == [skull.Flip(0)]

        clock.now += 0.1
        board.advance()
        await p.settle()
        assert set(board.picture.stages.values()) == {"edge"}
        clock.now += 0.1
        board.advance()
        await p.settle()
        assert "Flowers: 1 of 4" in p.text()
        clock.now += 0.2
        board.advance()
        await p.settle()
        assert board.picture.stages == {}
        assert not board.moving, "nothing is drawn any more, and so no byte sent"


async def test_without_motion_the_face_is_there_at_once(play: Any, world: Any) -> None:
    start = world.at_table(world.update(challenge(world, (None,), (None,), (None,)), None))
    async with play(*start, motion=False) as p:
        board = await flip(p, world)
        assert "Flowers: 1 of 4" in p.text()
        assert not board.moving


async def test_a_second_flip_ends_the_motion_of_the_first(play: Any, world: Any) -> None:
    start = world.at_table(world.update(challenge(world, (None,), (None,), (None,)), None))
    async with play(*start, motion=True, clock=Clock()) as p:
        board = await flip(p, world)
        own = world.own(Choices(), hand=("S",), stack=("F", "F"))
        lost = challenge(world, (None, "F"), ("S",), (None,), outcome=Outcome(0, 4, 1))
        events = (skull.Flipped(0, 1, "S"), skull.ChallengeLost(0, 1))
        await p.arrive(world.update(lost, own, *events, seq=9))
        assert dict(board.picture.stages) == {(1, 0): "back"}
        assert "Flowers: 1 of 4" in p.text()


async def test_what_came_of_a_flip_is_told_when_its_face_is_seen(play: Any, world: Any) -> None:
    clock = Clock()
    start = world.at_table(world.update(challenge(world, (None,), (None,), (None,)), None))
    async with play(*start, motion=True, clock=clock) as p:
        lost = challenge(world, (None,), ("S",), (None,), outcome=Outcome(0, 4, 1), to_act=(1,))
        await p.arrive(world.update(lost, None, skull.Flipped(0, 1, "S"), seq=8))
        words = "Ana loses the challenge to Boris's skull."
        assert words not in p.text()
        clock.now += 0.2
        p.app.screen.query_one(Board).advance()
        await p.settle()
        assert words in p.text()
