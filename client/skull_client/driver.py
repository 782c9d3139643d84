"""Between Textual and a real terminal: keys in, pictures out, and nothing that can wedge either.

Textual's own driver stops reading at the first byte that is no UTF-8, takes torn sequences for
keys, starts its input thread twice after a hang-up, and blocks the loop when the terminal stalls.
"""

import contextlib
import os
import select
import signal
import termios
import threading
import time
import tty
from collections.abc import Iterator
from types import FrameType
from typing import Any

from textual import constants, events, messages
from textual._xterm_parser import XTermParser
from textual.driver import Driver
from textual.geometry import Size
from textual.message import Message

from skull_client import terminal
from skull_client.keyboard import Key, Keyboard, Paste, Token
from skull_client.leaving import GONE_STATUS
from skull_client.outlet import Outlet
from skull_client.terminal import KEYBOARD, SCREEN

MOST_TYPED, MOST_MOVES = 500, 60
"""Letters, and other keys and clicks, that may wait for the app; those beyond are forgotten.

A wheel that is spun or a key that is held down must not keep the app busy for long afterwards.
"""
_STUCK = 1.0
"""Seconds after which keys are read although the app has not got the ones before."""
_NOT_ASKED_FOR = (
    events.AppFocus,
    events.AppBlur,
    events.CursorPosition,
    events.Resize,
    messages.InBandWindowResize,
)
"""What a terminal tells only when asked to, which nobody does; believing it could do harm."""


class TerminalDriver(Driver):
    """Powers one app in the terminal of this process: keys from stdin, the screen on stderr."""

    def __init__(
        self,
        app: Any,
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._outlet: Outlet | None = None
        self._reader: threading.Thread | None = None
        self._wake: tuple[int, int] | None = None
        """A pipe: a byte in it ends the thread that reads keys."""
        self._taken = threading.Event()
        """The app has got all keys that were read."""
        self._before: list[Any] | None = None
        self._stopped = False
        """Whether the process was put to sleep in good order, with the terminal given back."""
        signal.signal(signal.SIGTSTP, self._sleep)
        signal.signal(signal.SIGCONT, self._wake_up)

    # -- the screen ------------------------------------------------------------------------------

    def write(self, data: str) -> None:
        """Write to the terminal; never waits for it."""
        assert self._outlet is not None, "Driver must be in application mode"
        self._outlet.write(data)

    def _repaint(self) -> None:
        """Draw everything anew; from any thread."""
        self._call(self._app.refresh)

    def _call(self, callback: Any, *arguments: object) -> None:
        """Have the app do something when it is its turn; from any thread."""
        self._call_soon(self._app.call_later, callback, *arguments)

    def _call_soon(self, callback: Any, *arguments: object) -> None:
        """Do something in the thread of the app; from any thread."""
        try:
            self._loop.call_soon_threadsafe(callback, *arguments)
        except RuntimeError:  # the loop is closed: the app has ended
            return

    def _resized(self, *_signal: object) -> None:
        self._size = terminal.size_here()
        size = Size(*self._size)
        self.send_message(events.Resize(size, size))

    # -- beginning and end -----------------------------------------------------------------------

    def start_application_mode(self) -> None:
        """Take the terminal over."""
        self._outlet = Outlet(SCREEN, self._repaint)
        signal.signal(signal.SIGWINCH, self._resized)
        self._resized()
        try:
            self._before = termios.tcgetattr(KEYBOARD)
        except termios.error:
            self._before = None  # it has gone; the first read will tell
        self._enter()
        self._wake = os.pipe()
        self._reader = threading.Thread(target=self._read, name="skull-keys", daemon=True)
        self._reader.start()

    def _enter(self) -> None:
        """Set every mode of the terminal that the screen needs."""
        if self._before is not None:
            try:
                termios.tcsetattr(KEYBOARD, termios.TCSANOW, _raw(self._before))
            except termios.error:
                return
        self.write(terminal.ENTER + (terminal.MOUSE if self._mouse else ""))
        if terminal.may_be_asked(os.environ):
            self.write(terminal.ASK_FOR_STEADY_PICTURES)

    def disable_input(self) -> None:
        """Read no keys any more; what is on its way is forgotten."""
        reader, self._reader = self._reader, None
        wake, self._wake = self._wake, None
        if reader is None or wake is None:
            return
        signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        os.write(wake[1], b".")
        self._taken.set()
        reader.join()
        for end in wake:
            os.close(end)
        try:
            termios.tcflush(KEYBOARD, termios.TCIFLUSH)
        except termios.error:
            return  # it has gone

    def stop_application_mode(self) -> None:
        """Give the terminal back as it was."""
        self.disable_input()
        if self._before is not None:
            with contextlib.suppress(termios.error):  # it has gone
                termios.tcsetattr(KEYBOARD, termios.TCSANOW, self._before)
        self.write(terminal.LEAVE)

    def close(self) -> None:
        """Write what is left."""
        if self._outlet is not None:
            self._outlet.close()

    # -- sleep -----------------------------------------------------------------------------------

    @property
    def can_suspend(self) -> bool:
        """The process can be put to sleep and woken by the shell."""
        return True

    def _sleep(self, _number: int, _frame: FrameType | None) -> None:
        if self._auto_restart and self._reader is not None:
            self.suspend_application_mode()
            self._stopped = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def _wake_up(self, _number: int, _frame: FrameType | None) -> None:
        """Go on. It is also sent with every hang-up, when nothing had been given back."""
        if self._stopped:
            self._stopped = False
            self.resume_application_mode()
        elif self._reader is not None:
            self._enter()
        else:
            return
        self._repaint()

    # -- keys ------------------------------------------------------------------------------------

    def _read(self) -> None:
        """Read keys until told to stop. A failure ends the app, and is told as any other."""
        terminal.leave_signals_to_others()
        try:
            self._read_keys()
        except Exception as fault:  # noqa: BLE001 - handed on to the app
            self._call(self._app._handle_exception, fault)

    def _read_keys(self) -> None:
        assert self._wake is not None
        wake = self._wake[0]
        keyboard = Keyboard(constants.ESCAPE_DELAY)
        meaning = Meaning()
        poll = select.poll()
        poll.register(KEYBOARD, select.POLLIN)
        poll.register(wake, select.POLLIN)
        while True:
            patience = keyboard.patience(time.monotonic())
            ready = dict(poll.poll(None if patience is None else 1000 * patience + 1))
            if wake in ready:
                return
            if ready:
                try:
                    chunk = os.read(KEYBOARD, 4096)
                except BlockingIOError:
                    continue
                except OSError:
                    chunk = b""
                if not chunk:
                    self._call(self._app.exit, None, GONE_STATUS)
                    return
                tokens = keyboard.feed(chunk, time.monotonic())
            else:
                tokens = keyboard.tick(time.monotonic())
            for token in tokens:
                for event in meaning.of(token):
                    self.process_message(event)
            # The next are read when the app has got these: what waits, waits in the kernel.
            self._taken.clear()
            self._call_soon(self._taken.set)
            self._taken.wait(_STUCK)

    def send_message(self, message: Message) -> None:
        """Hand something to the app; from any thread."""
        self._call_soon(self._hand_over, message)

    def _hand_over(self, message: Message) -> None:
        """Hand something to the app, in its thread, unless far too much is waiting there."""
        app = self._app
        waiting = app.message_queue_size
        if app.screen_stack:
            waiting += (app.focused or app.screen).message_queue_size
        typed = isinstance(message, events.Key) and message.is_printable
        most = MOST_TYPED if typed else MOST_MOVES
        if waiting < most or not isinstance(message, events.InputEvent):
            app.post_message(message)


class Meaning:
    """What a token is to Textual. Its parser gets nothing but whole sequences, and may fail."""

    def __init__(self) -> None:
        self._parser = XTermParser()

    def of(self, token: Token) -> Iterator[Message]:
        """The events that a token stands for; none if it stands for nothing."""
        if isinstance(token, Paste):
            yield events.Paste(token.text.replace("\0", ""))
        elif token == Key("\x1b"):
            yield events.Key("escape", "\x1b")
        else:
            yield from self._parsed(token.text)

    def _parsed(self, text: str) -> list[Message]:
        try:
            found = list(self._parser.feed(text))
        except (ValueError, OverflowError, ArithmeticError):  # numbers that cannot be
            found = []
        if not found:  # it may wait for more, or have died
            self._parser = XTermParser()
        return [event for event in found if not isinstance(event, _NOT_ASKED_FOR)]


def _raw(before: list[Any]) -> list[Any]:
    """The terminal's settings with every key told at once, unchanged and unechoed."""
    settings = [*before[:6], list(before[6])]
    settings[tty.LFLAG] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN | termios.ISIG)
    settings[tty.IFLAG] &= ~(
        termios.IXON | termios.IXOFF | termios.ICRNL | termios.INLCR | termios.IGNCR
    )
    settings[tty.CC][termios.VMIN] = 1
    return settings
