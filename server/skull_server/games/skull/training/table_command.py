"""The command that trains the table: `python -m skull_server.games.skull.training table`."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from skull_server.games.skull.training.export import write
from skull_server.games.skull.training.progress import Progress
from skull_server.games.skull.training.table import SHARDS, Learned, load, save, train

ITERATIONS = 8
GAMES = 300
SEED = 1


def main(arguments: Sequence[str]) -> int:
    """Train, going on where a stopped run was; write the files. Return the exit status."""
    flags = _parser().parse_args(arguments)
    path: Path = flags.checkpoint
    learned = load(path) if path.exists() else Learned(flags.seed, flags.games)
    if (learned.seed, learned.games) != (flags.seed, flags.games):
        _parser().error(
            f"{path} holds a run with --seed {learned.seed} --games {learned.games}: "
            "ask for the same, or name another --checkpoint"
        )
    progress = Progress(flags.iterations, "iterations")
    before = learned.seconds

    def done(now: Learned) -> None:
        now.seconds = before + progress.seconds()
        save(now, path)
        progress.at(now.iteration, f"({len(now.entries)} situations)")

    if flags.processes > 1:
        # Here, for rules and bots never need what it loads.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(flags.processes) as pool:
            train(learned, flags.iterations, pool.map, done)
    else:
        train(learned, flags.iterations, map, done)
    flags.out.mkdir(parents=True, exist_ok=True)
    command = (
        f"python -m skull_server.games.skull.training table --seed {learned.seed} "
        f"--iterations {learned.iteration} --games {learned.games}"
    )
    write(learned, flags.out, {"command": command, "seconds": round(learned.seconds)})
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m skull_server.games.skull.training table",
        description="Train what the bots know of rounds with three to six players.",
    )
    parser.add_argument("--seed", type=int, default=SEED, help="of all chance (%(default)s)")
    parser.add_argument(
        "--iterations", type=int, default=ITERATIONS, help="how many in all (%(default)s)"
    )
    parser.add_argument(
        "--games",
        type=int,
        default=GAMES,
        help=f"in each of the {SHARDS} parts of an iteration (%(default)s)",
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=os.cpu_count() or 1,
        help="at once; the outcome is the same (%(default)s)",
    )
    parser.add_argument(
        "--checkpoint",
        type=Path,
        default=Path("skull-table.checkpoint"),
        help="kept after each iteration, and gone on from (%(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, default=Path(), help="directory to write rounds.bin to (here)"
    )
    return parser
