"""Kinds of terminals and of locales, and sizes that no one plays in."""

import os
from collections.abc import Callable

import pytest
from tests.end_to_end.conftest import Terminal
from tests.terminals.conftest import at_turn, look_at_help

TERMS = ["xterm", "xterm-256color", "screen", "screen-256color", "tmux-256color", "linux", "vt100"]


@pytest.mark.parametrize("term", TERMS)
def test_every_kind_of_terminal(open_client: Callable[..., Terminal], term: str) -> None:
    terminal = open_client("--here", TERM=term)
    before = at_turn(terminal)
    assert "■" in before or "▸" in before
    look_at_help(terminal)


@pytest.mark.parametrize("term", ["linux", "vt100"])
def test_consoles_are_asked_nothing_that_they_would_print(
    open_client: Callable[..., Terminal], term: str
) -> None:
    terminal = open_client("--here", TERM=term)
    at_turn(terminal)
    for question in (b"$p", b"\x1b]", b"\x1bP"):
        assert question not in terminal.everything


@pytest.mark.parametrize("term", ["dumb", ""])
def test_no_screen_no_game(open_client: Callable[..., Terminal], term: str) -> None:
    terminal = open_client("--here", TERM=term)
    assert terminal.finish() == 2
    assert "TERM" in terminal.text()
    assert "\x1b" not in terminal.everything.decode()


@pytest.mark.parametrize("stream", [0, 2])
def test_a_screen_and_a_keyboard_are_needed(
    open_client: Callable[..., Terminal], stream: int
) -> None:
    def elsewhere() -> None:
        os.dup2(os.open("/dev/null", os.O_RDWR), stream)

    terminal = open_client("--here", start=elsewhere)
    assert terminal.finish() == 2


LOCALES = [{"LANG": "de_DE.ISO-8859-1"}, {"LC_ALL": "C"}, {"LANG": "POSIX", "LC_CTYPE": "C"}]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_locale_may_lie_about_a_terminal_that_answers(
    open_client: Callable[..., Terminal], locale: dict[str, str]
) -> None:
    terminal = open_client("--here", **{"LANG": "", **locale})
    assert not at_turn(terminal).isascii()


class Mute(Terminal):
    """A terminal that answers nothing it is asked."""

    def answer(self, words: str) -> None:
        """Say nothing."""


class OneByteACell(Terminal):
    """A terminal that knows no UTF-8: `é` is two letters there."""

    def answer(self, words: str) -> None:
        """Say that the cursor is a cell further."""
        super().answer(words.replace(";2R", ";3R"))


@pytest.mark.parametrize("locale", LOCALES)
def test_the_locale_is_believed_where_the_terminal_is_mute(
    open_client: Callable[..., Terminal], locale: dict[str, str]
) -> None:
    terminal = open_client("--here", kind=Mute, **{"LANG": "", **locale})
    assert at_turn(terminal).isascii()
    assert terminal.everything.replace(b"\xc3\xa9", b"").isascii()


def test_without_utf8_every_byte_is_ascii(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", kind=OneByteACell)
    at_turn(terminal)
    look_at_help(terminal)
    assert terminal.everything.replace(b"\xc3\xa9", b"").isascii()


def test_no_color_is_respected(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", NO_COLOR="1")
    at_turn(terminal)
    cells = [cell for row in terminal.screen.buffer.values() for cell in row.values()]
    assert {cell.fg for cell in cells} == {"default"}
    assert {cell.bg for cell in cells} == {"default"}


def test_sizes_that_nobody_plays_in(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here")
    at_turn(terminal)
    terminal.resize(40, 10)
    terminal.wait_for("60x20")
    for columns, rows in ((1, 1), (0, 0), (400, 100), (2, 1), (1, 50), (300, 2), (400, 100)):
        terminal.resize(columns, rows)
        terminal.read(0.1)
    terminal.wait(lambda text: max(map(len, text.splitlines())) > 200, "a very wide screen")
    look_at_help(terminal)
    terminal.resize(80, 24)
    terminal.wait(lambda text: max(map(len, text.splitlines())) <= 80, "a screen of 80 columns")
    look_at_help(terminal)


def test_the_shell_may_lie_about_the_size(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", COLUMNS="200", LINES="60")
    text = at_turn(terminal)
    assert text.splitlines()[-1].strip(), "the keys are in the last line of the real terminal"


def test_a_size_that_is_too_small_is_told_before_the_screen_opens(
    open_client: Callable[..., Terminal],
) -> None:
    terminal = open_client("--here", columns=50, rows=10)
    assert terminal.finish() == 2
    assert "50x10" in terminal.text()
