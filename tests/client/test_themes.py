"""Every set of colours can be read, by every kind of eyes, and says nothing that words do not."""

import itertools
import re
from pathlib import Path

import pytest
from textual.color import Color

import skull_client
from skull_client.cli import Mistake, read_wish
from skull_client.themes import (
    CONTRAST,
    DARK,
    LIGHT,
    NONE,
    SAFE,
    TERMINAL,
    THEMES,
    Palette,
    usual_theme,
)

TEXTS = ("foreground", "quiet", "turn", "problem", "flower", "back", "point", "talk")
"""What is written on the background and on the panel."""
OWN = [palette for palette in THEMES.values() if palette not in (TERMINAL, NONE)]
"""Those that have colours of their own; the others have the terminal's."""
STEPS = (0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF)
GREYS = tuple(range(8, 239, 10))


# -- contrast ------------------------------------------------------------------------------------


def linear(colour: str) -> tuple[float, float, float]:
    """The light of red, green and blue, from 0 to 1 (sRGB)."""
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    )
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it, from 1 to 21."""
    lights = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in (linear(one), linear(other))
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def test_the_scale_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", OWN, ids=lambda palette: palette.name)
def test_all_that_is_written_can_be_read(palette: Palette) -> None:
    needed = 7.0 if palette is CONTRAST else 4.5
    for text, ground in itertools.product(TEXTS, ("background", "panel")):
        found = contrast(getattr(palette, text), getattr(palette, ground))
        assert found >= needed, (text, ground, found)
    assert contrast(palette.skull, palette.skull_ground) >= needed
    assert contrast(palette.skull_ground, palette.background) >= 2, "it stands out as a block"


@pytest.mark.parametrize("palette", OWN, ids=lambda palette: palette.name)
def test_terminals_with_256_colours_have_every_colour_exactly(palette: Palette) -> None:
    for field in palette.__struct_fields__:
        value = getattr(palette, field)
        if isinstance(value, str) and value.startswith("#"):
            parts = [int(value[place : place + 2], 16) for place in (1, 3, 5)]
            grey = len(set(parts)) == 1 and parts[0] in GREYS
            assert grey or all(part in STEPS for part in parts), (field, value)


def test_of_the_terminals_own_colours_those_are_used_that_black_and_white_let_one_read() -> None:
    """Green, yellow, cyan and white are lost on white, blue on black; the rest is bold besides."""
    readable = {"ansi_default", "ansi_magenta", "ansi_red", "ansi_bright_black"}
    for text in (*TEXTS, "line", "background", "panel"):
        assert getattr(TERMINAL, text) in readable, text
    assert (TERMINAL.skull, TERMINAL.skull_ground) == ("ansi_bright_white", "ansi_red")


# -- colour blindness ----------------------------------------------------------------------------

SIMULATED = {  # Machado, Oliveira and Fernandes 2009, complete; on linear light
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
UNLIKE = [
    *itertools.combinations(("flower", "skull_ground", "back"), 2),
    ("turn", "foreground"),
    ("turn", "problem"),
    ("turn", "quiet"),
    ("problem", "foreground"),
    ("problem", "quiet"),
    ("flower", "foreground"),
]
"""What colour should tell apart as well, besides letters and marks."""


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """Where a colour is in CIELAB (D65) for such eyes."""
    light = linear(colour)
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0), 1)
        for row in SIMULATED[eyes]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("eyes", SIMULATED)
def test_every_kind_of_eyes_tells_the_safe_colours_apart(eyes: str) -> None:
    for one, other in UNLIKE:
        places = (seen(getattr(SAFE, name), eyes) for name in (one, other))
        distance = sum((a - b) ** 2 for a, b in zip(*places, strict=True)) ** 0.5
        assert distance >= 20, (one, other, distance)


def test_the_measure_finds_the_classic_mistake() -> None:
    """Red and green of the same lightness."""
    one, other = seen("#af5f5f", "deuteranopia"), seen("#6f7a5f", "deuteranopia")
    assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 < 20


# -- which one, and nothing beside them ----------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "palette"),
    [
        ({"TERM": "xterm-256color"}, DARK),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, DARK),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, LIGHT),
        ({"TERM": "rxvt-unicode-256color", "COLORFGBG": "0;default;15"}, LIGHT),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;0"}, DARK),
        ({"TERM": "linux"}, TERMINAL),
        ({"TERM": "xterm"}, TERMINAL),
        ({"TERM": "screen", "COLORFGBG": "0;15"}, TERMINAL),
        ({"TERM": "vt100"}, NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, DARK),
        ({}, TERMINAL),
    ],
)
def test_the_usual_theme_fits_the_terminal(environment: dict[str, str], palette: Palette) -> None:
    assert usual_theme(environment) == palette.name


@pytest.mark.parametrize("name", THEMES)
def test_the_command_line_takes_every_theme(name: str) -> None:
    assert read_wish(["--theme", name]).theme == name
    assert read_wish(["box", "--theme", name]).theme == name


def test_the_command_line_leaves_the_choice_to_the_terminal() -> None:
    assert read_wish([]).theme is None
    with pytest.raises(Mistake, match="--theme"):
        read_wish(["--theme", "pink"])


def test_no_colour_has_a_name_outside_the_themes() -> None:
    literal = re.compile(r"#[0-9a-fA-F]{6}\b|ansi_\w+|\b(?:rgb|hsl)a?\(")
    folder = Path(skull_client.__file__).parent
    for path in [*folder.rglob("*.py"), *folder.rglob("*.tcss")]:
        if path.name != "themes.py":
            found = literal.findall(path.read_text(encoding="utf-8"))
            assert found == [], (path, found)


@pytest.mark.parametrize("palette", THEMES.values(), ids=lambda palette: palette.name)
def test_every_colour_is_one(palette: Palette) -> None:
    for field in palette.__struct_fields__:
        value = getattr(palette, field)
        if field not in ("name", "label", "meaning", "dark"):
            assert Color.parse(value) is not None
    assert palette.meaning.endswith(".")
    assert len(palette.meaning) <= 62, "a line of the window"


def test_colours_all_differ_by_name_and_by_first_letter() -> None:
    names = list(THEMES)
    assert len({name[0] for name in names}) == len(names)
