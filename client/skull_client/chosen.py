"""The settings in use while the client runs, and what happens to them when the player changes one.

The file is read again before each change: another client may have written to it meanwhile. All that
is done in a thread, one change after the other: a disk may take its time, a screen may not.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from skull_client import settings
from skull_client.export import path_words
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.settings import AUTO, Settings
from skull_client.themes import DARK
from skull_client.wording import reason, say
from skull_protocol.text import shown

_log = logging.getLogger(__name__)


class Usual(Struct, frozen=True):
    """What fits this terminal: what is meant where nothing was chosen."""

    theme: str = DARK.name
    glyphs: Glyphs = UNICODE
    language: str = "en"
    motion: bool = True
    """Discs may turn over; not where each picture has a long way to go."""


class _Change(Struct, frozen=True):
    """Something to be written."""

    values: Mapping[str, Any]
    server: str = ""
    """A server that is now the latest."""
    careful: bool = False
    """Only if there is no fault in the file: the player did not ask for it to be written."""

    def made_in(self, file: Path) -> bool:
        """Write it; return whether the file holds it now. Raises `OSError`."""
        loaded = settings.load(file)
        if self.careful and loaded.problems:
            return False
        kept = replace(loaded.settings, **self.values)
        settings.save(kept.with_server(self.server) if self.server else kept, file)
        return True


class Chosen:
    """What is set now, and the file that outlives it.

    Changes hold at once. Where there is a file, they need a running event loop, and have to be
    waited for before it ends: `written`.
    """

    def __init__(
        self,
        now: Settings | None = None,
        file: Path | None = None,
        problems: tuple[str, ...] = (),
        usual: Usual | None = None,
    ) -> None:
        """`file`: where changes are kept; None: nowhere. `problems`: what could not be used."""
        self.now = now or Settings()
        self.problems = problems
        self._usual = usual or Usual()
        self._file = file
        self._unwritten: list[_Change] = []
        self._writing: asyncio.Task[None] | None = None
        self.heard: Callable[[str], object] = lambda _sentence: None
        """Told what became of each change that the player asked for: what went wrong, in a
        sentence; empty once it is kept."""

    @property
    def place(self) -> str:
        """Where changes are kept, fit to be shown; empty: nowhere."""
        return "" if self._file is None else shown(path_words(self._file))

    @property
    def theme(self) -> str:
        """The name of the theme to draw with."""
        return self._usual.theme if self.now.theme == AUTO else self.now.theme

    @property
    def glyphs(self) -> Glyphs:
        """The symbols to draw with."""
        return {AUTO: self._usual.glyphs, "ascii": ASCII, "unicode": UNICODE}[self.now.glyphs]

    @property
    def language(self) -> str:
        """The language to say everything in."""
        return self._usual.language if self.now.language == AUTO else self.now.language

    @property
    def motion(self) -> bool:
        """Whether discs turn over before everybody's eyes."""
        return self.now.motion != "none" and self._usual.motion

    def change(self, **changes: Any) -> None:
        """Change what the player asked to be changed, and keep it; `heard` is told how it went."""
        self.now = replace(self.now, **changes)
        self._keep(_Change(changes))

    def note(self, **changes: Any) -> None:
        """Keep something that the player did elsewhere: unless their file has a fault in it."""
        self.now = replace(self.now, **changes)
        self._keep(_Change(changes, careful=True))

    def note_server(self, server: str) -> None:
        """Keep a server as the latest that was played on."""
        if self.now.servers[:1] != (server,):
            self.now = self.now.with_server(server)
            self._keep(_Change({}, server, careful=True))

    async def written(self) -> None:
        """Wait until all changes are written, or cannot be."""
        while self._writing is not None and not self._writing.done():
            await asyncio.shield(self._writing)

    def _keep(self, change: _Change) -> None:
        if self._file is None:
            return
        self._unwritten.append(change)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write(self._file), name="settings")

    async def _write(self, file: Path) -> None:
        """Write what there is to be written, in the order in which it was changed."""
        while self._unwritten:
            change = self._unwritten.pop(0)
            trouble = ""
            try:
                kept = await asyncio.to_thread(change.made_in, file)
            except OSError as fault:
                trouble = say(
                    "This holds for now, but cannot be kept ({reason}).", reason=reason(fault)
                )
                _log.warning(
                    "Not kept: %s", ", ".join(change.values) or "the server", exc_info=fault
                )
            else:
                if kept and not change.careful:
                    self.problems = ()
            if not change.careful:
                self.heard(trouble)
