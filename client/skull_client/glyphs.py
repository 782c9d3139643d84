"""Every symbol that the screens draw, in two sets: UNICODE, and ASCII for terminals without UTF-8.

A disc is a letter (and, on the screens, a colour); the little skull and flower are decoration
only, since many fonts lack them. Everything is one cell wide, and nothing is an emoji.
"""

from collections.abc import Mapping

from msgspec import Struct

from skull_protocol.skull import FLOWER, SKULL, Disc


class Glyphs(Struct, frozen=True):
    """One set of symbols, each one cell wide."""

    name: str
    face_down: str
    """A disc whose face is not known."""
    flower: str
    """A disc that is a flower: a letter."""
    skull: str
    """A disc that is the skull: a letter."""
    deco_flower: str
    """Decoration beside words, never the only sign of anything."""
    deco_skull: str
    """Decoration beside words, never the only sign of anything."""
    suits: Mapping[str, str]
    """Suits of the travel set, by the letter that the protocol has for them."""
    turn: str
    """Points at whoever is to act."""
    point: str
    """A point won."""
    no_point: str
    """A point not won yet."""
    chosen: str
    """What is ticked or selected."""
    bullet: str
    separator: str
    """Between short facts on one line."""
    ellipsis: str
    dash: str
    times: str
    """Between a count and what is counted: 3×F."""
    up: str
    down: str
    left: str
    right: str
    horizontal: str
    vertical: str
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str

    def disc_label(self, disc: Disc | None) -> str:
        """Return the short sign of a disc: `F`, `S`, a card such as `7♥`, face down for None."""
        if disc is None:
            return self.face_down
        if disc == FLOWER:
            return self.flower
        if disc == SKULL:
            return self.skull
        return disc[:-1] + self.suits[disc[-1]]


UNICODE = Glyphs(
    name="unicode",
    face_down="■",
    flower="F",
    skull="S",
    deco_flower="✿",
    deco_skull="☠",
    suits={"c": "♣", "d": "♦", "h": "♥", "s": "♠"},
    turn="▸",
    point="•",
    no_point="·",
    chosen="√",
    bullet="•",
    separator="·",
    ellipsis="…",
    dash="–",
    times="×",
    up="↑",
    down="↓",
    left="←",
    right="→",
    horizontal="─",
    vertical="│",
    top_left="┌",
    top_right="┐",
    bottom_left="└",
    bottom_right="┘",
)

ASCII = Glyphs(
    name="ascii",
    face_down="#",
    flower="F",
    skull="S",
    deco_flower="*",
    deco_skull="%",
    suits={"c": "c", "d": "d", "h": "h", "s": "s"},
    turn=">",
    point="*",
    no_point="-",
    chosen="x",
    bullet="*",
    separator="|",
    ellipsis="~",
    dash="-",
    times="x",
    up="^",
    down="v",
    left="<",
    right=">",
    horizontal="-",
    vertical="|",
    top_left="+",
    top_right="+",
    bottom_left="+",
    bottom_right="+",
)
