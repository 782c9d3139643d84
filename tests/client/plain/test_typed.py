"""Lines from a pipe: cut anywhere, in any encoding, of any length, up to the end."""

import asyncio
import os

from hypothesis import given
from hypothesis import strategies as st

from skull_client.plain.typed import MAX_LINE, TypedLines


async def lines_of(*chunks: bytes) -> list[str]:
    """What is read from a pipe into which these are written, each before the next is awaited."""
    reading, writing = os.pipe()
    typed = TypedLines(reading)
    found = []
    try:
        for chunk in chunks:
            os.write(writing, chunk)
        os.close(writing)
        while (line := await typed.next()) is not None:
            found.append(line)
        assert await typed.next() is None, "the end stays the end"
    finally:
        os.close(reading)
    return found


@given(st.lists(st.binary(max_size=30), max_size=8))
def test_lines_are_those_that_were_written(chunks: list[bytes]) -> None:
    text = b"".join(chunks).decode("utf-8", "replace")
    expected = text.split("\n")
    if not expected[-1]:
        expected.pop()
    assert asyncio.run(lines_of(*chunks)) == expected


async def test_a_line_of_any_length_is_cut() -> None:
    long = b"x" * (MAX_LINE + 50)
    found = await lines_of(b"a\n", long, b"\nb")
    assert found[0] == "a"
    assert found[-1] == "b"
    assert max(map(len, found)) == MAX_LINE


async def test_a_line_that_nobody_waits_for_any_more_is_not_lost() -> None:
    reading, writing = os.pipe()
    typed = TypedLines(reading)
    waiting = asyncio.ensure_future(typed.next())
    await asyncio.sleep(0)
    waiting.cancel()
    os.write(writing, b"hello\n")
    assert await typed.next() == "hello"
    os.close(writing)
    assert await typed.next() is None
    os.close(reading)
