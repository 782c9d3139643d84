"""After the game: how it ended stays true whoever leaves, and the host may start another."""

from typing import Any

from skull_client.screens.result import Result
from skull_client.screens.table import TableRoom
from skull_client.screens.waiting import Waiting
from skull_protocol import skull
from skull_protocol.requests import LeaveTable, StartGame
from skull_protocol.skull import Choices
from skull_protocol.tables import SeatInfo


def over(world: Any, *, host: int | None = None) -> list[Any]:
    seats = [
        world.seat(points=1, discs=2),
        world.seat(points=2),
        world.seat(discs=0, eliminated=True),
    ]
    view = world.view(seats, phase="game_over", winner=1, to_act=())
    won = world.update(view, world.own(Choices()), skull.GameWon(1, "points"))
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
        view, world.own(Choices()), skull.Forfeited(2), skull.GameWon(0, "last_player")
    )
    async with play(world.welcome(), world.table(seats), won, world.online()) as p:
        assert "left" in p.text().splitlines()[1]
        assert "Carla-Maria Lang left the game for good." in p.text()
        await p.arrive(world.table(seats, "finished"))
        await p.press("enter")
        assert "As the last player in the game." in p.text()
        assert "out of the game  left" in p.text()
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
