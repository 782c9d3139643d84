"""The command `skull-server`, as a process: its one line, its exits, its last words."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Goodbye, Ok, Welcome
from skull_protocol.requests import Hello

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers, and ends those that are left."""
    started: list[subprocess.Popen[str]] = []

    def run(*flags: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-c", "from skull_server.cli import main; main()", *flags]
        if "--data-dir" not in flags:
            command += ["--data-dir", str(tmp_path / "state")]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ready(process: "subprocess.Popen[str]") -> tuple[str, int]:
    """Wait for the line that says where the server listens."""
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.fullmatch(r"skull-server listening on (.+):(\d+)\n", line)
    assert match, line
    return match[1], int(match[2])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_line_then_players_are_told_and_it_exits_0_in_time(
    start: Start, number: signal.Signals
) -> None:
    process = start("--host", "127.0.0.1", "--port", "0", "--log-level", "debug")
    host, port = ready(process)
    assert host == "127.0.0.1"
    messages: list[object] = []
    with socket.create_connection((host, port)) as player:
        player.sendall(encode(Hello(id=1, protocol=PROTOCOL_VERSION, name="Ann", token=None)))
        splitter = FrameSplitter(MAX_PUSH)
        while Ok(1) not in messages:
            messages += [PUSHES.parse(body) for body in splitter.feed(player.recv(65536))]
        token = next(m.token for m in messages if hasattr(m, "token"))
        told = time.monotonic()
        process.send_signal(number)
        while chunk := player.recv(65536):
            messages += [PUSHES.parse(body) for body in splitter.feed(chunk)]
        # The connection stays open at this end: the server must not wait for it.
        output, errors = process.communicate(timeout=30)
    assert time.monotonic() - told < 2
    assert process.returncode == 0
    assert isinstance(messages[-1], Goodbye)
    assert messages[-1].retry
    assert output == ""
    assert "player_in player=1 resumed=false\n" in errors
    assert token not in errors
    assert "Traceback" not in errors


def test_a_port_in_use_is_one_line_and_exit_1(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = start("--host", "127.0.0.1", "--port", str(port))
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert output == ""
    assert re.fullmatch(rf"skull-server: cannot listen on 127\.0\.0\.1:{port}: .+\n", errors)


def test_a_host_that_is_not_ours_is_one_line_and_exit_1(start: Start) -> None:
    process = start("--host", "192.0.2.1", "--port", "0")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.count("\n") == 1


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_an_ipv6_address_stands_in_brackets(start: Start) -> None:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            pass
    except OSError:
        pytest.skip("no IPv6 loopback here")
    host, _ = ready(start("--host", "::1", "--port", "0"))
    assert host == "[::1]"


def test_the_data_directory_is_made_for_this_user_alone(start: Start, tmp_path: Path) -> None:
    directory = tmp_path / "a" / "b"
    ready(start("--host", "127.0.0.1", "--port", "0", "--data-dir", str(directory)))
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_data_directory_that_cannot_be_written_is_one_line_and_exit_1(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    process = start("--port", "0", "--data-dir", str(tmp_path / "file" / "below"))
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors.count("\n") == 1
    assert "--data-dir" in errors


@pytest.mark.parametrize("port", ["65536", "-1", "x", "1.5"])
def test_a_port_that_is_none_is_refused(start: Start, port: str) -> None:
    process = start("--port", port)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "from 0 to 65535" in errors


def test_help_tells_every_flag_without_loading_the_server() -> None:
    code = (
        "import sys\nfrom skull_server.cli import main\n"
        "sys.argv = ['skull-server', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('loaded', 'skull_server.server' in sys.modules)\n"
    )
    env = {**os.environ, "COLUMNS": "100"}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    ).stdout
    for flag in ("--host", "--port", "--data-dir", "--log-level", "--hello-deadline", "7585"):
        assert flag in shown
    assert shown.endswith("loaded False\n")


def damage(directory: Path) -> bytes:
    """Make a journal that is none."""
    directory.mkdir(mode=0o700, parents=True)
    content = b"this was a journal once " * 300
    (directory / "journal.sqlite3").write_bytes(content)
    return content


def test_a_damaged_journal_is_one_line_and_exit_1_and_stays(start: Start, tmp_path: Path) -> None:
    content = damage(tmp_path / "state")
    process = start("--host", "127.0.0.1", "--port", "0")
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert output == ""
    assert errors.count("\n") == 1
    assert "is damaged" in errors
    assert "--salvage" in errors
    assert (tmp_path / "state" / "journal.sqlite3").read_bytes() == content


def test_salvage_says_what_it_did_and_the_server_runs(start: Start, tmp_path: Path) -> None:
    content = damage(tmp_path / "state")
    process = start("--host", "127.0.0.1", "--port", "0", "--salvage")
    ready(process)
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    aside = re.search(r"skull-server: the damaged journal is kept, unharmed, as (\S+)\.\n", errors)
    assert aside
    assert (tmp_path / "state" / aside[1]).read_bytes() == content
    assert "kept: 0 players, 0 tables, 0 games" in errors


def test_salvage_leaves_a_whole_journal_alone(start: Start, tmp_path: Path) -> None:
    for _ in range(2):
        process = start("--host", "127.0.0.1", "--port", "0", "--salvage")
        ready(process)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 0
        assert errors == ""
    files = {file.name for file in (tmp_path / "state").iterdir()}
    assert files == {"journal.sqlite3", "lock"}


def test_a_second_server_on_the_same_directory_is_one_line_and_exit_1(start: Start) -> None:
    ready(start("--host", "127.0.0.1", "--port", "0"))
    process = start("--host", "127.0.0.1", "--port", "0")
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert output == ""
    assert errors.count("\n") == 1
    assert "another server uses" in errors


def test_check_is_silent_about_a_whole_directory_and_says_what_is_wrong(
    start: Start, tmp_path: Path
) -> None:
    def check() -> "subprocess.CompletedProcess[str]":
        code = "from skull_server.cli import main; main()"
        command = [sys.executable, "-c", code, "check", "--data-dir", str(tmp_path / "state")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    process = start("--host", "127.0.0.1", "--port", "0")
    ready(process)
    done = check()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    (tmp_path / "state" / "journal.sqlite3").write_bytes(b"x" * 5000)
    (tmp_path / "state" / "journal.sqlite3").chmod(0o644)
    done = check()
    assert done.returncode == 1
    assert done.stdout.count("\n") == 2, done.stdout
    assert done.stderr == ""


def test_a_player_comes_back_to_the_next_server(start: Start) -> None:
    """Even with the token of a welcome whose server ended right after it."""
    token = None
    for _ in range(3):
        process = start("--host", "127.0.0.1", "--port", "0")
        messages: list[object] = []
        with socket.create_connection(ready(process)) as player:
            hello = Hello(id=1, protocol=PROTOCOL_VERSION, name="Ann", token=token)
            player.sendall(encode(hello))
            splitter = FrameSplitter(MAX_PUSH)
            while Ok(1) not in messages:
                messages += [PUSHES.parse(body) for body in splitter.feed(player.recv(65536))]
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=30)
        [welcome] = [message for message in messages if isinstance(message, Welcome)]
        assert welcome.player == 1
        assert welcome.resumed == (token is not None)
        token = welcome.token
