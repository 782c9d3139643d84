"""The terminal itself: whether one can play in it, and how it is taken over and given back.

What cannot work is found out before the screen opens, while a plain sentence can be read.
"""

import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Mapping, MutableMapping

from skull_client.wording import say

MIN_COLUMNS, MIN_ROWS = 60, 20
"""The smallest terminal that the screens are drawn for."""
KEYBOARD, SCREEN = 0, 2
"""The file descriptors that keys come from and pictures go to."""
_CURSOR_WHERE = b"\x1b[6n"

ENTER = (
    "\x1b[?1049h"  # a screen of its own: what the shell shows comes back afterwards
    "\x1b[?25l"  # no cursor
    "\x1b[?2004h"  # what is pasted is marked as such
    "\x1b[?7l"  # no line goes on in the next row
    "\x1b[22;2t"  # the window's title is remembered
    "\x1b[>1u"  # where this is known: Escape cannot be mistaken for the beginning of a sequence
)
MOUSE = "\x1b[?1000h\x1b[?1006h"
"""Clicks and the wheel, in the form that has no bytes over 7F; not every move of the mouse."""
ASK_FOR_STEADY_PICTURES = "\x1b[?2026$p"
"""Does this terminal show a picture at once when all of it has arrived?"""
LEAVE = (
    "\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[<u\x1b[?7h\x1b[?2004l\x1b[0m\x1b[23;2t"
    "\x1b[?1049l\x1b[?25h"
)
"""Undoes all that `ENTER` and `MOUSE` did, in whatever state the terminal is."""
_PRINTS_WHAT_IT_DOES_NOT_KNOW = ("linux", "vt", "ansi", "cons")
"""How the TERM of consoles begins that print the end of a question that they do not know."""


def problem(
    environment: Mapping[str, str],
    *,
    is_terminal: bool,
    size: tuple[int, int],
) -> str | None:
    """Say what is wrong with this terminal in one sentence; None when one can play in it.

    `size` is columns and rows; 0 for unknown.
    """
    if not is_terminal:
        return say(
            "Skull needs a terminal: start it in one, without pipes (over SSH: ssh -t), "
            "or play by lines of text with --plain."
        )
    if environment.get("TERM", "") in ("", "dumb"):
        return say(
            "This terminal cannot draw a screen: play by lines of text with --plain, "
            "or set TERM to what it is, such as TERM=xterm."
        )
    columns, rows = size
    if 0 < columns < MIN_COLUMNS or 0 < rows < MIN_ROWS:
        return say(
            "This terminal is {columns}x{rows}: make it at least {least_columns}x{least_rows} "
            "and start again.",
            columns=columns,
            rows=rows,
            least_columns=MIN_COLUMNS,
            least_rows=MIN_ROWS,
        )
    return None


def problem_here() -> str | None:
    """Say what is wrong with the terminal of this process; the screen goes to stderr."""
    is_terminal = os.isatty(KEYBOARD) and os.isatty(SCREEN)
    size = tuple(os.get_terminal_size(SCREEN)) if is_terminal else (0, 0)
    return problem(os.environ, is_terminal=is_terminal, size=(size[0], size[1]))


def size_here() -> tuple[int, int]:
    """Return the terminal's columns and rows; 80 and 24 where it does not tell."""
    try:
        columns, rows = os.get_terminal_size(SCREEN)
    except OSError:  # it has gone
        columns = rows = 0
    return columns or 80, rows or 24


def leave_signals_to_others() -> None:
    """Have no signal delivered to the calling thread: the main one must wake for it."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def tell(words: str) -> None:
    """Say what is being done, in the shell's line, until the next that is told; empty: nothing."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{words}")
        sys.stderr.flush()


def may_be_asked(environment: Mapping[str, str]) -> bool:
    """Tell whether a question that this terminal does not know leaves no letters on its screen."""
    asked = environment.get("TERM", "")
    return (
        not asked.startswith(_PRINTS_WHAT_IT_DOES_NOT_KNOW)
        and environment.get("TERM_PROGRAM") != "Apple_Terminal"
    )


def mouse_is_safe(environment: Mapping[str, str]) -> bool:
    """Tell whether the keyboard is whole where the mouse is told of.

    GNU screen then waits for more after Escape, for ever, and the key never arrives.
    """
    is_screen = environment.get("TERM", "").startswith("screen") and "TMUX" not in environment
    return "STY" not in environment and not is_screen


def prepare(environment: MutableMapping[str, str]) -> None:
    """Set what Textual reads from the environment when it is imported; what is set stays.

    Except for the size: shells set it, and it is no longer true once the terminal is resized.
    """
    for name in ("COLUMNS", "LINES"):
        environment.pop(name, None)
    far = over_ssh(environment)
    environment.setdefault("TEXTUAL_FPS", "15" if far else "30")
    if far:  # milliseconds for the rest of an escape sequence: a slow line tears them apart
        environment.setdefault("ESCDELAY", "500")


def over_ssh(environment: Mapping[str, str]) -> bool:
    """Tell whether this terminal is at the other end of an SSH connection."""
    return any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"))


def locale_says_utf8(environment: Mapping[str, str]) -> bool:
    """Tell whether the locale promises UTF-8."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        value = environment.get(name, "").lower().replace("-", "")
        # Python itself sets this one where it finds no locale that is good for anything.
        if value and (name, value) != ("LC_CTYPE", "c.utf8"):
            return "utf8" in value
    return False


def shows_utf8(environment: Mapping[str, str]) -> bool:
    """Tell whether the terminal of this process shows UTF-8: ask it, or else the locale."""
    answer = ask_for_utf8(KEYBOARD, SCREEN, 1.0 if over_ssh(environment) else 0.4)
    return locale_says_utf8(environment) if answer is None else answer


def ask_for_utf8(keyboard: int, screen: int, seconds: float) -> bool | None:
    """Write a two-byte letter and ask the terminal how far the cursor went. None: no answer.

    Both arguments are file descriptors of the terminal. Keys typed ahead are left alone: with
    some waiting, nothing is asked.
    """
    try:
        if select.select([keyboard], [], [], 0)[0]:
            return None
        before = termios.tcgetattr(keyboard)
    except (OSError, termios.error):
        return None
    try:
        tty.setcbreak(keyboard, termios.TCSADRAIN)
        os.write(screen, b"\r\xc3\xa9" + _CURSOR_WHERE)
        column = _read_column(keyboard, time.monotonic() + seconds)
        os.write(screen, b"\r  \r")
    except (OSError, termios.error):
        return None
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
    return None if column is None else column == 2


def _read_column(keyboard: int, deadline: float) -> int | None:
    """Read `ESC [ row ; column R`, byte by byte so that keys behind it stay where they are."""
    answer = b""
    while len(answer) < 64:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([keyboard], [], [], left)[0]:
            return None
        byte = os.read(keyboard, 1)
        if not byte:
            return None
        answer += byte
        if byte == b"R" and b"\x1b[" in answer:
            row, _, column = answer.rpartition(b"\x1b[")[2][:-1].partition(b";")
            if row.isdigit() and column.isdigit():
                return int(column)
    return None
