"""The `skull-client` command: everything that can be said before the screen opens.

Textual is imported last, so that `--help` is quick and plain mistakes get plain sentences.
"""

import argparse
import asyncio
import getpass
import logging
import os
import ssl
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec

from skull_client import languages, lesson, settings, terminal
from skull_client.address import Address, BadAddress, parse_address
from skull_client.connection import Connection
from skull_client.dialing import tcp
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.leaving import Leaving
from skull_client.link import NAME_TROUBLE
from skull_client.log_file import log_to_file
from skull_client.opening import PLAY_HERE, Opening
from skull_client.option_wording import LEVELS
from skull_client.server_wording import worded
from skull_client.settings import AUTO, Settings
from skull_client.terminal_title import takes_title
from skull_client.themes import THEMES, usual_theme
from skull_client.tokens import TokenStore
from skull_client.trust import UnfitAuthority, trusting
from skull_client.wording import say
from skull_protocol.text import UnfitText, clean_name
from skull_protocol.wire import TableCode

_log = logging.getLogger(__name__)
MAX_BOTS = 5
MAX_CODE = 20


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
    plain: bool
    """By lines of text, and not on a screen."""
    settings: Settings
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
    loaded = settings.load()
    languages.use(languages.wanted(loaded.settings.language, os.environ))
    if loaded.problems:  # they are said in that language
        loaded = settings.load()
    for problem in loaded.problems:
        _complain(problem, 0)
    try:
        wish = read_wish(arguments, loaded.settings)
    except Mistake as mistake:
        return _complain(str(mistake), 2)
    if wish.plain:
        try:
            return asyncio.run(_play_by_lines(wish))
        except KeyboardInterrupt:
            return 130
    trouble = terminal.problem_here()
    if trouble is not None:
        return _complain(trouble, 2)
    leaving = Leaving(terminal.KEYBOARD, terminal.SCREEN)
    leaving.begin()
    terminal.prepare(os.environ)
    glyphs = _glyphs(wish)
    try:
        return asyncio.run(_play(wish, glyphs, leaving))
    except asyncio.CancelledError:  # told to leave before there was a screen
        return leaving.status


def _glyphs(wish: Wish) -> Glyphs:
    """Return the symbols to draw with; the terminal is asked only if nobody chose."""
    if wish.ascii or wish.settings.glyphs == "ascii":
        return ASCII
    if wish.settings.glyphs == "unicode" or terminal.shows_utf8(os.environ):
        return UNICODE
    return ASCII


def read_wish(arguments: Sequence[str] | None, chosen: Settings | None = None) -> Wish:
    """Make sense of the command line, which goes before what was `chosen` once and for all.

    Raises `Mistake`; exits by itself for `--help`.
    """
    chosen = chosen or Settings()
    asked = _parser().parse_args(arguments)
    if asked.bots is not None and not 0 <= asked.bots <= MAX_BOTS:
        raise Mistake(
            say(
                "A table has room for you and 0 to {most} bots: try --bots {n}.",
                most=MAX_BOTS,
                n=PLAY_HERE,
            )
        )
    if asked.learn and (asked.server or asked.bots is not None or asked.plain):
        raise Mistake(say("The lesson is played here, on the screen: try --learn alone."))
    if asked.level is not None and asked.server and not asked.bots:
        raise Mistake(say("A level is for bots: add --bots N to --level."))
    if asked.coach and asked.server and not asked.bots:
        raise Mistake(say("A coach is for a game with bots: add --bots N to --coach."))
    name = chosen.name or default_name() if asked.name is None else _name(asked.name)
    if asked.tls_ca is not None and not asked.tls:
        words = say("A certificate is for an encrypted connection: add --tls to --tls-ca FILE.")
        raise Mistake(words)
    if asked.server is None:
        if asked.tls:
            raise Mistake(say("Playing here uses no network: leave out --tls, or add a HOST."))
        if asked.table is not None:
            raise Mistake(say("A table is on a server: add its HOST in front of --table."))
        if asked.code is not None:
            raise Mistake(say("A code is for the server it came from: add its HOST before --code."))
        if asked.bots == 0:
            words = say("Playing here needs at least one bot; to play with friends, add a HOST.")
            raise Mistake(words)
        opening = Opening(
            bots=lesson.BOTS if asked.learn else asked.bots or PLAY_HERE,
            level=asked.level or "normal",
            coach=asked.coach,
            learning=asked.learn,
            start_now=True,
            server_label=say("this computer"),
        )
        return Wish(
            None,
            name,
            opening,
            asked.ascii,
            asked.plain,
            chosen,
            theme=asked.theme,
            mouse=asked.mouse,
        )
    if asked.code is not None and not 0 < len(asked.code.strip()) <= MAX_CODE:
        raise Mistake(say("Type the code as your other terminal shows it (key k there)."))
    if asked.table is not None and asked.bots:
        raise Mistake(say("Either go to a --table, or set up a new one with --bots."))
    try:
        address = parse_address(asked.server)
    except BadAddress as fault:
        raise Mistake(str(fault)) from fault
    table = None if asked.table is None else _table_code(asked.table)
    opening = Opening(
        table=table,
        bots=asked.bots or 0,
        level=asked.level or "normal",
        coach=asked.coach,
        server_label=str(address),
        tls=asked.tls,
    )
    tls = _tls(asked.tls_ca) if asked.tls else None
    code = None if asked.code is None else asked.code.strip()
    return Wish(
        address,
        name,
        opening,
        asked.ascii,
        asked.plain,
        chosen,
        tls,
        code,
        asked.theme,
        asked.mouse,
    )


async def _play_by_lines(wish: Wish) -> int:
    """Connect, and play without a screen."""
    from skull_client.plain.run import play_by_lines

    connection = _connection(wish)
    try:
        news = await connection.first_news()
        if news.state in ("refused", "closed") and news.code not in NAME_TROUBLE:
            return _complain(news.detail, 1)
        log_to_file()
        _remember_server(wish)
        return await play_by_lines(connection, wish.opening, wish.settings.phrases)
    finally:
        await connection.close()


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
        if news.state in ("refused", "closed") and news.code not in NAME_TROUBLE:
            return _complain(news.detail, 1)
        log_to_file()
        _remember_server(wish)
        from skull_client.app import SkullApp  # as late as can be: it loads Textual

        chosen = wish.theme or wish.settings.theme
        theme = usual_theme(os.environ) if chosen == AUTO else chosen
        app = SkullApp(connection, wish.opening, glyphs, theme=theme)
        app.terminal_title.wanted = takes_title(os.environ)
        app.motion = wish.settings.motion != "none" and not terminal.over_ssh(os.environ)
        app.bell_wanted = wish.settings.bell != "off"
        leaving.politely = app.leave
        await app.run_async(mouse=wish.mouse and terminal.mouse_is_safe(os.environ))
        return app.return_code or 0
    finally:
        await connection.close()


def _remember_server(wish: Wish) -> None:
    """Keep the server as the latest; in a file that could not be read, nothing is changed."""
    if wish.address is None or wish.settings.servers[:1] == (str(wish.address),):
        return
    loaded = settings.load()
    if loaded.usable:
        try:
            settings.save(loaded.settings.with_server(str(wish.address)))
        except OSError:
            _log.warning("The server cannot be kept among the settings.", exc_info=True)


def _connection(wish: Wish) -> Connection:
    if wish.address is None:
        from skull_client.embedded import EmbeddedServer  # loads the server

        here = EmbeddedServer(lesson.part if wish.opening.learning else None)
        return Connection(here.dial, wish.name, server=wish.opening.server_label)
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
        raise Mistake(worded(fault)) from fault


def _table_code(typed: str) -> str:
    try:
        return msgspec.convert(typed.strip().upper(), TableCode)
    except msgspec.ValidationError:
        words = say("A table's code is four consonants, such as BCDF: ask your host.")
        raise Mistake(words) from None


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
        description=say("Play Skull in the terminal: without HOST here and now against bots."),
        allow_abbrev=False,
    )
    parser.add_argument(
        "server",
        nargs="?",
        metavar="HOST[:PORT]",
        help=say("server to play on (default port: 7585)"),
    )
    parser.add_argument("--name", help=say("your name at the table (default: your login name)"))
    parser.add_argument(
        "--table", metavar="CODE", help=say("go straight to the table with this code")
    )
    parser.add_argument(
        "--bots",
        type=int,
        metavar="N",
        help=say(
            "without HOST: play against N bots (default: {n}); "
            "with HOST: set up a table with N bots and wait for friends",
            n=PLAY_HERE,
        ),
    )
    parser.add_argument(
        "--level", choices=LEVELS, help=say("how well those bots play (default: normal)")
    )
    parser.add_argument(
        "--coach",
        action="store_true",
        help=say("play with a coach: alone with bots, c tells what a hard bot would do"),
    )
    parser.add_argument(
        "--learn", action="store_true", help=say("learn the game in a few minutes, with two bots")
    )
    parser.add_argument(
        "--code",
        metavar="CODE",
        help=say("go on as the player whose other terminal shows this code (key k there)"),
    )
    parser.add_argument(
        "--ascii",
        action="store_true",
        help=say("draw with plain ASCII (found out by itself, mostly)"),
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help=say("play by lines of text: for screen readers, plain terminals and scripts"),
    )
    parser.add_argument(
        "--theme",
        choices=THEMES,
        help=say(
            "the colours: contrast is high, safe is for colour-blind eyes, terminal uses the "
            "terminal's own 16, none is what NO_COLOR asks for (default: what fits the terminal)"
        ),
    )
    parser.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_false",
        help=say("leave the mouse to the terminal, to select text with it"),
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        help=say("encrypt the connection, to a server that does so too"),
    )
    parser.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help=say("with --tls: trust this certificate (default: whom this machine trusts)"),
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    return parser
