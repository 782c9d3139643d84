"""Colours are chosen with one key anywhere, seen at once, and never the only sign of anything."""

import os
from typing import Any

import pytest
from textual.color import Color

from skull_client.screens.colours import Colours
from skull_client.screens.lobby import Lobby
from skull_client.themes import NONE, TERMINAL, THEMES
from skull_protocol import skull
from skull_protocol.skull import Choices
from skull_protocol.tables import TableOptions


def styles(playing: Any) -> list[tuple[str, Any]]:
    """All that is on the screen and how it is drawn, after everything has been done to it."""
    app = playing.app
    update = app.screen._compositor.render_update(
        full=True, screen_stack=app._background_screens, simplify=True
    )
    found = []
    for line in update.strips:
        for strip in line:
            for one in app.get_line_filters():
                strip = strip.apply_filter(one, Color.parse("black"))
            found += [(segment.text, segment.style) for segment in strip if segment.style]
    return found


def challenge(world: Any) -> list[Any]:
    """A moment with everything that has a colour: discs, a turn, points, talk."""
    seats = [
        world.seat(stack=("F", None), points=1),
        world.seat(stack=("S",), passed=True),
        world.seat(),
    ]
    view = world.view(seats, phase="challenge", bid=3, bidder=0, flowers=1)
    own = world.own(Choices(flip=(0,)), hand=("S",), stack=("F", "F"))
    return world.at_table(world.update(view, own, skull.Flipped(0, 1, "S")))


@pytest.mark.parametrize("key", ["f3", "y"])
async def test_one_key_opens_them_arrows_show_and_enter_keeps(
    play: Any, world: Any, key: str
) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        assert p.app.theme == "dark"
        await p.press(key)
        assert "Soft colours on black." in p.text()
        await p.press("down")
        assert p.app.theme == "light"
        await p.press(key)
        assert p.app.theme == "contrast"
        await p.press("enter")
        assert isinstance(p.app.screen, Lobby)
        assert p.app.theme == "contrast"
        assert p.link.asked == []


async def test_escape_goes_back_to_the_colours_before(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        p.app.theme = "safe"
        await p.press("y", "up", "up", "escape")
        assert p.app.theme == "safe"


async def test_while_somebody_types_the_letter_is_a_letter(play: Any, world: Any) -> None:
    async with play(*challenge(world)) as p:
        await p.press("t", "y", "f3")
        assert isinstance(p.app.screen, Colours)
        await p.press("escape")
        assert "Say:  y" in p.text()


@pytest.mark.parametrize("name", THEMES)
async def test_colours_change_no_letter(play: Any, world: Any, name: str) -> None:
    async with play(*challenge(world)) as p:
        before = p.text()
        p.app.theme = name
        await p.settle()
        assert p.text() == before


@pytest.mark.parametrize("greys", [True, False], ids=["NO_COLOR", "chosen"])
async def test_no_colour_is_none_at_all(
    play: Any, world: Any, greys: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where Textual would make greys of it."""
    if greys:
        monkeypatch.setenv("NO_COLOR", "1")
    async with play(*challenge(world)) as p:
        p.app.theme = NONE.name
        await p.press("right")
        drawn = styles(p)
        for text, style in drawn:
            assert style.color is None, (text, style)
            assert style.bgcolor is None, (text, style)
        assert any(style.reverse and "Flip" in text for text, style in drawn), "what is selected"
        assert any(style.reverse and text == "S" for text, style in drawn), "a skull"
        assert any(style.dim for _, style in drawn), "what matters less"


async def test_no_color_leaves_the_choice_of_others(
    play: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with play(*challenge(world)) as p:
        assert any(style.color is not None for _, style in styles(p))
    assert os.environ["NO_COLOR"] == "1"


async def test_the_terminals_own_colours_keep_its_background_and_no_grey(
    play: Any, world: Any
) -> None:
    """Bright black is the background of some palettes: dim is used instead."""
    async with play(*challenge(world)) as p:
        p.app.theme = TERMINAL.name
        await p.settle()
        drawn = styles(p)
        allowed = {None, 1, 5, 15}
        assert {style.color and style.color.number for _, style in drawn} <= allowed
        assert {style.bgcolor and style.bgcolor.number for _, style in drawn} <= {None, 1}
        assert any(style.dim for _, style in drawn)


# -- never by colour alone -----------------------------------------------------------------------


def calm(world: Any) -> Any:
    return world.view([world.seat(hand=2)] * 3, phase="turn", to_act=(2,), starter=0)


MATTERS: dict[str, Any] = {
    "points": {"points": 1},
    "hand": {"hand": 1},
    "height of the stack": {"stack": (None, None)},
    "a flower that all see": {"stack": ("F",)},
    "a skull that all see": {"stack": ("S",)},
    "a bid": {"bid": 1},
    "a pass": {"passed": True},
    "Last Chance": {"last_chance": True},
    "out of the game": {"eliminated": True, "discs": 0, "hand": 0, "stack": ()},
    "a vote": {"agrees": True},
}
"""What is public about a seat: each alone changes letters on the screen."""


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (200, 60)])
@pytest.mark.parametrize("seat", [0, 1])
async def test_all_that_is_public_about_a_seat_is_told_in_letters(
    play: Any, world: Any, size: tuple[int, int], seat: int
) -> None:
    """At the table, of the reader and of an opponent."""
    own = world.own(Choices(), hand=("F", "S"))
    async with play(*world.at_table(world.update(calm(world), own)), size=size) as p:
        told = {"before": p.text()}
        for number, (what, changes) in enumerate(MATTERS.items()):
            seats = list(calm(world).seats)
            seats[seat] = world.seat(**{"hand": 2, **changes})
            own = world.own(
                Choices(),
                hand=("F", "S")[: seats[0].hand],
                stack=tuple(face or "F" for face in seats[0].stack),
            )
            view = world.view(seats, phase="turn", to_act=(2,), starter=0)
            await p.arrive(world.update(view, own, seq=8 + number))
            told[what] = p.text()
        alike = [what for what in told if list(told.values()).count(told[what]) > 1]
        assert alike == []


@pytest.mark.parametrize(
    "changes",
    [
        {"to_act": (1,)},
        {"phase": "bidding", "bid": 1, "bidder": 1},
        {"phase": "bidding", "bid": 1, "bidder": 2},
        {"phase": "challenge", "bid": 2, "bidder": 1, "to_act": (1,), "flowers": 1},
        {"round": 4},
    ],
)
async def test_where_the_game_stands_is_told_in_letters(
    play: Any, world: Any, changes: dict[str, Any]
) -> None:
    own = world.own(Choices(), hand=("F", "S"))
    async with play(*world.at_table(world.update(calm(world), own))) as p:
        before = p.text()
        seats = calm(world).seats
        view = world.view(seats, **{"phase": "turn", "to_act": (2,), "starter": 0, **changes})
        await p.arrive(world.update(view, own, seq=8))
        assert p.text() != before


@pytest.mark.parametrize("keys", [["right"], ["right", "right"]])
async def test_what_is_selected_is_told_in_letters(play: Any, world: Any, keys: list[str]) -> None:
    own = world.own(Choices(place=("F", "S"), bid=(1, 3)))
    async with play(*world.at_table(world.update(calm(world), own))) as p:
        before = p.text()
        await p.press(*keys)
        assert p.text() != before


async def test_the_lobby_tells_the_state_of_a_table_in_letters(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        told = [p.text()]
        for changes in (
            {"stage": "playing"},
            {"stage": "finished"},
            {"seated": 6},
            {"seated": 5},
            {"bots": 0},
            {"watchers": 2},
            {"locked": True},
            {"options": TableOptions(turn_seconds=30)},
        ):
            await p.arrive(*world.lobby(world.summary("BCDF", **changes)))
            told.append(p.text())
        assert len(set(told)) == len(told)
