"""The lesson on the screen: a real server in this process, keys, and no way to lose it by one."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.client.conftest import Playing, in_the_other_languages
from tests.client.screens.test_rooms import pages

from skull_client import lesson
from skull_client.app import SkullApp
from skull_client.connection import Connection
from skull_client.embedded import EmbeddedServer
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.lesson import Guidance
from skull_client.opening import Opening
from skull_client.screens.ask import Ask
from skull_client.screens.felt import Scene
from skull_client.screens.lesson import LessonRoom
from skull_client.screens.table import TableRoom
from skull_protocol.skull import ChallengeLost, ChallengeWon
from skull_server.limits import Limits

OPENING = Opening(bots=lesson.BOTS, learning=True, start_now=True, server_label="this computer")
HURRIED = Limits(bot_delay=0.0)
KEYS: dict[int, list[str]] = {
    1: ["f", "enter"],
    2: ["2", "enter"],
    3: ["enter"],
    4: ["1", "enter"],
    5: ["enter"],
    6: ["f", "enter"],
    7: ["b", "enter"],
    8: ["r", "enter"],
    9: ["enter"],
    10: ["2", "enter"],
    11: ["enter"],
    12: ["right", "enter"],
}
"""How each step is done by hand."""
ANY_KEY = [*"abcdefghijkmoprstuvwxyz0123456789?", "up", "down", "left", "right", "enter"]
ANY_KEY += ["escape", "tab", "space", "home", "end", "f2", "f3", "backspace", "delete"]
"""Every key but those that leave (a test of their own) and the one that does the step."""


@asynccontextmanager
async def learning(
    size: tuple[int, int] = (80, 24), glyphs: Glyphs = UNICODE, name: str = "Ada"
) -> AsyncIterator[Playing]:
    """The app with the lesson, as the command line opens it."""
    server = EmbeddedServer(lesson.part, HURRIED)
    link = Connection(server.dial, name, server="this computer")
    app = SkullApp(link, OPENING, glyphs)
    app.motion = False
    async with app.run_test(size=size) as pilot:
        yield Playing(app, link, pilot)  # type: ignore[arg-type]  # a real one


def told(p: Playing) -> Guidance | None:
    """The step that the screen is at; None while others play."""
    game = p.app.known.game
    if game is None or game.you is None:
        return None
    return lesson.guidance(game.view, game.you, Scene(game.view, None, p.app.known.players).name)


async def until(p: Playing, condition: Callable[[], object]) -> None:
    """Let the bots play until something is so. They take no time, so it takes few turns."""
    for _ in range(2000):
        if condition():
            await p.settle()
            return
        await p.pilot.pause()
    raise AssertionError(p.text())


def at(p: Playing, step: int) -> Callable[[], bool]:
    def there() -> bool:
        now = told(p)
        return now is not None and now.step == step and f"step {step} of" in p.text()

    return there


def over(p: Playing) -> bool:
    return "You know it all now" in p.text()


async def test_from_start_to_end_by_the_keys_it_names() -> None:
    async with learning() as p:
        for step, keys in KEYS.items():
            await until(p, at(p, step))
            await p.press(*keys)
        await until(p, lambda: over(p))
        seen = [type(event) for event in p.app.known.story]
        assert [kind for kind in seen if kind in (ChallengeWon, ChallengeLost)] == [
            ChallengeWon,
            ChallengeLost,
        ]
        await p.press("enter")
        await until(p, lambda: type(p.app.room) is TableRoom)
        assert "Round 2" in p.text()


async def test_each_step_can_be_skipped_by_one_key() -> None:
    async with learning() as p:
        for step in range(1, lesson.STEPS + 1):
            await until(p, at(p, step))
            await p.press("n")
        await until(p, lambda: over(p))
        await p.press("down", "enter")
        await until(p, lambda: p.app.return_code is not None)


async def test_another_choice_is_answered_and_costs_nothing() -> None:
    async with learning() as p:
        await until(p, at(p, 1))
        await p.press("s", "enter")
        assert "That can wait. This step is about something else: place a flower." in p.text()
        before = p.app.known.game
        assert before is not None
        await p.press("n")
        await until(p, at(p, 2))
        for keys in (["3", "enter"], ["f", "enter"], ["b", "enter"]):
            await p.press("escape", *keys)
            assert "something else: bid 2." in p.text()
            now = p.app.known.game
            assert now is not None
            assert (now.view.bid, len(now.view.seats[0].stack)) == (0, 1)


@pytest.mark.parametrize("seed", range(2))
async def test_no_wrong_key_loses_it(seed: int) -> None:
    rng = random.Random(seed)
    async with learning(size=rng.choice([(80, 24), (60, 20)])) as p:
        for step in range(1, lesson.STEPS + 1):
            await until(p, lambda step=step: (now := told(p)) is None or now.step >= step)  # type: ignore[misc]
            for key in rng.choices(ANY_KEY, k=6):
                if over(p):
                    break
                await p.press(key)
            while len(p.app.screen_stack) > 2 and not over(p):
                await p.press("escape")
            now = told(p)
            if over(p) or (now is not None and now.step > step):
                continue  # one of them was the right one
            await until(p, lambda: told(p) is not None and told(p).step >= step)  # type: ignore[union-attr]  # noqa: B023
            await p.press("n")
        await until(p, lambda: over(p))
        won = [event for event in p.app.known.story if isinstance(event, ChallengeWon)]
        lost = [event for event in p.app.known.story if isinstance(event, ChallengeLost)]
        assert (len(won), len(lost)) == (1, 1)
        assert [event.seat for event in (*won, *lost)] == [0, 0]


@pytest.mark.parametrize("key", ["l", "q", "ctrl+c", "ctrl+q"])
async def test_leaving_is_asked_about_and_the_first_answer_goes_on(key: str) -> None:
    async with learning() as p:
        await until(p, at(p, 1))
        await p.press(key)
        assert isinstance(p.app.screen, Ask)
        await p.press("enter")
        assert isinstance(p.app.screen, LessonRoom)
        assert told(p) is not None
        await p.press(key, "escape")
        assert isinstance(p.app.screen, LessonRoom)
        await p.press(key, "down", "enter")
        await until(p, lambda: p.app.return_code is not None)


async def test_the_words_name_those_who_sit_there() -> None:
    async with learning(name="Ana") as p:
        for step in range(1, 5):
            await until(p, at(p, step))
            names = [info.name for info in p.app.known.players]
            assert len(set(names)) == 3
            if step == 4:
                assert f"choose {names[1]}." in p.text().replace("\n", " ")
            await p.press("n")


STEPS = {"practice": 2, "won": 5, "raise": 8, "bitten": 12}


@pytest.mark.parametrize("name", STEPS)
async def test_the_lesson_looks_as_it_did(golden: Any, name: str) -> None:
    async with learning() as p:
        for step in range(1, STEPS[name]):
            await until(p, at(p, step))
            await p.press("n")
        await until(p, at(p, STEPS[name]))
        if name in ("won", "bitten"):  # the others are ready in their own time
            await until(p, lambda: all(seat.ready for seat in _seats(p)[1:]))
        golden(f"rooms/lesson-{name}", await pages(p, ((80, 24), (60, 20))))
        await p.pilot.resize_terminal(80, 24)
        await in_the_other_languages(p, golden, f"lesson-{name}")


def _seats(p: Playing) -> Any:
    assert p.app.known.game is not None
    return p.app.known.game.view.seats


async def test_every_step_is_read_in_full_on_the_smallest_screen() -> None:
    async with learning(size=(60, 20), glyphs=ASCII) as p:
        for step in range(1, lesson.STEPS + 1):
            await until(p, at(p, step))
            now = told(p)
            assert now is not None
            assert now.words in " ".join(p.text().split())
            await p.press("n")
