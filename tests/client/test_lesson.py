"""The lesson: a success with flowers, then a skull that bites, and no wrong key loses it."""

import asyncio

import pytest

from skull_client import lesson
from skull_client.connection import Connection
from skull_client.embedded import EmbeddedServer
from skull_client.link import Arrival, LinkStatus
from skull_client.state import ClientState, arrived
from skull_protocol.pushes import Update
from skull_protocol.requests import Act, AddBot, CreateTable, StartGame
from skull_protocol.skull import ChallengeWon, Flipped, SkullEvent, is_skull
from skull_server.limits import Limits


class Learner:
    """Somebody who does as the lesson says, on a real server in this process."""

    def __init__(self) -> None:
        server = EmbeddedServer(lesson.part, Limits(bot_delay=0.0))
        self.link = Connection(server.dial, "Ana Maria", server="this computer")
        self.known = ClientState()
        self.events: list[SkullEvent] = []
        self.steps: list[lesson.Guidance] = []
        self.news = asyncio.Event()
        self.link.start(self._hear)

    def _hear(self, arrival: Arrival) -> None:
        self.known = arrived(self.known, arrival)
        if isinstance(arrival, Update):
            self.events += arrival.events
        self.news.set()

    async def until(self, done: str) -> None:
        """Wait for news until this holds: `online`, `mine` to act, or `over`."""
        async with asyncio.timeout(30):
            while not getattr(self, f"_is_{done}")():
                self.news.clear()
                await self.news.wait()

    def _is_online(self) -> bool:
        return self.known.link == LinkStatus("online")

    def _is_asked(self) -> bool:
        game = self.known.game
        if game is None or game.you is None:
            return False
        told = lesson.guidance(game.view, game.you, self._name)
        return lesson.is_over(game.view) or (told is not None and told not in self.steps)

    def _name(self, seat: int) -> str:
        return self.known.players[seat].name

    async def learn(self) -> Update:
        """Go through the whole lesson; return the game as it is then."""
        await self.until("online")
        assert await self.link.ask(CreateTable, options=lesson.OPTIONS) is None
        for _ in range(lesson.BOTS):
            assert await self.link.ask(AddBot) is None
        assert await self.link.ask(StartGame) is None
        while True:
            await self.until("asked")
            game = self.known.game
            assert game is not None
            assert game.you is not None
            if lesson.is_over(game.view):
                await self.link.close()
                return game
            told = lesson.guidance(game.view, game.you, self._name)
            assert told is not None
            self.steps.append(told)
            assert await self.link.ask(Act, seq=game.seq, action=told.wanted) is None


@pytest.fixture
async def learner() -> Learner:
    return Learner()


async def test_it_leads_from_a_success_with_flowers_to_a_skull_that_bites(
    learner: Learner,
) -> None:
    after = await learner.learn()
    assert [told.step for told in learner.steps] == list(range(1, lesson.STEPS + 1))
    assert any(isinstance(event, ChallengeWon) for event in learner.events)
    flips = [event for event in learner.events if isinstance(event, Flipped)]
    assert [is_skull(flip.disc) for flip in flips] == [False, False, False, False, True]
    assert after.you is not None
    assert after.you.lost == ("F",), "nothing is left to chance"
    assert [seat.points for seat in after.view.seats] == [0, 0, 0], "practice counts for nothing"


async def test_each_step_is_said_within_two_lines_of_a_small_screen(learner: Learner) -> None:
    await learner.learn()
    assert all(len(told.words) <= 2 * 74 for told in learner.steps)
