"""The lobby: which keys ask for what, and what the list tells."""

import re
from typing import Any

from skull_client.screens.lobby import Lobby
from skull_protocol.pushes import Error, LobbyChanged
from skull_protocol.requests import CreateTable, JoinTable, WatchTable
from skull_protocol.tables import TableOptions


async def test_enter_joins_the_selected_table(play: Any, world: Any) -> None:
    tables = (world.summary("BCDF"), world.summary("KRTW"))
    async with play(*world.lobby(*tables)) as p:
        await p.press("down", "enter")
        assert p.link.asked == [(JoinTable, {"code": "KRTW"})]


async def test_enter_watches_where_no_seat_can_be_had(play: Any, world: Any) -> None:
    for table in (world.summary("BCDF", stage="playing"), world.summary("BCDF", seated=6)):
        async with play(*world.lobby(table)) as p:
            assert "Enter watch" in p.text()
            await p.press("enter")
            assert p.link.asked == [(WatchTable, {"code": "BCDF"})]


async def test_w_watches_a_table_that_could_be_joined(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        await p.press("w")
        assert p.link.asked == [(WatchTable, {"code": "BCDF"})]


async def test_an_empty_lobby_says_what_to_do(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        assert "Press n to set one up" in p.text()
        await p.press("enter", "w", "up", "down")
        assert p.link.asked == []
        assert "w watch" not in p.text()


async def test_the_list_follows_the_server_and_the_selection_its_table(
    play: Any, world: Any
) -> None:
    async with play(*world.lobby(world.summary("CCCC"))) as p:
        await p.arrive(LobbyChanged((world.summary("BBBB", host="Eva"),), ()))
        assert "BBBB  Eva" in p.text()
        await p.press("enter")
        assert p.link.asked == [(JoinTable, {"code": "CCCC"})]
        await p.arrive(LobbyChanged((), ("CCCC",)))
        assert "CCCC" not in p.text()


async def test_the_first_table_that_appears_can_be_joined(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.arrive(LobbyChanged((world.summary("BBBB"),), ()))
        await p.press("enter")
        assert p.link.asked == [(JoinTable, {"code": "BBBB"})]


async def test_a_typed_code_is_joined(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("c", *"krtw", "enter")
        assert p.link.asked == [(JoinTable, {"code": "KRTW"})]


async def test_escape_closes_the_code_without_asking(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("c", *"krtw", "escape")
        assert p.link.asked == []
        assert isinstance(p.app.screen, Lobby)


async def test_a_refusal_is_told_in_its_sentence(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        p.link.refusal = Error(1, "table_full", "That table is full: press w to watch.")
        await p.press("enter")
        assert "That table is full: press w to watch." in p.text()
        p.link.refusal = None
        await p.press("w")
        assert "That table is full" not in p.text()


async def test_n_sets_up_a_table_with_the_usual_options(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "enter")
        assert p.link.asked == [(CreateTable, {"options": TableOptions(), "password": None})]


async def test_q_leaves_the_program(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("q")
        assert p.app.return_code == 0
    assert p.link.closed


async def test_a_click_selects_and_a_second_click_joins(play: Any, world: Any) -> None:
    tables = (world.summary("BCDF"), world.summary("KRTW"))
    async with play(*world.lobby(*tables)) as p:
        await p.pilot.click("#tables", offset=(4, 1))
        await p.settle()
        assert p.link.asked == []
        await p.pilot.click("#tables", offset=(4, 1))
        await p.settle()
        assert p.link.asked == [(JoinTable, {"code": "KRTW"})]


async def test_a_click_on_a_key_of_the_bottom_line_presses_it(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        column = p.text().splitlines()[23].index("c code")
        await p.pilot.click(offset=(column, 23))
        await p.settle()
        assert "Which table?" in p.text()


async def test_a_click_beside_everything_leaves_the_keyboard_alive(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        await p.pilot.click(offset=(40, 0))
        await p.press("enter")
        assert p.link.asked == [(JoinTable, {"code": "BCDF"})]


async def test_seats_and_state_are_told_at_a_glance(play: Any, world: Any) -> None:
    table = world.summary("BCDF", seated=4, bots=1, watchers=2, locked=True)
    async with play(*world.lobby(table)) as p:
        row = next(line for line in p.text().splitlines() if "BCDF  Boris" in line)
        assert "•••b·· 4/6 waiting, locked   2" in row
        assert "3 people · 1 bot · 2 seats free · 2 watch" in p.text()
        assert "waiting, takes a password" in p.text()


async def test_what_is_unusual_about_a_table_is_explained(play: Any, world: Any) -> None:
    options = TableOptions(turn_seconds=30)
    async with play(*world.lobby(world.summary("BCDF", options=options))) as p:
        assert "• Turn clock: Each decision may take 30 seconds." in p.text()
        await p.arrive(LobbyChanged((world.summary("BCDF"),), ()))
        assert "The usual rules and settings." in p.text()


async def test_where_there_is_room_every_option_is_told(play: Any, world: Any) -> None:
    options = TableOptions(turn_seconds=30)
    async with play(*world.lobby(world.summary("BCDF", options=options)), size=(120, 40)) as p:
        assert re.search(r"• Turn clock +30 s", p.text())
        for label in ("First player", "Own skull", "Last Chance", "Leavers", "Pause"):
            assert label in p.text()


async def test_a_key_that_does_nothing_says_why(play: Any, world: Any) -> None:
    shut = TableOptions(watching=False)
    async with play(*world.lobby(world.summary("BCDF", options=shut, stage="playing"))) as p:
        await p.press("w")
        assert "Nobody may watch at table BCDF." in p.text()
        await p.press("enter")
        assert "No seat can be had at table BCDF now." in p.text()
        assert p.link.asked == []
    async with play(*world.lobby()) as p:
        await p.press("enter")
        assert "There is no table yet: press n to set one up." in p.text()
    async with play(*world.lobby(world.summary("BCDF", options=shut))) as p:
        await p.press("enter")
        assert p.link.asked == [(JoinTable, {"code": "BCDF"})]
        assert " ! " not in p.text()
