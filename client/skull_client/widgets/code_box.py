"""The code of a table in a box, so that it can be read out across a room."""

from skull_client.glyphs import Glyphs


def code_box(glyphs: Glyphs, text: str) -> tuple[str, str, str]:
    """Return three lines: the text, letter by letter, spaced out in a box."""
    inner = "   ".join(text)
    width = len(inner) + 6
    g = glyphs
    return (
        f"  {g.top_left}{g.horizontal * width}{g.top_right}",
        f"  {g.vertical}   {inner}   {g.vertical}",
        f"  {g.bottom_left}{g.horizontal * width}{g.bottom_right}",
    )
