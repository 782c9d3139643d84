"""The title of the terminal's window: whose turn it is can be read while it is in the background.

The title from before is remembered and given back with the rest of the terminal (`terminal`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from skull_protocol.text import shown

_LONGEST = 60
_KNOWN = (
    "alacritty",
    "contour",
    "foot",
    "ghostty",
    "konsole",
    "rxvt",
    "screen",
    "st-",
    "tmux",
    "vte",
    "wezterm",
    "xterm",
)
"""Terminals that take a title; others, such as a console, may print it."""


def takes_title(environment: Mapping[str, str]) -> bool:
    """Tell whether this terminal has a title that can be set."""
    return environment.get("TERM", "").startswith(_KNOWN)


class TerminalTitle:
    """Sets the title when it changes."""

    def __init__(self, write: Callable[[str], None], *, wanted: bool = False) -> None:
        """`write` sends codes to the terminal; nothing is sent unless it is wanted."""
        self._write = write
        self.wanted = wanted
        self.words = ""
        """What it says, or would."""

    def put(self, words: str, *, plain: bool = False) -> None:
        """Say this from now on, in plain ASCII if need be.

        Other people's text in it can do nothing to the terminal.
        """
        words = shown(words)[:_LONGEST]
        if plain:
            words = words.encode("ascii", "replace").decode("ascii")
        if words == self.words:
            return
        self.words = words
        if self.wanted:
            self._write(f"\x1b]2;{words}\x07")

    def clear(self) -> None:
        """Leave no words behind, in terminals that cannot remember the title from before."""
        self.put("")
