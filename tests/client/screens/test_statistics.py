"""The player's own statistics: where they open, what they say, at the smallest size too."""

from typing import Any

import pytest
from tests.client.conftest import in_the_other_languages

from skull_client.link import LinkStatus
from skull_client.opening import Opening
from skull_client.screens.history import History
from skull_client.screens.records import Records
from skull_client.screens.statistics import Statistics
from skull_protocol import pushes
from skull_protocol.requests import AskStatistics
from skull_protocol.tables import Opponent

COUNTED = pushes.Statistics(
    *(42, 12, 31, 18, 17, 9, 23),
    (
        Opponent("Boris", 3, 1, 0, 2, 1, 1, 0),
        Opponent("Carla-Maria Lang", 1042, 512, 498, 1234, 1098, 204, 187),
        Opponent("Bot Ana", 17, 9, 2, 12, 5, 3, 4),
        Opponent("[b]x[/]\x1b[2J", 1, 0, 1, 0, 2, 0, 0),
    ),
)
NONE = pushes.Statistics(0, 0, 0, 0, 0, 0, 0, ())


@pytest.mark.parametrize(("key", "screen"), [("h", History), ("r", Records)])
async def test_s_opens_them_and_escape_goes_back(
    play: Any, world: Any, key: str, screen: type[Any]
) -> None:
    async with play(*world.lobby()) as p:
        await p.press(key)
        assert "your statistics" in p.text()
        await p.press("s")
        assert p.link.asked[1:] == [(AskStatistics, {})]
        assert isinstance(p.app.screen, Statistics)
        assert "asking the server" in p.text()
        await p.press("escape")
        assert isinstance(p.app.screen, screen)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_they_look_so(play: Any, world: Any, golden: Any, size: tuple[int, int]) -> None:
    async with play(*world.lobby(), size=size) as p:
        await p.press("h", "s")
        await p.arrive(COUNTED)
        assert "\x1b" not in p.text()
        assert "[b]x[/]" in p.text()
        golden(f"statistics-{size[0]}x{size[1]}-unicode", p.text())
        await p.press("f2")
        golden(f"statistics-{size[0]}x{size[1]}-ascii", p.text())
        assert p.text().isascii()
        await p.press("down", "enter")
        assert isinstance(p.app.screen, Statistics)
        await p.press("f2")
        if size == (80, 24):
            await in_the_other_languages(p, golden, "statistics", "h", "s", COUNTED)


async def test_one_of_each_is_said_as_one(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h", "s")
        await p.arrive(pushes.Statistics(1, 1, 1, 1, 1, 1, 1, ()))
        assert "1 game, 1 won." in p.text()
        assert "Your skull stopped 1 challenge of somebody else." in p.text()


async def test_without_games_it_says_so(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h", "s")
        await p.arrive(NONE)
        assert "No game of yours has ended here yet" in p.text()
        assert "Traps" not in p.text()
        await p.arrive(COUNTED)
        assert "No game of yours" not in p.text()
        assert "42 games, 12 won." in p.text()


async def test_playing_here_it_says_that_nothing_is_counted(play: Any, world: Any) -> None:
    async with play(*world.lobby(), opening=Opening(server_label="here", start_now=True)) as p:
        await p.press("h", "s")
        await p.arrive(NONE)
        assert "Games against bots on this machine are not counted." in p.text()


async def test_who_has_become_somebody_else_does_not_see_them(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h", "s")
        await p.arrive(COUNTED, LinkStatus("lost", "Gone."), world.welcome("Anna"))
        assert p.app.known.statistics is None
        await p.arrive(COUNTED, world.welcome("Ana", resumed=True))
        assert p.app.known.statistics == COUNTED
