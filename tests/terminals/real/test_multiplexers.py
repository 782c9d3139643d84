"""The client inside tmux, GNU screen and mosh."""

import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.terminals.conftest import at_turn, look_at_help
from tests.terminals.real.conftest import Remote, Sshd, Starter


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[list[str]]:
    """A tmux server of the test's own."""
    command = ["tmux", "-S", str(tmp_path / "tmux"), "-f", "/dev/null"]
    yield command
    subprocess.run([*command, "kill-server"], capture_output=True, check=False)


def test_tmux(terminal_for: Starter, tmux: list[str], remote: Remote) -> None:
    terminal = terminal_for(*tmux, "new-session", remote.command)
    at_turn(terminal)
    look_at_help(terminal)
    subprocess.run([*tmux, "detach-client"], check=True)
    terminal.finish()
    assert len(remote.clients()) == 1, "it plays on while nobody looks"
    terminal = terminal_for(*tmux, "attach")
    at_turn(terminal)
    look_at_help(terminal)
    subprocess.run([*tmux, "kill-server"], check=True)
    assert remote.gone()


@pytest.mark.parametrize("utf8", [True, False], ids=["UTF-8", "not UTF-8"])
def test_gnu_screen(terminal_for: Starter, tmp_path: Path, remote: Remote, utf8: bool) -> None:
    folder = tmp_path / "screens"
    folder.mkdir(mode=0o700)
    env = {"SCREENDIR": str(folder), "LANG": "C.UTF-8" if utf8 else "C", "LC_ALL": ""}
    mode = ["-U"] if utf8 else []
    command = shlex.split(remote.command)
    if not utf8:
        command.insert(1, "LC_ALL=C")
    start = ["screen", "-c", "/dev/null", *mode, "-S", "skull", *command]
    terminal = terminal_for(*start, **env)
    at_turn(terminal)
    assert look_at_help(terminal).isascii() is not utf8
    subprocess.run(
        ["screen", "-S", "skull", "-X", "quit"], env={"PATH": "/usr/bin:/bin", **env}, check=True
    )
    assert remote.gone()


def test_mosh(terminal_for: Starter, sshd: Sshd, remote: Remote) -> None:
    ssh = shlex.join(["ssh", *sshd.options])
    terminal = terminal_for(
        *("mosh", f"--ssh={ssh}", "--bind-server=127.0.0.1", sshd.host, "--"),
        *shlex.split(remote.command),
    )
    at_turn(terminal)
    look_at_help(terminal)
    terminal.resize(100, 30)
    terminal.wait(lambda text: max(map(len, text.splitlines())) > 80, "a wider screen")
    (pid,) = remote.clients()
    with open(f"/proc/{pid}/stat") as file:
        server = int(file.read().rpartition(")")[2].split()[1])
    subprocess.run(["kill", "-9", str(server)], check=True)
    assert remote.gone()
