"""The lesson by lines: a real server in this process, its prompts, and no line that loses it."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from tests.client.plain.test_session import Typist

from skull_client import lesson
from skull_client.connection import Connection
from skull_client.embedded import EmbeddedServer
from skull_client.opening import Opening
from skull_client.plain.session import PlainSession
from skull_protocol.skull import ChallengeLost, ChallengeWon
from skull_server.limits import Limits

OPENING = Opening(bots=lesson.BOTS, learning=True, start_now=True, server_label="this computer")
HURRIED = Limits(bot_delay=0.0)
LINES = (
    "place flower",
    "bid 2",
    "flip Ada",
    "flip 2",
    "ready",
    "place flower",
    "bid 1",
    "bid 3",
    "flip ada",
    "flip 3",
    "flip 2",
    "ready",
)
"""What each step asks for, as it is typed."""
WRONG = [
    *("place skull", "place", "bid 1", "bid 3", "bid 9", "pass", "flip 2", "flip 3", "flip x"),
    *("abandon", "continue", "leave", "leave for good", "lea", "remove Bot Ana for good", "look"),
    *("replace Bot Ana", "bot", "start", "seat", "help", "options", "phrase 1", "say hello"),
    *(
        "n o",
        "",
        "play",
        "back",
        "coach",
        "home",
        "new",
        "settings",
        "set turn_seconds=30",
        "drop 2",
    ),
]
"""Lines that do no step of the lesson where it is something else, and lines that do nothing."""


class Learner:
    """Somebody who learns by lines."""

    def __init__(self) -> None:
        server = EmbeddedServer(lesson.part, HURRIED)
        self.told: list[str] = []
        self.news = asyncio.Event()
        self.typist = Typist()
        link = Connection(server.dial, "Ada", server="this computer")
        self.session = PlainSession(link, OPENING, self.write)
        self.status = asyncio.ensure_future(self.session.run(self.typist))  # type: ignore[arg-type]

    def write(self, line: str) -> None:
        self.told.append(line)
        self.news.set()

    def types(self, line: str) -> None:
        self.typist.lines.put_nowait(line)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not condition():
                self.news.clear()
                await self.news.wait()

    async def told_that(self, begins: str) -> None:
        """Wait for a line; others may have been written behind it."""
        await self.until(lambda: any(line.startswith(begins) for line in self.told))

    async def at(self, step: int) -> str:
        """Wait until a step is told; return the prompt behind it."""
        title = f"Lesson: step {step} of 12. "
        await self.told_that(title)

        def prompts() -> list[str]:
            at = next(n for n, line in enumerate(self.told) if line.startswith(title))
            return [line for line in self.told[at:] if line.startswith("> ")]

        await self.until(lambda: bool(prompts()))
        return prompts()[0]

    @property
    def decided(self) -> list[type[object]]:
        """How the challenges so far ended."""
        kinds = (ChallengeWon, ChallengeLost)
        return [type(one) for one in self.session._state.story if isinstance(one, kinds)]


@asynccontextmanager
async def learning() -> AsyncIterator[Learner]:
    learner = Learner()
    yield learner
    learner.types("quit")
    assert await learner.status == 0


async def test_from_start_to_end_by_the_lines_it_names() -> None:
    async with learning() as learner:
        for step, line in enumerate(LINES, 1):
            prompt = await learner.at(step)
            assert prompt.endswith(", next, leave lesson, help.")
            assert line.partition(" ")[0] in prompt
            learner.types(line)
        await learner.told_that("> You know it all now. Type: play, leave lesson, help.")
        assert learner.decided == [ChallengeWon, ChallengeLost]
        assert not [line for line in learner.told if line.startswith("! ")]
        learner.types("play")
        await learner.told_that(
            "> Place your first disc, face down. Type: place flower, place skull, h"
        )


@pytest.mark.parametrize("skipped", [0, 1, 6, lesson.STEPS])
async def test_each_step_can_be_skipped_and_all_of_it_left(skipped: int) -> None:
    async with learning() as learner:
        for step in range(1, skipped + 1):
            await learner.at(step)
            learner.types("next")
        await learner.until(lambda: any(", leave lesson, " in line for line in learner.told))
        learner.types("leave lesson")
        assert await asyncio.wait_for(learner.status, 30) == 0


@pytest.mark.parametrize("seed", range(3))
async def test_no_wrong_line_loses_it(seed: int) -> None:
    dice = random.Random(seed)
    async with learning() as learner:
        for step in range(1, lesson.STEPS + 1):
            await learner.at(step)
            word, _, rest = LINES[step - 1].partition(" ")
            right = {LINES[step - 1], f"{word} {rest.lower()}"}
            wrong = [line for line in dice.sample(WRONG, 12) if line not in right]
            for line in wrong:
                learner.types(line)
            learner.types("next")
        await learner.told_that("> You know it all now. Type: play, leave lesson, help.")
        assert learner.decided == [ChallengeWon, ChallengeLost]
        seats = learner.session._state.game
        assert seats is not None
        assert [seat.discs for seat in seats.view.seats] == [3, 4, 4]


async def test_what_a_step_is_not_about_is_answered_with_what_it_is() -> None:
    async with learning() as learner:
        await learner.at(1)
        learner.types("place skull")
        sentence = "! That can wait. This step is about something else: place a flower."
        await learner.told_that(sentence)
        learner.types("leave")
        await learner.told_that("! You can begin it again whenever you like.")
        learner.told.clear()
        learner.types("look")
        await learner.told_that("Lesson: step 1 of 12.")
