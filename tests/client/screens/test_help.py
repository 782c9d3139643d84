"""The help is about what is on the screen: its title or purpose and its keys, then the rules."""

from typing import Any

from skull_protocol.skull import Choices
from skull_protocol.tables import TableOptions


async def test_at_the_table_the_keys_are_those_of_this_moment(play: Any, world: Any) -> None:
    own = world.own(Choices(place=("F", "S"), bid=(1, 3)))
    table = world.table(world.seats(3, bots=(1, 2)), options=TableOptions(coach=True))
    update = world.update(world.view([world.seat()] * 3), own)
    async with play(world.welcome(), table, update, world.online()) as p:
        await p.press("question_mark")
        page = p.text()
        for told in ("The table.", "f        Place a flower", "b        Bid 1", "hard bot do?"):
            assert told in page
        assert "new table" not in page
        assert page.index("Place a flower") < page.index("Two points win")


async def test_in_the_lobby_the_keys_are_the_lobbys(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        await p.press("question_mark")
        page = p.text()
        for told in ("The tables of this server", "n        new table", "Two points win"):
            assert told in page
        for other in ("Place a flower", "coach", "Focus", "Copy"):
            assert other not in page


async def test_above_a_window_it_is_about_the_window(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "question_mark")
        page = p.text()
        assert "│ Set up a table" in page
        assert "←→       change" in page
