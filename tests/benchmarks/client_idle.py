"""What a client needs that does nothing: memory, processor, bytes; and how soon it shows itself.

    python -m tests.benchmarks.client_idle

Beside each figure stands its ratio to a bare Textual app of one word, measured in the same minute
on the same machine. Nothing here decides whether a test passes.
"""

import re
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.client_moves import TABLE, Repeater, moves, running, update
from tests.end_to_end.conftest import CLIENT, ServerProcess, Terminal

IDLE_SECONDS = 10.0
STARTS = 5
BARE = (
    "from textual.app import App\n"
    "from textual.widgets import Static\n"
    "class Bare(App):\n"
    "    def compose(self):\n"
    "        yield Static('word')\n"
    "Bare().run()\n"
)
TERMINAL = {"TERM": "xterm-256color"}


@dataclass
class Figures:
    """What one program needs."""

    first_words: float
    """Milliseconds from its start until it has written words that a person can read."""
    first_picture: float
    """The same until the screen that was asked for is there."""
    memory: float
    """Resident megabytes, idle."""
    processor: float
    """Per cent of one processor, idle."""
    written: int
    """Bytes to the terminal in all the idle seconds."""
    wakings: float
    """How often a second it wakes to do something."""


def measure(arguments: list[str], words: str, picture: str, home: Path) -> Figures:
    """Start a program some times, and watch the last one do nothing."""
    words_after, picture_after = [], []
    for _ in range(STARTS):
        begun = time.monotonic()
        with running(arguments, TERMINAL, home) as terminal:
            terminal.wait_for(words)
            words_after.append(1000 * (terminal.read_at - begun))
            terminal.wait_for(picture)
            picture_after.append(1000 * (terminal.read_at - begun))
    with running(arguments, TERMINAL, home) as terminal:
        terminal.wait_for(picture)
        watch(terminal, 2.0)
        before, wakings, written = processor(terminal), switches(terminal), terminal.bytes_seen
        watch(terminal, IDLE_SECONDS)
        return Figures(
            min(words_after),
            min(picture_after),
            memory(terminal),
            100 * (processor(terminal) - before) / IDLE_SECONDS,
            terminal.bytes_seen - written,
            (switches(terminal) - wakings) / IDLE_SECONDS,
        )


def table_of_a_server() -> str:
    """Return the address of one that lets everybody in to the beginning of a game."""
    repeater, (first, _) = Repeater(), moves(0)

    def let_in() -> None:
        while True:
            repeater.welcome(TABLE, update(1, first))

    threading.Thread(target=let_in, daemon=True).start()
    return repeater.address


def watch(terminal: Terminal, seconds: float) -> None:
    """Read what is written for so long."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        terminal.read(left)


def processor(terminal: Terminal) -> float:
    """Seconds of processor used so far, by all threads."""
    threads = Path(f"/proc/{terminal.pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def switches(terminal: Terminal) -> int:
    """How often its threads have gone to sleep so far."""
    threads = Path(f"/proc/{terminal.pid}/task").iterdir()
    return sum(number("voluntary_ctxt_switches", thread / "status") for thread in threads)


def memory(terminal: Terminal) -> float:
    """Resident megabytes."""
    return number("VmRSS", Path(f"/proc/{terminal.pid}/status")) / 1024


def number(name: str, file: Path) -> int:
    """The number beside a name in a file of the kernel's."""
    found = re.search(rf"^{name}:\s*(\d+)", file.read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def show(name: str, figures: Figures, bare: Figures) -> None:
    """Print a line, with what it is in bare apps."""

    def times(mine: float, its: float) -> str:
        return f"x{mine / its:.2f}" if its else "-"

    print(
        f"{name:<18}"
        f"{figures.first_words:7.0f} ms {times(figures.first_words, bare.first_words):>6}"
        f"{figures.first_picture:7.0f} ms {times(figures.first_picture, bare.first_picture):>6}"
        f"{figures.memory:7.1f} MB {times(figures.memory, bare.memory):>6}"
        f"{figures.processor:7.2f} % {times(figures.processor, bare.processor):>6}"
        f"{figures.written:7d} B"
        f"{figures.wakings:7.1f}/s"
    )


def main() -> None:
    """Measure the bare app, the lobby and a table of a server, and a game against bots."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        server = ServerProcess(home / "server")
        try:
            bare = measure([sys.executable, "-c", BARE], "word", "word", home)
            lobby = measure([*CLIENT, server.address], "Connecting|No table", "No table", home)
            words = "Connecting|Round 1"
            table = measure([*CLIENT, table_of_a_server()], words, "Round 1", home)
            alone = measure([*CLIENT, "--here"], "Setting the table|Skull", "Place a flower", home)
        finally:
            server.stop()
    print(
        f"{'':<18}{'first words':>17}{'first picture':>17}"
        f"{'memory':>17}{'processor':>16}{'written':>9}{'wakes':>9}"
    )
    show("bare Textual", bare, bare)
    show("lobby of a server", lobby, bare)
    show("table of a server", table, bare)
    show("game with bots", alone, bare)


if __name__ == "__main__":
    main()
