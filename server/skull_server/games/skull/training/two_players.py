"""The command that solves the game between two: `python -m skull_server.games.skull.training
two-players`.

Nothing in it is drawn at random: the same settings make the same file.
"""

import argparse
import hashlib
import json
import lzma
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from skull_server.games.skull.bots.duel import Duel, duels, most_placed, total
from skull_server.games.skull.bots.duel_table import DuelTable
from skull_server.games.skull.training.best_response import BestResponse
from skull_server.games.skull.training.duel_solver import Settings, Solved, solve
from skull_server.games.skull.training.packing import pack
from skull_server.games.skull.training.progress import Progress
from skull_server.games.skull.training.round_tree import RoundTree, Strategy

_UNIT = 255
"""Probabilities are counted in parts of this."""


def main(arguments: Sequence[str]) -> int:
    """Solve, going on where a stopped run was; write the files. Return the exit status."""
    flags = _parser().parse_args(arguments)
    settings = Settings(flags.points, flags.iterations, flags.tremble, flags.stumble)
    flags.checkpoint.mkdir(parents=True, exist_ok=True)
    if flags.processes > 1:
        # Here, for rules and bots never need what it loads.
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(flags.processes) as pool:
            solved, seconds = resume(settings, flags.checkpoint, pool.map)
    else:
        solved, seconds = resume(settings, flags.checkpoint, map)
    command = (
        f"python -m skull_server.games.skull.training two-players --points {settings.points} "
        f"--iterations {settings.iterations} --tremble {settings.tremble} "
        f"--stumble {settings.stumble}"
    )
    flags.out.mkdir(parents=True, exist_ok=True)
    write(solved, settings, flags.out, {"command": command, "seconds": round(seconds)})
    return 0


def resume(
    settings: Settings, checkpoint: Path, run: Callable[..., Iterable[Solved]]
) -> tuple[dict[Duel, Solved], float]:
    """Solve all states that a directory does not hold yet; keep each there as soon as it is done.

    Return all, and the seconds taken. `run`: see `duel_solver.solve`.
    """
    paths = {duel: _path(checkpoint, settings, duel) for duel in duels()}
    solved = {duel: _load(path, duel) for duel, path in paths.items() if path.exists()}
    progress = Progress(sum(map(_cost, paths)), "parts")
    for duel, found in solve(settings, known=solved, run=run):
        solved[duel] = found
        _save(paths[duel], duel, found)
        progress.at(sum(map(_cost, solved)), str(tuple(duel)))
    return solved, progress.seconds()


def write(
    solved: dict[Duel, Solved], settings: Settings, out: Path, made_by: dict[str, object]
) -> None:
    """Write `two_players.bin` and `two_players.json` into a directory.

    `made_by`: what else to note down: the command, how long it took.
    """
    content = pack(solved, settings, _UNIT)
    packed = lzma.compress(content, preset=6 | lzma.PRESET_EXTREME)
    (out / "two_players.bin").write_bytes(packed)
    note = {
        "sha256": hashlib.sha256(packed).hexdigest(),
        "bytes": len(packed),
        **made_by,
        "settings": asdict(settings),
        "starter_wins": round(float(solved[Duel(4, 4, 0, 0)].values[0, 1, 0, 0]), 4),
        # By belief grid: a finer one also sees what lies between the points of the table.
        "best_response_wins": {
            str(points): round(_best_response(DuelTable(content), points), 4)
            for points in (1 + times * (settings.points - 1) for times in (1, 2, 4))
        },
    }
    (out / "two_players.json").write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")


def _best_response(table: DuelTable, points: int) -> float:
    response = BestResponse(table, points)
    for _ in response.solve():
        pass
    return sum(response.win_chance()) / 2


def _cost(duel: Duel) -> int:
    """Return about how long a state takes, in no unit."""
    return int(2 ** total(most_placed(duel.discs))) + 20


def _path(checkpoint: Path, settings: Settings, duel: Duel) -> Path:
    name = f"{settings.points}-{settings.iterations}-{settings.tremble}-{settings.stumble}"
    return checkpoint / f"{name}-{'-'.join(map(str, duel))}.npz"


def _save(path: Path, duel: Duel, solved: Solved) -> None:
    strategy = solved.strategy
    nodes = [strategy.nodes[key] for key in RoundTree(duel.discs).groups]
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez(file, solved.values, np.array(solved.gain), *strategy.first, *nodes)
    unfinished.replace(path)


def _load(path: Path, duel: Duel) -> Solved:
    with np.load(path) as file:
        values, gain, first, second, *nodes = (file[name] for name in file.files)
    keys = RoundTree(duel.discs).groups
    return Solved(
        values, Strategy((first, second), dict(zip(keys, nodes, strict=True))), float(gain)
    )


def _parser() -> argparse.ArgumentParser:
    usual = Settings()
    parser = argparse.ArgumentParser(
        prog="python -m skull_server.games.skull.training two-players",
        description="Solve the game between two players.",
    )
    parser.add_argument(
        "--points", type=int, default=usual.points, help="of the belief grid (%(default)s)"
    )
    parser.add_argument(
        "--iterations", type=int, default=usual.iterations, help="for each state (%(default)s)"
    )
    parser.add_argument(
        "--tremble",
        type=float,
        default=usual.tremble,
        help="how often anybody is thought to act at random (%(default)s)",
    )
    parser.add_argument(
        "--stumble",
        type=float,
        default=usual.stumble,
        help="how often anybody acts at random while it is learned how to play (%(default)s)",
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
        default=Path("skull-two-players.checkpoint"),
        help="directory that keeps each state solved, to go on from (%(default)s)",
    )
    parser.add_argument(
        "--out", type=Path, default=Path(), help="directory to write two_players.bin to (here)"
    )
    return parser
