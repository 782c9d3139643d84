"""Training makes the same of the same seed, can be stopped, and what it made is what is shipped."""

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from skull_server.games.skull.bots.beliefs import Beliefs, feature
from skull_server.games.skull.bots.equity import Equity, first_guess, slot
from skull_server.games.skull.bots.knowledge import knowledge, unpack
from skull_server.games.skull.bots.mats import PASS, Mats
from skull_server.games.skull.training.rounds import Learner, Standing, play_round
from skull_server.games.skull.training.table import Record, fit
from skull_server.games.skull.training.table_command import main


def train(folder: Path, iterations: int, processes: int = 1) -> bytes:
    asked = ["--seed", "3", "--iterations", str(iterations), "--games", "3"]
    asked += ["--processes", str(processes), "--out", str(folder)]
    assert main([*asked, "--checkpoint", str(folder / "checkpoint")]) == 0
    return (folder / "rounds.bin").read_bytes()


def test_a_run_that_was_stopped_comes_to_the_same(tmp_path: Path) -> None:
    for name in ("whole", "halves", "two"):
        (tmp_path / name).mkdir()
    whole = train(tmp_path / "whole", 2)
    train(tmp_path / "halves", 1)
    assert train(tmp_path / "halves", 2) == whole
    assert train(tmp_path / "two", 2, processes=2) == whole
    assert unpack(whole).rows

    note = json.loads((tmp_path / "whole" / "rounds.json").read_text(encoding="utf-8"))
    assert note["sha256"] == hashlib.sha256(whole).hexdigest()
    assert note["command"].endswith("table --seed 3 --iterations 2 --games 3")


def test_a_checkpoint_of_another_run_is_not_gone_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(tmp_path, 1)
    with pytest.raises(SystemExit):
        main(["--seed", "4", "--checkpoint", str(tmp_path / "checkpoint")])
    assert "ask for the same" in capsys.readouterr().err


def test_what_is_shipped_is_what_the_note_beside_it_says() -> None:
    folder = files("skull_server.games.skull.bots")
    packed = folder.joinpath("rounds.bin").read_bytes()
    note = json.loads(folder.joinpath("rounds.json").read_text(encoding="utf-8"))
    assert note["sha256"] == hashlib.sha256(packed).hexdigest()
    assert note["bytes"] == len(packed) < 300_000
    assert note["situations"] == len(knowledge().rows)
    assert note["command"].startswith("python -m skull_server.games.skull.training table --seed")


def test_the_table_learns_to_pass_with_the_skull_against_a_sure_bid() -> None:
    rng = Random(1)
    learner = Learner({}, Equity(first_guess(), [1.0] * 7), rng)
    beliefs = Beliefs({})
    for _ in range(300):
        standing = Standing.fresh(3, rng)
        for me in range(3):
            learner.traverse_round(standing.deal(beliefs), me)
    mats = Standing.fresh(3, rng).deal(beliefs)
    for place in range(3):
        mats.lay(place, skull=place == 1)
    mats.turn = 0
    mats.make_bid(0, 2)
    choices, chances = learner.strategy(mats, 1, 0)
    assert choices == (PASS,)
    choices, chances = learner.strategy(mats, 2, 0)
    assert len(choices) == 2
    assert sum(chances) == pytest.approx(1)


def test_games_in_training_end_with_one_winner() -> None:
    rng = Random(2)
    learner = Learner({}, Equity(first_guess(), [1.0] * 7), rng)
    for seats in range(2, 7):
        standing = Standing.fresh(seats, rng)
        for _ in range(200):
            mats = standing.deal(Beliefs({}))
            winner = standing.end(mats, play_round(mats, learner.strategy, rng, 0.5), rng)
            left = len(standing.discs)
            assert left == len(standing.points) == len(standing.owns) <= seats
            assert 0 <= standing.starter < left
            if winner is not None:
                break
        assert winner is not None
        assert standing.points[winner] == 2 or left == 1


def test_the_fit_finds_who_wins_more() -> None:
    rng = Random(1)
    ahead, behind = slot(2, 1, 4, True), slot(2, 0, 4, True)
    records: list[Record] = [((ahead, behind), 0, int(rng.random() < 0.25)) for _ in range(4000)]
    records += [((behind, ahead), 0, int(rng.random() < 0.75)) for _ in range(4000)]
    weights, start = first_guess(), [1.0] * 7
    for _ in range(5):
        fit(weights, start, records, rng, 0.01)
    assert weights[ahead] / weights[behind] == pytest.approx(3, rel=0.15)
    assert start[2] == pytest.approx(1, abs=0.15)


def test_beliefs_follow_what_was_counted() -> None:
    seen = feature(4, 4, 2, 0)
    beliefs = Beliefs({seen: [0.0, 100.0, 100.0, 800.0]})
    lost, hand, bottom, top = beliefs.where(seen, 1.0)
    assert lost == 0
    assert top > 0.7 > bottom == pytest.approx(hand, rel=0.05)
    flowers = beliefs.flowers(seen, 1.0)
    assert flowers[0] == pytest.approx(1 - top)
    assert flowers[1] == pytest.approx(1 - bottom / (1 - top))
    assert beliefs.where(seen, 0.0)[0] == 1.0


def test_what_a_round_is_worth_adds_up_to_one_game() -> None:
    known = knowledge()
    rng = Random(4)
    for seats in range(2, 7):
        standing = Standing.somewhere(seats, rng)
        mats: Mats = standing.deal(known.beliefs)
        for place in range(seats):
            mats.lay(place, skull=False)
        mats.turn = 0
        mats.make_bid(0, seats)
        for found in (-1, 0, seats - 1):
            worths = [mats.worth(known.equity, place, found) for place in range(seats)]
            assert sum(worths) == pytest.approx(1)
            assert min(worths) >= 0
