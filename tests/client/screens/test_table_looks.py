"""The table as plain text, phase by phase, at every size, in all languages and symbols.

One file holds a scene at all sizes: REWRITE_GOLDENS=1 pytest keeps the new ones.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.client.conftest import in_the_other_languages
from tests.client.screens.test_looks import bidding, flipping, picking, played_by_bots, six

from skull_client.widgets.story import Story
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.skull import Choices, Outcome

SIZES = [(80, 24), (60, 20), (100, 30), (120, 40), (200, 60)]


def placing(world: Any) -> list[Any]:
    """Two players, a practice round, nothing on the mats yet."""
    seats = [world.seat(stack=(), hand=4), world.seat(stack=(), hand=4)]
    view = world.view(seats, phase="initial", round=0, to_act=(0, 1), starter=1)
    own = world.own(Choices(place=("F", "S")), hand=("F", "F", "F", "S"), stack=())
    update = world.update(view, own, skull.RoundStarted(0, 1), clock_ms=9_000)
    return world.at_table(update, 2)


def cards(world: Any) -> list[Any]:
    """The travel set: cards for discs, some of them flipped."""
    seats = [
        world.seat(stack=("2s", "10d"), hand=2, points=1),
        world.seat(stack=(None, "9c"), hand=2, passed=True),
        world.seat(stack=(None, None, None, None), hand=0, passed=True),
    ]
    view = world.view(seats, phase="challenge", bid=5, bidder=0, flowers=3)
    own = world.own(Choices(flip=(1, 2)), hand=("7h", "Jc"), stack=("2s", "10d"))
    events = [
        skull.ChallengeStarted(0, 5),
        skull.Flipped(0, 0, "10d"),
        skull.Flipped(0, 0, "2s"),
        skull.Flipped(0, 1, "9c"),
    ]
    return world.at_table(world.update(view, own, *events), 3)


def many_discs(world: Any) -> list[Any]:
    """Six players with every disc on the mats: the highest bids there can be."""
    seats = [world.seat(stack=(None,) * 4, hand=0, bid=bid) for bid in (12, 13, 14, 0, 0, 0)]
    seats[3] = world.seat(stack=(None,) * 4, hand=0, passed=True)
    view = world.view(seats, phase="bidding", bid=14, bidder=2, to_act=(0,))
    own = world.own(Choices(bid=(15, 24), may_pass=True), hand=(), stack=("F", "S", "F", "F"))
    return world.at_table(world.update(view, own, skull.BidMade(2, 14)), 6)


def losing(world: Any) -> list[Any]:
    """The own skull: a disc has to go, in secret."""
    seats = [
        world.seat(stack=("F", "S"), hand=1, discs=3, bid=3, points=1),
        world.seat(passed=True, last_chance=True, hand=1, discs=1),
        world.seat(stack=(), hand=0, discs=0, eliminated=True),
    ]
    view = world.view(
        seats, phase="lose", bid=3, bidder=0, flowers=0, outcome=Outcome(0, 3, 0), to_act=(0,)
    )
    own = world.own(Choices(lose=("F", "S")), hand=("F",), stack=("F", "S"), lost=("F",))
    events = [
        skull.ChallengeStarted(0, 3),
        skull.Flipped(0, 0, "S"),
        skull.ChallengeLost(0, 0),
    ]
    return world.at_table(world.update(view, own, *events), 3)


def eliminated(world: Any) -> list[Any]:
    """The reader's skull cost somebody the last disc; discs may be shown now."""
    seats = [
        world.seat(stack=(None, "S"), hand=2, passed=True),
        world.seat(stack=(), hand=0, discs=0, eliminated=True),
        world.seat(passed=True, ready=True),
    ]
    view = world.view(
        seats,
        phase="round_over",
        bid=2,
        bidder=1,
        flowers=1,
        outcome=Outcome(1, 2, 0),
        to_act=(0,),
    )
    own = world.own(Choices(show=(0,), ready=True), hand=("F", "F"), stack=("F", "S"))
    events = [
        skull.RoundStarted(4, 0),
        skull.ChallengeStarted(1, 2),
        skull.Flipped(1, 1, "F"),
        skull.Flipped(1, 0, "S"),
        skull.ChallengeLost(1, 0),
        skull.DiscLost(1, None, 0),
        skull.Eliminated(1),
        skull.PressedOn(2),
    ]
    return world.at_table(world.update(view, own, *events), 3)


def naming(world: Any) -> list[Any]:
    """The reader is out by their own skull, and says who starts."""
    seats = [world.seat(stack=("S",), hand=0, discs=0, eliminated=True)]
    seats += [world.seat(passed=True)] * 5
    lost = Outcome(0, 2, 0)
    view = world.view(seats, phase="name_starter", bid=2, bidder=0, outcome=lost, to_act=(0,))
    own = world.own(Choices(name_starter=(1, 2, 3, 4, 5)), hand=(), stack=("S",), lost=("F",) * 3)
    events = [skull.Flipped(0, 0, "S"), skull.ChallengeLost(0, 0), skull.Eliminated(0)]
    return world.at_table(world.update(view, own, *events), 6)


def won(world: Any) -> list[Any]:
    """The game is over: by a second point."""
    seats = [
        world.seat(stack=("F", "F"), hand=2, points=2, bid=3),
        world.seat(stack=("F",), passed=True),
    ]
    view = world.view(
        seats,
        phase="game_over",
        bid=3,
        bidder=0,
        flowers=3,
        winner=0,
        to_act=(),
        outcome=Outcome(0, 3, None),
    )
    own = world.own(Choices(), hand=("F", "S"), stack=("F", "F"))
    events = [
        skull.Flipped(0, 0, "F"),
        skull.Flipped(0, 0, "F"),
        skull.Flipped(0, 1, "F"),
        skull.ChallengeWon(0, 2),
        skull.GameWon(0, "points"),
    ]
    over = world.update(view, own, *events)
    return [*world.at_table(over, 2), world.table(world.seats(2), "finished")]


def watching(world: Any) -> list[Any]:
    """Six players, seen by one who only watches: nobody's faces, and all around the table."""
    people = world.table(world.seats(6), host=world.ME + 1, watchers=("Ida",))
    update = world.update(six(world, to_act=(5,)), None, clock_ms=42_000)
    return [world.welcome("Ida"), people, update, world.online()]


SCENES: dict[str, tuple[Callable[[Any], list[Any]], list[str]]] = {
    "placing": (placing, ["s"]),
    "bidding": (bidding, ["r", "7"]),
    "many-discs": (many_discs, ["r", "1", "9"]),
    "flipping": (flipping, ["2"]),
    "cards": (cards, []),
    "picking": (picking, ["2"]),
    "losing": (losing, ["f"]),
    "eliminated": (eliminated, ["1"]),
    "naming": (naming, []),
    "won": (won, []),
    "watching": (watching, []),
    "played-by-bots": (played_by_bots, []),
}


def without_mark(text: str) -> str:
    """The screen without the mark of unread talk: beside a wide table it has been read."""
    return re.sub(r" +\d+ unread: o\n", "\n", text)


@pytest.mark.parametrize("name", SCENES)
async def test_the_table_looks_as_it_did(play: Any, world: Any, golden: Any, name: str) -> None:
    """At one size after the other, as a terminal is resized, and back again without a trace."""
    arrivals, keys = SCENES[name]
    seen: dict[str, list[str]] = {"unicode": [], "ascii": []}
    async with play(*arrivals(world), size=SIZES[0]) as p:
        await p.press(*keys)
        first = p.text()
        for width, height in SIZES:
            await p.pilot.resize_terminal(width, height)
            await p.settle()
            for symbols, shown in seen.items():
                text = p.text()
                assert symbols == "unicode" or text.isascii()
                shown.append(f"== {name} at {width}x{height} ==\n{text}")
                await p.press("f2")
        await p.pilot.resize_terminal(*SIZES[0])
        await p.settle()
        assert without_mark(p.text()) == without_mark(first)
        await in_the_other_languages(p, golden, f"table-{name}", *keys)
    for symbols, shown in seen.items():
        golden(f"table-{name}-{symbols}", "\n".join(shown))


WINDOWS: dict[str, tuple[Callable[[Any], list[Any]], list[str]]] = {
    "talking": (bidding, ["t", "h", "i"]),
    "taking-back": (bidding, ["a"]),
    "log": (bidding, ["o"]),
    "help": (bidding, ["question_mark"]),
    "quitting": (bidding, ["q"]),
}


@pytest.mark.parametrize("name", WINDOWS)
async def test_what_opens_above_the_table_looks_as_it_did(
    play: Any, world: Any, golden: Any, name: str
) -> None:
    arrivals, keys = WINDOWS[name]
    seen = []
    for width, height in SIZES[:2]:
        async with play(*arrivals(world), size=(width, height)) as p:
            await p.press(*keys)
            seen.append(f"== {name} at {width}x{height} ==\n{p.text()}")
            if (width, height) == SIZES[0]:
                await in_the_other_languages(p, golden, f"table-{name}", *keys)
                await p.speak("en")
    golden(f"table-{name}-unicode", "\n".join(seen))


def said(world: Any, *texts: str) -> list[Any]:
    """What Boris says."""
    return [Chat(world.ME + 1, "Boris", text) for text in texts]


def in_log(p: Any, words: list[str]) -> list[str]:
    """Return which of the words stand in the log."""
    place = p.app.screen.query_one(Story).region
    rows = [row[place.x :] for row in p.text().splitlines()[place.y : place.bottom]]
    return [word for word in words if any(word in row for row in rows)]


async def test_what_is_said_is_marked_until_the_log_was_seen(play: Any, world: Any) -> None:
    async with play(*bidding(world)) as p:
        await p.arrive(*said(world, "one", "two"), Chat(world.ME, "Ana", "mine"))
        assert "3 unread: o" in p.text()
        await p.press("o")
        assert "unread" not in p.text()
        assert "Boris: one" in p.text()
        await p.arrive(*said(world, "three"))
        assert "Boris: three" in p.text()
        await p.press("escape")
        assert "unread" not in p.text()
        assert "Boris: one" not in p.text()
        await p.arrive(*said(world, "four"))
        assert "1 unread: o" in p.text()


async def test_the_log_needs_no_drawer_where_there_is_room_beside_the_table(
    play: Any, world: Any
) -> None:
    async with play(*bidding(world), size=(120, 40)) as p:
        await p.arrive(*said(world, "one"))
        assert "Boris: one" in p.text()
        assert "unread" not in p.text()
        assert "o log" not in p.text()
        await p.press("o")
        await p.pilot.resize_terminal(80, 24)
        await p.settle()
        assert "o log" in p.text()
        assert "unread" not in p.text(), "it was seen beside the table"


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_all_that_was_said_can_be_read_back(
    play: Any, world: Any, size: tuple[int, int]
) -> None:
    async with play(*bidding(world), size=size) as p:
        everything = [f"Boris: word{n}." for n in range(1, 41)]
        await p.arrive(*said(world, *(f"word{n}." for n in range(1, 41))))
        if size[0] < 110:
            await p.press("o")
        seen = set(in_log(p, everything))
        assert everything[-1] in seen
        assert everything[0] not in seen, "else there is nothing to read back"
        for _ in everything:
            await p.press("pageup")
            shown = in_log(p, everything)
            assert "".join(shown) in "".join(everything), "in one piece"
            seen |= set(shown)
        assert seen == set(everything)
        top = in_log(p, everything)
        assert top != everything[-len(top) :]
        await p.arrive(*said(world, "news."))
        assert in_log(p, everything) == top, "it stays"
        assert not in_log(p, ["Boris: news."])
        for _ in everything:
            await p.press("pagedown")
        assert in_log(p, ["Boris: news."])
        assert "newer" not in p.text()


async def test_what_one_reads_back_says_how_much_is_newer(play: Any, world: Any) -> None:
    async with play(*bidding(world), size=(120, 40)) as p:
        everything = [f"Boris: word{n}." for n in range(1, 41)]
        await p.arrive(*said(world, *(f"word{n}." for n in range(1, 41))))
        await p.press("pageup")
        shown = in_log(p, everything)
        newer = len(everything) - 1 - everything.index(shown[-1])
        assert newer > 0
        assert f"{newer} newer: PgDn" in p.text()
        await p.arrive(*said(world, "news."))
        assert f"{newer + 1} newer: PgDn" in p.text()


async def test_nothing_is_read_back_where_all_is_seen(play: Any, world: Any) -> None:
    async with play(*bidding(world), size=(120, 40)) as p:
        await p.arrive(*said(world, "one", "two"))
        before = p.text()
        await p.press("pageup", "pageup")
        assert p.text() == before


async def test_one_reads_back_while_typing_an_answer(play: Any, world: Any) -> None:
    async with play(*bidding(world), size=(120, 40)) as p:
        await p.arrive(*said(world, *(f"word{n}." for n in range(1, 41))))
        await p.press("t", "h", "i", "pageup", "pageup")
        assert "Boris: word1." in p.text()
        assert "Say: hi" in " ".join(p.text().split())


async def test_the_drawer_hides_neither_the_turn_nor_the_own_discs(play: Any, world: Any) -> None:
    async with play(*bidding(world), size=(60, 20)) as p:
        await p.press("o")
        text = p.text()
        assert "Hand F S" in text
        assert "▸ Your turn: bid 5 to 8, or pass." in text
        await p.press("r", "enter")
        assert p.link.actions == [skull.Bid(5)]


async def test_a_terminal_that_is_too_small_says_what_is_needed(play: Any, world: Any) -> None:
    async with play(*bidding(world)) as p:
        for size in ((59, 20), (60, 19), (20, 5)):
            await p.pilot.resize_terminal(*size)
            await p.settle()
            words = " ".join(p.text().split())
            assert f"Skull needs 60x20; this is {size[0]}x{size[1]}." in words
        await p.pilot.resize_terminal(60, 20)
        await p.settle()
        await p.press("p", "enter")
        assert p.link.actions == [skull.Pass()]
