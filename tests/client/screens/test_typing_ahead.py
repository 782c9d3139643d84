"""Keys that come faster than the screen: none of them does what it was not pressed for."""

from typing import Any

from textual import events

from skull_client.screens.ask import Ask
from skull_protocol import skull
from skull_protocol.requests import LeaveTable
from skull_protocol.skull import Choices


def burst(app: Any, *keys: str) -> None:
    """Let keys arrive at once, before any of them is dealt with."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else None))


def placing(world: Any) -> Any:
    view = world.view([world.seat(), world.seat(), world.seat()])
    return world.at_table(world.update(view, world.own(Choices(place=("F", "S")))))


async def test_enter_twice_acts_once(play: Any, world: Any) -> None:
    async with play(*placing(world)) as p:
        await p.press("f")
        burst(p.app, "enter", "enter", "enter")
        await p.settle()
        assert p.link.actions == [skull.Place("F")]


async def test_enter_does_not_answer_a_question_that_was_not_there_yet(
    play: Any, world: Any
) -> None:
    async with play(*placing(world)) as p:
        burst(p.app, "l", "down", "enter")
        await p.settle()
        assert isinstance(p.app.screen, Ask)
        assert [request for request, _ in p.link.asked if request is LeaveTable] == []
        await p.press("end", "enter")
        assert [request for request, _ in p.link.asked if request is LeaveTable] == [LeaveTable]


async def test_keys_for_one_screen_all_count(play: Any, world: Any) -> None:
    async with play(*placing(world)) as p:
        burst(p.app, "right", "right", "enter")
        await p.settle()
        assert p.link.actions == [skull.Place("S")]
