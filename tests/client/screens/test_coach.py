"""The coach at the table: asked by a key, told in a line, gone when the moment has passed."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.client.conftest import Playing

from skull_client.app import SkullApp
from skull_client.connection import Connection
from skull_client.embedded import EmbeddedServer
from skull_client.glyphs import UNICODE
from skull_client.opening import Opening
from skull_protocol import skull
from skull_protocol.pushes import Advice, Error
from skull_protocol.requests import AskCoach
from skull_protocol.skull import Choices
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits

COACHED = TableOptions(coach=True)
MINE = Choices(place=("F", "S"), bid=(1, 3))


def at_table(
    world: Any, *, seq: int = 7, options: TableOptions = COACHED, **more: Any
) -> list[Any]:
    """Alone with two bots, at one's turn, unless `more` says otherwise."""
    view = world.view([world.seat()] * 3, **more.pop("view", {}))
    update = world.update(view, world.own(more.pop("choices", MINE)), seq=seq)
    seats = world.seats(3, bots=more.pop("bots", (1, 2)))
    return [world.welcome(), world.table(seats, options=options, **more), update, world.online()]


async def test_one_key_asks_and_the_line_tells_what_and_how_likely(play: Any, world: Any) -> None:
    async with play(*at_table(world)) as p:
        assert "c coach" in p.text()
        await p.press("c")
        assert p.link.asked == [(AskCoach, {})]
        assert "The coach thinks" in p.text()
        await p.arrive(Advice(7, skull.Bid(2), 41))
        assert "Coach: bid 2; you win 41 % of such games." in p.text()
        assert p.link.actions == [], "it only tells"


async def test_where_nothing_is_reckoned_there_is_no_number(play: Any, world: Any) -> None:
    async with play(*at_table(world)) as p:
        await p.press("c")
        await p.arrive(Advice(7, skull.Place("S"), None))
        assert "Coach: place the skull." in p.text()
        assert "%" not in p.text()


async def test_advice_goes_when_its_moment_has_passed(play: Any, world: Any) -> None:
    async with play(*at_table(world)) as p:
        await p.press("c")
        await p.arrive(Advice(7, skull.Bid(2), 41))
        await p.arrive(at_table(world, seq=8)[2])
        assert "Coach: bid 2" in p.text(), "there is the same to choose from"
        await p.arrive(at_table(world, seq=9, choices=Choices(bid=(3, 3), may_pass=True))[2])
        assert "Coach" not in p.text()
        await p.arrive(Advice(7, skull.Bid(2), 41))
        assert "Coach" not in p.text(), "it comes too late"


async def test_asked_again_it_says_the_same_without_thinking(play: Any, world: Any) -> None:
    async with play(*at_table(world)) as p:
        await p.press("c")
        await p.arrive(Advice(7, skull.Bid(2), 41))
        await p.press("p")
        assert "Coach" not in p.text()
        await p.press("c")
        assert "Coach: bid 2" in p.text()
        assert len(p.link.asked) == 1


async def test_what_the_server_refuses_is_said(play: Any, world: Any) -> None:
    async with play(*at_table(world)) as p:
        p.link.refusal = Error(1, "no_coach", "The coach helps only alone with bots.")
        await p.press("c")
        assert "The coach helps only alone with bots." in p.text()


NOT_NOW: dict[str, tuple[Callable[[Any], list[Any]], str]] = {
    "no coach": (
        lambda world: at_table(world, options=TableOptions()),
        "This table has no coach",
    ),
    "other people": (lambda world: at_table(world, bots=(1,)), "Others are here"),
    "watchers": (lambda world: at_table(world, watchers=("Ida",)), "Others are here"),
    "not my turn": (
        lambda world: at_table(world, view={"to_act": (1,)}),
        "The coach waits for your turn.",
    ),
}


@pytest.mark.parametrize("why", NOT_NOW)
async def test_when_it_cannot_be_asked_the_key_says_why(play: Any, world: Any, why: str) -> None:
    arrivals, sentence = NOT_NOW[why]
    async with play(*arrivals(world)) as p:
        await p.press("c")
        assert sentence in p.text()
        assert p.link.asked == []


async def test_a_real_game_here_has_a_real_coach() -> None:
    opening = Opening(bots=2, level="hard", coach=True, start_now=True, server_label="here")
    server = EmbeddedServer(limits=Limits(bot_delay=0.0))
    app = SkullApp(Connection(server.dial, "Ada", server="here"), opening, UNICODE)
    app.motion = False
    async with app.run_test(size=(80, 24)) as pilot:
        p = Playing(app, app.link, pilot)  # type: ignore[arg-type]  # a real one

        async def until(condition: Callable[[], object]) -> None:
            for _ in range(3000):
                if condition():
                    return
                await pilot.pause()
            raise AssertionError(p.text())

        def mine() -> bool:
            game = app.known.game
            return game is not None and game.you is not None and 0 in game.view.to_act

        await until(mine)
        assert [info.level for info in app.known.players[1:]] == ["hard", "hard"]
        await p.press("c")
        await until(lambda: "Coach: place" in p.text())
        game, advice = app.known.game, app.known.advice
        assert game is not None
        assert game.you is not None
        assert advice is not None
        assert advice.action in game.you.choices.actions()
