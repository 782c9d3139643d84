"""A server is restarted under a running game, plain and with TLS; and TLS at one end only."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

from tests.end_to_end.by_keys import do, offered
from tests.end_to_end.conftest import PATIENCE, ServerProcess, Terminal

CERTIFICATES = Path(__file__).parent.parent / "certificates"
CERTIFICATE, KEY = CERTIFICATES / "test-only.cert.pem", CERTIFICATES / "test-only.key.pem"
SERVER_TLS = ("--tls-cert", str(CERTIFICATE), "--tls-key", str(KEY))
CLIENT_TLS = ("--tls", "--tls-ca", str(CERTIFICATE))


def whoever_may(terminals: list[Terminal], choice: str) -> Terminal:
    """Wait until somebody is offered this choice."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for terminal in terminals:
            terminal.read(0.1)
            if any(re.match(choice, label) for label in offered(terminal)):
                return terminal
    raise AssertionError("\n".join(terminal.text() for terminal in terminals))


def test_a_game_goes_on_by_itself_after_a_restart(
    tmp_path: Path, open_client: Callable[..., Terminal]
) -> None:
    first = ServerProcess(tmp_path / "server")
    ana = open_client(first.address, "--name", "Ana", "--bots", "1")
    code = re.search(r"Table ([A-Z]{4})", ana.wait_for("waiting to start", "2 +Bot"))
    assert code is not None
    bob = open_client(first.address, "--name", "Bob", "--table", code[1])
    ana.wait_for("▸ Start", "3 +Bob")
    ana.press("enter")
    people = [ana, bob]
    placer = whoever_may(people, "Place the skull")
    do(placer, "Place the skull")
    before = placer.wait_for(r"Mat +S", r"Hand +F F F")
    assert first.stop() == 0
    for terminal in people:
        terminal.wait_for("Trying again by itself")

    port = first.address.rsplit(":", 1)[1]
    second = ServerProcess(tmp_path / "server", "--port", port)
    for terminal in people:
        terminal.wait(lambda text: "Trying again" not in text and code[1] in text, "the game")
    assert re.search(r"Mat +S", placer.text()), (before, placer.text())
    (other,) = (terminal for terminal in people if terminal is not placer)
    do(other, "Place the skull")  # the bot has placed, or does so now
    other.wait_for(r"Mat +S")
    for terminal in people:
        terminal.kill()
    assert second.stop() == 0


def test_a_client_with_tls_comes_back_with_tls(
    tmp_path: Path, open_client: Callable[..., Terminal]
) -> None:
    first = ServerProcess(tmp_path / "server", *SERVER_TLS)
    ana = open_client(first.address, "--name", "Ana", *CLIENT_TLS)
    ana.wait_for("No table here yet")
    assert first.stop() == 0
    ana.wait_for("Trying again by itself")
    port = first.address.rsplit(":", 1)[1]
    second = ServerProcess(tmp_path / "server", "--port", port, *SERVER_TLS)
    ana.wait(lambda text: "Trying again" not in text, "the lobby again")
    ana.press("n")
    ana.wait_for("Set up a table")
    ana.press("enter")
    ana.wait_for("waiting to start")
    ana.kill()
    assert second.stop() == 0


def test_a_client_without_tls_is_told_to_use_it(
    tmp_path: Path, open_client: Callable[..., Terminal]
) -> None:
    server = ServerProcess(tmp_path / "server", *SERVER_TLS)
    client = open_client(server.address, "--name", "Ana")
    client.wait_for("This server speaks TLS only: start skull-client with --tls.")
    assert client.finish() == 1
    assert server.stop() == 0


def test_a_client_with_tls_is_told_that_the_server_has_none(
    server: ServerProcess, open_client: Callable[..., Terminal]
) -> None:
    client = open_client(server.address, "--name", "Ana", *CLIENT_TLS)
    client.wait_for("does not speak TLS as it should: try without --tls")
    assert client.finish() == 1
