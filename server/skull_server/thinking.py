"""Where bots think: at once, or, those that take their time, in a process of its own.

A bot's thought never holds up the event loop for long, nor does it change the bot: what comes back
is an answer, and what a bot remembers it learns from what it sees at the table.
"""

import asyncio
import os
import random
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from msgspec import Struct

from skull_protocol.skull import SkullAction, SkullOwn, SkullView
from skull_server import logs
from skull_server.game_kinds import BotPlayer

if TYPE_CHECKING:  # loaded with the first bot that takes its time
    from concurrent.futures import Future, ProcessPoolExecutor

log = logs.get(__name__)

_NICENESS = 10
"""The tables come first where there are too few processors."""


T = TypeVar("T")
Question = Callable[[BotPlayer], T]
"""What a bot is asked. It can be sent to another process, as its answer can."""


class Decision(Struct, frozen=True):
    """Which action does the bot choose for its seat?"""

    view: SkullView
    own: SkullOwn

    def __call__(self, bot: BotPlayer) -> SkullAction:
        """Ask it."""
        return bot.decide(self.view, self.own)


class Thought(Generic[T]):
    """What a bot has been asked, and what it answers."""

    def __init__(self) -> None:
        self.answer: T | None = None
        """None: there is none yet; or, when it is `done`, the bot failed."""
        self.done = False
        self._then: Callable[[], None] | None = None

    def settle(self, answer: T | None) -> None:
        """Take the answer; None: the bot failed."""
        self.answer, self.done = answer, True
        then, self._then = self._then, None
        if then is not None:
            then()

    def then(self, act: Callable[[], None]) -> None:
        """Call `act` when it is done: at once if it is."""
        if self.done:
            act()
        else:
            self._then = act

    def drop(self) -> None:
        """Nobody waits for the answer any more."""
        self._then = None


class Mind(Protocol):
    """Has bots think."""

    def ask(self, bot: BotPlayer, question: Question[T]) -> Thought[T]:
        """Have a bot think about a question."""

    def close(self) -> None:
        """Nobody will ask any more."""


class QuickMind:
    """Thinks at once, in the event loop: for tests, and where nobody else has to wait."""

    def ask(self, bot: BotPlayer, question: Question[T]) -> Thought[T]:
        """Return what the bot answers."""
        thought: Thought[T] = Thought()
        thought.settle(_answer(bot, question))
        return thought

    def close(self) -> None:
        """There is nothing to end."""


class WorkerMind:
    """Has bots that take their time think in a process of its own, which starts with the first."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._quick = QuickMind()

    def ask(self, bot: BotPlayer, question: Question[T]) -> Thought[T]:
        """Have a bot think; the answer comes in a later turn of the loop if it takes its time."""
        if not bot.slow:
            return self._quick.ask(bot, question)
        thought: Thought[T] = Thought()
        loop = asyncio.get_running_loop()
        try:
            future = self._submit(bot, question)
        except (RuntimeError, OSError) as fault:  # it died, is being stopped, or cannot be started
            self._lost(self._pool, fault)
            return self._quick.ask(bot, question)
        pool = self._pool

        def settle(done: "Future[T | None]") -> None:
            if done.cancelled():
                return
            fault = done.exception()
            if fault is not None:
                self._lost(pool, fault)
                thought.settle(_answer(bot, question))
            else:
                thought.settle(done.result())

        def settle_soon(done: "Future[T | None]") -> None:
            try:
                loop.call_soon_threadsafe(settle, done)
            except RuntimeError:  # the event loop is closed: nobody waits any more
                log.info("thought_after_the_end")

        future.add_done_callback(settle_soon)
        return thought

    def _submit(self, bot: BotPlayer, question: Question[T]) -> "Future[T | None]":
        """Hand a question to the process, which is started if there is none."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # In a client, what draws the screen stands in for stderr, and is no file: a process that
        # is to inherit it could not be started.
        with redirect_stderr(sys.__stderr__):
            if self._pool is None:
                # Not forked: the loop and every socket would be copied.
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, spawn, initializer=_settle_in)
            return self._pool.submit(_answer_afresh, bot, bot.rng.getrandbits(128), question)

    def _lost(self, pool: "ProcessPoolExecutor | None", fault: BaseException) -> None:
        """A process has died: the next slow bot starts another, if none has."""
        log.error("worker_lost", fault)
        if pool is self._pool:
            self.close()

    def close(self) -> None:
        """Let the process end."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _settle_in() -> None:
    """In the worker, first: leave the keyboard to the server, and end when it does.

    The queue that the worker waits at stays open when the server is killed.
    """
    import multiprocessing

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS)
    server = multiprocessing.parent_process()
    assert server is not None

    def end_with_it() -> None:
        server.join()
        os._exit(0)

    threading.Thread(target=end_with_it, name="end with the server", daemon=True).start()


def _answer(bot: BotPlayer, question: Question[T]) -> T | None:
    try:
        return question(bot)
    except Exception:  # a bot that fails must not hold up the table
        log.exception("bot_failed")
        return None


def _answer_afresh(bot: BotPlayer, seed: int, question: Question[T]) -> T | None:
    """In the worker: answer with dice of its own, since the bot here is a copy."""
    bot.rng = random.Random(seed)
    return _answer(bot, question)
