"""The game between two is solved right, bot and solver agree, and nobody beats the bot by much."""

import json
import os
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.games.skull.test_two_players import Table

from skull_protocol.skull import ChallengeLost, ChallengeWon, SkullOptions
from skull_server.games.skull.bots.duel import Duel, duels
from skull_server.games.skull.bots.duel_table import shipped
from skull_server.games.skull.training.duel_solver import Settings, Solved, interpolate, solve
from skull_server.games.skull.training.packing import place_of, strategy_at
from skull_server.games.skull.training.response_command import play, solved
from skull_server.games.skull.training.round_tree import RoundTree, trembling
from skull_server.games.skull.training.two_players import main

LONG = os.environ.get("SKULL_LONG") == "1"


def starter_wins(found: Solved, belief: float) -> float:
    """How often the starter wins if both are believed to own the skull as likely as this."""
    at = np.array([belief])
    without, owning = (float(interpolate(table, at, at)[0]) for table in found.values[0])
    return belief * owning + (1 - belief) * without


# -- solving -------------------------------------------------------------------------------------


def test_one_disc_each_is_solved_exactly() -> None:
    found = dict(solve(Settings(points=21, iterations=150), most=1))
    assert starter_wins(found[Duel(1, 1, 0, 0)], 0.5) == pytest.approx(0.25, abs=0.002)
    assert starter_wins(found[Duel(1, 1, 1, 1)], 0.5) == pytest.approx(0.5, abs=0.002)
    assert max(each.gain for each in found.values()) < 0.02


@pytest.mark.skipif(not LONG, reason="takes long: SKULL_LONG=1")
def test_two_discs_each_are_solved_as_exactly_as_is_known() -> None:
    # Known is the game in which nobody is thought to act at random; what is shipped supposes it.
    found = dict(solve(Settings(points=21, tremble=0.003), most=2))
    assert starter_wins(found[Duel(2, 2, 0, 0)], 1.0) == pytest.approx(0.5, abs=0.002)
    assert starter_wins(found[Duel(2, 2, 0, 0)], 0.5) == pytest.approx(0.5952, abs=0.002)
    assert starter_wins(found[Duel(2, 2, 1, 1)], 0.5) == pytest.approx(0.625, abs=0.002)


def test_win_chances_of_both_add_up_to_one() -> None:
    for duel, found in solve(Settings(points=3, iterations=20), most=2):
        starter, other = np.meshgrid(*(np.linspace(0, 1, 3) for _ in duel.discs), indexing="ij")
        shares = np.array([[1 - starter, starter], [1 - other, other]])
        # But for what is believed of players who act at random sometimes, and do not.
        assert (found.values * shares).sum(axis=(0, 1)) == pytest.approx(1, abs=0.01)
        assert found.values.min() > -0.1
        assert found.values.max() < 1.1


def test_a_lone_skull_wins_no_challenge() -> None:
    found = dict(solve(Settings(points=3, iterations=50), most=1))
    # Who must bid, and is known to have nothing but the skull, is not raised over.
    assert found[Duel(1, 1, 0, 0)].values[0, 1, -1].max() < 0.01


# -- the bot and the solver ----------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_bot_believes_what_the_solver_reckons(seed: int) -> None:
    table = Table(SkullOptions(first_player=0), seed)
    while table.game.winner() is None:
        view = table.game.view()
        seat = table.dice.choice(sorted(table.game.to_act()))
        if view.phase != "challenge":
            table.do(seat, table.uniform(seat))
            continue
        bot = table.bots[0]
        seats, duel, beliefs = bot._duel(view)
        placed = sum(len(view.seats[each].stack) for each in seats) - 2
        bids = bot._public.bids()
        events = table.game.apply(seat, table.uniform(seat))
        table.tell(events)
        priors = np.array([beliefs[0]]), np.array([beliefs[1]])
        tree, challenger = RoundTree(duel.discs), seats.index(seat)
        seen = trembling(tree, strategy_at(shipped(), duel, priors), shipped().tremble)
        start = [np.stack([1 - prior, prior]) for prior in priors]
        reached = tree.reach(seen, (start[0], start[1]))
        key, history = place_of(placed, bids)
        reach = next(each for found, _, each in tree.challenges(seen, reached) if found == key)
        reckoned = tree.beliefs(key, challenger, reach, priors)
        now = bot._public.now()
        other = 1 - challenger
        for event in events:
            if isinstance(event, ChallengeWon):
                assert now[seat] == pytest.approx(reckoned.success_mine[history, 0])
                assert now[seats[other]] == pytest.approx(reckoned.success_theirs[history, 0])
            elif isinstance(event, ChallengeLost) and event.owner == seat:
                assert now[seats[other]] == pytest.approx(reckoned.own_skull_theirs[history, 0])
                assert now[seat] == 1
            elif isinstance(event, ChallengeLost):
                assert now[seat] == pytest.approx(reckoned.their_skull_mine[history, 0])
                assert now[event.owner] == 1


@pytest.mark.parametrize("duel", duels()[::7])
def test_the_solver_reads_the_file_as_the_bot_does(duel: Duel) -> None:
    beliefs = tuple(1.0 if count == 4 else 0.37 for count in duel.discs)
    strategy = strategy_at(shipped(), duel, (np.array([beliefs[0]]), np.array([beliefs[1]])))
    corners = shipped().corners(duel, (beliefs[0], beliefs[1]))
    for (placed, bids, state), (_, allowed) in shipped().part(duel)[0].rows.items():
        key, history = place_of(placed, bids)
        column = strategy.nodes[key][:, state, history, 0]
        shares = shipped().shares(duel, placed, bids, state, corners)
        assert [column[i] for i in allowed] == pytest.approx([shares[i] for i in allowed])


# -- a best response -----------------------------------------------------------------------------


def test_a_best_response_wins_little_more_than_half() -> None:
    note = json.loads(
        files("skull_server.games.skull.bots").joinpath("two_players.json").read_text("utf-8")
    )
    coarse, finer, finest = note["best_response_wins"]
    for points, most in ((coarse, 0.53), (finer, 0.535), (finest, 0.54)):
        wins = sum(solved(int(points), "choose").win_chance()) / 2
        assert 0.5 < wins < most
        assert wins == pytest.approx(note["best_response_wins"][points], abs=0.0001)


@pytest.mark.skipif(not LONG, reason="takes long: SKULL_LONG=1")
def test_played_out_a_best_response_wins_as_often_as_reckoned() -> None:
    share, half = play(4000, 33, "choose", map)
    assert share == pytest.approx(sum(solved(33, "choose").win_chance()) / 2, abs=0.01 + half)


# -- the command ---------------------------------------------------------------------------------


def test_a_run_that_was_stopped_comes_to_the_same(tmp_path: Path) -> None:
    def run(folder: Path) -> bytes:
        asked = ["--points", "2", "--iterations", "2", "--processes", "1", "--out", str(folder)]
        assert main([*asked, "--checkpoint", str(folder / "states")]) == 0
        return (folder / "two_players.bin").read_bytes()

    whole = run(tmp_path)
    states = sorted((tmp_path / "states").iterdir())
    assert len(states) == len(duels())
    for path in states[::2]:
        path.unlink()
    assert run(tmp_path) == whole
    note = json.loads((tmp_path / "two_players.json").read_text("utf-8"))
    assert note["bytes"] == len(whole)
    assert note["best_response_wins"]["2"] > 0.55, "hardly any training: easily beaten"
