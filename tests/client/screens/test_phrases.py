"""Table talk: the palette of quick phrases, and what is said shown where its speaker sits."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.client.conftest import in_the_other_languages

from skull_client import languages
from skull_client.chosen import Chosen
from skull_client.screens.phrases import Phrases
from skull_client.screens.table import TableRoom
from skull_client.settings import Settings
from skull_client.state import SPEAKING_SECONDS
from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Chat, Error
from skull_protocol.requests import Say, SayPhrase
from skull_protocol.skull import Choices
from skull_protocol.tables import TableOptions

SIZES = ((80, 24), (60, 20), (100, 30), (120, 40), (200, 60))


def table(world: Any, count: int = 3, **changes: Any) -> list[Any]:
    """A game in which the reader is to place or bid."""
    seats = [world.seat(points=seat % 2) for seat in range(count)]
    view = world.view(seats, **changes)
    return list(world.at_table(world.update(view, world.own(Choices(place=("F", "S")))), count))


def with_phrases(*phrases: str) -> Chosen:
    return Chosen(Settings(name="Ana", phrases=phrases))


@pytest.mark.parametrize("size", SIZES[:2])
async def test_the_palette_looks_as_it_did(
    play: Any, world: Any, golden: Callable[[str, str], None], size: tuple[int, int]
) -> None:
    own = with_phrases("trust_me", "[b]Aye, captain[/b]", *PHRASES[4:])
    pages = []
    async with play(*table(world), size=size, chosen=own) as p:
        await p.press("e")
        pages.append(p.text())
        await p.press("f2", "down")
        assert p.text().isascii()
        pages.append(p.text())
        await p.press("f2")
        if size == SIZES[0]:
            await in_the_other_languages(p, golden, "phrases", "e")
    golden(f"phrases-{size[0]}x{size[1]}", "\n".join(pages))


async def test_two_keys_say_a_phrase(play: Any, world: Any) -> None:
    async with play(*table(world), chosen=with_phrases("trust_me", "Aye, captain!")) as p:
        await p.press("e", "1")
        assert p.link.asked == [(SayPhrase, {"phrase": "trust_me"})]
        assert isinstance(p.app.screen, TableRoom)
        await p.press("e", "2")
        assert p.link.asked[1:] == [(Say, {"text": "Aye, captain!"})]
        await p.press("e", "down", "enter")
        assert len(p.link.asked) == 3


async def test_every_phrase_has_a_key(play: Any, world: Any) -> None:
    some = tuple(f"Number {number}" for number in range(24))
    async with play(*table(world), chosen=with_phrases(*some)) as p:
        for key in "1234567890abcdefghijklmn":
            await p.pilot.press("e", key)
            await p.pilot.pause()
        assert [fields["text"] for _, fields in p.link.asked] == list(some)


async def test_any_other_key_and_escape_say_nothing(play: Any, world: Any) -> None:
    async with play(*table(world), chosen=with_phrases("ouch")) as p:
        await p.press("e", "2", "b", "z", "space")
        assert isinstance(p.app.screen, Phrases)
        await p.press("escape")
        assert p.link.asked == []


async def test_a_refusal_is_said_in_the_palette(play: Any, world: Any) -> None:
    async with play(*table(world), chosen=with_phrases("ouch", "hurry")) as p:
        p.link.refusal = Error(1, "too_fast", "Not so fast.")
        await p.press("e", "1")
        assert "Not so fast." in p.text()
        p.link.refusal = None
        await p.press("2")
        assert isinstance(p.app.screen, TableRoom)


async def test_without_phrases_the_palette_says_where_they_are(play: Any, world: Any) -> None:
    async with play(*table(world), chosen=with_phrases()) as p:
        await p.press("e", "1")
        assert "no quick phrase" in p.text()


async def test_who_may_not_talk_is_told_so(play: Any, world: Any) -> None:
    quiet = world.table(
        world.seats(3)[1:], options=TableOptions(watchers_talk=False), watchers=("Ana",)
    )
    view = world.view([world.seat() for _ in range(2)])
    arrivals = [world.welcome(), quiet, world.update(view, None), world.online()]
    async with play(*arrivals, chosen=with_phrases("ouch")) as p:
        await p.press("e")
        assert isinstance(p.app.screen, TableRoom)
        assert "may not talk" in p.text()


# -- at the speaker's mat ----------------------------------------------------------------------


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("count", [2, 6])
async def test_speech_stands_at_the_mat_at_every_size(
    play: Any, world: Any, golden: Callable[[str, str], None], count: int
) -> None:
    pages = []
    said = [
        Chat(world.ME, "Ana", "", "good_luck"),
        Chat(world.ME + 1, "Boris", "I never bluff, as everybody knows."),
        Chat(world.FIRST_WATCHER, "Ida", "Only watching"),
    ]
    async with play(*table(world, count), size=SIZES[0]) as p:
        for size in SIZES:
            await p.pilot.resize_terminal(*size)
            await p.arrive()
            quiet = p.text()
            await p.arrive(*said)
            spoken = p.text()
            assert '"Good' in spoken
            assert '"I ' in spoken
            assert '"Only' not in spoken
            assert frames(spoken) == frames(quiet)
            pages.append(f"== {size[0]}x{size[1]} ==\n{spoken}")
            if size == SIZES[0]:
                await in_the_other_languages(p, golden, f"speech-{count}")
                await p.speak("en")
            await p.press("f2")
            assert p.text().isascii()
            await p.press("f2")
            p.app.known = type(p.app.known)()
            await p.arrive(*table(world, count))
    golden(f"speech-{count}", "\n".join(pages))


async def test_speech_is_gone_after_a_moment_and_nothing_ticks_on(play: Any, world: Any) -> None:
    clock = Hand()
    async with play(*table(world), clock=clock) as p:
        quiet = p.text()
        room = p.app.screen
        await p.arrive(Chat(world.ME + 1, "Boris", "", "nice_bluff"))
        assert '"Nice bluff!"' in p.text()
        assert room.hushing
        clock.now += SPEAKING_SECONDS
        room.hush()
        await p.settle()
        assert '"Nice bluff!"' not in p.text()
        assert not room.hushing
        assert mat_lines(p.text()) == mat_lines(quiet)


async def test_what_others_type_is_never_markup_at_their_mat(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        await p.arrive(Chat(world.ME + 1, "Boris", "[red]x[/]"))
        assert '"[red]x[/]"' in p.text()


async def test_a_phrase_is_read_in_the_readers_language(play: Any, world: Any) -> None:
    languages.use("sv")
    async with play(*table(world)) as p:
        await p.arrive(Chat(world.ME + 1, "Boris", "", "ouch"))
        assert '"Aj!"' in p.text()


async def test_where_nobody_has_spoken_no_timer_waits(play: Any, world: Any) -> None:
    async with play(*table(world)) as p:
        assert not p.app.screen.hushing


def frames(page: str) -> list[tuple[int, int]]:
    """Where there is a piece of a frame: nothing has moved if all are where they were."""
    return [
        (y, x)
        for y, line in enumerate(page.splitlines())
        for x, sign in enumerate(line)
        if sign in "│┌┐└┘"
    ]


def mat_lines(page: str) -> list[str]:
    """The lines that show mats: all above what has just happened."""
    return page.splitlines()[:18]
