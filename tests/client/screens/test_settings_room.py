"""The settings on a screen: what is changed holds at once, is kept, and stops nothing."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.client.conftest import FakeWays, in_the_other_languages

from skull_client import languages
from skull_client.app import SkullApp
from skull_client.chosen import Chosen, Usual
from skull_client.glyphs import ASCII, UNICODE
from skull_client.link import NOWHERE
from skull_client.opening import Opening
from skull_client.screens.keys import EditKeys, PressKey
from skull_client.screens.lobby import Lobby
from skull_client.screens.settings import SettingsRoom
from skull_client.screens.table import TableRoom
from skull_client.settings import Settings, load, read
from skull_client.widgets.lines import Lines
from skull_protocol.phrases import PHRASES
from skull_protocol.skull import Choices


def kept(tmp_path: Path, text: str = "") -> tuple[Chosen, Path]:
    """Settings in a file that holds this."""
    path = tmp_path / "settings.toml"
    if text:
        path.write_text(text, encoding="utf-8")
    loaded = load(path)
    return Chosen(loaded.settings, path, loaded.problems), path


IN_THE_SETTINGS = {
    "settings": ["home", "down", "down"],
    "settings-name": ["home", "enter"],
    "settings-phrases": ["end", "up", "enter"],
    "settings-keys": ["end", "enter"],
    "settings-keys-press": ["end", "enter", "down", "enter"],
}
"""The keys that lead from the settings to what opens there."""


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_they_look_as_they_did(
    play: Any, golden: Callable[[str, str], None], size: tuple[int, int]
) -> None:
    chosen = Chosen(Settings(name="Ana", keys=MappingProxyType({"table.talk": "z"})))
    pages = []
    async with play(ways=FakeWays(), chosen=chosen, size=size) as p:
        await p.press("comma")
        for keys in (["down", "down", "right"], ["f2"], ["f2", "end", "enter"], ["escape"]):
            await p.press(*keys)
            pages.append(p.text())
        await p.press("up", "enter")
        pages.append(p.text())
        if size == (80, 24):
            for name, keys in IN_THE_SETTINGS.items():
                await in_the_other_languages(p, golden, name, "comma", *keys)
    assert pages[1].isascii()
    golden(f"settings-{size[0]}x{size[1]}", "\n".join(pages))


async def test_arrows_change_a_setting_which_holds_at_once_and_is_kept(
    play: Any, world: Any, tmp_path: Path
) -> None:
    chosen, path = kept(tmp_path, "# mine\n")
    async with play(*world.lobby(), chosen=chosen) as p:
        await p.press("comma", "down", "down", "right", "right")
        assert p.app.theme == "light"
        await p.press("down", "right", "right")
        assert p.app.glyphs is ASCII
        await p.press("down", "right", "down", "right")
        assert (p.app.motion, p.app.bell_wanted) == (False, True)
        await p.press("escape")
        assert isinstance(p.app.screen, Lobby)
    await chosen.written()
    now = load(path).settings
    assert (now.theme, now.glyphs, now.motion, now.bell) == ("light", "ascii", "none", "turn")
    assert path.read_text(encoding="utf-8").startswith("# mine\n")


async def test_what_fits_the_terminal_is_used_where_nothing_is_chosen(play: Any) -> None:
    chosen = Chosen(usual=Usual(theme="safe", glyphs=ASCII, motion=False))
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("comma", "down", "down", "right", "left")
        assert (p.app.theme, p.app.glyphs, p.app.motion) == ("safe", ASCII, False)
        await p.press("down", "right")
        assert p.app.glyphs is UNICODE


async def test_the_language_is_another_one_at_once_on_every_screen(play: Any, world: Any) -> None:
    """The screen below was worded before, its frames and titles too."""
    table = world.table(world.seats(3), "waiting", game=0)
    async with play(world.welcome(), table, world.online(), chosen=Chosen()) as p:
        before = p.text()
        assert "What to do" in before
        await p.press("comma", "down", "right", "right", "right")
        assert isinstance(p.app.screen, SettingsRoom)
        assert p.app.screen.selected == "language"
        assert "Svenska" in p.text()
        await p.press("escape")
        swedish = p.text()
        assert "Att göra" in swedish
        assert "What to do" not in swedish
        await p.press("comma", "down", "right", "escape")
        assert p.text() == before


async def test_a_name_is_typed_and_an_unfit_one_refused(play: Any, tmp_path: Path) -> None:
    chosen, path = kept(tmp_path)
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("comma", "enter", *"...", "enter")
        assert "name" in p.text().lower()
        await p.press(*["backspace"] * 3, *"Zoe", "enter")
        assert chosen.now.name == "Zoe"
    await chosen.written()
    assert load(path).settings.name == "Zoe"


async def test_phrases_are_changed_moved_dropped_and_all_as_usual(
    play: Any, tmp_path: Path
) -> None:
    chosen, path = kept(tmp_path)
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("comma", "end", "up", "enter")
        await p.press("enter", "enter", *"Aye!", "enter")  # own words for the first
        assert chosen.now.phrases == ("Aye!", *PHRASES[1:])
        await p.press("down", "u")
        assert chosen.now.phrases[:2] == (PHRASES[1], "Aye!")
        await p.press("down", "x")
        assert chosen.now.phrases == PHRASES[1:]
        await p.press("a", "down", "enter")  # the one usual phrase that is not in the list
        assert chosen.now.phrases == (*PHRASES[1:], PHRASES[0])
        await p.press("r")
        assert chosen.now.phrases == PHRASES
    await chosen.written()
    assert load(path).settings.phrases == PHRASES


async def test_a_key_is_given_away_works_and_is_shown(
    play: Any, world: Any, tmp_path: Path
) -> None:
    chosen, path = kept(tmp_path)
    view = world.view([world.seat() for _ in range(3)])
    update = world.update(view, world.own(Choices(place=("F",))))
    async with play(*world.at_table(update), chosen=chosen) as p:
        assert "t talk" in p.text()
        await p.press("comma", "end", "enter")
        await give(p, "table.talk", "z")
        await p.press("escape", "escape")
        assert isinstance(p.app.screen, TableRoom)
        assert "z talk" in p.text()
        await p.press("t")
        assert not p.app.screen.talking
        await p.press("z")
        assert p.app.screen.talking
        await p.press(*"zoo", "enter")
        assert p.link.asked[-1][1] == {"text": "zoo"}
    await chosen.written()
    assert load(path).settings.keys == {"table.talk": "z"}


async def test_a_clash_is_said_and_not_accepted(play: Any, tmp_path: Path) -> None:
    chosen, path = kept(tmp_path)
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("comma", "end", "enter")
        await give(p, "table.talk", "w")
        assert "The key w would do both: talk, and who." in p.text()
        await give(p, "table.talk", "enter")
        assert "cannot be given away" in p.text()
        assert (chosen.now.keys, path.exists()) == ({}, False)
        await give(p, "table.talk", "z")
        assert "would do both" not in p.text()
        await p.press("r")
        assert chosen.now.keys == {}
        await chosen.written()


async def give(p: Any, name: str, key: str) -> None:
    """Select a binding, and press its new key."""
    menu = p.app.screen.query_one("Menu")
    menu.select(list(p.app.keys.bound).index(name))
    await p.press("enter")
    assert isinstance(p.app.screen, PressKey)
    await p.press(key)
    assert isinstance(p.app.screen, EditKeys)


async def test_a_broken_file_is_said_and_stays_until_something_is_changed(
    play: Any, tmp_path: Path
) -> None:
    broken = 'name = "Ana"\nbell = \n'
    chosen, path = kept(tmp_path, broken)
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("f2", "f2", "f3", "down", "enter", "comma")
        assert "line 2 is no TOML" in p.text()
        assert path.read_text(encoding="utf-8") == broken
        await p.press("end", "up", "up", "right")
        await chosen.written()
        await p.settle()
        assert "no TOML" not in p.text()
    assert load(path).settings.bell == "turn"
    assert path.with_name("settings.toml.broken").read_text(encoding="utf-8") == broken


async def test_what_cannot_be_kept_is_said_and_holds_for_now(play: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    chosen = Chosen(Settings(), tmp_path / "file" / "settings.toml")
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("comma", "down", "down", "right")
        await chosen.written()
        await p.settle()
        assert "cannot be kept" in p.text()
        assert p.app.theme == "dark"
        await p.press("end", "enter")
        await give(p, "table.talk", "z")
        await chosen.written()
        await p.settle()
        assert isinstance(p.app.screen, EditKeys)
        refusal = p.app.screen.query_one("#refusal", Lines)  # the window hides the rest
        assert "cannot be kept" in str(refusal.content)


async def test_colours_and_symbols_chosen_by_their_keys_are_remembered(
    play: Any, tmp_path: Path
) -> None:
    chosen, path = kept(tmp_path)
    async with play(ways=FakeWays(), chosen=chosen) as p:
        await p.press("f2", "f3", "down", "escape")
        await chosen.written()
        assert load(path).settings.theme == "auto"  # only tried out
        await p.press("f3", "down", "enter")
    await chosen.written()
    now = load(path).settings
    assert (now.glyphs, now.theme) == ("ascii", "light")


BROKEN = st.one_of(
    st.binary(max_size=60),
    st.lists(
        st.sampled_from(
            [
                'name = "Ana"',
                'name = "\\u202e"',
                'theme = "paper"',
                'theme = "terminal"',
                'glyphs = "ascii"',
                'language = "sv"',
                'language = "tlh"',
                "phrases = []",
                'phrases = ["ouch", "own words", 3]',
                'phrases = ["[b]bold[/b]"]',
                'servers = ["box", "ho st", "[::1]:9", ""]',
                "[keys]",
                '"table.talk" = "w"',
                '"table.talk" = ","',
                '"everywhere.settings" = "escape"',
                '"no.such" = "\\u0000"',
                "= = =",
            ]
        ),
        max_size=8,
    ).map(lambda lines: "\n".join(lines).encode()),
)


@given(BROKEN)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_file_holds_the_app_starts_and_its_settings_open(raw: bytes) -> None:
    async def look() -> None:
        loaded = read(raw)
        chosen = Chosen(loaded.settings, None, loaded.problems)
        app = SkullApp(
            NOWHERE, Opening(), chosen.glyphs, theme=chosen.theme, chosen=chosen, ways=FakeWays()
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            app.push_screen(SettingsRoom())
            await pilot.pause()
            await pilot.press("end", "enter", "escape", "up", "enter", "escape")
            assert isinstance(app.screen, SettingsRoom)
            app.apply_settings()
            await pilot.pause()
            assert app.return_code is None

    asyncio.run(look())
    languages.use("en")
