"""Draws the pictures of the README from the app itself: `make screenshots`.

A fake connection, games from fixed seeds, no clock: a second run writes the same bytes.
"""

import asyncio
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.client.conftest import FakeLink, Playing, World
from tests.client.screens import test_looks, test_rooms

from skull_client.app import SkullApp
from skull_client.glyphs import UNICODE
from skull_client.opening import Opening
from skull_client.themes import DARK, LIGHT

FOLDER = Path(__file__).parent.parent / "docs" / "screens"
FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

PICTURES: dict[str, tuple[Callable[[Any], list[Any]], list[str], tuple[int, int], str]] = {
    "table-120x40": (test_looks.bidding, ["r", "7"], (120, 40), DARK.name),
    "table-80x24": (test_looks.flipping, ["2"], (80, 24), DARK.name),
    "table-light": (test_looks.flipping, ["2"], (120, 40), LIGHT.name),
    "lobby": (test_rooms.lobby, ["down"], (120, 34), DARK.name),
    "waiting": (test_rooms.waiting, [], (120, 34), DARK.name),
    "result": (test_rooms.result, ["enter"], (120, 34), DARK.name),
}
"""For each picture: what arrives, which keys are pressed, columns and rows, colours."""


async def draw(name: str) -> str:
    """Return a picture as SVG, with no font to be fetched from anywhere."""
    arrivals, keys, size, theme = PICTURES[name]
    opening = Opening(server_label="box:7585")
    app = SkullApp(FakeLink(), opening, UNICODE, clock=lambda: 0.0, theme=theme)
    app.motion = False
    link = app.link
    assert isinstance(link, FakeLink)
    async with app.run_test(size=size) as pilot:
        playing = Playing(app, link, pilot)
        await playing.arrive(*arrivals(World()))
        await playing.press(*keys)
        picture = app.export_screenshot(title="skull-client box", simplify=True)
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    picture = re.sub(r"font-family: [^;]+;", f"font-family: {FONTS};", picture)
    return re.sub(r"terminal-\d+", f"skull-{name}", picture)


def main() -> int:
    """Write all pictures; return the exit status."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        path = FOLDER / f"{name}.svg"
        path.write_text(asyncio.run(draw(name)), encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(FOLDER.parent.parent)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
