"""The pictures of the README come from the app, and are the same however often they are drawn."""

import re

import pytest
from tests import screenshots


@pytest.mark.parametrize("name", ["lobby", "table-80x24"])
async def test_a_picture_drawn_again_is_the_same(name: str) -> None:
    assert await screenshots.draw(name) == await screenshots.draw(name)


async def test_a_picture_fetches_nothing_and_has_no_chance_in_it() -> None:
    picture = await screenshots.draw("lobby")
    assert "@font-face" not in picture
    assert "url(http" not in picture
    assert not re.search(r"terminal-\d", picture)
    assert "BCDF" in picture


@pytest.mark.parametrize("name", screenshots.PICTURES)
def test_every_picture_is_there(name: str) -> None:
    picture = (screenshots.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert f"skull-{name}" in picture
