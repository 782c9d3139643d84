"""The command that measures what the two-player bot loses to somebody who knows it:
`python -m skull_server.games.skull.training best-response`."""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from math import sqrt
from random import Random

from skull_protocol.skull import SkullOptions
from skull_server.games.skull.bots.duel_table import shipped
from skull_server.games.skull.bots.two_players import TwoPlayers
from skull_server.games.skull.game import SkullGame
from skull_server.games.skull.training.best_response import BestResponse
from skull_server.games.skull.training.duel_solver import Settings
from skull_server.games.skull.training.progress import Progress
from skull_server.games.skull.training.responder import Responder

_AT_ONCE = 50


def main(arguments: Sequence[str]) -> int:
    """Measure and print; return the exit status."""
    flags = _parser().parse_args(arguments)
    response = solved(flags.points, flags.own_skull)
    starter, other = response.win_chance()
    sys.stdout.write(
        f"By reckoning, a best response wins {(starter + other) / 2:.4f} of all games "
        f"({starter:.4f} as the starter, {other:.4f} as the other).\n"
    )
    if not flags.games:
        return 0
    if flags.processes > 1:
        # Here, for rules and bots never need what it loads.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(flags.processes) as pool:
            share, half = play(flags.games, flags.points, flags.own_skull, pool.map)
    else:
        share, half = play(flags.games, flags.points, flags.own_skull, map)
    sys.stdout.write(f"In {flags.games} games played out it won {share:.4f} ± {half:.4f} (95 %).\n")
    return 0


def play(
    games: int, points: int, own_skull: str, run: Callable[..., Iterable[int]]
) -> tuple[float, float]:
    """Play games of a best response against the bot, both starting equally often.

    Return the share that it won, and half the width of the 95 % interval. `run`: `map`, or what
    does the same with several processes.
    """
    parts = [
        (start, min(start + _AT_ONCE, games), points, own_skull)
        for start in range(0, games, _AT_ONCE)
    ]
    progress = Progress(games, "games")
    won = played = 0
    for part, wins in zip(parts, run(_play, parts), strict=True):
        won += wins
        played += part[1] - part[0]
        progress.at(played)
    share = won / games
    return share, 1.96 * sqrt(share * (1 - share) / games)


@cache
def solved(points: int, own_skull: str) -> BestResponse:
    """Return the best response to the shipped table; `points`: of its belief grid."""
    response = BestResponse(shipped(), points, own_skull == "choose")
    for _ in response.solve():
        pass
    return response


def _play(part: tuple[int, int, int, str]) -> int:
    first, end, points, own_skull = part
    rules = SkullOptions(own_skull=own_skull, first_player=0)  # type: ignore[arg-type]
    best = solved(points, own_skull)
    won = 0
    for number in range(first, end):
        seat = number % 2
        players = [TwoPlayers(shipped(), rules), TwoPlayers(shipped(), rules)]
        players[seat] = Responder(shipped(), rules, best)
        won += winner(rules, number, players) == seat
    return won


def winner(rules: SkullOptions, seed: int, players: Sequence[TwoPlayers]) -> int:
    """Play one game of two by the rules, and return who won: 0 or 1."""
    game = SkullGame(rules, 2, Random(seed), [None, None])
    dice = [Random(f"{seed} {seat}") for seat in (0, 1)]
    events = game.opening()
    while True:
        public = game.events_for(events, None)
        for player in players:
            player.see(public)
        won = game.winner()
        if won is not None:
            return won
        seat = min(game.to_act())
        action = players[seat].decide(game.view(), game.own_view(seat), dice[seat])
        events = game.apply(seat, action)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m skull_server.games.skull.training best-response",
        description="Measure what the two-player bot loses to somebody who knows its strategy.",
    )
    parser.add_argument(
        "--points", type=int, default=Settings().points, help="of the belief grid (%(default)s)"
    )
    parser.add_argument("--games", type=int, default=2000, help="to play out besides (%(default)s)")
    parser.add_argument(
        "--own-skull",
        choices=("choose", "random"),
        default="choose",
        help="the rule for who is hit by the own skull (%(default)s)",
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=os.cpu_count() or 1,
        help="at once; the outcome is the same (%(default)s)",
    )
    return parser
