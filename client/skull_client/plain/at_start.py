"""What may be typed where everything begins: play here, learn, a server; and the settings."""

from collections.abc import Iterator
from typing import get_args

from skull_client import setting_out
from skull_client.address import BadAddress
from skull_client.opening import MOST_BOTS, PLAY_HERE, LooksFor
from skull_client.plain.anywhere import nothing_behind
from skull_client.plain.doing import Command, Doing, Here, LookRound, NotUnderstood, SetOut, SetTo
from skull_client.server_wording import worded
from skull_client.setting_out import Destination, Seen, destinations, parse_destination, standing
from skull_client.settings import LanguageChoice
from skull_client.typed import number_in
from skull_client.wording import say
from skull_protocol.text import UnfitText, clean_name, shown


def at_start(here: Here) -> list[Command]:
    """List it: the kept servers by their numbers, others by their addresses."""
    kept = destinations(here.servers)
    servers = tuple(kept.values())
    numbered = tuple(f"connect {number}" for number in range(1, len(servers) + 1))
    found = [
        Command(
            "here",
            ("here",),
            say("play on this computer, against {n} bots or as many as you say", n=PLAY_HERE),
            _here,
            asked=True,
        ),
        Command(
            "learn",
            ("learn",),
            say("learn to play: two rounds with bots, step by step"),
            nothing_behind("learn", SetOut(setting_out.to_learn())),
            asked=True,
        ),
        Command(
            "connect",
            (*numbered, "connect HOST"),
            say("go to a server that you have played on, or to another one"),
            lambda rest: SetOut(_server(servers, rest, "connect")),
            asked=True,
        ),
    ]
    lively = setting_out.liveliest(kept, here.seen)
    if lively is not None:
        found += _elsewhere(servers, lively)
    return found


def _elsewhere(servers: tuple[Destination, ...], lively: Destination) -> list[Command]:

    def go(word: str, usual: Destination, looks_for: LooksFor, rest: str) -> Doing:
        return SetOut(_server(servers, rest, word) if rest else usual, looks_for)

    return [
        Command(
            "watch",
            ("watch",),
            say("look for a game to watch on {server}, or on the one you say", server=lively),
            lambda rest: go("watch", lively, "watch", rest),
            asked=True,
        ),
        Command(
            "games",
            ("games",),
            say("list your finished games on {server}, or on the one you say", server=servers[0]),
            lambda rest: go("games", servers[0], "games", rest),
            asked=True,
        ),
        Command(
            "servers",
            ("servers",),
            say("ask the servers that you have played on how they stand"),
            nothing_behind("servers", LookRound()),
        ),
    ]


def server_line(number: int, server: str, seen: Seen) -> str:
    """Tell how a server stands; `number` counts from 1."""
    return say("{n}: {server}: {state}.", n=number, server=server, state=standing(seen, "..."))


def own_settings(here: Here) -> Command:
    """What the player has set; in lines, only some of it means anything."""
    values = {"name": here.settings.name, "language": here.settings.language}

    def lines() -> Iterator[str]:
        for name, value in values.items():
            yield f"{name}={value}"
        words = say("The rest, quick phrases too, is in the file {file}.", file=here.file)
        yield words if here.file else say("These settings are not kept.")

    def take(rest: str) -> Doing:
        name, equals, text = (part.strip() for part in rest.partition("="))
        if not rest:
            return SetTo({}, tuple(lines()))
        if name not in values or not equals:
            raise NotUnderstood(say("Type {form}.", form="settings name=NAME, language=LANGUAGE"))
        if name == "language":
            if text not in get_args(LanguageChoice):
                choices = ", ".join(get_args(LanguageChoice))
                raise NotUnderstood(say("{name} can be {values}.", name=name, values=choices))
            return SetTo({name: text})
        try:
            return SetTo({name: clean_name(text)})
        except UnfitText as unfit:
            raise NotUnderstood(worded(unfit)) from unfit

    return Command(
        "settings",
        ("settings", "settings NAME=VALUE"),
        say("tell your settings, or change one: your name from the next table on, the language"),
        take,
    )


def _here(rest: str) -> Doing:
    if not rest:
        return SetOut(setting_out.here())
    bots = number_in(range(1, MOST_BOTS + 1), rest)
    if bots is None:
        raise NotUnderstood(say("Type {form}, with 1 to {n}.", form="here N", n=MOST_BOTS))
    return SetOut(setting_out.here(bots))


def _server(servers: tuple[Destination, ...], typed: str, word: str) -> Destination:
    """A kept server by its number, or any by its address. Raises `NotUnderstood`."""
    number = number_in(range(1, len(servers) + 1), typed)
    if number is not None:
        return servers[number - 1]
    if not typed:
        form = f"{word} HOST"
        raise NotUnderstood(say("Type {form}.", form=form))
    try:
        return parse_destination(typed)
    except BadAddress as fault:
        raise NotUnderstood(shown(str(fault))) from fault
