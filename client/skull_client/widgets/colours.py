"""From a set of colours to what is drawn: the theme of the screens, and what is left of it where
the terminal's own colours are used, or none.
"""

from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import BUILTIN_THEMES, Theme

from skull_client.themes import NONE, Palette

_GREY = 8
"""Bright black: some palettes have it as their background."""


def theme_of(palette: Palette) -> Theme:
    """Return a set of colours as the screens use it: each by its name, such as `$turn`."""
    ansi = _is_ansi(palette)
    # Textual's own style sheets use names that only its own themes define.
    others = BUILTIN_THEMES["ansi-dark"].variables if ansi else {}
    return Theme(
        name=palette.name,
        primary=palette.turn,
        foreground=palette.foreground,
        background=palette.background,
        surface=palette.background,
        panel=palette.panel,
        dark=palette.dark,
        ansi=ansi,
        variables={
            **others,
            "panel": palette.panel,
            "line": palette.line,
            "quiet": palette.quiet,
            "turn": palette.turn,
            "problem": palette.problem,
            "flower": palette.flower,
            "skull": f"{palette.skull} on {palette.skull_ground}",
            "back": palette.back,
            "point": palette.point,
            "talk": palette.talk,
        },
    )


def _is_ansi(palette: Palette) -> bool:
    return palette.background.startswith("ansi_")


class PlainColours(LineFilter):
    """For the terminal's own colours: grey becomes dim, since it may be the background's colour.

    For no colour, every other colour goes as well, and a coloured background becomes reverse.
    """

    def __init__(self) -> None:
        super().__init__(enabled=False)
        self._keeps = True

    def follow(self, palette: Palette) -> None:
        """Do what this set of colours needs."""
        self.enabled = _is_ansi(palette)
        self._keeps = palette is not NONE

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Change the styles, and no text."""
        return [
            Segment(text, None if style is None else _plain(style, self._keeps), control)
            for text, style, control in segments
        ]


@lru_cache(1024)
def _plain(style: Style, keeps: bool) -> Style:
    colour, ground = style.color, style.bgcolor
    return Style(
        color=_kept(colour) if keeps else None,
        bgcolor=_kept(ground) if keeps else None,
        bold=style.bold or None,
        dim=style.dim or (colour is not None and colour.number == _GREY) or None,
        italic=style.italic or None,
        underline=style.underline or None,
        strike=style.strike or None,
        reverse=bool(style.reverse) ^ (not keeps and _kept(ground) is not None) or None,
        meta=style.meta or None,
    )


def _kept(colour: RichColor | None) -> RichColor | None:
    return None if colour is None or colour.is_default or colour.number == _GREY else colour
