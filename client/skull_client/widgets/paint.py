"""How things look wherever they are drawn: discs, points, lines of a given width.

Colour is always the second sign of a thing, never the only one.
"""

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_protocol.skull import Disc, is_skull

QUIET = "$quiet"
"""The style of what matters less."""
TURN = "bold $turn"
"""The style of whose turn it is, and of what to do now."""
PROBLEM = "bold $problem"
"""The style of what went wrong."""
CHOSEN = "bold reverse"
"""The style of what is selected."""


def disc(glyphs: Glyphs, face: Disc | None) -> Content:
    """Draw one disc: a letter, a card, or face down."""
    return Content.styled(glyphs.disc_label(face), disc_style(face))


def disc_style(face: Disc | None) -> str:
    """The style of a disc with this face; None: face down."""
    if face is None:
        return "$back"
    return "bold $skull" if is_skull(face) else "bold $flower"


def points(glyphs: Glyphs, won: int) -> Content:
    """Draw the points of a player: two are needed to win."""
    return Content.styled(glyphs.point * won + glyphs.no_point * (2 - won), "bold $point")


def fit(glyphs: Glyphs, text: str, width: int) -> str:
    """Return the text in exactly this many cells, shortened with an ellipsis where it must be."""
    if cell_len(text) > width:
        return set_cell_size(text, max(width - 1, 0)) + glyphs.ellipsis[: max(width, 0)]
    return set_cell_size(text, width)


def fit_content(glyphs: Glyphs, line: Content, width: int) -> Content:
    """The same as `fit`, for a line that has styles."""
    if line.cell_length > width:
        return line.truncate(max(width - 1, 0)) + glyphs.ellipsis[: max(width, 0)]
    return line.pad_right(width - line.cell_length)
