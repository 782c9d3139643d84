"""The `skull-client` command: everything that can be said before the screen opens.

Textual is imported last, so that `--help` is quick and plain mistakes get plain sentences.
"""

import asyncio
import gc
import getpass
import logging
import os
import ssl
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from skull_client import languages, lesson, settings, terminal
from skull_client.address import Address, BadAddress, parse_address
from skull_client.chosen import Chosen, Usual
from skull_client.connection import Connection
from skull_client.dialing import tcp
from skull_client.flags import Mistake as Mistake
from skull_client.flags import parser
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.leaving import Leaving
from skull_client.link import NAME_TROUBLE, NOWHERE, LinkStatus
from skull_client.log_file import log_to_file
from skull_client.opening import MOST_BOTS, PLAY_HERE, Opening
from skull_client.server_wording import worded
from skull_client.setting_out import (
    Destination,
    Outward,
    certificate_without_tls,
    connection,
    connection_here,
    leading_to,
)
from skull_client.settings import AUTO, Settings
from skull_client.terminal_title import takes_title
from skull_client.themes import usual_theme
from skull_client.trust import UnfitAuthority, trusting
from skull_client.wording import say
from skull_protocol.text import UnfitText, clean_name
from skull_protocol.wire import TableCode

_log = logging.getLogger(__name__)
MAX_CODE = 20


class Wish(Struct, frozen=True):
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
    authority: Path | None = None
    """The file that says so, where there is one."""
    code: str | None = None
    """A code that another terminal shows: go on as whoever plays there."""
    theme: str | None = None
    """The colours to draw with; None for those that fit the terminal."""
    mouse: bool = True
    """Whether the terminal tells of clicks."""
    starts: bool = False
    """Begin with the start screen: nobody said where to play."""


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
        return asyncio.run(_play(wish, glyphs, leaving, loaded.problems))
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
    asked = parser().parse_args(arguments)
    if asked.bots is not None and not 0 <= asked.bots <= MOST_BOTS:
        raise Mistake(
            say(
                "A table has room for you and 0 to {most} bots: try --bots {n}.",
                most=MOST_BOTS,
                n=PLAY_HERE,
            )
        )
    if asked.learn and (asked.server or asked.bots is not None):
        raise Mistake(say("The lesson is played here: try --learn alone."))
    if asked.level is not None and asked.server and not asked.bots:
        raise Mistake(say("A level is for bots: add --bots N to --level."))
    if asked.coach and asked.server and not asked.bots:
        raise Mistake(say("A coach is for a game with bots: add --bots N to --coach."))
    name = chosen.name or default_name() if asked.name is None else _name(asked.name)
    if asked.tls_ca is not None and not asked.tls:
        raise Mistake(certificate_without_tls())
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
        told = asked.here, asked.learn, asked.coach, asked.level, asked.bots
        starts = not any(told)
        return Wish(
            None,
            name,
            opening,
            asked.ascii,
            asked.plain,
            chosen,
            theme=asked.theme,
            mouse=asked.mouse,
            starts=starts,
        )
    if asked.here:
        raise Mistake(say("Either play --here, or on a HOST: leave one of them out."))
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
    authority = None if asked.tls_ca is None else asked.tls_ca.absolute()
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
        authority,
        code,
        asked.theme,
        asked.mouse,
    )


async def _play_by_lines(wish: Wish) -> int:
    """Connect, or begin with where to connect to, and play without a screen."""
    from skull_client.plain.run import play_by_lines

    link = NOWHERE if wish.starts else _connection(wish)
    chosen = _chosen(wish, ASCII, ())
    try:
        if isinstance(link, Connection):
            news = await link.first_news()
            if _is_over(news):
                return _complain(news.detail, 1)
        log_to_file()
        _remember_server(wish, chosen)
        opening = Opening() if wish.starts else wish.opening
        return await play_by_lines(link, opening, chosen, Outward())
    finally:
        await link.close()
        await chosen.written()


async def _play(
    wish: Wish, glyphs: Glyphs, leaving: Leaving, problems: tuple[str, ...] = ()
) -> int:
    """Connect, and open the screen if somebody is there; what fails before is told in the shell."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    leaving.politely = lambda _status: loop.call_soon_threadsafe(task.cancel)
    if not wish.starts:
        # Before anything is loaded: a server, or Textual.
        terminal.tell(leading_to(wish.address, glyphs.ellipsis))
    link = NOWHERE if wish.starts else _connection(wish)
    chosen = _chosen(wish, glyphs, problems)
    try:
        if isinstance(link, Connection):
            news = await _first_news(link)
            if _is_over(news):
                return _complain(news.detail, 1)
        log_to_file()
        _remember_server(wish, chosen)
        gc.disable()  # nothing of what is loaded now will be garbage
        from skull_client.app import SkullApp  # as late as can be: it loads Textual

        gc.freeze()
        gc.enable()
        opening = Opening() if wish.starts else wish.opening
        app = SkullApp(link, opening, glyphs, theme=chosen.theme, chosen=chosen, ways=Outward())
        app.terminal_title.wanted = takes_title(os.environ)
        app.motion = chosen.motion
        app.bell_wanted = chosen.now.bell != "off"
        leaving.politely = app.leave
        await app.run_async(mouse=wish.mouse and terminal.mouse_is_safe(os.environ))
        return app.return_code or 0
    finally:
        await link.close()
        await chosen.written()


def _is_over(news: LinkStatus) -> bool:
    """Whether the player cannot be let in, whoever they say they are."""
    return news.state in ("refused", "closed") and news.code not in NAME_TROUBLE


async def _first_news(connection: Connection) -> LinkStatus:
    """Wait until it is known how it went, and take back what was said meanwhile."""
    try:
        return await connection.first_news()
    finally:
        terminal.tell("")


def _chosen(wish: Wish, glyphs: Glyphs, problems: tuple[str, ...]) -> Chosen:
    """Return what is set, with what the command line says instead, for this time only."""
    now = replace(wish.settings, name=wish.name, theme=wish.theme or wish.settings.theme)
    if wish.ascii:
        now = replace(now, glyphs="ascii")
    usual = Usual(
        theme=usual_theme(os.environ),
        glyphs=glyphs if now.glyphs == AUTO else UNICODE,
        language=languages.wanted(None, os.environ),
        motion=not terminal.over_ssh(os.environ),
    )
    return Chosen(now, settings.settings_file(), problems, usual)


def _remember_server(wish: Wish, chosen: Chosen) -> None:
    """Keep the server as the latest."""
    if wish.address is not None:
        there = Destination(wish.address, tls=wish.tls is not None, authority=wish.authority)
        chosen.note_server(str(there))


def _connection(wish: Wish) -> Connection:
    if wish.address is None:
        return connection_here(wish.opening, wish.name)
    dial = tcp(wish.address, wish.tls)
    return connection(wish.address, dial, wish.name, tls=wish.tls is not None, code=wish.code)


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
