"""Windows and a few moments as plain text, in one size. Other screens: rooms, and the table."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.client.conftest import in_the_other_languages

from skull_protocol import skull
from skull_protocol.pushes import Chat, ResumeCode
from skull_protocol.skull import Choices, Outcome
from skull_protocol.tables import SeatInfo, TableOptions


def six(world: Any, **changes: Any) -> Any:
    """Six players in all kinds of situations."""
    seats = [
        world.seat(hand=2, discs=3, points=1),
        world.seat(stack=(None, None), hand=2, bid=4),
        world.seat(bid=2, passed=True, points=1),
        world.seat(stack=(), hand=0, discs=0, eliminated=True),
        world.seat(stack=(None, None, None), hand=0, discs=3, passed=True),
        world.seat(hand=1, discs=1, last_chance=True, bid=3),
    ]
    view = {"phase": "bidding", "bid": 4, "bidder": 1, "round": 5}
    return world.view(seats, **{**view, **changes})


def bidding(world: Any) -> list[Any]:
    own = world.own(Choices(bid=(5, 8), may_pass=True, abandon=True), hand=("F", "S"), lost=("F",))
    events = [
        skull.RoundStarted(5, 4),
        skull.Placed(0, "F"),
        skull.Placed(4, None),
        skull.BidMade(2, 2),
        skull.BidMade(5, 3),
        skull.Passed(4),
        skull.BidMade(1, 4),
    ]
    update = world.update(six(world), own, *events, clock_ms=42_000)
    said = Chat(102, "Boris", "You will never find four flowers here, and you know it.")
    return [*world.at_table(update, 6, bots=(4,)), said]


def flipping(world: Any) -> list[Any]:
    seats = [
        world.seat(stack=("F", "F"), hand=1, discs=3, points=1, bid=4),
        world.seat(stack=(None, "F"), hand=2, bid=3, passed=True),
        world.seat(bid=2, passed=True),
        world.seat(stack=(None, None, None), hand=0, discs=3, passed=True),
    ]
    view = world.view(seats, phase="challenge", bid=4, bidder=0, flowers=3)
    events = [skull.ChallengeStarted(0, 4), skull.Flipped(0, 0, "F"), skull.Flipped(0, 1, "F")]
    own = world.own(Choices(flip=(1, 2, 3)), hand=("S",), stack=("F", "F"))
    return world.at_table(world.update(view, own, *events), 4)


def picking(world: Any) -> list[Any]:
    seats = [
        world.seat(stack=(None, "S")),
        world.seat(stack=("F",), bid=3, points=1),
        world.seat(passed=True),
    ]
    lost = Outcome(1, 3, 0)
    view = world.view(seats, phase="pick", bid=3, bidder=1, flowers=1, outcome=lost)
    own = world.own(Choices(pick=4), hand=("F", "F"), stack=("F", "S"))
    return world.at_table(world.update(view, own, skull.ChallengeLost(1, 0)), 3)


def lobby(world: Any) -> list[Any]:
    return world.lobby(
        world.summary("BCDF"),
        world.summary("KRTW", host="Carla-Maria Lang", stage="playing", seated=6, bots=0),
        world.summary("QSTW", seated=5, bots=2, options=TableOptions(turn_seconds=0, max_seats=5)),
    )


def played_by_bots(world: Any) -> list[Any]:
    """A bot plays for the reader and for Boris; Dmitri is away; the clock runs out."""
    seats = [
        SeatInfo(world.ME, "Ana", True, False, True),
        SeatInfo(world.ME + 1, "Boris", False, False, True),
        SeatInfo(world.ME + 2, "Carla-Maria Lang", True, False),
        SeatInfo(world.ME + 3, "Dmitri", False, False),
    ]
    view = world.view([world.seat()] * 4, to_act=(2,))
    return [
        world.welcome(),
        world.table(tuple(seats), watchers=("Ida", "Jo"), locked=True, saving=False),
        world.update(view, world.own(Choices(abandon=True)), clock_ms=9_000),
        world.online(),
        Chat(109, "Ida", "Look behind you."),
    ]


SCREENS: dict[str, tuple[Callable[[Any], list[Any]], list[str]]] = {
    "locked": (lambda world: world.lobby(world.summary("BCDF", locked=True)), ["enter", "p", "w"]),
    "who": (played_by_bots, ["w", "down", "down"]),
    "about-somebody": (played_by_bots, ["w", "down", "down", "enter"]),
    "resume-code": (lobby, ["k", "enter"]),
}
"""Screens that differ little with the size: one size is enough."""


@pytest.mark.parametrize("name", SCREENS)
async def test_the_small_screen_looks_as_it_did(
    play: Any, world: Any, golden: Any, name: str
) -> None:
    """In both sets of symbols, and in every language."""
    arrivals, keys = SCREENS[name]
    async with play(*arrivals(world), size=(80, 24)) as p:
        await p.press(*keys)
        await p.arrive(ResumeCode("BCDFGHJK", 600))
        golden(f"{name}-80x24-unicode", p.text())
        await p.press("f2")
        golden(f"{name}-80x24-ascii", p.text())
        assert p.text().isascii()
        await p.press("f2")
        await in_the_other_languages(p, golden, name, *keys, ResumeCode("BCDFGHJK", 600))
