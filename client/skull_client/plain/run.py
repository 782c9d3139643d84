"""Playing by lines on the standard streams of this process."""

import os
import sys
from io import TextIOWrapper
from typing import TextIO

from skull_client.chosen import Chosen
from skull_client.link import Link
from skull_client.opening import Opening
from skull_client.plain.session import OutputGone, PlainSession
from skull_client.plain.typed import TypedLines
from skull_client.setting_out import Ways

_STDIN = 0


async def play_by_lines(link: Link, opening: Opening, chosen: Chosen, ways: Ways) -> int:
    """Play, and return the exit status; with the link `NOWHERE`, choose first where to play."""
    output = LineOutput(sys.stdout)
    return await PlainSession(link, opening, output.write, chosen, ways).run(TypedLines(_STDIN))


class LineOutput:
    """Writes lines to a stream, each at once; what its encoding lacks becomes a question mark."""

    def __init__(self, stream: TextIO) -> None:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace", line_buffering=True)
        self._stream = stream

    def write(self, line: str) -> None:
        """Write one line. Raises `OutputGone` once nobody reads."""
        try:
            self._stream.write(f"{line}\n")
        except OSError as fault:
            # What is buffered still would be written at the end of the program, and fail there.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            raise OutputGone from fault
