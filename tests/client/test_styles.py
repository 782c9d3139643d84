"""The styles are read once, in the colours that were chosen, and anew when others are."""

import pytest
from tests.client.conftest import FakeLink
from textual.color import Color
from textual.css.stylesheet import Stylesheet

from skull_client.app import SkullApp
from skull_client.glyphs import UNICODE
from skull_client.opening import Opening
from skull_client.themes import LIGHT, SAFE


async def test_the_first_picture_has_the_chosen_colours_and_other_ones_come_when_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_anew: list[Stylesheet] = []
    reparse = Stylesheet.reparse

    def counted(sheet: Stylesheet) -> None:
        read_anew.append(sheet)
        reparse(sheet)

    monkeypatch.setattr(Stylesheet, "reparse", counted)
    app = SkullApp(FakeLink(), Opening(server_label="box:7585"), UNICODE, theme=LIGHT.name)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert app.screen.styles.background == Color.parse(LIGHT.background)
        assert read_anew == []
        app.theme = SAFE.name
        await pilot.pause()
        assert app.screen.styles.background == Color.parse(SAFE.background)
