"""What may be typed before one is at a table: who one is, tables, finished games, records."""

import msgspec

from skull_client.plain.anywhere import nothing_behind
from skull_client.plain.doing import (
    Ask,
    BeSomebody,
    Command,
    Doing,
    Here,
    Home,
    LookBack,
    NotUnderstood,
    Tell,
)
from skull_client.plain.going_through import going_through
from skull_client.plain.options import changed, option_lines
from skull_client.plain.telling import lobby_lines
from skull_client.server_wording import worded
from skull_client.typed import number_in
from skull_client.wording import say
from skull_protocol.requests import (
    AskStatistics,
    CreateTable,
    JoinTable,
    ListGames,
    ListRecords,
    WatchTable,
)
from skull_protocol.tables import TableOptions
from skull_protocol.text import UnfitText, clean_name
from skull_protocol.wire import TableCode

LONGEST_PASSWORD = 64


def not_let_in(here: Here) -> list[Command]:
    """List what may be typed while the server wants to know anew who one is."""
    return [
        Command("name", ("name NAME",), say("come in with another name"), _name, asked=True),
        Command(
            "code",
            ("code CODE",),
            say("go on as the player whose other terminal shows this code"),
            _code,
            asked=True,
        ),
        *_back_home(here, asked=True),
    ]


def in_lobby(here: Here) -> list[Command]:
    """List what may be typed in the lobby."""
    return [
        Command(
            "join",
            ("join CODE",),
            say("take a seat at a table; behind its code, its password if it has one"),
            lambda rest: _go(JoinTable, rest),
            asked=True,
        ),
        Command(
            "watch",
            ("watch CODE",),
            say("watch a table"),
            lambda rest: _go(WatchTable, rest),
            asked=True,
        ),
        Command(
            "new",
            ("new",),
            say("set up a table; behind it NAME=VALUE for options, password=WORD to lock it"),
            _new,
            asked=True,
        ),
        Command(
            "options",
            ("options",),
            say("list the options that a new table can have"),
            lambda _rest: Tell(tuple(option_lines(TableOptions()))),
        ),
        Command(
            "list",
            ("list",),
            say("list the tables"),
            nothing_behind("list", Tell(tuple(lobby_lines(here)))),
        ),
        *_past(here),
        *_back_home(here),
    ]


def _back_home(here: Here, *, asked: bool = False) -> list[Command]:
    if not here.leads_back:
        return []
    meaning = say("hang up, and choose anew where to play")
    return [Command("home", ("home",), meaning, nothing_behind("home", Home()), asked=asked)]


def _past(here: Here) -> list[Command]:
    games = here.state.games
    older = games.games[-1].game if games is not None and games.games else None
    return [
        Command(
            "games",
            ("games", "games older"),
            say("list your finished games, the latest first"),
            lambda rest: Ask(ListGames, {"before": older if rest == "older" else None}),
        ),
        Command(
            "game",
            ("game N",),
            say("tell the finished game with this number, as you knew it"),
            lambda rest: LookBack(_number(rest, "game"), "tell"),
        ),
        Command(
            "replay",
            ("replay N",),
            say("go through the finished game with this number, step by step"),
            lambda rest: LookBack(_number(rest, "replay"), "go through"),
        ),
        *(going_through(here.past) if here.past is not None else []),
        Command(
            "export",
            ("export N",),
            say("write the finished game with this number to a file"),
            lambda rest: LookBack(_number(rest, "export"), "write"),
        ),
        Command(
            "records",
            ("records",),
            say("tell how the players on this server have done"),
            nothing_behind("records", Ask(ListRecords)),
        ),
        Command(
            "statistics",
            ("statistics",),
            say("tell what is counted for you alone: games, challenges, bluffs, each opponent"),
            nothing_behind("statistics", Ask(AskStatistics)),
        ),
    ]


def _name(rest: str) -> Doing:
    try:
        return BeSomebody(name=clean_name(rest))
    except UnfitText as unfit:
        raise NotUnderstood(worded(unfit)) from unfit


def _code(rest: str) -> Doing:
    if not 0 < len(rest) <= 20:
        raise NotUnderstood(say("Type {form}.", form="code CODE"))
    return BeSomebody(code=rest)


def _go(request: type[JoinTable | WatchTable], rest: str) -> Doing:
    typed, _, password = rest.partition(" ")
    try:
        code = msgspec.convert(typed.upper(), TableCode)
    except msgspec.ValidationError:
        raise NotUnderstood(say("A table's code is four consonants, such as BCDF.")) from None
    return Ask(request, {"code": code, "password": typed_password(password)})


def typed_password(typed: str) -> str | None:
    """Return the password that was typed; None for none. Raises `NotUnderstood`."""
    word = typed.strip()
    if len(word) > LONGEST_PASSWORD:
        raise NotUnderstood(
            say("A password has {n} letters at most: please shorten it.", n=LONGEST_PASSWORD)
        )
    return word or None


def _new(rest: str) -> Doing:
    before, lock, password = rest.partition("password=")
    options = changed(TableOptions(), before.split())
    return Ask(
        CreateTable, {"options": options, "password": typed_password(password if lock else "")}
    )


def _number(rest: str, word: str) -> int:
    number = number_in(range(1_000_000), rest)
    if number is None:
        form = f"{word} N"
        raise NotUnderstood(say("Type {form}, with a number from your list of games.", form=form))
    return number
