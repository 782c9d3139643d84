"""The terminal goes, in every way in which it can: so does the client, and soon."""

import os
import select
import signal
import socket
import time
from collections.abc import Callable

import pytest
from tests.end_to_end.conftest import Terminal
from tests.terminals.conftest import SOON, at_turn, look_at_help

from skull_client.leaving import GONE_STATUS


def heed_hang_up() -> None:
    """As a shell in a terminal leaves it, whatever runs the tests."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def ignore_hang_up() -> None:
    """As `nohup` does."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def leave_the_session() -> None:
    """As `setsid` does: no signal reaches a process outside the terminal's session."""
    if os.fork():
        os.wait()
        os._exit(0)
    os.setsid()


def test_a_plain_hang_up(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", start=heed_hang_up)
    at_turn(terminal)
    terminal.hang_up()
    assert terminal.gone(SOON) == -signal.SIGHUP


def test_a_hang_up_without_a_signal(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", start=ignore_hang_up)
    at_turn(terminal)
    terminal.hang_up()
    assert terminal.gone(SOON) == GONE_STATUS


def test_a_hang_up_outside_the_session(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client("--here", start=leave_the_session)
    at_turn(terminal)
    child = int(children(terminal.pid)[0])
    handle = os.pidfd_open(child)
    terminal.hang_up()
    assert select.select([handle], [], [], SOON)[0]
    os.close(handle)


def children(pid: int) -> list[str]:
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return file.read().split()


def test_a_hang_up_while_connecting(open_client: Callable[..., Terminal]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        terminal = open_client(address, start=ignore_hang_up)
        terminal.wait_for("Connecting")
        terminal.hang_up()
        assert terminal.gone(SOON) == GONE_STATUS


@pytest.mark.parametrize("start", [ignore_hang_up, None], ids=["ignored", "told"])
def test_a_terminal_that_stalls_and_then_goes(
    open_client: Callable[..., Terminal], start: Callable[[], None] | None
) -> None:
    terminal = open_client("--here", start=start or (lambda: None), columns=200, rows=60)
    at_turn(terminal)
    stall(terminal)
    terminal.hang_up()
    assert terminal.gone(SOON) in (GONE_STATUS, -signal.SIGHUP)


def stall(terminal: Terminal) -> None:
    """Have the client draw, and read nothing of it, until a write of it does not come back."""
    deadline = time.monotonic() + 60
    while not writing(terminal.pid):
        assert time.monotonic() < deadline, "the client never filled the terminal"
        terminal.press("f2")  # everything is drawn anew
        select.select([], [], [], 0.05)


def writing(pid: int) -> bool:
    """Whether a thread of the process waits for its terminal to take something."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/syscall") as file:
            if file.read().startswith("1 0x2 "):
                return True
    return False


def test_a_terminal_that_stalls_for_a_while_is_drawn_in_full(
    open_client: Callable[..., Terminal],
) -> None:
    terminal = open_client("--here", columns=200, rows=60)
    at_turn(terminal)
    stall(terminal)
    for _ in range(60):  # far more than is kept
        terminal.press("f2")
        select.select([], [], [], 0.02)
    if look_at_help(terminal).isascii():
        terminal.press("f2")
        terminal.wait(lambda text: not text.isascii(), "symbols")
    shown = look_at_help(terminal)
    terminal.resize(100, 30)  # and so everything is drawn, whatever was kept
    terminal.wait(lambda text: text != shown and "? help" in text, "another size")
    terminal.resize(200, 60)
    terminal.wait(lambda text: text == shown, "the table as it was")
