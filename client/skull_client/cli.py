"""The `skull-client` command: everything that can be said before the screen opens.

Textual is imported last, so that `--help` is quick and plain mistakes get plain sentences.
"""

import argparse
import asyncio
import getpass
import os
import ssl
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec

from skull_client import terminal
from skull_client.address import Address, BadAddress, parse_address
from skull_client.connection import Connection
from skull_client.dialing import tcp
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.leaving import Leaving
from skull_client.log_file import log_to_file
from skull_client.opening import PLAY_HERE, Opening
from skull_client.terminal_title import takes_title
from skull_client.themes import THEMES, usual_theme
from skull_client.tokens import TokenStore
from skull_client.trust import UnfitAuthority, trusting
from skull_client.wording import say
from skull_protocol.text import UnfitText, clean_name
from skull_protocol.wire import TableCode

MAX_BOTS = 5
MAX_CODE = 20
_NAME_CODES = ("name_taken", "bad_name", "bad_code", "too_many_tries")
"""Refusals that the screen deals with: it asks anew who one is."""


class Mistake(Exception):  # noqa: N818 - the player's, not the program's
    """The command line asks for something that cannot be; the message says what to type."""


@dataclass(frozen=True)
class Wish:
    """What the command line asks for."""

    address: Address | None
    """Where to play; None for here, without a network."""
    name: str
    opening: Opening
    ascii: bool
    tls: ssl.SSLContext | None = None
    """Whom to trust; None for a plain connection."""
    code: str | None = None
    """A code that another terminal shows: go on as whoever plays there."""
    theme: str | None = None
    """The colours to draw with; None for those that fit the terminal."""
    mouse: bool = True
    """Whether the terminal tells of clicks."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the client; return the exit status."""
    try:
        wish = read_wish(arguments)
    except Mistake as mistake:
        return _complain(str(mistake), 2)
    trouble = terminal.problem_here()
    if trouble is not None:
        return _complain(trouble, 2)
    leaving = Leaving(terminal.KEYBOARD, terminal.SCREEN)
    leaving.begin()
    terminal.prepare(os.environ)
    glyphs = ASCII if wish.ascii or not terminal.shows_utf8(os.environ) else UNICODE
    try:
        return asyncio.run(_play(wish, glyphs, leaving))
    except asyncio.CancelledError:  # told to leave before there was a screen
        return leaving.status


def read_wish(arguments: Sequence[str] | None) -> Wish:
    """Make sense of the command line. Raises `Mistake`; exits by itself for `--help`."""
    asked = _parser().parse_args(arguments)
    if asked.bots is not None and not 0 <= asked.bots <= MAX_BOTS:
        raise Mistake(f"A table has room for you and 0 to {MAX_BOTS} bots: try --bots {PLAY_HERE}.")
    name = default_name() if asked.name is None else _name(asked.name)
    if asked.tls_ca is not None and not asked.tls:
        raise Mistake("A certificate is for an encrypted connection: add --tls to --tls-ca FILE.")
    if asked.server is None:
        if asked.tls:
            raise Mistake("Playing here uses no network: leave out --tls, or add a HOST.")
        if asked.table is not None:
            raise Mistake("A table is on a server: add its HOST in front of --table.")
        if asked.code is not None:
            raise Mistake("A code is for the server it came from: add its HOST before --code.")
        if asked.bots == 0:
            raise Mistake("Playing here needs at least one bot; to play with friends, add a HOST.")
        opening = Opening(
            bots=asked.bots or PLAY_HERE, start_now=True, server_label="this computer"
        )
        return Wish(None, name, opening, asked.ascii, theme=asked.theme, mouse=asked.mouse)
    if asked.code is not None and not 0 < len(asked.code.strip()) <= MAX_CODE:
        raise Mistake("Type the code as your other terminal shows it (key k there).")
    if asked.table is not None and asked.bots:
        raise Mistake("Either go to a --table, or set up a new one with --bots.")
    try:
        address = parse_address(asked.server)
    except BadAddress as fault:
        raise Mistake(str(fault)) from fault
    table = None if asked.table is None else _table_code(asked.table)
    opening = Opening(table=table, bots=asked.bots or 0, server_label=str(address), tls=asked.tls)
    tls = _tls(asked.tls_ca) if asked.tls else None
    code = None if asked.code is None else asked.code.strip()
    return Wish(address, name, opening, asked.ascii, tls, code, asked.theme, asked.mouse)


async def _play(wish: Wish, glyphs: Glyphs, leaving: Leaving) -> int:
    """Connect, and open the screen if somebody is there; what fails before is told in the shell."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    leaving.politely = lambda _status: loop.call_soon_threadsafe(task.cancel)
    connection = _connection(wish)
    try:
        dots = glyphs.ellipsis
        if wish.address is None:
            words = say("Setting the table{dots}", dots=dots)
        else:
            words = say("Connecting to {server}{dots}", server=wish.address, dots=dots)
        try:
            terminal.tell(words)
            news = await connection.first_news()
        finally:
            terminal.tell("")
        if news.state in ("refused", "closed") and news.code not in _NAME_CODES:
            return _complain(news.detail, 1)
        log_to_file()
        from skull_client.app import SkullApp  # as late as can be: it loads Textual

        theme = wish.theme or usual_theme(os.environ)
        app = SkullApp(connection, wish.opening, glyphs, theme=theme)
        app.terminal_title.wanted = takes_title(os.environ)
        app.motion = not terminal.over_ssh(os.environ)
        leaving.politely = app.leave
        await app.run_async(mouse=wish.mouse and terminal.mouse_is_safe(os.environ))
        return app.return_code or 0
    finally:
        await connection.close()


def _connection(wish: Wish) -> Connection:
    if wish.address is None:
        from skull_client.embedded import EmbeddedServer  # loads the server

        return Connection(EmbeddedServer().dial, wish.name, server=wish.opening.server_label)
    dial = tcp(wish.address, wish.tls)
    # Another server as far as tokens go: one that came encrypted is never sent in the clear.
    server = str(wish.address) if wish.tls is None else f"{wish.address} with TLS"
    store = TokenStore()
    return Connection(dial, wish.name, server=server, tokens=store, code=wish.code)


def default_name() -> str:
    """Return the login name in a form that can be shown, or `Player`."""
    try:
        login = getpass.getuser()
    except (OSError, KeyError):  # no such user: containers have them
        return "Player"
    while login:
        try:
            return clean_name(login)
        except UnfitText:
            login = login[:-1]
    return "Player"


def _name(typed: str) -> str:
    try:
        return clean_name(typed)
    except UnfitText as fault:
        raise Mistake(str(fault)) from fault


def _table_code(typed: str) -> str:
    try:
        return msgspec.convert(typed.strip().upper(), TableCode)
    except msgspec.ValidationError:
        raise Mistake("A table's code is four consonants, such as BCDF: ask your host.") from None


def _tls(authority: Path | None) -> ssl.SSLContext:
    try:
        return trusting(authority)
    except UnfitAuthority as fault:
        raise Mistake(str(fault)) from fault


def _complain(sentence: str, status: int) -> int:
    sys.stderr.write(f"skull-client: {sentence}\n")
    return status


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line."""
        raise Mistake(f"{message}; try --help.")


class _Version(argparse.Action):
    def __call__(
        self, parser: argparse.ArgumentParser, *_what: object, **_else: object
    ) -> NoReturn:
        """Say it, and end; what knows it is loaded only now."""
        from importlib.metadata import version

        sys.stdout.write(f"{parser.prog} {version('skull-terminal')}\n")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="skull-client",
        description="Play Skull in the terminal: without HOST here and now against bots.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "server", nargs="?", metavar="HOST[:PORT]", help="server to play on (default port: 7585)"
    )
    parser.add_argument("--name", help="your name at the table (default: your login name)")
    parser.add_argument("--table", metavar="CODE", help="go straight to the table with this code")
    parser.add_argument(
        "--bots",
        type=int,
        metavar="N",
        help=f"without HOST: play against N bots (default: {PLAY_HERE}); "
        "with HOST: set up a table with N bots and wait for friends",
    )
    parser.add_argument(
        "--code",
        metavar="CODE",
        help="go on as the player whose other terminal shows this code (key k there)",
    )
    parser.add_argument(
        "--ascii", action="store_true", help="draw with plain ASCII (found out by itself, mostly)"
    )
    parser.add_argument(
        "--theme",
        choices=THEMES,
        help="the colours: contrast is high, safe is for colour-blind eyes, terminal uses the "
        "terminal's own 16, none is what NO_COLOR asks for (default: what fits the terminal)",
    )
    parser.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_false",
        help="leave the mouse to the terminal, to select text with it",
    )
    parser.add_argument(
        "--tls", action="store_true", help="encrypt the connection, to a server that does so too"
    )
    parser.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help="with --tls: trust this certificate (default: whom this machine trusts)",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    return parser
