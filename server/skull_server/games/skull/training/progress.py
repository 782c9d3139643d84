"""A bar that shows how far something long has come, and how long it may yet take."""

import sys
from time import monotonic
from typing import TextIO

_WIDTH = 30


class Progress:
    """Draws on one line of a terminal; where there is none, prints a line now and then."""

    def __init__(self, total: int, what: str, out: TextIO | None = None) -> None:
        """`what`: of what there are `total`. `out`: where to draw; None: standard error."""
        self._total = total
        self._what = what
        self._out = out or sys.stderr
        self._began = monotonic()
        self._first: int | None = None
        self._shown = -1

    def seconds(self) -> float:
        """How long it has taken so far."""
        return monotonic() - self._began

    def at(self, done: int, note: str = "") -> None:
        """So much is done."""
        if self._first is None:
            self._first = done - 1 if done else 0
        share = done / max(self._total, 1)
        percent = int(share * 100)
        live = self._out.isatty()
        if not live and percent // 5 == self._shown // 5 and done < self._total:
            return
        self._shown = percent
        new = done - self._first
        left = self.seconds() / new * (self._total - done) if new > 0 else 0.0
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
        line = f"[{bar}] {done}/{self._total} {self._what}, {_clock(left)} left {note}"
        if live:
            self._out.write(f"\r{line}\x1b[K")
        else:
            self._out.write(line.rstrip() + "\n")
        if live and done >= self._total:
            self._out.write("\n")
        self._out.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
