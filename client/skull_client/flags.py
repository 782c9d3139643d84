"""The flags of `skull-client`, each with its line of help."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from skull_client.opening import PLAY_HERE
from skull_client.option_wording import LEVELS
from skull_client.themes import THEMES
from skull_client.wording import say
from skull_protocol import VERSION


class Mistake(Exception):  # noqa: N818 - the player's, not the program's
    """The command line asks for something that cannot be; the message says what to type."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line."""
        raise Mistake(f"{message}; try --help.")


class _Version(argparse.Action):
    def __call__(
        self, parser: argparse.ArgumentParser, *_what: object, **_else: object
    ) -> NoReturn:
        """Say it, and end."""
        sys.stdout.write(f"{parser.prog} {VERSION}\n")
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line. It raises `Mistake`, and exits for `--help`."""
    made = _Parser(
        prog="skull-client",
        description=say("Play Skull in the terminal. Without HOST you choose where, or play here."),
        allow_abbrev=False,
    )
    made.add_argument(
        "server",
        nargs="?",
        metavar="HOST[:PORT]",
        help=say("server to play on (default port: 7585)"),
    )
    made.add_argument(
        "--here", action="store_true", help=say("without HOST: go straight to a game against bots")
    )
    made.add_argument("--name", help=say("your name at the table (default: your login name)"))
    made.add_argument(
        "--table", metavar="CODE", help=say("go straight to the table with this code")
    )
    made.add_argument(
        "--bots",
        type=int,
        metavar="N",
        help=say(
            "without HOST: play against N bots (default: {n}); "
            "with HOST: set up a table with N bots and wait for friends",
            n=PLAY_HERE,
        ),
    )
    made.add_argument(
        "--level", choices=LEVELS, help=say("how well those bots play (default: normal)")
    )
    made.add_argument(
        "--coach",
        action="store_true",
        help=say("play with a coach: alone with bots, c tells what a hard bot would do"),
    )
    made.add_argument(
        "--learn", action="store_true", help=say("learn the game in a few minutes, with two bots")
    )
    made.add_argument(
        "--code",
        metavar="CODE",
        help=say("go on as the player whose other terminal shows this code (key k there)"),
    )
    made.add_argument(
        "--ascii",
        action="store_true",
        help=say("draw with plain ASCII (found out by itself, mostly)"),
    )
    made.add_argument(
        "--plain",
        action="store_true",
        help=say("play by lines of text: for screen readers, plain terminals and scripts"),
    )
    made.add_argument(
        "--theme",
        choices=THEMES,
        help=say(
            "the colours: contrast is high, safe is for colour-blind eyes, terminal uses the "
            "terminal's own 16, none is what NO_COLOR asks for (default: what fits the terminal)"
        ),
    )
    made.add_argument(
        "--no-mouse",
        dest="mouse",
        action="store_false",
        help=say("leave the mouse to the terminal, to select text with it"),
    )
    made.add_argument(
        "--tls",
        action="store_true",
        help=say("encrypt the connection, to a server that does so too"),
    )
    made.add_argument(
        "--tls-ca",
        type=Path,
        metavar="FILE",
        help=say("with --tls: trust this certificate (default: whom this machine trusts)"),
    )
    made.add_argument("--version", action=_Version, nargs=0, help="say which version this is")
    return made
