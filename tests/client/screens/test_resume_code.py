"""The short code for another terminal: shown on request alone, and never an old one."""

from typing import Any

from skull_client.opening import Opening
from skull_client.screens.table import TableRoom
from skull_protocol.pushes import Error, ResumeCode
from skull_protocol.requests import AskResumeCode
from skull_protocol.skull import Choices


def at_table(world: Any) -> list[Any]:
    own = world.own(Choices(place=("F", "S")))
    return world.at_table(world.update(world.view([world.seat()] * 3), own))  # type: ignore[no-any-return]


async def test_k_then_enter_shows_it_with_how_to_use_it(play: Any, world: Any) -> None:
    async with play(*at_table(world), ResumeCode("OLDOLD", 600)) as p:
        await p.press("k")
        assert p.link.asked == [], "nothing secret comes up by a slip"
        assert "OLDOLD" not in p.text()
        await p.press("enter")
        assert p.link.asked == [(AskResumeCode, {})]
        await p.arrive(ResumeCode("BCDFGHJK", 600))
        assert "B   C   D   F   G   H   J   K" in p.text()
        assert "skull-client box:7585 --code BCDFGHJK" in p.text()
        assert "within 10 minutes" in p.text()
        await p.press("enter", "escape")
        assert len(p.link.asked) == 1
        assert isinstance(p.app.screen, TableRoom)


async def test_a_refusal_is_told_there_and_can_be_tried_again(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        p.link.refusal = Error(1, "cannot_save", "Not now: try again in a while.")
        await p.press("k", "enter")
        assert "Not now: try again in a while." in p.text()
        p.link.refusal = None
        await p.press("enter")
        await p.arrive(ResumeCode("BCDFGHJK", 60))
        assert "Not now" not in p.text()
        assert "within 1 minute;" in p.text()


async def test_with_tls_the_command_says_so(play: Any, world: Any) -> None:
    opening = Opening(server_label="box:7585", tls=True)
    async with play(*world.lobby(), opening=opening) as p:
        await p.press("k", "enter")
        await p.arrive(ResumeCode("BCDFGHJK", 600))
        assert "skull-client box:7585 --tls --code BCDFGHJK" in p.text()
        await p.press("escape")
        await p.arrive(world.table(world.seats(3), "waiting"))
        assert "skull-client box:7585 --tls --table KRTW" in p.text()


async def test_a_game_in_this_process_has_no_other_terminal(play: Any, world: Any) -> None:
    opening = Opening(bots=3, start_now=True, server_label="this computer")
    async with play(*at_table(world), opening=opening) as p:
        await p.press("k")
        assert isinstance(p.app.screen, TableRoom)
