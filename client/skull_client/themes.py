"""Every colour that is drawn, in sets to choose from; no screen names a colour of its own.

Colours are the second sign of a thing, never the only one: letters, marks and words say it too.
Each is one that terminals with 256 colours have exactly, so that what is promised about contrast
holds there as well. No Textual here: the command line reads the names before it is loaded.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from skull_protocol.errors import msg


class Palette(Struct, frozen=True):
    """One set of colours, as `#rrggbb`; or as `ansi_…`: what the terminal makes of that name."""

    name: str
    """What one types to have it."""
    label: str
    meaning: str
    """For whom it is, in a line."""
    dark: bool
    foreground: str
    background: str
    panel: str
    """Behind header, keys and windows."""
    line: str
    """Frames and rules: they part things, and tell nothing."""
    quiet: str
    """What matters less."""
    turn: str
    """Whose turn it is, and what to do now."""
    problem: str
    """What went wrong."""
    flower: str
    skull: str
    skull_ground: str
    """Behind a skull: it stands out without its colour too."""
    back: str
    """A disc that lies face down."""
    point: str
    talk: str
    """Who said something."""


DARK: Final = Palette(
    name="dark",
    label=msg("Dark"),
    meaning=msg("Soft colours on black."),
    dark=True,
    foreground="#d0d0d0",
    background="#121212",
    panel="#1c1c1c",
    line="#444444",
    quiet="#8a8a8a",
    turn="#ffd75f",
    problem="#ff8787",
    flower="#ff87d7",
    skull="#ffffff",
    skull_ground="#5f5f87",
    back="#87afd7",
    point="#ffd75f",
    talk="#87d7af",
)
LIGHT: Final = Palette(
    name="light",
    label=msg("Light"),
    meaning=msg("Deep colours on white, for bright rooms."),
    dark=False,
    foreground="#262626",
    background="#ffffff",
    panel="#eeeeee",
    line="#b2b2b2",
    quiet="#626262",
    turn="#875f00",
    problem="#af0000",
    flower="#af0087",
    skull="#ffffff",
    skull_ground="#3a3a3a",
    back="#005f87",
    point="#875f00",
    talk="#005f5f",
)
CONTRAST: Final = Palette(
    name="contrast",
    label=msg("High contrast"),
    meaning=msg("Bright on black: seven to one and more."),
    dark=True,
    foreground="#ffffff",
    background="#000000",
    panel="#000000",
    line="#ffffff",
    quiet="#d0d0d0",
    turn="#ffff00",
    problem="#ffaf87",
    flower="#ff87ff",
    skull="#000000",
    skull_ground="#ffffff",
    back="#87d7ff",
    point="#ffff00",
    talk="#87ffaf",
)
SAFE: Final = Palette(
    name="safe",
    label=msg("Colour-blind safe"),
    meaning=msg("Blue, gold, orange: told apart by every kind of eyes."),
    dark=True,
    foreground="#e4e4e4",
    background="#121212",
    panel="#1c1c1c",
    line="#444444",
    quiet="#8a8a8a",
    turn="#ffd700",
    problem="#ff5f00",
    flower="#5fafff",
    skull="#000000",
    skull_ground="#ffaf00",
    back="#a8a8a8",
    point="#ffd700",
    talk="#afd7ff",
)
TERMINAL: Final = Palette(
    name="terminal",
    label=msg("Your terminal's own"),
    meaning=msg("The 16 colours that your terminal has, on its own background."),
    dark=True,
    foreground="ansi_default",
    background="ansi_default",
    panel="ansi_default",
    line="ansi_bright_black",
    quiet="ansi_bright_black",
    # Of the 16, magenta and red alone can be read on black and on white.
    turn="ansi_magenta",
    problem="ansi_red",
    flower="ansi_magenta",
    skull="ansi_bright_white",
    skull_ground="ansi_red",
    back="ansi_default",
    point="ansi_magenta",
    talk="ansi_default",
)
NONE: Final = Palette(
    name="none",
    label=msg("No colour"),
    meaning=msg("Bold, dim and reverse only: what NO_COLOR asks for."),
    **{
        field: getattr(TERMINAL, field)
        for field in TERMINAL.__struct_fields__
        if field not in ("name", "label", "meaning")
    },
)

THEMES: Final[Mapping[str, Palette]] = {
    palette.name: palette for palette in (DARK, LIGHT, CONTRAST, SAFE, TERMINAL, NONE)
}
"""All of them by name, in the order in which they are offered."""


def usual_theme(environment: Mapping[str, str]) -> str:
    """Return the name of the theme that fits this terminal, as far as its environment tells."""
    term = environment.get("TERM", "")
    # A flag by being there: https://no-color.org says that an empty one does not count.
    if environment.get("NO_COLOR") or term.startswith("vt"):
        return NONE.name
    many = term.endswith(("256color", "kitty", "direct"))
    if not many and environment.get("COLORTERM") not in ("truecolor", "24bit"):
        return TERMINAL.name
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if background in ("7", "15") else DARK.name
