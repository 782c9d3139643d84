"""A player that plays by lines: a real `skull-client --plain`, and how it is talked to by pipes."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

from tests.end_to_end.conftest import PATIENCE

PROMPT = re.compile(r"> (.*) (?:Type|Scrie|Skriv): (.*)\.")
BID = re.compile(r"bid (?:de la )?(\d+)(?: (?:to|la|till) (\d+))?")
THE_END = ("At the end: ", "La sfârșit: ", "Till slut: ")
"""How the line that ends a game begins in each language; the one before it tells who won."""


class PlainProcess:
    """The client with pipes at both ends."""

    def __init__(self, home: Path, *arguments: str, **environment: str) -> None:
        self.process = subprocess.Popen(
            [str(Path(sys.executable).with_name("skull-client")), "--plain", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            bufsize=1,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(home),
                "TERM": "dumb",
                "LANG": "C.UTF-8",
                **environment,
            },
        )
        self.lines: list[str] = []
        """Everything that was written so far."""
        self._new: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._new.put(line.removesuffix("\n"))
        self._new.put(None)

    def line(self) -> str | None:
        """Wait for the next line; None at the end."""
        line = self._new.get(timeout=PATIENCE)
        if line is not None:
            self.lines.append(line)
        return line

    def until(self, pattern: str) -> re.Match[str]:
        """Wait for a line in which a pattern is found."""
        while (line := self.line()) is not None:
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"no {pattern!r} in\n" + "\n".join(self.lines))

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> int:
        """End the lines, read what is still written, and return the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        while self.line() is not None:
            pass
        return self.process.wait(timeout=PATIENCE)

    def kill(self) -> None:
        """End the program whatever it does."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):  # what was typed last was not read
                stream.close()


def answer(prompt: str, dice: random.Random) -> str | None:
    """Choose among what a prompt names; None where it names nothing of the game."""
    found = PROMPT.fullmatch(prompt)
    if found is None:
        return None
    beside = ("bot", "seat", "coach", "help")
    forms = [form for form in found[2].split(", ") if form.partition(" ")[0] not in beside]
    if not forms:
        return None
    if "ready" in forms and dice.random() < 0.8:
        return "ready"
    form = dice.choice(forms)
    if bid := BID.fullmatch(form):
        low, high = int(bid[1]), int(bid[2] or bid[1])
        return f"bid {min(high, low + dice.choice((0, 0, 1, 2)))}"
    return form


def play(player: PlainProcess, games: int, dice: random.Random) -> list[str]:
    """Answer every prompt until so many games are over; return the line that tells each winner."""
    winners: list[str] = []
    while len(winners) < games:
        line = player.line()
        assert line is not None, "\n".join(player.lines)
        if line.startswith(THE_END):
            winners.append(player.lines[-2])
        elif line.startswith("> ") and len(winners) < games:
            reply = answer(line, dice)
            if reply is not None:
                player.type(reply)
    return winners
