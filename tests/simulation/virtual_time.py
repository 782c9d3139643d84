"""An event loop whose time jumps to whatever is due next: hours pass in an instant, in order."""

import asyncio
import selectors
from typing import Any


class NothingWillHappen(Exception):  # noqa: N818 - says what the loop found
    """Everybody waits for somebody else: no alarm is set and nothing is on its way."""


class _Jump(selectors.DefaultSelector):
    """Instead of waiting, lets time pass."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise NothingWillHappen
        self.now += max(timeout, 0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop in which only callbacks and alarms happen: no sockets, no threads."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._jump.now


class VirtualClock:
    """The client's clock, on that loop."""

    def now(self) -> float:
        """Return the loop's time."""
        return asyncio.get_running_loop().time()

    async def wait(self, event: asyncio.Future[None], seconds: float | None) -> None:
        """Return when the event happened or the seconds have passed; None: however long."""
        await asyncio.wait({event}, timeout=seconds)
