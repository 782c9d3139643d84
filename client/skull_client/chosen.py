"""The settings in use while the client runs, and what happens to them when the player changes one.

The file is read again before each change: another client may have written to it meanwhile.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skull_client import settings
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.settings import AUTO, Settings
from skull_client.themes import DARK
from skull_client.wording import say

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Usual:
    """What fits this terminal: what is meant where nothing was chosen."""

    theme: str = DARK.name
    glyphs: Glyphs = UNICODE
    language: str = "en"
    motion: bool = True
    """Discs may turn over; not where each picture has a long way to go."""


class Chosen:
    """What is set now, and the file that outlives it."""

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

    def change(self, **changes: Any) -> str:
        """Change what the player asked to be changed, and keep it.

        Returns what went wrong in a sentence, empty when all is well; it holds for now anyway.
        """
        self.now = replace(self.now, **changes)
        if self._file is None:
            return ""
        try:
            settings.save(replace(settings.load(self._file).settings, **changes), self._file)
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            return say("This holds for now, but cannot be kept ({reason}).", reason=reason)
        self.problems = ()
        return ""

    def note(self, **changes: Any) -> None:
        """Keep something that the player did elsewhere: unless their file has a fault in it."""
        self.now = replace(self.now, **changes)
        if self._file is None or settings.load(self._file).problems:
            return
        trouble = self.change(**changes)
        if trouble:
            _log.warning("Not kept: %s", ", ".join(changes))

    def note_server(self, server: str) -> None:
        """Keep a server as the latest that was played on."""
        if self.now.servers[:1] != (server,):
            known = self.now if self._file is None else settings.load(self._file).settings
            self.note(servers=known.with_server(server).servers)
