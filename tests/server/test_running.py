"""Running `skull-server` as a process: TLS, metrics, logs, and what its help tells."""

import contextlib
import json
import re
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Goodbye, Ok
from skull_protocol.requests import Hello
from skull_server.limits import Limits

CERTIFICATES = Path(__file__).parent.parent / "certificates"
CERTIFICATE, KEY = CERTIFICATES / "test-only.cert.pem", CERTIFICATES / "test-only.key.pem"
TLS = ("--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY))


def command(directory: Path, *flags: str) -> list[str]:
    where = ("--host", "127.0.0.1", "--port", "0", "--data-dir", str(directory))
    return [sys.executable, "-c", "from skull_server.cli import main; main()", *where, *flags]


class Running:
    """A server that listens, and after the end what it logged."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port
        self.logged = ""


@contextlib.contextmanager
def running(directory: Path, *flags: str) -> Iterator[Running]:
    process = subprocess.Popen(
        command(directory, *flags), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"skull-server listening on 127\.0\.0\.1:(\d+)\n", line)
        assert found, line
        server = Running(process, int(found[1]))
        yield server
        process.send_signal(signal.SIGTERM)
        output, server.logged = process.communicate(timeout=30)
        assert process.returncode == 0, server.logged
        assert output == ""
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def failing(directory: Path, *flags: str) -> tuple[int, str]:
    """How a server ends that cannot start, and what it says."""
    done = subprocess.run(
        command(directory, *flags), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def talk(sock: socket.socket, wanted: type[object]) -> list[object]:
    """Read until such a message has come."""
    splitter, messages = FrameSplitter(MAX_PUSH), list[object]()
    while not any(isinstance(message, wanted) for message in messages):
        chunk = sock.recv(65536)
        assert chunk
        messages += [PUSHES.parse(body) for body in splitter.feed(chunk)]
    return messages


def test_tls_as_a_player_meets_it(tmp_path: Path) -> None:
    context = ssl.create_default_context(cafile=str(CERTIFICATE))
    with running(tmp_path, *TLS, "--log-level", "debug") as server:
        plain = socket.create_connection(("127.0.0.1", server.port))
        with context.wrap_socket(plain, server_hostname="localhost") as player:
            hello = Hello(id=1, protocol=PROTOCOL_VERSION, name="Ann", token=None)
            player.sendall(encode(hello))
            talk(player, Ok)
            server.process.send_signal(signal.SIGTERM)
            (goodbye,) = talk(player, Goodbye)
            assert isinstance(goodbye, Goodbye)
            assert goodbye.retry
    assert "Traceback" not in server.logged


@pytest.mark.parametrize(
    ("cert", "key", "hint"),
    [
        ("missing.pem", "test-only.key.pem", "missing.pem: No such file"),
        ("test-only.cert.pem", "test-only-another.key.pem", "is not the key of"),
        ("test-only.key.pem", "test-only.key.pem", "must be PEM files"),
        ("test-only.cert.pem", "test-only-locked.key.pem", "must have no passphrase"),
    ],
)
def test_certificates_that_do_not_fit_are_one_sentence_and_exit_1(
    tmp_path: Path, cert: str, key: str, hint: str
) -> None:
    files = ("--tls-cert", str(CERTIFICATES / cert), "--tls-key", str(CERTIFICATES / key))
    status, said = failing(tmp_path, *files)
    assert status == 1
    assert said.startswith("skull-server: ")
    assert said.count("\n") == 1
    assert hint in said
    assert "--tls-cert" in said


@pytest.mark.parametrize("flags", [TLS[:2], TLS[2:]])
def test_certificate_and_key_go_together(tmp_path: Path, flags: tuple[str, ...]) -> None:
    status, said = failing(tmp_path, *flags)
    assert status == 2
    assert "--tls-cert and --tls-key go together" in said


def test_metrics_on_a_port_of_their_own(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(tmp_path, "--metrics-port", str(port), "--log-level", "info") as server:
        with socket.create_connection(("127.0.0.1", server.port)) as player:
            hello = Hello(id=1, protocol=PROTOCOL_VERSION, name="Ann", token=None)
            player.sendall(encode(hello))
            talk(player, Ok)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            page = answer.read().decode()
    assert 'skull_requests_total{outcome="ok",type="Hello"} 1.0' in page
    assert float(re.findall(r"^skull_commit_seconds_count (\S+)", page, re.M)[0]) >= 1
    assert f"metrics_served host=127.0.0.1 port={port}" in server.logged


def test_a_metrics_port_in_use_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        status, said = failing(tmp_path, "--metrics-port", str(taken.getsockname()[1]))
    assert status == 1
    assert said.count("\n") == 1
    assert "--metrics-port" in said


def test_json_logs_are_json_line_by_line(tmp_path: Path) -> None:
    with (
        running(tmp_path, "--log-format", "json", "--log-level", "debug") as server,
        socket.create_connection(("127.0.0.1", server.port)) as player,
    ):
        hello = Hello(id=1, protocol=PROTOCOL_VERSION, name="Annabell", token=None)
        player.sendall(encode(hello))
        talk(player, Ok)
    lines = [json.loads(line) for line in server.logged.splitlines()]
    assert {"time", "level", "logger", "event"} <= set.intersection(*(set(line) for line in lines))
    (entered,) = [line for line in lines if line["event"] == "player_in"]
    assert (entered["player"], entered["resumed"]) == (1, False)
    assert "Annabell" not in server.logged


def test_help_lists_every_limit_with_its_default(tmp_path: Path) -> None:
    done = subprocess.run(command(tmp_path, "--help"), capture_output=True, text=True, check=True)
    told = " ".join(done.stdout.split())
    for limit in fields(Limits):
        about = limit.metadata
        flag = f"--{limit.name.replace('_', '-')} {about['unit']}"
        assert f"{flag} {about['meaning']} (default: {limit.default})" in told
