"""What the client finds out about a terminal before it opens its screen."""

import os
import pty
import select
import termios
import threading
from collections.abc import Iterator

import pytest

from skull_client import terminal
from skull_client.terminal import ask_for_utf8, locale_says_utf8, prepare, problem

XTERM = {"TERM": "xterm"}


def test_a_usable_terminal_is_no_problem() -> None:
    for size in ((60, 20), (80, 24), (200, 60), (0, 0)):
        assert problem(XTERM, is_terminal=True, size=size) is None


@pytest.mark.parametrize(
    ("environment", "is_terminal", "size", "hint"),
    [
        (XTERM, False, (0, 0), "needs a terminal"),
        ({"TERM": "dumb"}, True, (80, 24), "TERM"),
        ({"TERM": ""}, True, (80, 24), "TERM"),
        ({}, True, (80, 24), "TERM"),
        (XTERM, True, (59, 24), "59x24"),
        (XTERM, True, (80, 19), "80x19"),
    ],
)
def test_what_cannot_work_is_one_sentence(
    environment: dict[str, str], is_terminal: bool, size: tuple[int, int], hint: str
) -> None:
    told = problem(environment, is_terminal=is_terminal, size=size)
    assert told is not None
    assert hint in told
    assert "\n" not in told
    assert told.endswith(".")


def test_what_textual_reads_is_set_and_the_players_wish_respected() -> None:
    here: dict[str, str] = {}
    prepare(here)
    assert here == {"TEXTUAL_FPS": "30"}
    far = {"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}
    prepare(far)
    assert far["ESCDELAY"] == "500"
    assert 15 <= int(far["TEXTUAL_FPS"]) <= 30
    chosen = {"SSH_TTY": "/dev/pts/1", "ESCDELAY": "50", "TEXTUAL_FPS": "60"}
    prepare(chosen)
    assert (chosen["ESCDELAY"], chosen["TEXTUAL_FPS"]) == ("50", "60")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/tmux"}, True),
        ({"TERM": "screen-256color", "TMUX": "/tmp/tmux"}, True),
        ({"TERM": "screen"}, False),
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "xterm", "STY": "1.tty"}, False),
    ],
)
def test_there_is_no_mouse_where_it_costs_the_escape_key(
    environment: dict[str, str], expected: bool
) -> None:
    assert terminal.mouse_is_safe(environment) is expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [("xterm", True), ("tmux-256color", True), ("linux", False), ("vt100", False)],
)
def test_consoles_are_asked_nothing(term: str, expected: bool) -> None:
    assert terminal.may_be_asked({"TERM": term}) is expected


def test_the_size_of_the_shell_is_forgotten() -> None:
    environment = {"COLUMNS": "200", "LINES": "60"}
    prepare(environment)
    assert "COLUMNS" not in environment
    assert "LINES" not in environment


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "en_US.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "C"}, False),
        ({}, False),
        ({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "", "LC_CTYPE": "en_US.UTF-8", "LANG": "C"}, True),
        ({"LC_CTYPE": "C.UTF-8", "LANG": "de_DE.ISO-8859-1"}, False),
        ({"LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "C.UTF-8"}, True),
    ],
)
def test_the_locale_is_read_in_order_of_precedence(
    environment: dict[str, str], expected: bool
) -> None:
    assert locale_says_utf8(environment) is expected


@pytest.fixture
def terminal_pair() -> Iterator[tuple[int, int]]:
    """A pseudo-terminal: the end that a terminal emulator holds, and the end of the program."""
    outside, inside = pty.openpty()
    yield outside, inside
    os.close(outside)
    os.close(inside)


def answering(outside: int, answer: bytes) -> threading.Thread:
    """Be a terminal emulator that answers the first question for the cursor."""

    def emulate() -> None:
        seen = b""
        while b"\x1b[6n" not in seen:
            seen += os.read(outside, 100)
        os.write(outside, answer)

    thread = threading.Thread(target=emulate)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"\x1b[24;2R", True),
        (b"\x1b[1;3R", False),
        (b"x\x1b[24;2R", True),
        (b"\x1b[24;R", None),
        (b"\x1b[;;;R", None),
        (b"\xff" * 80, None),
    ],
)
def test_the_terminal_is_asked_itself(
    terminal_pair: tuple[int, int], answer: bytes, expected: bool | None
) -> None:
    outside, inside = terminal_pair
    before = termios.tcgetattr(inside)
    thread = answering(outside, answer)
    # A garbled answer leaves the probe waiting for a good one until its time is up.
    assert ask_for_utf8(inside, inside, 0.1 if expected is None else 10) is expected
    thread.join()
    assert termios.tcgetattr(inside) == before


def test_a_terminal_that_does_not_answer_is_not_waited_for(terminal_pair: tuple[int, int]) -> None:
    _, inside = terminal_pair
    before = termios.tcgetattr(inside)
    assert ask_for_utf8(inside, inside, 0.05) is None
    assert termios.tcgetattr(inside) == before


def test_keys_behind_the_answer_are_left_for_the_game(terminal_pair: tuple[int, int]) -> None:
    outside, inside = terminal_pair
    thread = answering(outside, b"\x1b[24;2Rabc\n")
    assert ask_for_utf8(inside, inside, 10) is True
    thread.join()
    assert select.select([inside], [], [], 10)[0]
    assert os.read(inside, 100) == b"abc\n"


def test_keys_typed_ahead_are_left_alone_and_nothing_is_asked(
    terminal_pair: tuple[int, int],
) -> None:
    outside, inside = terminal_pair
    os.write(outside, b"ls\n")
    assert select.select([inside], [], [], 10)[0]
    assert ask_for_utf8(inside, inside, 10) is None
    assert os.read(inside, 100) == b"ls\n"


def test_the_question_leaves_no_trace_on_the_line(terminal_pair: tuple[int, int]) -> None:
    outside, inside = terminal_pair
    assert ask_for_utf8(inside, inside, 0.05) is None
    written = b""
    while not written.endswith(b"  \r"):
        written += os.read(outside, 100)
    assert written == b"\r\xc3\xa9\x1b[6n\r  \r"


def test_no_terminal_is_no_answer() -> None:
    reading, writing = os.pipe()
    try:
        assert ask_for_utf8(reading, writing, 10) is None
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_without_an_answer_the_locale_decides(monkeypatch: pytest.MonkeyPatch, locale: str) -> None:
    monkeypatch.setattr(terminal, "ask_for_utf8", lambda *_: None)
    assert terminal.shows_utf8({"LC_ALL": locale}) is (locale == "C.UTF-8")
    monkeypatch.setattr(terminal, "ask_for_utf8", lambda *_: True)
    assert terminal.shows_utf8({"LC_ALL": locale}) is True
