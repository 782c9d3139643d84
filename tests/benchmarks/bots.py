"""How long bots think, in processor time, and what their tables take to load. Gates nothing.

python tests/benchmarks/bots.py [GAMES]
"""

import resource
import subprocess
import sys
from random import Random
from statistics import median, quantiles
from time import process_time

from skull_protocol.skull import SkullOptions
from skull_server.games.skull.bots.levels import LEVELS, Level, new_bot
from skull_server.games.skull.game import SkullGame

RULES = SkullOptions(first_player="random")
LOADING = """
import resource
from time import perf_counter
from skull_server.games.skull.bots import duel_table, knowledge
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
began = perf_counter()
kept = knowledge.knowledge(), duel_table.shipped()
took = perf_counter() - began
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(f"tables: loaded in {1000 * took:.0f} ms, {(after - before) / 1024:.1f} MiB")
"""


def think(level: Level, seats: int, games: int) -> tuple[list[float], list[float]]:
    """Play; return the seconds of each decision that is not forced, and of each `see`."""
    decided: list[float] = []
    seen: list[float] = []
    for number in range(games):
        game = SkullGame(RULES, seats, Random(number), [])
        bots = [new_bot(level, Random(f"{number} {seat}"), RULES) for seat in range(seats)]
        events = game.opening()
        while game.winner() is None:
            shown = [game.event_for(event, None) for event in events]
            for bot in bots:
                began = process_time()
                bot.see(shown)
                seen.append(process_time() - began)
            seat = min(game.to_act())
            view, own = game.view(), game.own_view(seat)
            began = process_time()
            action = bots[seat].decide(view, own)
            if not own.choices.ready:
                decided.append(process_time() - began)
            events = game.apply(seat, action)
    return decided, seen


def main() -> None:
    """Measure and print."""
    games = int(sys.argv[1]) if sys.argv[1:] else 20
    subprocess.run([sys.executable, "-c", LOADING], check=True)
    print("level   seats  decisions  median ms  p99 ms  max ms  see p99 ms")
    for level in LEVELS:
        for seats in range(2, 7):
            decided, seen = think(level, seats, games)
            p99, seen99 = quantiles(decided, n=100)[-1], quantiles(seen, n=100)[-1]
            print(
                f"{level:7} {seats:5}  {len(decided):9}  {1000 * median(decided):9.2f}"
                f"  {1000 * p99:6.2f}  {1000 * max(decided):6.2f}  {1000 * seen99:10.2f}"
            )
    print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
