"""After the game: how it ended stays true whoever leaves, and the host may start another."""

from typing import Any

import msgspec
from tests.client.finished import played, told

from skull_client.opening import Opening
from skull_client.screens.result import Result
from skull_client.screens.table import TableRoom
from skull_client.screens.waiting import Waiting
from skull_protocol import skull
from skull_protocol.pushes import Games, GameSteps
from skull_protocol.requests import GetGame, LeaveTable, ListGames, StartGame
from skull_protocol.skull import Choices
from skull_protocol.tables import SeatInfo


def over(world: Any, *, host: int | None = None) -> list[Any]:
    seats = [
        world.seat(points=1, discs=2),
        world.seat(points=2),
        world.seat(discs=0, eliminated=True),
    ]
    view = world.view(seats, phase="game_over", winner=1, to_act=())
    story = (skull.RoundStarted(1, 0), skull.GameWon(1, "points"))
    won = world.update(view, world.own(Choices()), *story)
    host = host or world.ME
    return [*world.at_table(won, host=host), world.table(world.seats(3), "finished", host=host)]


async def test_who_won_and_how_everybody_stands(play: Any, world: Any) -> None:
    async with play(*over(world)) as p:
        await p.press("enter")
        text = p.text()
        assert "Boris won the game." in text
        assert "With a second point." in text
        assert "2 discs left" in text
        assert "out of the game" in text


async def test_who_forfeited_has_left_and_is_no_bot(play: Any, world: Any) -> None:
    seats = world.seats(3)
    seats = (*seats[:2], SeatInfo(None, "Carla-Maria Lang", False, False))
    view = world.view(
        [world.seat(points=1), world.seat(), world.seat(eliminated=True)],
        phase="game_over",
        winner=0,
        to_act=(),
    )
    won = world.update(
        view,
        world.own(Choices()),
        skull.RoundStarted(1, 0),
        skull.Forfeited(2),
        skull.GameWon(0, "last_player"),
    )
    async with play(world.welcome(), world.table(seats), won, world.online()) as p:
        assert "left" in p.text().splitlines()[1]
        assert "Carla-Maria Lang left the game for good." in p.text()
        await p.arrive(world.table(seats, "finished"))
        await p.press("enter")
        assert "As the last player in the game." in p.text()
        row = next(line for line in p.text().splitlines() if "out of the game" in line)
        assert "Carla-Maria Lang" in row
        assert "left" in row
        await p.press("s", "enter")
        assert "Carla-Maria Lang left" in p.text()
        assert "Send Carla-Maria Lang away" not in p.text()
        await p.press("x")
        assert p.link.asked == []


async def test_the_host_plays_again(play: Any, world: Any) -> None:
    async with play(*over(world)) as p:
        await p.press("enter")
        assert p.link.asked == []
        await p.press("p", "enter")
        assert p.link.asked == [(StartGame, {})]
        await p.arrive(world.table(world.seats(3), "playing", game=2))
        assert isinstance(p.app.screen, TableRoom)


async def test_a_guest_is_told_who_can(play: Any, world: Any) -> None:
    async with play(*over(world, host=world.ME + 1)) as p:
        await p.press("enter")
        assert "Play again" not in p.text()
        assert "Boris can start another game." in p.text()


async def test_the_names_stay_when_somebody_leaves(play: Any, world: Any) -> None:
    async with play(*over(world)) as p:
        await p.press("enter")
        left = world.seats(3)
        await p.arrive(world.table((left[0], left[2]), "finished"))
        assert "Boris won the game." in p.text()


async def test_seats_and_options_for_the_next_game(play: Any, world: Any) -> None:
    async with play(*over(world)) as p:
        await p.press("enter", "s", "enter")
        assert isinstance(p.app.screen, Waiting)
        await p.press("r", "enter")
        assert isinstance(p.app.screen, Result)


async def test_l_leaves(play: Any, world: Any) -> None:
    async with play(*over(world)) as p:
        await p.press("enter", "l")
        assert p.link.asked == [(LeaveTable, {})]


# -- the story of the game -----------------------------------------------------------------------


def whole_game(world: Any, first: int = 0) -> list[Any]:
    """A game that somebody saw from a step on; it is told again from its beginning."""
    _, steps = told(played(3, 4))
    return [
        world.welcome(),
        world.table(world.seats(4)),
        world.online(),
        *[
            world.update(one.view, one.you, *(one.events if at > first else ()), seq=at)
            for at, one in enumerate(steps)
            if at >= first
        ],
        world.table(world.seats(4), "finished"),
    ]


async def test_each_challenge_is_told_in_a_line(play: Any, world: Any) -> None:
    async with play(*whole_game(world, -1)) as p:
        await p.press("enter")
        for line in (
            "1 S You bluffed with a bid of 4, and were caught.",
            "3 S Boris bid 4, and hit Dmitri's skull.",
            "4 F Carla-Maria Lang bid 4, flipped all: a point.",
            "6 S You bid 4, and hit Dmitri's skull. Dmitri had bluffed.",
        ):
            assert line in p.text()
        assert p.link.asked == [], "all is known here"


async def test_a_long_story_is_read_page_by_page(play: Any, world: Any) -> None:
    async with play(*whole_game(world, -1), size=(60, 20)) as p:
        await p.press("enter")
        assert "1 S You bluffed" in p.text()
        assert "more lines: PgDn" in p.text()
        for _ in range(9):
            await p.press("pagedown")
        assert "10 F Carla-Maria Lang bid 3, flipped all: a point." in p.text()
        assert "PgDn" not in p.text()
        for _ in range(9):
            await p.press("pageup")
        assert "1 S You bluffed" in p.text()


async def test_who_came_late_asks_the_server_for_the_story(play: Any, world: Any) -> None:
    """In pages, as many as it takes."""
    summary, steps = told(played(3, 4))
    late = len(steps) - 8
    async with play(*whole_game(world, late)) as p:
        await p.press("enter")
        assert "What happened before you came is not known." in p.text()
        assert p.link.asked == [(ListGames, {"before": None})]
        await p.arrive(Games((summary,), False))
        assert p.link.asked[1:] == [(GetGame, {"game": summary.game, "first": 0})]
        await p.arrive(GameSteps(summary, 0, steps[:9]))
        assert p.link.asked[2:] == [(GetGame, {"game": summary.game, "first": 9})]
        await p.arrive(GameSteps(summary, 9, steps[9:]))
        assert "1 S You bluffed with a bid of 4, and were caught." in p.text()
        assert "not known" not in p.text()
        assert len(p.link.asked) == 3


async def test_another_game_is_not_taken_for_this_one(play: Any, world: Any) -> None:
    summary, steps = told(played(3, 4))
    other = msgspec.structs.replace(summary, table="BCDF")
    async with play(*whole_game(world, len(steps) - 8)) as p:
        await p.press("enter")
        await p.arrive(Games((other,), False))
        assert [request for request, _ in p.link.asked] == [ListGames]


async def test_a_game_in_this_process_is_not_asked_for(play: Any, world: Any) -> None:
    opening = Opening(bots=3, start_now=True, server_label="this computer")
    _, steps = told(played(3, 4))
    async with play(*whole_game(world, len(steps) - 8), opening=opening) as p:
        await p.press("enter")
        assert ListGames not in [request for request, _ in p.link.asked]


async def test_what_everybody_did_is_counted(play: Any, world: Any) -> None:
    async with play(*whole_game(world, -1)) as p:
        await p.press("enter")
        row = next(line for line in p.text().splitlines() if "▸ Carla-Maria Lang" in line)
        assert row.split("left")[1].split()[:4] == ["2", "2", "1", "2"]
