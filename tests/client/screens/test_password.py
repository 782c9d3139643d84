"""Passwords: set with a table or later, asked of whoever comes in, and told wrong in place."""

from typing import Any

import pytest

from skull_client.opening import Opening
from skull_client.screens.lobby import Lobby
from skull_client.screens.password import ComeIn
from skull_client.screens.waiting import Waiting
from skull_protocol.pushes import Error
from skull_protocol.requests import CreateTable, JoinTable, SetPassword, WatchTable
from skull_protocol.tables import TableOptions

WRONG = Error(1, "bad_password", "That is not the password: ask the host, and try again.")


@pytest.mark.parametrize(("typed", "sent"), [("two words ", "two words"), ("   ", None)])
async def test_a_new_table_can_have_one(
    play: Any, world: Any, typed: str, sent: str | None
) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n")
        assert "Tab password" in p.text()
        await p.press("tab", *typed, "enter")
        assert p.link.asked == [(CreateTable, {"options": TableOptions(), "password": sent})]


async def test_letters_and_arrows_in_the_password_change_no_option(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "tab", *"ab", "left", "x", "tab", "right", "enter")
        (made,) = p.link.asked
        assert made[1] == {"options": TableOptions(min_seats=4), "password": "axb"}


async def test_the_host_sets_and_takes_away_the_password(play: Any, world: Any) -> None:
    table = world.table(world.seats(3), "waiting")
    async with play(world.welcome(), table, world.online()) as p:
        while "▸ Set a password" not in p.text():
            await p.press("down")
        p.link.refusal = Error(1, "bad_text", "That cannot be a password: choose another.")
        await p.press("enter", *"psst", "enter")
        assert "That cannot be a password: choose another." in p.text()
        p.link.refusal = None
        await p.press("enter")
        assert isinstance(p.app.screen, Waiting)
        await p.arrive(world.table(world.seats(3), "waiting", locked=True))
        assert "Table KRTW (locked)" in p.text()
        assert "▸ Change the password" in p.text()
        await p.press("enter", "enter")
        assert p.link.asked[1:] == [
            (SetPassword, {"password": "psst"}),
            (SetPassword, {"password": None}),
        ]


async def test_a_locked_table_asks_until_it_is_right(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF", locked=True))) as p:
        assert "locked" in p.text()
        p.link.refusal = WRONG
        await p.press("enter")
        assert p.link.asked == [], "nobody has to be told wrong before being asked"
        await p.press(*"mist", "enter")
        assert "That is not the password" in p.text()
        assert "mist" not in p.text(), "who looks over a shoulder reads nothing"
        p.link.refusal = None
        await p.press("backspace", "enter")
        assert isinstance(p.app.screen, Lobby)
        assert p.link.asked == [
            (JoinTable, {"code": "BCDF", "password": "mist"}),
            (JoinTable, {"code": "BCDF", "password": "mis"}),
        ]


async def test_escape_gives_up_and_w_watches_with_a_password(play: Any, world: Any) -> None:
    async with play(*world.lobby(world.summary("BCDF", locked=True))) as p:
        await p.press("enter", *"x", "escape")
        assert p.link.asked == []
        await p.press("w", *"pw", "enter")
        assert p.link.asked == [(WatchTable, {"code": "BCDF", "password": "pw"})]


async def test_a_typed_code_of_a_locked_table_asks_as_well(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        p.link.refusal = WRONG
        await p.press("c", *"krtw", "enter")
        assert isinstance(p.app.screen, ComeIn)
        assert "That is not the password" not in p.text(), "nothing wrong was typed yet"


async def test_a_table_on_the_command_line_asks_on_the_screen(play: Any, world: Any) -> None:
    async with play(opening=Opening(table="BCDF")) as p:
        p.link.refusal = WRONG
        await p.arrive(*world.lobby())
        assert isinstance(p.app.screen, ComeIn)
        p.link.refusal = Error(1, "game_running", "You can watch it.")
        await p.press(*"pw", "enter")
        assert [(request, f.get("password")) for request, f in p.link.asked] == [
            (JoinTable, None),
            (JoinTable, "pw"),
            (WatchTable, "pw"),
        ]
        assert "You can watch it." in p.text()


async def test_a_table_without_watching_offers_none(play: Any, world: Any) -> None:
    options = TableOptions(watching=False)
    async with play(*world.lobby(world.summary("BCDF", stage="playing", options=options))) as p:
        assert "watch" not in p.text().splitlines()[23]
        await p.press("enter", "w")
        await p.pilot.click("#tables", offset=(4, 0))
        await p.settle()
        assert p.link.asked == []
