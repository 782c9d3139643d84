"""Only cells that change are sent, and the terminal shows what was meant all the same."""

from __future__ import annotations

from typing import Any
from unicodedata import normalize

import pyte
import pytest
from rich.color import ColorSystem
from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.app import App
from textual.geometry import Region
from textual.strip import Strip

from skull_client.cells import CellUpdate, ShownCells
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.skull import Choices


class Shown:
    """A terminal, and how much was sent to it."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)

    def take(self, codes: str) -> None:
        self.sent.append(codes)
        self.stream.feed(codes)

    def lines(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display) + "\n"

    def bytes_since(self) -> int:
        """How many bytes were sent since this was asked last."""
        count = sum(len(codes.encode()) for codes in self.sent)
        self.sent.clear()
        return count


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """A terminal of 16 colours that gets what the app displays."""
    shown = Shown()
    display = App._display

    def displayed(app: Any, screen: Any, picture: Any) -> None:
        if picture is not None:
            app.console._color_system = ColorSystem.STANDARD
            shown.take(picture.render_segments(app.console))
        display(app, screen, picture)

    monkeypatch.setattr(App, "_display", displayed)
    return shown


def game(world: Any) -> list[Any]:
    """Some steps of a game of six in which only others act."""
    seats = [world.seat() for _ in range(6)]
    steps = [world.update(world.view(seats, to_act=(1,)), world.own(Choices()))]

    def step(seat: int, change: dict[str, Any], *events: Any, **view: Any) -> None:
        seats[seat] = world.seat(**change)
        seen = {"phase": "bidding", "bid": 2, "bidder": 3, **view}
        steps.append(world.update(world.view(seats, **seen), world.own(Choices()), *events))

    two = {"stack": (None, None), "hand": 2}
    step(1, two, skull.Placed(1, None), phase="turn", bid=0, bidder=None, to_act=(2,))
    step(2, two, skull.Placed(2, None), phase="turn", bid=0, bidder=None, to_act=(3,))
    step(3, {"bid": 2}, skull.BidMade(3, 2), to_act=(4,))
    step(4, {"passed": True}, skull.Passed(4), to_act=(5,))
    begun = (skull.Passed(5), skull.ChallengeStarted(3, 2))
    step(5, {"passed": True}, *begun, phase="challenge", to_act=(3,))
    flipped = skull.Flipped(3, 3, "F")
    step(3, {"bid": 2, "stack": ("F",)}, flipped, phase="challenge", to_act=(3,), flowers=1)
    return steps


async def test_an_opponents_move_costs_little(play: Any, world: Any, terminal: Shown) -> None:
    first, *steps = game(world)
    async with play(*world.at_table(first, 6)) as p:
        terminal.bytes_since()
        for step in steps:
            await p.arrive(step)
            assert 0 < terminal.bytes_since() <= 1500
            assert terminal.lines() == p.text()
        await p.arrive(step)
        assert terminal.bytes_since() == 0, "nothing new, nothing sent"


async def test_the_terminal_shows_what_was_meant(play: Any, world: Any, terminal: Shown) -> None:
    """Windows, letters two cells wide, accents, the other set of symbols: no trace is left."""
    first, *steps = game(world)
    async with play(*world.at_table(first, 6)) as p:
        said = Chat(102, "Boris", "漢字 e\u0301te\u0301 and 漢")
        for arrival in [*steps[:2], said, *steps[2:]]:
            await p.arrive(arrival)
            assert terminal.lines() == normalize("NFC", p.text())
        for key in (
            "o",
            "t",
            "x",
            "left",
            "escape",
            "question_mark",
            "escape",
            "w",
            "escape",
            "f2",
        ):
            await p.press(key)
            assert terminal.lines() == normalize("NFC", p.text()), key


async def test_everything_is_sent_again_when_the_terminal_lost_it(
    play: Any, world: Any, terminal: Shown
) -> None:
    async with play(*world.at_table(game(world)[0], 6)) as p:
        meant = p.text()
        assert terminal.lines() == meant
        terminal.screen.reset()
        await p.press("ctrl+l")
        assert terminal.lines() == meant
        terminal.screen.reset()
        p.app.refresh()
        await p.settle()
        assert terminal.lines() == meant
        terminal.screen.reset()
        terminal.screen.resize(30, 100)
        await p.pilot.resize_terminal(100, 30)
        await p.settle()
        assert terminal.lines() == p.text()


def test_a_picture_of_another_size_is_sent_whole() -> None:
    """Rows that are longer now, and a terminal that has moved what it showed."""
    cells = ShownCells()
    for width in (4, 8, 4):
        strips: Any = [[Strip([Segment("x" * width)])]]
        update = LayoutUpdate(strips, Region(0, 0, width, 1))
        sent = cells.only_changes(update, (width, 1))
        assert isinstance(sent, CellUpdate)
        assert [(x, y, strip.text) for x, y, strip in sent.stretches] == [(0, 0, "x" * width)]
        assert cells.only_changes(update, (width, 1)) is None


def test_what_is_sent_begins_and_ends_with_whole_letters() -> None:
    """A letter of two cells is sent with both, also where just one of them has changed."""
    cells = ShownCells()
    for text, sent in (
        ("a漢b", "a漢b"),
        ("a漢c", "c"),
        ("a字c", "字"),
        ("ax c", "x "),
        ("a漢c", "漢"),
    ):
        strips: Any = [[Strip([Segment(text)])]]
        update = cells.only_changes(LayoutUpdate(strips, Region(0, 0, 4, 1)), (4, 1))
        assert isinstance(update, CellUpdate)
        assert [strip.text for _, _, strip in update.stretches] == [sent]
