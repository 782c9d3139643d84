"""The command `skull-arena`: which bot is better, and how sure is that."""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from skull_protocol.errors import Refusal
from skull_protocol.skull import SkullOptions
from skull_server.arena.contestants import Unknown, maker
from skull_server.arena.ratings import Tally, interval, rated
from skull_server.arena.response import Response, respond
from skull_server.arena.tournament import duel, mixed, run
from skull_server.games.skull.setup import MAX_SEATS, MIN_SEATS, check_options
from skull_server.games.skull.training.progress import Progress

Rows = list[dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and print; return the exit status."""
    parser = _parser()
    flags = parser.parse_args(arguments)
    try:
        rules = _rules(flags.rule)
        for name in _names(flags):
            maker(name)
        for seats in flags.seats:
            check_options(rules, seats)
        rows = _COMMANDS[flags.command](flags, rules)
    except (Unknown, Refusal, msgspec.ValidationError) as fault:
        parser.error(str(fault))
    except KeyboardInterrupt:
        return 130
    if flags.json:
        json.dump(rows, sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        _print(rows)
    return 0


def _duels(flags: argparse.Namespace, rules: SkullOptions) -> Rows:
    pairs = [(flags.hero, flags.villain)]
    if flags.both and flags.hero != flags.villain:
        pairs.append((flags.villain, flags.hero))
    rows: Rows = []
    for hero, villain in pairs:
        for seats in flags.seats:
            pairings = duel(hero, villain, seats, flags.games, flags.seed)
            progress = Progress(flags.games, f"games: {hero} among {villain}, {seats} seats")
            winners = run(pairings, rules, flags.processes, progress.at)
            wins = sum(won == game % seats for game, won in enumerate(winners))
            rows.append(_cell(hero, villain, seats, wins, flags.games))
    return rows


def _cell(hero: str, villain: str, seats: int, wins: int, games: int) -> dict[str, Any]:
    low, high = interval(wins, games)
    return {
        "hero": hero,
        "villains": villain,
        "seats": seats,
        "games": games,
        "wins": wins,
        "rate": round(wins / games, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "of_its_share": round(wins / games * seats, 3),
    }


def _mixed(flags: argparse.Namespace, rules: SkullOptions) -> Rows:
    rows: Rows = []
    for seats in flags.seats:
        pairings = mixed(flags.names, seats, flags.games, flags.seed)
        progress = Progress(flags.games, f"games at mixed tables, {seats} seats")
        winners = run(pairings, rules, flags.processes, progress.at)
        tally: Tally = Counter()
        sat: Counter[str] = Counter()
        won: Counter[str] = Counter()
        for pairing, winner in zip(pairings, winners, strict=True):
            tally[tuple(sorted(pairing.seats)), pairing.seats[winner]] += 1
            sat.update(pairing.seats)
            won[pairing.seats[winner]] += 1
        ratings = rated(tally, Random(flags.seed))
        for name in sorted(ratings, key=lambda name: -ratings[name][0]):
            low, high = interval(won[name], sat[name])
            strength, least, most = ratings[name]
            rows.append(
                {
                    "name": name,
                    "seats": seats,
                    "sat": sat[name],
                    "wins": won[name],
                    "rate": round(won[name] / sat[name], 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "rating": round(strength),
                    "rating_low": round(least),
                    "rating_high": round(most),
                }
            )
    return rows


def _responses(flags: argparse.Namespace, rules: SkullOptions) -> Rows:
    rows: Rows = []
    for seats in flags.seats:
        progress = Progress(flags.train + flags.games, f"games against {flags.name}, {seats} seats")
        found: Response = respond(
            flags.name, seats, rules, flags.train, flags.games, flags.seed, flags.processes,
            progress.at,
        )  # fmt: skip
        cell = _cell("best response", flags.name, seats, found.wins, flags.games)
        rows.append({**cell, "trained_games": flags.train, "situations": found.situations})
    return rows


_COMMANDS: dict[str, Callable[[argparse.Namespace, SkullOptions], Rows]] = {
    "duel": _duels,
    "mixed": _mixed,
    "best-response": _responses,
}


def _names(flags: argparse.Namespace) -> list[str]:
    if flags.command == "duel":
        return [flags.hero, flags.villain]
    return list(flags.names) if flags.command == "mixed" else [flags.name]


def _rules(given: Sequence[str]) -> SkullOptions:
    """Read `option=value` pairs. Raises `msgspec.ValidationError`."""
    wanted: dict[str, Any] = {"game": "skull", "first_player": "random"}
    for pair in given:
        option, _, value = pair.partition("=")
        if option not in SkullOptions.__struct_fields__:
            options = ", ".join(SkullOptions.__struct_fields__)
            raise Unknown(f"there is no option {option}: try {options}")
        wanted[option] = int(value) if value.isdigit() else value
    return msgspec.convert(wanted, SkullOptions, strict=False)


def _print(rows: Rows) -> None:
    columns = list(rows[0])
    table = [columns, *[[str(row[column]) for column in columns] for row in rows]]
    widths = [max(len(line[at]) for line in table) for at in range(len(columns))]
    for line in table:
        sys.stdout.write("  ".join(map(str.ljust, line, widths)).rstrip() + "\n")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("1 or more")
    return number


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--seats", type=int, nargs="+", default=[4], choices=range(MIN_SEATS, MAX_SEATS + 1),
        help="how many at a table; several: one after another (4)",
    )  # fmt: skip
    common.add_argument("--games", type=_count, default=2500, help="for each figure (%(default)s)")
    common.add_argument("--seed", type=int, default=1, help="of all chance (%(default)s)")
    common.add_argument(
        "--processes", type=_count, default=os.cpu_count() or 1, help="at once (%(default)s)"
    )
    common.add_argument(
        "--rule", action="append", default=[], metavar="OPTION=VALUE",
        help="a rule other than the default: last_chance=true, own_skull=random, ...",
    )  # fmt: skip
    common.add_argument("--json", action="store_true", help="print for programs to read")

    parser = argparse.ArgumentParser(prog="skull-arena", description="Have bots play bots.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("duel", parents=[common], help="one bot among copies of another")
    one.add_argument("hero", help="easy, normal, hard, a yardstick, or module:Class")
    one.add_argument("villain", help="who sits in all other seats")
    one.add_argument("--both", action="store_true", help="then the other way round")
    all_ = commands.add_parser("mixed", parents=[common], help="all at tables drawn by chance")
    all_.add_argument("names", nargs="+", help="who takes part")
    best = commands.add_parser(
        "best-response", parents=[common], help="train a bot to beat one, and see how often it does"
    )
    best.add_argument("name", help="who sits in all other seats")
    best.add_argument(
        "--train", type=_count, default=3000, help="games to learn from (%(default)s)"
    )
    return parser
