"""The client at the other end of a real SSH connection, which is cut in every way."""

import os
import signal
import subprocess

import pytest
from tests.end_to_end.conftest import Terminal
from tests.terminals.conftest import at_turn, look_at_help
from tests.terminals.real.conftest import Remote, Sshd, Starter

WAYS = {
    "plain": "{}",
    "SIGHUP ignored": "trap '' HUP; exec {}",
    "setsid": "setsid -w {}",
    "su": "su -c '{}'",
    "su, SIGHUP ignored": "trap '' HUP; su -c '{}'",
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def way(request: pytest.FixtureRequest) -> str:
    """A way to start a command in a shell."""
    way: str = request.param
    if "su " in way and os.getuid() != 0:
        pytest.fail("su asks for a password: run this as root, as in a container.")
    return way


def over_ssh(starter: Starter, sshd: Sshd, command: str) -> Terminal:
    return starter("ssh", "-tt", *sshd.options, sshd.host, command)


def test_it_plays_and_gives_the_terminal_back(
    terminal_for: Starter, sshd: Sshd, remote: Remote
) -> None:
    terminal = over_ssh(terminal_for, sshd, remote.command)
    at_turn(terminal)
    look_at_help(terminal)
    terminal.resize(100, 30)
    terminal.wait(lambda text: max(map(len, text.splitlines())) > 80, "a wider screen")
    terminal.press("\x03")
    terminal.wait_for("Yes, quit")
    terminal.press("down", "enter")
    assert terminal.finish() == 0
    assert [mode for mode, on in terminal.modes.items() if on and mode not in (7, 25)] == []


def test_the_ssh_client_is_killed(
    terminal_for: Starter, sshd: Sshd, remote: Remote, way: str
) -> None:
    terminal = over_ssh(terminal_for, sshd, way.format(remote.command))
    at_turn(terminal)
    assert len(remote.clients()) == 1
    terminal.kill()
    assert remote.gone()


def test_the_line_stalls_and_is_then_cut(
    terminal_for: Starter, sshd: Sshd, remote: Remote, way: str
) -> None:
    terminal = over_ssh(terminal_for, sshd, way.format(remote.command))
    at_turn(terminal)
    os.kill(terminal.pid, signal.SIGSTOP)
    terminal.resize(200, 60)
    terminal.kill()
    assert remote.gone()


def test_without_a_terminal_a_sentence(sshd: Sshd, remote: Remote) -> None:
    done = subprocess.run(
        ["ssh", "-T", *sshd.options, sshd.host, remote.command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "ssh -t" in done.stderr
    assert done.stdout == ""
