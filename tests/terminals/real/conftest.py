"""Real sshd, tmux, GNU screen and mosh, on this machine alone: `make test-terminals`.

Not part of `make test`, because not every machine has them. Where one is missing, this fails.
"""

import getpass
import os
import select
import shlex
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.end_to_end.conftest import PATIENCE, Terminal, open_client
from tests.terminals.conftest import SOON

__all__ = ["open_client"]

WANTED = os.environ.get("SKULL_TERMINALS") == "1"
collect_ignore_glob = [] if WANTED else ["test_*.py"]
PACKAGES = {
    "sshd": "openssh-server",
    "ssh": "openssh-client",
    "screen": "screen",
    "tmux": "tmux",
    "mosh": "mosh",
    "mosh-server": "mosh",
    "su": "util-linux",
    "setsid": "util-linux",
}
"""Programs that are needed, and the packages of Debian that have them."""


def found(program: str) -> str | None:
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


MISSING = sorted(program for program in PACKAGES if found(program) is None)
if WANTED and MISSING:
    packages = " ".join(sorted({PACKAGES[program] for program in MISSING}))
    pytest.exit(f"Missing: {', '.join(MISSING)}. Try: apt install {packages}", returncode=1)


@dataclass
class Remote:
    """The client as a command for a shell, and the way to find the processes that it became."""

    command: str
    mark: str

    def clients(self) -> list[int]:
        """The processes of the client that are running now."""
        pids = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                arguments = (folder / "cmdline").read_bytes().split(b"\0")
                environment = (folder / "environ").read_bytes()
            except OSError:  # it has ended meanwhile, or is another user's
                continue
            is_client = any(part.endswith(b"/skull-client") for part in arguments[:2])
            if is_client and self.mark.encode() in environment:
                pids.append(int(folder.name))
        return pids

    def gone(self) -> bool:
        """Whether all of them end soon."""
        deadline = time.monotonic() + SOON
        while self.clients():
            if time.monotonic() > deadline:
                return False
            select.select([], [], [], 0.05)
        return True


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    """A client with a home of its own; whatever is left of it is ended after the test."""
    mark = f"SKULL_TEST={uuid.uuid4().hex}"
    client = Path(sys.executable).with_name("skull-client")
    words = ["env", mark, f"HOME={tmp_path}", "LANG=C.UTF-8", str(client), "--here"]
    found = Remote(shlex.join(words), mark)
    yield found
    for pid in found.clients():
        os.kill(pid, 9)


@dataclass
class Sshd:
    """A server of this user's own, on a free port of this machine."""

    port: int
    key: Path

    @property
    def options(self) -> list[str]:
        """What `ssh` needs to log in here."""
        settings = {
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": "/dev/null",
            "LogLevel": "ERROR",
            "BatchMode": "yes",
        }
        return [
            *("-F", "none", "-p", str(self.port), "-i", str(self.key)),
            *(part for name, value in settings.items() for part in ("-o", f"{name}={value}")),
        ]

    @property
    def host(self) -> str:
        """Whom to log in as, and where."""
        return f"{getpass.getuser()}@127.0.0.1"


@pytest.fixture(scope="session")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sshd]:
    """An sshd with keys and a configuration of its own."""
    folder = tmp_path_factory.mktemp("sshd")
    for name in ("host", "user"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True
        )
    (folder / "authorized").write_bytes((folder / "user.pub").read_bytes())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    (folder / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
        f"AuthorizedKeysFile {folder}/authorized\nPidFile none\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nPermitRootLogin yes\nPrintMotd no\n"
    )
    if os.getuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # where it locks itself in
    log = (folder / "log").open("wb")
    program = found("sshd")
    assert program is not None
    process = subprocess.Popen([program, "-D", "-e", "-f", folder / "config"], stderr=log)
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline
            select.select([], [], [], 0.05)
    yield Sshd(port, folder / "user")
    process.terminate()
    process.wait()
    log.close()


@pytest.fixture
def terminal_for(tmp_path: Path) -> Iterator["Starter"]:
    """Start any program in a pseudo-terminal."""
    starter = Starter(tmp_path)
    yield starter
    for terminal in starter.opened:
        terminal.kill()


class Starter:
    """Starts programs in pseudo-terminals."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.opened: list[Terminal] = []

    def __call__(self, *arguments: str, **env: str) -> Terminal:
        """Start this one, with nothing in its environment but what it needs."""
        own = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        terminal = Terminal(list(arguments), {**own, **env})
        self.opened.append(terminal)
        return terminal
