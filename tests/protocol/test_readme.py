"""The page that clients in other languages are written from says what the code does."""

import re
from pathlib import Path

import pytest

from skull_protocol import PROTOCOL_VERSION, reference
from skull_protocol.codec import HEADER, MAX_DEPTH, MAX_PUSH, MAX_REQUEST, encode
from skull_protocol.errors import MEANINGS
from skull_protocol.pushes import PUSHES, Error
from skull_protocol.requests import REQUESTS, Act
from skull_protocol.skull import Bid
from skull_protocol.text import MAX_CHAT_CELLS, MAX_NAME_CELLS
from skull_protocol.wire import Tagged, Wire

PAGE = Path(__file__).parents[2] / "protocol" / "README.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_the_reference_is_fresh(page: str) -> None:
    assert page == reference.rewrite(page), "run: make reference"


def test_the_reference_is_rewritten_in_its_place_only() -> None:
    before, after = "before\n", "\nafter\n"
    stale = f"{before}{reference.START}\nstale line\n{reference.END}{after}"
    fresh = reference.rewrite(stale)
    assert fresh.startswith(before + reference.START)
    assert fresh.endswith(reference.END + after)
    assert "stale line" not in fresh
    with pytest.raises(ValueError, match="markers"):
        reference.rewrite("no markers here")


def test_every_message_and_error_code_is_in_the_reference() -> None:
    text = reference.render()
    for name in [*REQUESTS.types, *PUSHES.types]:
        assert f"| **{name}** |" in text
    for code in MEANINGS:
        assert f"| `{code}` |" in text
    assert text.count("**skull.") == 10 + 20


def test_every_value_that_messages_are_made_of_is_in_the_reference() -> None:
    text = reference.render()
    parts = [
        kind for kind in Wire.__subclasses__() if kind.__module__.startswith("skull_protocol.")
    ]
    for kind in parts:
        assert kind is Tagged or f"| **{kind.__name__}** |" in text, kind


def worked_bytes(page: str) -> list[bytes]:
    blocks = re.findall(r"```hex\n(.*?)```", page, re.DOTALL)
    return [
        bytes.fromhex(" ".join(line.partition("#")[0] for line in block.splitlines()))
        for block in blocks
    ]


def test_the_worked_bytes_are_those_of_the_codec(page: str) -> None:
    request, push = Act(12, 7, Bid(3)), Error(12, "stale", "Look again.")
    assert worked_bytes(page) == [encode(request), encode(push)]
    assert REQUESTS.parse(encode(request)[HEADER:]) == request
    assert PUSHES.parse(encode(push)[HEADER:]) == push


def test_each_line_of_worked_bytes_says_what_they_are(page: str) -> None:
    for line in re.findall(r"^(?:[0-9a-f]{2} +)+#.*$", page, re.MULTILINE):
        octets, _, meaning = line.partition("#")
        raw = bytes.fromhex(octets)
        for word in re.findall(r'"([^"]+)"', meaning):
            assert word.encode() in raw
        for count in re.findall(r"body has (\d+) bytes", meaning):
            assert int.from_bytes(raw, "big") == int(count)


def test_the_limits_told_are_the_limits_kept(page: str) -> None:
    assert f"# The Skull protocol, version {PROTOCOL_VERSION}\n" in page
    assert f"| Longest body | {MAX_REQUEST:,} bytes | {MAX_PUSH:,} bytes |" in page
    assert f"counted | {MAX_DEPTH} | {MAX_DEPTH} |" in page
    assert f"1 to {MAX_NAME_CELLS} terminal columns" in page
    assert f"1 to {MAX_CHAT_CELLS} columns" in page


def test_the_errors_told_to_close_the_connection_are_those_that_do(page: str) -> None:
    told = re.search(r"The errors\s(.*?)\sclose the connection", page, re.DOTALL)
    assert told is not None
    closing = {code for code, meaning in MEANINGS.items() if "Connection closed." in meaning}
    assert set(re.findall(r"`(\w+)`", told[1])) == closing
