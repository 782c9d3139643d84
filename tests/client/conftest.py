"""A connection that a test plays by hand, games to show, and screens as plain text."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
import textual.app
import textual.pilot
from rich.cells import cell_len
from tests.client.scripted import Player
from tests.languages.catalogues import TRANSLATED, set_phrases
from textual._context import active_app
from textual.content import Content
from textual.pilot import Pilot

from skull_client import languages
from skull_client.app import SkullApp
from skull_client.chosen import Chosen
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.link import NOWHERE, Arrival, LinkStatus
from skull_client.opening import Opening
from skull_client.setting_out import Destination, Seen
from skull_client.widgets import paint
from skull_protocol import skull
from skull_protocol.pushes import Error, Lobby, Table, Update, Welcome
from skull_protocol.requests import Act, Request
from skull_protocol.skull import Choices, SkullOwn, SkullSeat, SkullView
from skull_protocol.tables import SeatInfo, TableOptions, TableStage, TableSummary, WatcherInfo

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ana", "Boris", "Carla-Maria Lang", "Dmitri", "Eva", "Fritz")
ME = 101
FIRST_WATCHER = ME + 10


@dataclass
class FakeLink:
    """A server that does what the test says, and remembers what was asked."""

    asked: list[tuple[type[Request], dict[str, Any]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    closed: bool = False
    refusal: Error | None = None
    """The answer to every request, until it is changed."""
    answering: asyncio.Event | None = None
    """Answers wait for this, if it is there."""
    deliver: Callable[[Arrival], None] = lambda arrival: None
    held_back: Sequence[Arrival] = ()
    """What came before anybody listened."""
    led_to: Mapping[type[Request], Sequence[Arrival]] = field(default_factory=dict)
    """What comes of a request, just before its answer."""

    def start(self, deliver: Callable[[Arrival], None]) -> None:
        self.deliver = deliver
        for arrival in self.held_back:
            deliver(arrival)

    async def ask(self, request: type[Request], **fields: object) -> Error | None:
        self.asked.append((request, fields))
        if self.answering is not None:
            await self.answering.wait()
        for arrival in self.led_to.get(request, ()):
            self.deliver(arrival)
        return self.refusal

    def rename(self, name: str) -> None:
        self.names.append(name)

    def use_code(self, code: str) -> None:
        self.codes.append(code)

    async def close(self) -> None:
        self.closed = True

    @property
    def actions(self) -> list[object]:
        """The actions of the game that were asked for."""
        return [fields["action"] for request, fields in self.asked if request is Act]


@dataclass
class FakeWays:
    """Where one can go is up to the test, and so is how it looks there."""

    seen: dict[str, Seen] = field(default_factory=dict)
    """How each server stands; asked about any other, no answer comes."""
    links: list[FakeLink] = field(default_factory=list)
    went: list[Destination] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    looked: list[str] = field(default_factory=list)

    def to(self, destination: Destination, name: str) -> tuple[FakeLink, Opening]:
        self.went.append(destination)
        self.names.append(name)
        self.links.append(FakeLink())
        opening = Opening(server_label=str(destination.address), learning=destination.learning)
        return self.links[-1], opening

    async def look(self, destination: Destination) -> Seen:
        self.looked.append(str(destination))
        if str(destination) not in self.seen:
            await asyncio.Event().wait()
        return self.seen[str(destination)]


@dataclass
class Playing:
    """An app on a screen of some size, and the link behind it."""

    app: SkullApp
    link: FakeLink
    pilot: Pilot[None]

    async def arrive(self, *arrivals: Arrival) -> None:
        """Let these arrive, and the screen be drawn."""
        for arrival in arrivals:
            self.link.deliver(arrival)
        await self.settle()

    async def press(self, *keys: str) -> None:
        """Press keys, and let the screen be drawn."""
        await self.pilot.press(*keys)
        await self.settle()

    async def walk(self, *steps: str | Arrival) -> None:
        """Go on by keys and by what arrives, one after the other."""
        for step in steps:
            await (self.press(step) if isinstance(step, str) else self.arrive(step))

    async def speak(self, language: str) -> None:
        """Choose another language, as the settings do: every screen is made anew."""
        motion = self.app.motion
        self.app.chosen.change(language=language)
        self.app.apply_settings()
        self.app.motion = motion
        await self.settle()

    async def settle(self) -> None:
        """Let everything that is under way be done."""
        for _ in range(3):
            await self.pilot.pause()

    def text(self) -> str:
        """The screen as plain text, windows included."""
        app = self.app
        update: Any = app.screen._compositor.render_update(
            full=True, screen_stack=app._background_screens, simplify=True
        )
        lines = ["".join(strip.text for strip in line).rstrip() for line in update.strips]
        assert len(lines) == app.size.height
        return "\n".join(lines) + "\n"


async def nothing_left_to_do(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until nothing more can run before time passes or something arrives from outside.

    Stands in for Textual's own way, which sleeps for 20 ms and longer and then asks how busy the
    process was: that takes two thirds of the time of these tests, and on a busy machine it guesses.
    """
    ready: Any = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]
    quiet = 0
    for _turn in range(1_000_000):
        await asyncio.sleep(0)
        quiet = 0 if ready or _hurried(active_app.get()) else quiet + 1
        if quiet == 3:
            return
    raise AssertionError("the app never comes to rest")


def _hurried(app: Any) -> bool:
    """Do now what the app puts off for a few milliseconds; return whether there was anything."""
    if app._resize_timer is not None and app._resize_event is not None:
        app._check_resize()
        return True
    stack = [app.screen, *app._background_screens] if app.screen_stack else []
    waiting = [screen for screen in stack if screen._update_timer._active.is_set()]
    for screen in waiting:
        screen._on_timer_update()
    return bool(waiting)


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    """Whatever language a test has chosen, the next one begins in English."""
    yield
    languages.use(languages.SOURCE)


@pytest.fixture(autouse=True)
def prompt_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and pauses of tests take as long as what they lead to, and no longer."""
    for module in (textual.app, textual.pilot):
        monkeypatch.setattr(module, "wait_for_idle", nothing_left_to_do)


Open = Callable[..., AbstractAsyncContextManager[Playing]]


@pytest.fixture
def play() -> Open:
    """Open the app: `async with play(size=(80, 24)) as p`."""

    @asynccontextmanager
    async def opened(
        *arrivals: Arrival,
        size: tuple[int, int] = (80, 24),
        glyphs: Glyphs = UNICODE,
        opening: Opening | None = None,
        motion: bool = False,
        clock: Callable[[], float] = lambda: 0.0,
        chosen: Chosen | None = None,
        ways: FakeWays | None = None,
        link: FakeLink | None = None,
    ) -> AsyncIterator[Playing]:
        """`ways`: begin with the start screen."""
        link = link or FakeLink()
        app = SkullApp(
            link if ways is None else NOWHERE,
            opening or Opening(server_label="box:7585"),
            glyphs,
            clock=clock,
            chosen=chosen,
            ways=ways,
        )
        app.motion = motion
        async with app.run_test(size=size, notifications=True) as pilot:
            playing = Playing(app, link, pilot)
            await playing.arrive(*arrivals)
            yield playing

    return opened


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a screen with the one kept; `REWRITE_GOLDENS=1` keeps the new ones."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("REWRITE_GOLDENS"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{name} looks different"

    return compare


async def in_the_other_languages(
    p: Playing, golden: Callable[[str, str], None], name: str, *steps: str | Arrival
) -> None:
    """Compare a screen in every language but English; `steps` lead to it after the change.

    A word of the program that stands alone in a place of its own is never cut there.
    """
    for language in TRANSLATED:
        with cut_words(language) as cut:
            await p.speak(language)
            await p.walk(*steps)
        assert not cut, f"in {language} there is too little room for these words"
        golden(f"{language}/{name}", p.text())


@contextmanager
def cut_words(language: str) -> Iterator[set[tuple[str, int]]]:
    """Notice the words of a language that were cut while something was drawn, and to what."""
    cut: set[tuple[str, int]] = set()
    fit, fit_content = paint.fit, paint.fit_content

    def note(words: str, width: int) -> None:
        if cell_len(words) > width and set_phrases(language).fullmatch(words.strip()):
            cut.add((words.strip(), width))

    def noted(glyphs: Glyphs, text: str, width: int) -> str:
        note(text, width)
        return fit(glyphs, text, width)

    def noted_content(glyphs: Glyphs, line: Content, width: int) -> Content:
        note(line.plain, width)
        return fit_content(glyphs, line, width)

    with patch.object(paint, "fit", noted), patch.object(paint, "fit_content", noted_content):
        yield cut


class World:
    """Messages as a server sends them; what a test does not care about is filled in."""

    ME = ME
    FIRST_WATCHER = FIRST_WATCHER
    NAMES = NAMES
    ASCII = ASCII
    UNICODE = UNICODE

    def welcome(self, name: str = "Ana", *, resumed: bool = False) -> Welcome:
        return Welcome(ME, name, "secret", "0.1.0", resumed)

    def online(self) -> LinkStatus:
        return LinkStatus("online")

    def summary(self, code: str, **changes: Any) -> TableSummary:
        usual = TableSummary(code, "Boris", "waiting", 3, 1, 0, TableOptions())
        return msgspec.structs.replace(usual, **changes)

    def lobby(self, *tables: TableSummary) -> list[Arrival]:
        return [self.welcome(), Lobby(tables), self.online()]

    def seats(self, count: int, *, bots: tuple[int, ...] = ()) -> tuple[SeatInfo, ...]:
        return tuple(
            SeatInfo(None if seat in bots else ME + seat, NAMES[seat], True, seat % 2 == 1)
            for seat in range(count)
        )

    def table(
        self,
        seats: tuple[SeatInfo, ...],
        stage: TableStage = "playing",
        *,
        host: int = ME,
        game: int = 1,
        options: TableOptions | None = None,
        watchers: tuple[str, ...] = (),
        **more: bool,
    ) -> Table:
        """`watchers`: their names; the one called like this player is this player."""
        watching = tuple(
            WatcherInfo(ME if name == NAMES[0] else FIRST_WATCHER + number, name)
            for number, name in enumerate(watchers)
        )
        return Table("KRTW", host, stage, game, options or TableOptions(), seats, watching, **more)

    def seat(self, **changes: Any) -> SkullSeat:
        usual = SkullSeat(0, 3, (None,), 4, 0, False, False, False, False, False)
        return msgspec.structs.replace(usual, **changes)

    def view(self, seats: Iterable[SkullSeat], **changes: Any) -> SkullView:
        some = tuple(seats)
        on_mats = sum(sum(face is None for face in seat.stack) for seat in some)
        usual = SkullView("turn", 3, 0, (0,), 0, None, 0, on_mats, None, None, some)
        return msgspec.structs.replace(usual, **changes)

    def own(self, choices: Choices, **changes: Any) -> SkullOwn:
        usual = SkullOwn(0, ("F", "F", "S"), ("F",), (), choices)
        return msgspec.structs.replace(usual, **changes)

    def update(
        self,
        view: SkullView,
        own: SkullOwn | None,
        *events: skull.SkullEvent,
        seq: int = 7,
        clock_ms: int | None = None,
    ) -> Update:
        return Update(seq, events, clock_ms, view, own)

    def at_table(
        self, update: Update, count: int = 3, *, bots: tuple[int, ...] = (), host: int = ME
    ) -> list[Arrival]:
        """Everything up to a game that stands so."""
        return [
            self.welcome(),
            self.table(self.seats(count, bots=bots), host=host),
            update,
            self.online(),
        ]


@pytest.fixture
def world() -> World:
    """Messages as a server sends them."""
    return World()


@pytest.fixture
async def player() -> AsyncIterator[Player]:
    """A client and its scripted server."""
    made = Player()
    yield made
    await made.link.close()
