"""The client in pseudo-terminals that behave badly, and what must be true of it nevertheless."""

import sys
from collections.abc import Callable

import pytest
from tests.end_to_end.conftest import Terminal, open_client, server

__all__ = ["open_client", "server"]

SOON = 10.0
"""Seconds within which the client has to be gone. It takes less than a tenth of one
(`benchmarks/client_leaving`); a busy machine takes longer."""
FIRST = r"Place a flower"
"""Offered when it is the player's turn to place the first disc."""
HELP = "three flowers and a skull"
"""What the page of help says."""


def at_turn(terminal: Terminal) -> str:
    """Wait until the player is to place a first disc, in a game against bots."""
    return terminal.wait_for(FIRST, r"\? help")


def look_at_help(terminal: Terminal) -> str:
    """Open the page of help and close it, which only a client that lives can do."""
    terminal.press("?")
    terminal.wait_for(HELP, "Esc close")
    terminal.press("escape")
    terminal.wait(lambda text: HELP not in text, "the end of the help")
    return at_turn(terminal)


def still_at_turn(terminal: Terminal) -> None:
    """Check that the client is alive and that no move was made: nothing was placed or bid."""
    text = look_at_help(terminal)
    assert "you place" not in text.lower(), text


Broken = Callable[..., Terminal]


@pytest.fixture
def open_broken(open_client: Callable[..., Terminal]) -> Broken:
    """Start a client in which some lines of Python have been run first."""

    def start(patch: str, *arguments: str, **more: str) -> Terminal:
        code = (
            f"{patch}\nimport sys\nfrom skull_client.cli import main\nsys.exit(main(sys.argv[1:]))"
        )
        arguments = arguments or ("--here",)
        return open_client(*arguments, program=(sys.executable, "-c", code), **more)

    return start
