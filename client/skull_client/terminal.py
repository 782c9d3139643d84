"""What is asked of the terminal before the screen opens, while a plain sentence can be read."""

import os
import select
import termios
import time
import tty
from collections.abc import Mapping, MutableMapping

from skull_client.wording import say

MIN_COLUMNS, MIN_ROWS = 60, 20
"""The smallest terminal that the screens are drawn for."""
_STDIN, _STDERR = 0, 2
_CURSOR_WHERE = b"\x1b[6n"


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
    is_terminal = os.isatty(_STDIN) and os.isatty(_STDERR)
    size = tuple(os.get_terminal_size(_STDERR)) if is_terminal else (0, 0)
    return problem(os.environ, is_terminal=is_terminal, size=(size[0], size[1]))


def prepare(environment: MutableMapping[str, str]) -> None:
    """Set what Textual reads from the environment when it is imported; what is set stays."""
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
        if value := environment.get(name):
            return "utf8" in value.lower().replace("-", "")
    return False


def shows_utf8(environment: Mapping[str, str]) -> bool:
    """Tell whether the terminal of this process shows UTF-8: ask it, or else the locale."""
    answer = ask_for_utf8(_STDIN, _STDERR, 1.0 if over_ssh(environment) else 0.4)
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
