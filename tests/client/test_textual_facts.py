"""What we know of the one Textual release that is used, and rely on or work around.

Each of these may differ in another release: then this says what to look at before upgrading.
"""

import inspect
import os
import subprocess
import sys
from importlib.metadata import version

import pytest
from rich.cells import cell_len
from rich.console import RenderableType
from textual import constants, events
from textual._compositor import ChopsUpdate
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from skull_client.driver import Meaning, TerminalDriver
from skull_client.keyboard import Key, Paste


def test_the_release() -> None:
    assert version("textual") == "8.2.8"


# -- why the client has a driver of its own ------------------------------------------------------


def test_its_reader_dies_of_a_byte_that_is_no_utf8() -> None:
    assert 'getincrementaldecoder("utf-8")().decode' in inspect.getsource(
        LinuxDriver.run_input_thread
    )


def test_its_reader_spins_at_the_end_of_input() -> None:
    source = inspect.getsource(LinuxDriver.run_input_thread)
    assert "if not unicode_data:" in source
    assert "break" in source.partition("if not unicode_data:")[2][:120]


def test_it_starts_again_whenever_the_process_goes_on() -> None:
    source = inspect.getsource(LinuxDriver._sigcont_application)
    assert "resume_application_mode" in source


def test_its_writer_dies_of_a_terminal_that_has_gone_and_then_blocks() -> None:
    assert MAX_QUEUED_WRITES == 30
    assert "except" not in inspect.getsource(WriterThread.run)
    assert "self._queue.put(text)" in inspect.getsource(WriterThread.write)


def test_its_parser_takes_a_torn_sequence_for_keys() -> None:
    parser = XTermParser()
    assert list(parser.feed("\x1b[")) == []
    parser._timeout_time = 0
    torn = [event.key for event in parser.tick() if isinstance(event, events.Key)]
    rest = [event.key for event in parser.feed("A") if isinstance(event, events.Key)]
    assert torn + rest == ["left_square_bracket", "A"]


def test_its_parser_keeps_all_of_a_paste_without_end() -> None:
    parser = XTermParser()
    assert list(parser.feed("\x1b[200~" + "x" * 10_000)) == []
    assert list(parser.feed("\r")) == []


def test_its_parser_dies_of_some_numbers() -> None:
    parser = XTermParser()
    with pytest.raises((ValueError, OverflowError)):
        list(parser.feed("\x1b[99999999u"))


def test_a_size_that_nobody_asked_for_is_believed() -> None:
    (event,) = XTermParser().feed("\x1b[48;1;1;0;0t")
    assert isinstance(event, events.Resize)


# -- what the driver relies on -------------------------------------------------------------------


def test_what_a_driver_has_to_do() -> None:
    assert Driver.__abstractmethods__ == {
        "write",
        "start_application_mode",
        "disable_input",
        "stop_application_mode",
    }
    for name in ("close", "suspend_application_mode", "resume_application_mode", "send_message"):
        assert callable(getattr(Driver, name))
    assert set(inspect.signature(TerminalDriver.__init__).parameters) == set(
        inspect.signature(Driver.__init__).parameters
    )


@pytest.mark.parametrize(
    ("sequence", "key"),
    [
        ("a", "a"),
        ("?", "question_mark"),
        ("é", "é"),
        ("\r", "enter"),
        ("\t", "tab"),
        ("\x7f", "backspace"),
        ("\x03", "ctrl+c"),
        ("\x1b", "escape"),
        ("\x1b[A", "up"),
        ("\x1bOA", "up"),
        ("\x1b[3~", "delete"),
        ("\x1bOQ", "f2"),
        ("\x1b[12~", "f2"),
        ("\x1b[[B", "f2"),
        ("\x1b[27u", "escape"),
        ("\x1b[99;5u", "ctrl+c"),
        ("\x1b[Z", "shift+tab"),
    ],
)
def test_what_a_key_is_called(sequence: str, key: str) -> None:
    (event,) = Meaning().of(Key(sequence))
    assert isinstance(event, events.Key)
    assert event.key == key


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[99999999u",
        "\x1b[1;99999999999A",
        "\x1b[O",
        "\x1b[I",
        "\x1b[48;1;1;0;0t",
        "\x1b[5;5R",
        "\x1b[?2048;1$y",
        "\x1b[>41;379;0c",
        "\x1b[7777x",
    ],
)
def test_what_stands_for_nothing_leaves_nothing_behind(sequence: str) -> None:
    meaning = Meaning()
    assert [e for e in meaning.of(Key(sequence)) if not isinstance(e, events.Key)] == []
    (event,) = meaning.of(Key("t"))
    assert isinstance(event, events.Key)
    assert event.key == "t"


def test_a_click_and_a_paste() -> None:
    meaning = Meaning()
    (click,) = meaning.of(Key("\x1b[<0;34;12M"))
    assert isinstance(click, events.MouseDown)
    assert (click.x, click.y) == (33, 11)
    (paste,) = meaning.of(Paste("a\0b\r"))
    assert isinstance(paste, events.Paste)
    assert paste.text == "ab\r"


# -- what is set before it is loaded -------------------------------------------------------------


def test_speed_and_patience_are_read_when_it_is_loaded() -> None:
    code = "from textual import constants as c; print(c.MAX_FPS, c.ESCAPE_DELAY)"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TEXTUAL_FPS": "15", "ESCDELAY": "500"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["15", "0.5"]
    assert constants.MAX_FPS


def test_the_client_says_what_to_do_before_it_is_loaded() -> None:
    code = (
        "import sys\n"
        "from skull_client import cli, terminal\n"
        "assert 'textual' not in sys.modules\n"
        "import inspect\n"
        "source = inspect.getsource(cli)\n"
        "assert source.index('terminal.prepare(') < source.index('from skull_client.app import')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# -- what is drawn -------------------------------------------------------------------------------


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("words", id="words")


async def test_a_crash_would_print_what_was_known() -> None:
    """The reason why the client tells of its failures in its own words."""
    assert "show_locals=True" in inspect.getsource(App._fatal_error)


async def test_nothing_is_painted_while_updates_are_gathered() -> None:
    app = Bare()
    painted: list[None] = []
    async with app.run_test() as pilot:
        app.post_display_hook = lambda: painted.append(None)  # type: ignore[method-assign]
        with app.batch_update():
            app.query_one("#words", Static).update("other")
            await pilot.pause(0.1)
            batched = len(painted)
        await pilot.pause(0.1)
    assert len(painted) > batched


class Pictured(Bare):
    """Notes each picture that would go to the terminal."""

    def __init__(self) -> None:
        super().__init__()
        self.pictures: list[object] = []

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        self.pictures.append(renderable)
        super()._display(screen, renderable)


async def test_what_has_changed_can_be_painted_before_the_next_frame() -> None:
    """Each name that `Client.paint_now` relies on, in place of messages and a timer."""
    app = Pictured()
    async with app.run_test() as pilot:
        await pilot.pause()
        screen, words = app.screen, app.query_one("#words", Static)
        app.pictures.clear()
        words.update("other", layout=False)
        assert words._repaint_required
        assert not words._layout_required
        assert words in screen._compositor.visible_widgets
        words._repaint_required = False
        screen._dirty_widgets.add(words)
        assert app.pictures == []
        screen._on_timer_update()
        (picture,) = app.pictures
        assert isinstance(picture, ChopsUpdate)
        words.update("more", layout=True)
        assert words._layout_required


async def test_without_changes_nothing_is_painted() -> None:
    app = Bare()
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        painted: list[None] = []
        app.post_display_hook = lambda: painted.append(None)  # type: ignore[method-assign]
        await pilot.pause(0.3)
        assert painted == []


def test_the_signs_that_are_drawn_are_one_cell_wide() -> None:
    for sign in "■▸•·←→↑↓─│┌┐└┘√×♠♥♦♣☠✿":
        assert cell_len(sign) == 1, sign


def test_what_is_painted_is_kept_until_something_changes() -> None:
    """What `Rows` puts its own painting into."""
    source = inspect.getsource(Widget.render_line)
    assert "if self._dirty_regions:\n            self._render_content()" in source
    assert "self._render_cache.lines[y]" in source
    assert "self._dirty_regions.clear()" in inspect.getsource(Widget._render_content)
