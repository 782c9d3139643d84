"""A game that is over, played by itself: at a speed, until the end or a key."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.client.screens.test_replay import GAME, SHORT, SHORT_STEPS, STEPS, TURNS, look

from skull_client.moments import Mark
from skull_client.widgets.board import Board
from skull_protocol.pushes import Error, GameSteps


class Clock:
    """A clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_it_plays_at_a_speed_and_stops_at_the_end(play: Any, world: Any) -> None:
    clock = Clock()
    async with play(*world.lobby(), clock=clock) as p:
        replay = await look(p, SHORT, SHORT_STEPS)
        quiet = set(replay._timers)

        async def passes(seconds: float) -> int:
            clock.now += seconds
            replay.play_on()
            await p.settle()
            return replay.at  # type: ignore[no-any-return]

        assert await passes(100) == 0
        await p.press("space")
        assert "Playing: a step a second" in p.text()
        assert "p stop" in p.text()
        assert await passes(0.9) == 0
        assert await passes(0.2) == 1
        assert await passes(1.0) == 2
        assert await passes(60) == 3, "however late it is, no step is left out"
        assert await passes(0.9) == 3
        await p.press("4")
        assert await passes(0.3) == 4
        await p.press("s")
        assert "2 steps a second" in p.text()
        assert await passes(0.3) == 4
        assert await passes(0.3) == 5
        await p.press("f", "plus", "minus", "minus", "minus", "minus")
        assert "a step every 2 seconds" in p.text()
        assert await passes(1.9) == 5
        assert await passes(0.2) == 6
        await p.press("p")
        assert await passes(60) == 6
        assert "Playing" not in p.text()
        await p.press("end", "left", "p")
        assert await passes(3) == len(SHORT_STEPS) - 1
        assert not replay.playing
        assert set(replay._timers) == quiet, "what has stopped costs nothing"
        await p.press("p")
        assert replay.at == 0, "at the end it plays from the beginning"
        assert await passes(2.1) == 1


@pytest.mark.parametrize("key", ["left", "right", "up", "down", "home", "end", "c", "x", "e"])
async def test_a_key_that_goes_somewhere_stops_it(
    play: Any, world: Any, home: Path, key: str
) -> None:
    async with play(*world.lobby(), clock=Clock()) as p:
        replay = await look(p)
        await p.press("p")
        assert replay.playing
        await p.press(key)
        assert not replay.playing


async def test_what_nobody_sees_is_not_played(play: Any, world: Any) -> None:
    async with play(*world.lobby(), clock=Clock()) as p:
        replay = await look(p)
        await p.press("p", "question_mark")
        assert not replay.playing


async def test_it_waits_for_steps_that_have_not_come(play: Any, world: Any) -> None:
    clock = Clock()
    async with play(*world.lobby(), clock=clock) as p:
        replay = await look(p, GAME, STEPS[:2])
        await p.press("right", "p")
        for _ in range(3):
            clock.now += 1.1
            replay.play_on()
        await p.settle()
        assert (replay.at, replay.playing) == (1, True)
        await p.arrive(GameSteps(GAME, 2, STEPS[2:]))
        clock.now += 1.1
        replay.play_on()
        assert replay.at == 2


async def test_it_does_not_wait_for_steps_that_will_not_come(play: Any, world: Any) -> None:
    async with play(*world.lobby(), clock=Clock()) as p:
        p.link.answering = asyncio.Event()
        p.link.refusal = Error(1, "no_such_game", "That game was played by older rules.")
        replay = await look(p, GAME, STEPS[:2])
        await p.press("p")
        assert replay.playing
        p.link.answering.set()
        await p.settle()
        assert not replay.playing
        assert "older rules" in p.text()


async def test_discs_turn_over_one_step_on_and_nowhere_else(play: Any, world: Any) -> None:
    clock = Clock()
    async with play(*world.lobby(), motion=True, clock=clock) as p:
        replay = await look(p)
        board = replay.query_one(Board)
        flip = TURNS[0]
        await p.press(*["right"] * flip)
        assert set(board.picture.stages.values()) == {"back"}
        await p.press("right", "left")
        assert board.picture.stages == {}, "one step back, discs lie as they lay"
        replay.marks = (Mark(TURNS[1], "Here."),)
        await p.press("left", "m")
        assert replay.at == TURNS[1] > flip
        assert board.picture.stages == {}, "a jump shows how discs lie, and not how they turned"
        assert not board.moving
        await p.press("home", *["right"] * (flip - 1))
        await p.press("4", "p")
        clock.now += 1
        replay.play_on()
        await p.settle()
        assert replay.at == flip
        assert board.picture.stages == {}, "the next step comes before they have turned"


async def test_without_motion_nothing_turns(play: Any, world: Any) -> None:
    async with play(*world.lobby(), motion=False, clock=Clock()) as p:
        replay = await look(p)
        await p.press(*["right"] * TURNS[0])
        assert replay.query_one(Board).picture.stages == {}
