"""Other people's words are words: never markup, never control, never wider than their place."""

from typing import Any

import msgspec
import pytest

from skull_protocol.pushes import Chat, Error
from skull_protocol.skull import Choices

HOSTILE = [
    "[@click=app.quit]x[/]",
    "[b]bold",
    "[/",
    "{name} {0} %s $n",
    "\x1b[2J\x07\u202ex",
    "漢字漢字漢字漢字漢字",
    "n" * 60,
]


def at_table(world: Any, name: str) -> list[Any]:
    seats = world.seats(6)
    seats = (*seats[:1], *(msgspec.structs.replace(seat, name=name) for seat in seats[1:]))
    view = world.view([world.seat(bid=seat) for seat in range(6)], bid=5, bidder=5, phase="bidding")
    own = world.own(Choices(flip=(1, 2, 3, 4, 5)))
    return [world.welcome(), world.table(seats), world.update(view, own), world.online()]


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
@pytest.mark.parametrize("words", HOSTILE)
async def test_every_screen_bears_any_words(
    play: Any, world: Any, words: str, size: tuple[int, int]
) -> None:
    async with play(*world.lobby(world.summary("BCDF", host=words)), size=size) as p:
        stage = world.table(world.seats(3), "waiting", watchers=(words,))
        p.link.refusal = Error(1, "internal", words)
        await p.press("enter")
        screens = [p.text()]
        await p.arrive(stage, Chat(102, words, words))
        screens.append(p.text())
        await p.arrive(*at_table(world, words), Chat(102, words, words))
        screens.append(p.text())
        await p.press("enter", "right", "enter")
        screens.append(p.text())
        assert p.app.return_code is None
        for text in screens:
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert all(character == "\n" or character >= " " for character in text)


@pytest.mark.parametrize("words", HOSTILE[:4])
async def test_markup_is_shown_as_it_was_written(play: Any, world: Any, words: str) -> None:
    async with play(*at_table(world, "Boris"), Chat(102, words[:16], words)) as p:
        assert f"{words[:16]}: {words}" in p.text()


async def test_nothing_in_a_name_can_be_clicked(play: Any, world: Any) -> None:
    async with play(*at_table(world, "[@click=app.quit]x[/]")) as p:
        for column in range(17, 32, 4):
            await p.pilot.click(offset=(column, 1))
        await p.settle()
        assert p.app.return_code is None


async def test_ascii_means_nothing_else_reaches_the_terminal(play: Any, world: Any) -> None:
    async with play(*at_table(world, "Zoë 漢字"), Chat(102, "Zoë", "…—ü"), glyphs=world.ASCII) as p:
        assert p.text().isascii()
        assert "Zo? ????" in p.text()
        await p.press("f2")
        assert "Zoë" in p.text()
        await p.press("f2")
        assert p.text().isascii()


async def test_ascii_at_run_time_is_the_same_as_from_the_start(play: Any, world: Any) -> None:
    async with play(*at_table(world, "Eva"), size=(120, 40), glyphs=world.ASCII) as p:
        plain = p.text()
    async with play(*at_table(world, "Eva"), size=(120, 40)) as p:
        await p.press("f2")
        assert p.text() == plain
