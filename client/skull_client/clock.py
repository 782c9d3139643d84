"""Time, so that tests can replace it."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """What the connection asks of time."""

    def now(self) -> float:
        """Return seconds from some fixed moment."""

    async def wait(self, event: asyncio.Future[None], seconds: float | None) -> None:
        """Return when the event happened or the seconds have passed; None: however long."""


class RealClock:
    """Time as it passes."""

    def now(self) -> float:
        """Return seconds from some fixed moment."""
        return time.monotonic()

    async def wait(self, event: asyncio.Future[None], seconds: float | None) -> None:
        """Return when the event happened or the seconds have passed; None: however long."""
        await asyncio.wait({event}, timeout=seconds)
