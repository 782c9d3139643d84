"""The lines that are typed, from whatever standard input is: a terminal, a pipe or a file."""

import asyncio
import codecs
import os
import threading

MAX_LINE = 2000
"""Characters of a line that are read; of a longer one, the rest is dropped."""
_CHUNK = 4096


class TypedLines:
    """Reads a file descriptor in a thread of its own, one line whenever one is wanted.

    A thread, since files cannot be waited for otherwise; and on the bare descriptor, so that the
    end of the program never waits for a lock on standard input.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._wanted = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        self._line: asyncio.Future[str | None] | None = None
        self._thread = threading.Thread(target=self._read_all, daemon=True, name="typed lines")

    async def next(self) -> str | None:
        """Return the next line without its end; None once there are no more.

        A line that was asked for and not waited for to its end is returned the next time.
        """
        if self._line is None:
            self._line = self._loop.create_future()
            self._wanted.release()
            if not self._thread.is_alive():
                self._thread.start()
        line = await asyncio.shield(self._line)
        if line is not None:  # the end stays the end
            self._line = None
        return line

    def _read_all(self) -> None:
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        rest, ended = "", False
        while True:
            self._wanted.acquire()
            while "\n" not in rest and not ended:
                try:
                    chunk = os.read(self._descriptor, _CHUNK)
                except OSError:  # the terminal is gone
                    chunk = b""
                ended = not chunk
                rest += decode(chunk, final=ended)
                if "\n" not in rest:
                    rest = rest[:MAX_LINE]
            line, _, rest = rest.partition("\n")
            over = ended and not line and not rest
            try:
                self._loop.call_soon_threadsafe(self._hand_over, None if over else line[:MAX_LINE])
            except RuntimeError:  # the program is ending
                return
            if over:
                return

    def _hand_over(self, line: str | None) -> None:
        if self._line is not None and not self._line.done():
            self._line.set_result(line)
