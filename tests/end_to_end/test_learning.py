"""From the shell: the lesson by keys alone, and a game here against hard bots with a coach."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.end_to_end.conftest import Terminal

STEPS: tuple[tuple[str, ...], ...] = (
    ("f", "enter"),
    ("2", "enter"),
    ("enter",),
    ("1", "enter"),
    ("enter",),
    ("f", "enter"),
    ("1", "enter"),
    ("3", "enter"),
    ("enter",),
    ("2", "enter"),
    ("enter",),
    ("right", "enter"),
)
"""The keys of each step of the lesson."""


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20)])
def test_the_lesson_from_start_to_end(
    open_client: Callable[..., Terminal], columns: int, rows: int
) -> None:
    terminal = open_client("--learn", "--name", "Ada", columns=columns, rows=rows)
    for number, keys in enumerate(STEPS, 1):
        terminal.wait_for(f"step {number} of 12")
        for key in keys:
            before = terminal.text()
            terminal.press(key)
            if key != "enter" and "▸" not in _choices(before):
                terminal.wait(lambda _: "▸" in _choices(terminal.text()), f"{key} select")
    terminal.wait_for("You know it all now", "▸ Play on")
    terminal.press("enter")
    terminal.wait_for("Round 2", "t talk")
    quit_game(terminal)
    assert terminal.finish() == 0


def quit_game(terminal: Terminal) -> None:
    terminal.press("q")
    terminal.wait_for("▸ No, stay")
    terminal.press("down")
    terminal.wait_for("▸ Yes, quit")
    terminal.press("enter")


def _choices(text: str) -> str:
    return "".join(re.findall(r"\[([▸ ])[^\[\]]+\]", text))


def test_leaving_the_lesson_ends_well(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--learn", "--ascii")
    terminal.wait_for("step 1 of 12")
    terminal.press("l")
    terminal.wait_for("> No, go on learning")
    terminal.press("down")
    terminal.wait_for("> Yes, leave the lesson")
    terminal.press("enter")
    assert terminal.finish() == 0


def test_hard_bots_and_the_coach_in_a_game_here(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--bots", "2", "--level", "hard", "--coach")
    terminal.wait_for("Place your first disc")
    terminal.press("c")
    terminal.wait_for(r"Coach: place (a flower|the skull)")
    terminal.press("f")
    terminal.wait_for("▸Place a flower")
    terminal.press("enter")
    terminal.wait_for(r"Your turn|[Ff]lip|Waiting for")
    assert "mistake" not in terminal.text()
    quit_game(terminal)
    assert terminal.finish() == 0
