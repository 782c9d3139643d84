"""A player that plays by keys: reads the line of choices on the screen, selects, presses Enter."""

from __future__ import annotations

import re

from tests.end_to_end.conftest import Terminal

CHOICE = re.compile(r"\[([▸ ])([^\[\]]+?) ?\]")


def offered(terminal: Terminal) -> list[str]:
    """What the line of choices offers, in order."""
    return [label.strip() for _, label in CHOICE.findall(terminal.text())]


def selected(terminal: Terminal) -> str | None:
    """The choice that the screen marks as selected."""
    marked = [label.strip() for mark, label in CHOICE.findall(terminal.text()) if mark == "▸"]
    return marked[0] if marked else None


def do(terminal: Terminal, wish: str) -> None:
    """Wait until a choice is offered, select it with the arrow keys, and do it with Enter."""

    def wanted() -> str | None:
        return next((label for label in offered(terminal) if re.match(wish, label)), None)

    terminal.wait(lambda _: wanted(), f"the choice {wish!r}")
    for _ in range(10):
        if selected(terminal) is not None and selected(terminal) == wanted():
            break
        before = selected(terminal)
        terminal.press("right")
        terminal.wait(lambda _, before=before: selected(terminal) != before, "the selection move")  # type: ignore[misc]
    assert selected(terminal) == wanted(), terminal.text()
    story = told(terminal)
    terminal.press("enter")
    terminal.wait(lambda _: told(terminal) != story, f"what {wish!r} led to")


def told(terminal: Terminal) -> list[str]:
    """What the screen says happened, and what is asked for."""
    return terminal.text().splitlines()[19:21]
