"""The screens beside the table as plain text, in every size, set of symbols and language.

Each file holds one screen in all of them. REWRITE_GOLDENS=1 pytest keeps the new ones.
"""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.client.conftest import in_the_other_languages
from tests.client.finished import played, told

from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.tables import TableOptions

SIZES = ((80, 24), (60, 20), (120, 40), (200, 60))


def lobby(world: Any) -> list[Any]:
    odd = skull.SkullOptions(last_chance=True, practice=True, own_skull="random")
    return world.lobby(
        world.summary("BCDF", watchers=1, locked=True),
        world.summary("KRTW", host="Carla-Maria Lang", stage="playing", seated=6, bots=0),
        world.summary("QSTW", seated=5, bots=2, options=TableOptions(turn_seconds=0, max_seats=5)),
        world.summary("FGHJ", host="Dmitri", seated=1, bots=0, options=TableOptions(rules=odd)),
        world.summary("LMNP", host="Eva", stage="finished", seated=4, bots=0, watchers=12),
    )


def waiting(world: Any) -> list[Any]:
    rules = skull.SkullOptions(last_chance=True, practice=True)
    table = world.table(
        world.seats(4, bots=(2,)),
        "waiting",
        game=0,
        options=TableOptions(rules=rules, turn_seconds=30),
        watchers=("Ida",),
    )
    return [world.welcome(), table, world.online(), Chat(102, "Boris", "I bought roses today.")]


def guest(world: Any) -> list[Any]:
    table = world.table(world.seats(2), "waiting", game=0, host=world.ME + 1, locked=True)
    return [world.welcome(), table, world.online()]


def result(world: Any) -> list[Any]:
    """A whole game of four, played by the rules."""
    _, steps = told(played(3, 4))
    return [
        world.welcome(),
        world.table(world.seats(4, bots=(3,))),
        world.online(),
        *[world.update(one.view, one.you, *one.events, seq=at) for at, one in enumerate(steps)],
        world.table(world.seats(4, bots=(3,)), "finished"),
        Chat(102, "Boris", "Well played."),
    ]


ROOMS: dict[str, tuple[Callable[[Any], list[Any]], list[str]]] = {
    "connecting": (lambda world: [], []),
    "lobby-empty": (lambda world: world.lobby(), []),
    "lobby": (lobby, ["down"]),
    "code": (lobby, ["c", "k"]),
    "set-up": (lobby, ["n", "down", "down", "right"]),
    "help": (lobby, ["question_mark"]),
    "colours": (lobby, ["y", "down"]),
    "waiting": (waiting, []),
    "waiting-as-guest": (guest, []),
    "flowers": (waiting, ["f", "enter"]),
    "result": (result, ["enter"]),
}


@pytest.mark.parametrize("name", ROOMS)
async def test_the_room_looks_as_it_did(play: Any, world: Any, golden: Any, name: str) -> None:
    """From size to size, and back again without a trace of the others."""
    arrivals, keys = ROOMS[name]
    async with play(*arrivals(world), size=SIZES[0]) as p:
        await p.press(*keys)
        await looks_as_it_did(p, golden, name, *keys)


async def pages(p: Any, sizes: Sequence[tuple[int, int]]) -> str:
    """Return what is shown in each size, with both sets of symbols."""
    found = []
    for size in sizes:
        await p.pilot.resize_terminal(*size)
        await p.settle()
        found.append(f"== {size[0]}x{size[1]} ==\n{p.text()}")
        await p.press("f2")
        assert p.text().isascii()
        found.append(f"== {size[0]}x{size[1]}, ASCII ==\n{p.text()}")
        await p.press("f2")
    return "\n".join(found)


async def looks_as_it_did(p: Any, golden: Any, name: str, *again: Any) -> None:
    """Compare what is shown in every size, with both sets of symbols, and in every language.

    `again`: the keys and arrivals that lead here once the screens were made anew.
    """
    first = p.text()
    golden(f"rooms/{name}", await pages(p, SIZES))
    await p.pilot.resize_terminal(*SIZES[0])
    await p.settle()
    assert p.text() == first
    await in_the_other_languages(p, golden, name, *again)
