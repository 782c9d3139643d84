"""What the server logs: events with fields. How they are written, `log_lines` knows.

An event never holds a token, password, code, seed, disc, name or anything that somebody typed: it
names players by number.
"""

import asyncio
import logging
import sys

FIELDS = "event_fields"
"""Where a record has what an event's fields say."""


class EventLog:
    """Logs what happens in one module: a word or two with `_`, and fields that say the rest."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **fields: object) -> None:
        """Log what only somebody looking for a fault wants to know."""
        self._log(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Log what happens every day."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log what somebody should look at some day."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: str, fault: BaseException | None = None, **fields: object) -> None:
        """Log what somebody should look at now, with the exception that was caught."""
        self._log(logging.ERROR, event, fields, fault)

    def exception(self, event: str, **fields: object) -> None:
        """Log the exception that is being handled, and where it came from."""
        self._log(logging.ERROR, event, fields, sys.exception())

    def _log(
        self,
        level: int,
        event: str,
        fields: dict[str, object],
        fault: BaseException | None = None,
    ) -> None:
        if self._logger.isEnabledFor(level):
            self._logger.log(level, event, extra={FIELDS: fields}, exc_info=fault)


def get(name: str) -> EventLog:
    """Return the log of a module, by its `__name__`."""
    return EventLog(name)


def loop_fault(_: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """Log what went wrong in an event loop. (By itself it would print the arguments of calls.)"""
    fault = context.get("exception")
    _LOOP.error("loop_fault", fault if isinstance(fault, BaseException) else None)


_LOOP = get("skull_server.loop")
