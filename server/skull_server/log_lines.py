"""How events are written: one line each, as text or as JSON.

The text of an exception may hold a secret or what somebody typed, so only its kind and the places
it came through are written. Control characters are escaped, so that no line can be forged.
"""

import errno
import json
import logging
import sqlite3
import ssl
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from skull_server.logs import FIELDS

LogFormat = Literal["text", "json"]

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+-")


def set_up(level: str, form: LogFormat) -> None:
    """Log to stderr from now on, everything from this level up."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)


class TextLines(logging.Formatter):
    """`2026-01-31T12:00:00.000Z INFO skull_server.server player_in player=7 resumed=false`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        time, level, logger, event, fields = _parts(record)
        words = [time, level, logger, _escaped(event)]
        words += [f"{name}={_text_value(value)}" for name, value in fields.items()]
        return " ".join(words)


class JsonLines(logging.Formatter):
    """The same as an object: `time`, `level`, `logger`, `event` and the event's fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        time, level, logger, event, fields = _parts(record)
        line = {"time": time, "level": level, "logger": logger, "event": event}
        return json.dumps({**line, **fields, **line}, default=str)  # none passes for one of these


def _parts(record: logging.LogRecord) -> tuple[str, str, str, str, dict[str, object]]:
    time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    fields = dict(getattr(record, FIELDS, {}))
    fault = record.exc_info[1] if record.exc_info else None
    if fault is not None:
        fields["fault"] = kind_of(fault)
        fields["at"] = _places(fault)
    return time.replace("+00:00", "Z"), record.levelname, record.name, record.getMessage(), fields


def kind_of(fault: BaseException) -> str:
    """What kind of fault it is, and of its text only what no player can have written."""
    kind = type(fault).__name__
    if isinstance(fault, ssl.SSLError):
        return f"{kind}:{fault.reason}"
    if isinstance(fault, OSError) and fault.errno is not None:
        return f"{kind}:{errno.errorcode.get(fault.errno, fault.errno)}"
    if isinstance(fault, sqlite3.Error) and hasattr(fault, "sqlite_errorname"):
        return f"{kind}:{fault.sqlite_errorname}"
    return kind


def _places(fault: BaseException) -> list[str]:
    """Where it came through, the place that raised it last, the cause before what it caused."""
    before = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    places = [] if before is None else [*_places(before), kind_of(before)]
    frames = traceback.extract_tb(fault.__traceback__, limit=-20)
    return places + [f"{Path(f.filename).name}:{f.lineno}:{f.name}" for f in frames]


def _text_value(value: object) -> str:
    if isinstance(value, list):
        return ",".join(_text_value(item) for item in value)
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text if text and _PLAIN.issuperset(text) else json.dumps(text)


def _escaped(text: str) -> str:
    """The same text, in one line and with nothing that a terminal would obey."""
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
