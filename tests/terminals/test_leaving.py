"""However the client ends, the terminal is as it was before."""

import os
import signal
import socket
import termios
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.end_to_end.conftest import Terminal
from tests.terminals.conftest import Broken, at_turn, look_at_help

ALTERNATE, CURSOR, MOUSE, SGR_MOUSE, PASTE, WRAP = 1049, 25, 1000, 1006, 2004, 7


def check_restored(terminal: Terminal, before: list[object]) -> None:
    """Check everything that the client may have changed."""
    assert terminal.modes[ALTERNATE] is False
    assert terminal.modes[CURSOR] is True
    assert terminal.modes[WRAP] is True
    for mode in (MOUSE, SGR_MOUSE, PASTE):
        assert terminal.modes[mode] is False
    assert [mode for mode, on in terminal.modes.items() if on and mode not in (CURSOR, WRAP)] == []
    assert terminal.settings_at_end == before


def test_while_it_plays_the_terminal_is_its_own(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here")
    at_turn(terminal)
    assert terminal.modes[ALTERNATE] is True
    assert terminal.modes[CURSOR] is False
    assert terminal.modes[PASTE] is True
    assert terminal.modes[MOUSE] is True
    flags = termios.tcgetattr(terminal.fd)[3]
    assert not flags & (termios.ECHO | termios.ICANON | termios.ISIG)
    # Moves of the mouse and changes of the focus are no news to anybody.
    assert not {1002, 1003, 1004, 1015, 1016, 2048} & {m for m, on in terminal.modes.items() if on}


def test_without_a_mouse(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", "--no-mouse")
    at_turn(terminal)
    assert not {9, 1000, 1002, 1003, 1005, 1006, 1015} & set(terminal.modes)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal(open_client: Callable[..., Terminal], number: signal.Signals) -> None:
    terminal = open_client("--here")
    before = terminal.settings
    at_turn(terminal)
    os.kill(terminal.pid, number)
    assert terminal.finish() == 128 + number
    check_restored(terminal, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_connecting(
    open_client: Callable[..., Terminal], number: signal.Signals
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        terminal = open_client(f"127.0.0.1:{silent.getsockname()[1]}")
        terminal.wait_for("Connecting")
        if number == signal.SIGINT:
            terminal.press("\x03")
        else:
            os.kill(terminal.pid, number)
        assert terminal.finish() == 128 + number
    assert terminal.settings_at_end == terminal.settings
    assert terminal.text().strip() in ("", "^C")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_while_the_loop_is_stuck(open_broken: Broken, number: signal.Signals) -> None:
    terminal = open_broken(
        "import skull_client.screens.help as h, time\n"
        "def stuck(self):\n    self.app._driver.write('now stuck')\n"
        "    while True:\n        time.sleep(0.1)\n"  # else a signal may come too late
        "h.Help.furnish = stuck"
    )
    before = terminal.settings
    at_turn(terminal)
    terminal.press("?")
    terminal.wait_for("now stuck")
    os.kill(terminal.pid, number)
    assert terminal.finish() == 128 + number
    check_restored(terminal, before)


def test_quitting(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here")
    before = terminal.settings
    at_turn(terminal)
    terminal.press("\x03")
    terminal.wait_for("Yes, quit")
    terminal.press("down", "enter")
    assert terminal.finish() == 0
    check_restored(terminal, before)


BREAKS = """
import skull_client.screens.help as h
def furnish(self):
    token = "hunter2"
    raise RuntimeError("broken on purpose")
h.Help.furnish = furnish
"""


def test_a_failure_of_the_client_is_told_in_a_sentence(open_broken: Broken, tmp_path: Path) -> None:
    terminal = open_broken(BREAKS)
    before = terminal.settings
    at_turn(terminal)
    terminal.press("?")
    assert terminal.finish() == 1
    check_restored(terminal, before)
    assert "RuntimeError" in terminal.text()
    assert "Traceback" not in terminal.text()
    assert b"hunter2" not in terminal.everything
    (log,) = tmp_path.rglob("client.log")
    told = log.read_text()
    assert "broken on purpose" in told
    assert "Traceback" in told
    assert 'token = "hunter2"' not in told.replace('    token = "hunter2"\n', "")


def test_asleep_the_terminal_belongs_to_the_shell(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here")
    before = terminal.settings
    shown = at_turn(terminal)
    for _ in range(2):
        os.kill(terminal.pid, signal.SIGTSTP)
        _, status = os.waitpid(terminal.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        while terminal.modes[ALTERNATE]:
            assert terminal.read(0.2)
        assert termios.tcgetattr(terminal.fd) == before
        os.kill(terminal.pid, signal.SIGCONT)
        while not terminal.modes[ALTERNATE]:
            assert terminal.read(0.2)
        terminal.wait(lambda text: text == shown, "the table as it was")
        look_at_help(terminal)
    assert thread_count(terminal.pid) == 4  # one of them reads keys, and only one


def test_going_on_without_having_slept_changes_nothing(
    open_client: Callable[..., Terminal],
) -> None:
    terminal = open_client("--here")
    at_turn(terminal)
    threads = thread_count(terminal.pid)
    for _ in range(3):
        os.kill(terminal.pid, signal.SIGCONT)
        look_at_help(terminal)
    assert thread_count(terminal.pid) == threads


def thread_count(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))
