"""From what training knows to the file that comes with the game, and the note beside it."""

import hashlib
import json
from pathlib import Path

from skull_server.games.skull.bots.knowledge import Stored
from skull_server.games.skull.training.rounds import CHOICES
from skull_server.games.skull.training.table import Learned, visits

_LEAST_VISITS = 60
"""Situations met more seldom than this are left out: what was learned of them is noise."""
_LEAST_CHANCE = 0.02
"""Choices taken more seldom than this are left out: training tries everything sometimes."""
_LEAST_CASES = 5.0


def stored(learned: Learned) -> Stored:
    """What the bots need of it, rounded."""
    steps: list[int] = []
    rows: list[bytes] = []
    last = 0
    for number in sorted(learned.entries):
        entry = learned.entries[number]
        sums = entry[CHOICES : 2 * CHOICES]
        total = sum(sums)
        if visits(entry) < _LEAST_VISITS or total <= 0:
            continue
        kept = [each if each >= _LEAST_CHANCE * total else 0.0 for each in sums]
        total = sum(kept)
        rows.append(bytes(round(255 * each / total) for each in kept))
        steps.append(number - last)
        last = number
    beliefs = {
        number: [round(case, 1) for case in cases]
        for number, cases in sorted(learned.counts.items())
        if sum(cases) >= _LEAST_CASES
    }
    return Stored(
        steps,
        b"".join(rows),
        beliefs,
        [round(weight, 4) for weight in learned.weights],
        [round(each, 4) for each in learned.start],
    )


def write(learned: Learned, out: Path, made_by: dict[str, object]) -> None:
    """Write `rounds.bin` and `rounds.json` into a directory.

    `made_by`: what else to note down: the command, how long it took.
    """
    what = stored(learned)
    packed = what.packed()
    (out / "rounds.bin").write_bytes(packed)
    note = {
        "sha256": hashlib.sha256(packed).hexdigest(),
        "bytes": len(packed),
        "situations": len(what.steps),
        "beliefs": len(what.beliefs),
        **made_by,
    }
    (out / "rounds.json").write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
