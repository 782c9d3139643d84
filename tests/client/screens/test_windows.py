"""Windows above windows: keys and answers that come when another has opened above, or late."""

from typing import Any

from textual import events

from skull_client.screens.help import Help
from skull_client.screens.phrases import Phrases
from skull_client.screens.table import TableRoom
from skull_protocol.skull import Choices


def table(world: Any) -> list[Any]:
    view = world.view([world.seat() for _ in range(3)])
    return list(world.at_table(world.update(view, world.own(Choices(place=("F", "S")))), 3))


async def typed_at_once(p: Any, *keys: tuple[str, str | None]) -> None:
    """Keys that are all there before anything is done for the first."""
    for key, character in keys:
        p.app.post_message(events.Key(key, character))
    await p.pilot.pause()


async def test_escape_right_after_help_closes_the_help_alone(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("e")
        await typed_at_once(p, ("question_mark", "?"), ("escape", None))
        assert isinstance(p.app.screen, Phrases)
        await p.press("question_mark")
        assert isinstance(p.app.screen, Help)
        await p.press("escape", "escape")
        assert isinstance(p.app.screen, TableRoom)


async def test_escape_pressed_often_closes_a_window_once(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.press("e")
        await typed_at_once(p, *[("escape", None)] * 3)
        assert isinstance(p.app.screen, TableRoom)
        await p.press("e", "escape")
        assert isinstance(p.app.screen, TableRoom)


async def test_a_window_that_is_done_below_another_closes_when_that_has_gone(
    play: Any, world: Any
) -> None:
    async with play(*table(world)) as p:
        await p.press("e")
        phrases = p.app.screen
        await p.press("question_mark")
        for _ in range(2):
            phrases.dismiss(None)
            await p.pilot.pause()
            assert isinstance(p.app.screen, Help), "nothing closes under who reads"
        await p.press("escape")
        assert isinstance(p.app.screen, TableRoom)
        phrases.dismiss(None)
        await p.pilot.pause()
        assert isinstance(p.app.screen, TableRoom)
