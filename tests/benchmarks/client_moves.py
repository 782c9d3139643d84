"""What an opponent's move costs: bytes to the terminal, and milliseconds until its picture.

    python -m tests.benchmarks.client_moves

Games that were played by the rules are shown to a real client at 80x24, move by move, by a server
that only repeats them. Beside the bytes stands what the smallest change of the cells would need:
computed from the two screens, with one cursor movement for each run of cells and one sequence for
each change of colours. The title of the window costs bytes, too, but is no picture: the time is
that of the first byte that is none of it. Beside the time stands that of a bare Textual app that
shows one word for another in the same minute. Times are taken twice: with a rest after each move,
and in quick succession, since some machines charge for a rest alone, as is told as well: by how
much longer the same little work takes after one. Nothing here decides whether a test passes.
"""

import os
import re
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyte.screens import Char
from tests.client.finished import NAMES, played, told
from tests.end_to_end.conftest import CLIENT, Terminal

from skull_protocol import codec
from skull_protocol.codec import FrameSplitter
from skull_protocol.pushes import Ok, Table, Update, Welcome
from skull_protocol.requests import REQUESTS
from skull_protocol.tables import GameStep, SeatInfo, TableOptions
from skull_protocol.wire import Tagged

SEEDS = range(3)
BARE = (
    "import asyncio, sys\n"
    "from textual.app import App\n"
    "from textual.widgets import Static\n"
    "class Bare(App):\n"
    "    def compose(self):\n"
    "        yield Static('word 0')\n"
    "    async def on_mount(self):\n"
    "        self.reading = asyncio.create_task(self.read())\n"
    "    async def read(self):\n"
    "        reader, _ = await asyncio.open_connection('127.0.0.1', int(sys.argv[1]))\n"
    "        while word := (await reader.readline()).decode():\n"
    "            self.query_one(Static).update(word.strip(), layout=False)\n"
    "Bare().run()\n"
)
BARE_WORDS = 60
QUICK, STILL, MOVING = 0.02, 0.2, 0.4
"""Seconds without a byte after which the next move is made: in quick succession; after a rest; and
with motion, whose stages are up to 0.2 seconds apart."""
_TITLE = re.compile(rb"\x1b\][^\x07]*(\x07|$)")
KINDS = {
    "16 colours, no motion": (["--theme", "terminal"], {"TERM": "xterm", "SSH_TTY": "/dev/pts/0"}),
    "16 colours, motion": (["--theme", "terminal"], {"TERM": "xterm"}),
    "256 colours, no motion": ([], {"TERM": "xterm-256color", "SSH_TTY": "/dev/pts/0"}),
}
TABLE = Table(
    "KRTW",
    1,
    "playing",
    1,
    TableOptions(),
    tuple(SeatInfo(n, NAMES[n - 1], connected=True, answered=False) for n in (1, 2, 3)),
    (),
)
"""Where the games are played; the client sits in the first seat."""


class Repeater:
    """A server for one client that says what it is told to say."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._splitter = FrameSplitter(codec.MAX_REQUEST)

    def welcome(self, *state: Tagged) -> None:
        """Let the client in, to this."""
        self._peer, _ = self._listener.accept()
        self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        frames: list[bytes] = []
        while not frames:
            frames = list(self._splitter.feed(self._peer.recv(4096)))
        hello = REQUESTS.parse(frames[0])
        self.say(Welcome(1, "Ana", "token", "0.1.0", False), *state, Ok(hello.id))

    def say(self, *messages: Tagged) -> None:
        """Send these in one write."""
        self._peer.sendall(b"".join(map(codec.encode, messages)))


Cells = list[list[Char]]


def cells(terminal: Terminal) -> Cells:
    """What stands in every cell."""
    screen = terminal.screen
    return [[screen.buffer[row][x] for x in range(screen.columns)] for row in range(screen.lines)]


def smallest(before: Cells, after: Cells) -> int:
    """Bytes that the change needs: runs of cells, each with a movement, and changes of colours."""
    total, style = 0, ""
    for row, (old, new) in enumerate(zip(before, after, strict=True)):
        end = -1
        for column, (was, cell) in enumerate(zip(old, new, strict=True)):
            if was == cell:
                continue
            between = new[end:column]
            if end < 0 or len(between) > 4 or any(colours(part) != style for part in between):
                total += len(f"\x1b[{row + 1};{column + 1}H")
            else:
                total += sum(len(part.data.encode()) for part in between)
            if colours(cell) != style:
                style = colours(cell)
                total += len(style)
            total += len(cell.data.encode())
            end = column + 1
    return total


def colours(cell: Char) -> str:
    """The sequence that sets how a cell is drawn."""
    codes = ["0"]
    for name, code in (("bold", "1"), ("italics", "3"), ("underscore", "4"), ("reverse", "7")):
        if getattr(cell, name):
            codes.append(code)
    for colour, one, many in ((cell.fg, "3x", "38;5;xxx"), (cell.bg, "4x", "48;5;xxx")):
        if colour != "default":
            codes.append(many if len(colour) == 6 and not colour.isalpha() else one)
    return f"\x1b[{';'.join(codes)}m"


@contextmanager
def running(
    arguments: list[str],
    env: dict[str, str],
    home: Path,
    *,
    columns: int = 80,
    rows: int = 24,
    start: Callable[[], object] = lambda: None,
) -> Iterator[Terminal]:
    """A program in a terminal, ended afterwards; `start`: see `Terminal`."""
    base = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    terminal = Terminal(arguments, {**base, **env}, columns=columns, rows=rows, start=start)
    try:
        yield terminal
    finally:
        terminal.kill()


def until_picture(terminal: Terminal, seconds: float) -> float | None:
    """Read until something comes that is seen on the screen; return seconds, or None: nothing."""
    begun, before = time.monotonic(), len(terminal.everything)
    while (passed := time.monotonic() - begun) < seconds:
        terminal.read(seconds - passed)
        if _TITLE.sub(b"", bytes(terminal.everything[before:])):
            return terminal.read_at - begun
    return None


def settle(terminal: Terminal, seconds: float) -> None:
    """Read until nothing has come for so long."""
    seen = -1
    while seen != terminal.bytes_seen:
        seen = terminal.bytes_seen
        terminal.read(seconds)


def moves(seed: int) -> tuple[GameStep, list[tuple[bool, GameStep]]]:
    """How a game begins, and each step after: whether an opponent made it, and how it then is."""
    record = played(seed)
    _, (first, *steps) = told(record)
    by_others = [seat != 0 for seat, _ in record.inputs]
    return first, list(zip(by_others, steps, strict=True))


def bare_delay(home: Path, rest: float) -> float:
    """Milliseconds from a word sent until a bare app writes it: the median."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        arguments = [sys.executable, "-c", BARE, port]
        with running(arguments, {"TERM": "xterm"}, home) as terminal:
            terminal.wait_for("word 0")
            peer, _ = listener.accept()
            with peer:
                settle(terminal, MOVING)
                delays = []
                for number in range(1, BARE_WORDS + 1):
                    peer.sendall(f"word {number}\n".encode())
                    delay = until_picture(terminal, MOVING)
                    if delay is not None:
                        delays.append(1000 * delay)
                    settle(terminal, rest)
    return statistics.median(delays)


def charge(rest: float) -> float:
    """How many times as long the same little work takes after a rest."""
    after: dict[float, list[float]] = {0.0: [], rest: []}
    for _ in range(10):
        for pause, times in after.items():
            time.sleep(pause)
            begun = time.perf_counter()
            "".join(map(str, range(2000)))
            times.append(time.perf_counter() - begun)
    return statistics.median(after[rest]) / statistics.median(after[0.0])


def measure(kind: str, home: Path) -> None:
    """Show all games to one kind of client, and print what it wrote and when."""
    rest = STILL if "no motion" in kind else MOVING
    written, ratios, delays = shown(kind, home, rest)
    print(
        f"{kind:<24}{len(written):5d} moves"
        f"{statistics.median(written):8.0f} B{max(written):8d} B at most"
        f"   x{statistics.median(ratios):.2f} of the smallest, x{max(ratios):.2f} at most"
    )
    print_delays("after a rest", delays, bare_delay(home, STILL))
    if rest == STILL:
        _, _, delays = shown(kind, home, QUICK)
        print_delays("in succession", delays, bare_delay(home, QUICK))


def print_delays(pace: str, delays: list[float], bare: float) -> None:
    """Print how long it took until something of a move could be seen."""
    median, tail = statistics.median(delays), statistics.quantiles(delays, n=20)[-1]
    print(f"{pace:>24}{median:8.1f} ms, p95 {tail:5.1f} ms   x{median / bare:.2f} of a bare app")


def shown(kind: str, home: Path, rest: float) -> tuple[list[int], list[float], list[float]]:
    """Show all games to one kind of client.

    Returns for each move of an opponent the bytes written, how many times the smallest change that
    is, and the milliseconds until its picture.
    """
    arguments, env = KINDS[kind]
    written, ratios, delays = [], [], []
    for seed in SEEDS:
        first, steps = moves(seed)
        repeater = Repeater()
        with running([*CLIENT, repeater.address, *arguments], env, home) as terminal:
            repeater.welcome(TABLE, update(1, first))
            terminal.wait_for("Round 1")
            settle(terminal, MOVING)
            for number, (by_other, step) in enumerate(steps, 2):
                before, seen = cells(terminal), terminal.bytes_seen
                repeater.say(update(number, step))
                delay = until_picture(terminal, MOVING)
                if delay is not None:
                    settle(terminal, rest)
                    least = smallest(before, cells(terminal))
                    if by_other and least:
                        delays.append(1000 * delay)
                        written.append(terminal.bytes_seen - seen)
                        ratios.append(written[-1] / least)
    return written, ratios, delays


def update(number: int, step: GameStep) -> Update:
    """A step as it travels."""
    return Update(number, step.events, None, step.view, step.you)


def main() -> None:
    """Measure every kind."""
    times = ", ".join(f"x{charge(rest):.1f} after {rest} s" for rest in (QUICK, STILL, 1.0))
    print(f"the same little work on this machine: {times}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            measure(kind, Path(folder))


if __name__ == "__main__":
    main()
