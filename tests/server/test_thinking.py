"""Bots that take their time think in a process of their own, and nobody waits for it."""

import asyncio
import os
import random
import signal
from typing import Any

import pytest

from skull_protocol.skull import Pass, Place, SkullAction, SkullOptions, SkullOwn, SkullView
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.game import SkullGame
from skull_server.thinking import Decision, QuickMind, Thought, WorkerMind


@pytest.fixture(autouse=True)
def _bots_of_this_file(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """The other process has to find them."""
    monkeypatch.syspath_prepend(pytestconfig.rootpath)


class Tells(Bot):
    """Says, by how it acts, in which process it was asked."""

    slow = True
    asked_by = 0

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        return Pass() if os.getpid() == self.asked_by else Place("F")


class Fails(Bot):
    """Cannot decide."""

    slow = True

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        raise ValueError("nothing to choose")


class Dies(Bot):
    """Takes its process with it, unless that is the server's."""

    slow = True
    asked_by = 0

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        if os.getpid() != self.asked_by:
            os.kill(os.getpid(), signal.SIGKILL)
        return Place("F")


def bot(kind: type[Any]) -> Any:
    made = kind(random.Random(1), SkullOptions())
    made.asked_by = os.getpid()
    return made


def scene() -> tuple[SkullView, SkullOwn]:
    game = SkullGame(SkullOptions(first_player=0), 3, random.Random(1))
    return game.view(), game.own_view(0)


async def answer(thought: Thought[SkullAction]) -> SkullAction | None:
    done = asyncio.Event()
    thought.then(done.set)
    async with asyncio.timeout(60):
        await done.wait()
    return thought.answer


async def test_a_slow_bot_thinks_in_another_process() -> None:
    mind = WorkerMind()
    try:
        thought = mind.ask(bot(Tells), Decision(*scene()))
        assert not thought.done, "nobody waits for it"
        assert await answer(thought) == Place("F")
    finally:
        mind.close()


async def test_a_quick_bot_thinks_at_once() -> None:
    quick = bot(Tells)
    quick.slow = False
    for mind in (WorkerMind(), QuickMind()):
        assert mind.ask(quick, Decision(*scene())).answer == Pass()


async def test_a_slow_bot_that_fails_there_has_failed_here() -> None:
    mind = WorkerMind()
    try:
        thought = mind.ask(bot(Fails), Decision(*scene()))
        assert await answer(thought) is None
        assert thought.done
    finally:
        mind.close()


async def test_when_the_process_dies_the_bot_thinks_here_and_the_next_has_a_new_one() -> None:
    mind = WorkerMind()
    try:
        assert await answer(mind.ask(bot(Dies), Decision(*scene()))) == Place("F")
        assert await answer(mind.ask(bot(Tells), Decision(*scene()))) == Place("F"), (
            "in another process"
        )
    finally:
        mind.close()


async def test_what_died_with_one_process_does_not_end_the_next() -> None:
    mind, processes = WorkerMind(), []

    def ask_more() -> None:
        mind.ask(bot(Tells), Decision(*scene()))
        processes.append(mind._pool)

    try:
        first, second = (mind.ask(bot(Dies), Decision(*scene())) for _ in range(2))
        first.then(ask_more)
        assert await answer(second) == Place("F")
        assert [mind._pool] == processes
    finally:
        mind.close()


async def test_asking_draws_from_the_bots_dice_so_that_it_does_not_repeat_itself() -> None:
    mind, asked = WorkerMind(), bot(Tells)
    try:
        before = asked.rng.getstate()
        await answer(mind.ask(asked, Decision(*scene())))
        assert asked.rng.getstate() != before
    finally:
        mind.close()


def test_a_thought_that_is_dropped_tells_nobody() -> None:
    told: list[bool] = []
    thought: Thought[SkullAction] = Thought()
    thought.then(lambda: told.append(True))
    thought.drop()
    thought.settle(Pass())
    assert not told
