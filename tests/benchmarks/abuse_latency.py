"""How much others feel of abuse: the p99 of their moves beside the quiet one of the same run.

    python tests/benchmarks/abuse_latency.py [ABUSE...] [--pairs N] [--seconds S]

A move is a paced player's action, until it is on the disk and the last of six has been told.
Short windows with the abuse and without take turns, so that whatever else the machine does meets
both alike; which of two comes first changes each time. The windows of a kind are pooled. The
interval of the ratio is a bootstrap over whole windows, as what lies in one is not independent;
and what such a ratio is where nothing differs is told by the quiet windows alone, odd ones beside
even ones. Late are moves that had to wait, since the one before was not complete. Where it may,
it takes precedence over all else that runs on the machine (not over its disk).

Promised: a ratio of at most 2. It gates nothing: the machine decides.
"""

import argparse
import contextlib
import gc
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from load import Load, Measured
from offenders import ABUSES
from process import running, skull
from skull_tables import SkullTables

TABLES = 20
RATE = 400.0
"""Moves a second, all tables together."""
SETTLE = 0.3
"""Seconds before each window that do not count, in which what the one before left is done."""
RESAMPLES = 1000
_HARSH = ("--requests-per-second=20", "--request-burst=40", "--log-level=info")
"""What one client may, as by default."""


class Offender:
    """A process that abuses a server when told to."""

    def __init__(self, name: str, port: int, codes: Sequence[str]) -> None:
        command = [sys.executable, str(Path(__file__).with_name("offenders.py"))]
        self._process = subprocess.Popen(
            [*command, name, str(port), *codes],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, word: str) -> None:
        """Say "go" or "stop", and wait until it is so."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()
        if self._process.stdout.readline().strip() != word:
            raise SystemExit("the offender ended by itself")

    def end(self) -> None:
        """Have it gone."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.kill()
        self._process.wait()


@contextlib.contextmanager
def offender(name: str, port: int, codes: Sequence[str]) -> Iterator[Offender]:
    """An offender who is at rest."""
    process = Offender(name, port, codes)
    try:
        yield process
    finally:
        process.end()


def measure(
    load: Load, abuse: Offender, pairs: int, seconds: float
) -> tuple[list[Measured], list[Measured]]:
    """Return quiet windows and abused ones, taken in turn."""
    quiet: list[Measured] = []
    abused: list[Measured] = []
    for pair in range(pairs):
        for with_abuse in (False, True) if pair % 2 else (True, False):
            if with_abuse:
                abuse.tell("go")
            run = load.run(seconds, RATE, SETTLE)
            if with_abuse:
                abuse.tell("stop")
            (abused if with_abuse else quiet).append(run)
    return quiet, abused


def percentile(windows: Sequence[Measured], share: float) -> float:
    """Of all windows together; milliseconds."""
    pooled = sorted(latency for window in windows for latency in window.latencies)
    return pooled[int((len(pooled) - 1) * share)] * 1000


def figures(windows: Sequence[Measured]) -> str:
    """What a kind of window came to, as columns."""
    busy = sum(run.cpu for run in windows) / sum(run.seconds for run in windows)
    late = sum(run.late for run in windows)
    return (
        f" {percentile(windows, 0.5):8.2f} {percentile(windows, 0.99):6.2f}"
        f" {late:5} {100 * busy:4.0f}%"
    )


def p99_ratio(some: Sequence[Measured], others: Sequence[Measured]) -> str:
    """The ratio of two p99s, with the interval in which 95 % of resampled ones lie."""
    dice = random.Random(7585)
    ratios = sorted(
        percentile(dice.choices(some, k=len(some)), 0.99)
        / percentile(dice.choices(others, k=len(others)), 0.99)
        for _ in range(RESAMPLES)
    )
    low, high = ratios[RESAMPLES // 40], ratios[-RESAMPLES // 40]
    ratio = percentile(some, 0.99) / percentile(others, 0.99)
    return f"{ratio:4.2f} ({low:.2f} to {high:.2f})"


def main() -> None:
    """Measure each abuse that is asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("abuse", nargs="*", help=f"among: {', '.join(ABUSES)}")
    parser.add_argument("--pairs", type=int, default=20, help="windows of each kind")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a window")
    wanted = parser.parse_args()
    with contextlib.suppress(PermissionError):  # else others' work is measured with the server's
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    print(f"{TABLES} tables of six, {RATE:.0f} moves/s; durable, to the last receiver, in ms")
    kind = "     p50    p99  late  CPU "
    print(f"{'abuse':>10} {kind} {kind}  p99, abused by quiet   quiet by quiet")
    for name in wanted.abuse or ABUSES:
        with (
            tempfile.TemporaryDirectory(dir=".") as data,
            running(skull(data, *_HARSH), subprocess.DEVNULL) as server,
        ):
            tables = SkullTables(server.port, TABLES)
            load = Load(server, tables)
            gc.freeze()
            load.run(1, RATE)
            with offender(name, server.port, tables.codes) as abuse:
                quiet, abused = measure(load, abuse, wanted.pairs, wanted.seconds)
            for sock in tables.sockets:
                sock.close()
        print(
            f"{name:>10}{figures(quiet)}{figures(abused)}   {p99_ratio(abused, quiet)}"
            f"   {p99_ratio(quiet[::2], quiet[1::2])}",
            flush=True,
        )


if __name__ == "__main__":
    main()
