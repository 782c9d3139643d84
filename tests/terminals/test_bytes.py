"""Bytes that no keyboard sends on purpose: the client lives, and makes no move."""

import os
import random
import re
from collections.abc import Callable

import pytest
from tests.end_to_end.conftest import Terminal
from tests.terminals.conftest import at_turn, look_at_help, still_at_turn

TEXT = b"p\r\nf\r\ns\r\n1\r\nb\r\nPass the flowers, and bid 3.\r\n"
"""Letters that select what may be done, each with what does it."""


def send(terminal: Terminal, sent: bytes, gap: float = 0.0) -> None:
    """Be a terminal that sends this, and reads what the client writes meanwhile."""
    rest = memoryview(sent)
    while rest:
        rest = rest[os.write(terminal.fd, rest[:2048]) :]
        terminal.read(gap)


def quiet(terminal: Terminal, seconds: float) -> None:
    """Send nothing until the client has written nothing for so long."""
    seen = -1
    while seen != terminal.bytes_seen:
        seen = terminal.bytes_seen
        terminal.read(seconds)


@pytest.fixture
def terminal(open_client: Callable[..., Terminal]) -> Terminal:
    """A client whose player is to place a disc, with one of them selected: Enter would do it."""
    terminal = open_client("--here")
    at_turn(terminal)
    terminal.press("f")
    terminal.wait_for(r"▸Place a flower")
    return terminal


NO_KEYS = {
    "latin-1": "ÄÖÜßéèñ¡¿".encode("latin-1"),
    "invalid": bytes(range(0x80, 0x100)) + b"\xc3\xc3\xe9\xf0\x9f",
    "the old mouse": b"".join(b"\x1b[M " + bytes((x, 255 - x + 33)) for x in range(33, 256)),
    "colours": b"\x1b]11;rgb:1212/1212/1212\x1b\\\x1b]10;rgb:dddd/dddd/dddd\x07",
    "versions": b"\x1bP>|XTerm(379)\x1b\\\x1b[?64;1;2;22c\x1b[>41;379;0c",
    "modes": b"\x1b[?2048;1$y\x1b[?2026;2$y\x1b[?1016;1$y\x1b[?25u",
    "sizes": b"\x1b[48;1;1;0;0t\x1b[48;0;0;0;0t\x1b[8;1;1t\x1b[4;0;0t",
    "places": b"\x1b[1;1R\x1b[0;0R\x1b[999;999R",
    "focus": b"\x1b[O\x1b[I\x1b[O",
    "clicks far away": b"\x1b[<0;9999;9999M\x1b[<0;0;0m\x1b[<64;1;1M\x1b[<0;-5;-5M",
    "numbers that cannot be": b"\x1b[99999999u\x1b[1114112u\x1b[55296u\x1b[1;1;99999999u",
}


@pytest.mark.parametrize("sent", NO_KEYS.values(), ids=NO_KEYS.keys())
def test_what_is_no_key_does_nothing(terminal: Terminal, sent: bytes) -> None:
    send(terminal, sent)
    still_at_turn(terminal)
    terminal.resize(100, 30)  # and is still told of new sizes
    terminal.wait(lambda text: max(map(len, text.splitlines())) > 80, "a wider screen")


def test_a_long_paste(terminal: Terminal) -> None:
    paste = TEXT * (200_000 // len(TEXT))
    send(terminal, b"\x1b[200~" + paste + b"\x1b[201~")
    still_at_turn(terminal)


def test_a_long_paste_without_brackets(terminal: Terminal) -> None:
    send(terminal, TEXT * (200_000 // len(TEXT)))
    quiet(terminal, 0.3)
    still_at_turn(terminal)


def test_a_paste_without_end_takes_no_memory_and_leaves_the_keyboard(terminal: Terminal) -> None:
    before = resident(terminal.pid)
    send(terminal, b"\x1b[200~" + TEXT * (2_000_000 // len(TEXT)))
    assert resident(terminal.pid) - before < 2_000
    quiet(terminal, 1.0)  # nothing comes for a while; then a person presses a key
    still_at_turn(terminal)


def resident(pid: int) -> int:
    """Kilobytes of memory in use."""
    with open(f"/proc/{pid}/status") as file:
        found = re.search(r"VmRSS:\s+(\d+)", file.read())
    assert found is not None
    return int(found[1])


def test_a_paste_into_a_line_is_typed_there(terminal: Terminal) -> None:
    terminal.press("t")
    terminal.wait_for("Say:")
    send(terminal, b"\x1b[200~hello\r\nthere\x1b[201~")
    terminal.wait_for("hello")
    terminal.press("escape")
    terminal.wait(lambda text: "hello" not in text, "the end of the line")
    still_at_turn(terminal)


@pytest.mark.parametrize("gap", [0.02, 0.08, 0.15, 0.4])
def test_torn_sequences(terminal: Terminal, gap: float) -> None:
    chance = random.Random(gap)
    for sequence in (b"\x1b[<0;2;22M", b"\x1b[3~", b"\x1b[1;5C"):
        place = chance.randint(1, len(sequence) - 1)
        for piece in (sequence[:place], sequence[place:]):
            send(terminal, piece, gap)
    for byte in b"\x1bOP":
        send(terminal, bytes((byte,)), gap)
    still_at_turn(terminal)


def test_a_flood_of_keys_is_not_kept(terminal: Terminal) -> None:
    before = resident(terminal.pid)
    send(terminal, b"\x1b[C\x1b[D" * 10_000)
    terminal.resize(100, 30)  # this is not forgotten, and comes after all keys that were not
    terminal.wait(lambda text: max(map(len, text.splitlines())) > 80, "a wider screen")
    look_at_help(terminal)
    assert resident(terminal.pid) - before < 8_000


def test_random_bytes(terminal: Terminal) -> None:
    chance = random.Random(1)
    no_enter = [byte for byte in range(256) if byte not in b"\r\x03\x11"]
    send(terminal, bytes(chance.choices(no_enter, k=20_000)), 0.02)
    quiet(terminal, 1.5)
    for _ in range(8):
        terminal.press("escape")
        quiet(terminal, 0.3)
    still_at_turn(terminal)
