"""Net, clock and disk under one seed: whatever goes wrong, nothing granted is lost or done twice.

The real server and the real client's connection play whole games on a loop whose time is virtual.
`SKULL_SEEDS=1000` tries that many seeds; `SKULL_SEED=17` that one again.
"""

import os
from pathlib import Path

import pytest
from tests.simulation.scenario import Scenario

ONE = os.environ.get("SKULL_SEED")
SEEDS = [int(ONE)] if ONE else range(int(os.environ.get("SKULL_SEEDS", "60")))


@pytest.mark.parametrize("seed", SEEDS)
def test_all_games_end_and_nothing_granted_is_lost_or_done_twice(seed: int, tmp_path: Path) -> None:
    print(f"repeat with: SKULL_SEED={seed} pytest tests/simulation")
    Scenario(seed, tmp_path).run()


def test_things_do_go_wrong(tmp_path: Path) -> None:
    """Otherwise the seeds would show nothing."""
    scenarios = [Scenario(seed, tmp_path / str(seed)) for seed in range(3)]
    for scenario in scenarios:
        scenario.run()
    assert sum(scenario.breaks for scenario in scenarios) > 30
    assert sum(scenario.crashes for scenario in scenarios) > 3
    assert sum(scenario.disk_faults for scenario in scenarios) > 1
    assert sum(len(robot.granted) for one in scenarios for robot in one.robots) > 60


def test_a_seed_gives_the_same_run_each_time(tmp_path: Path) -> None:
    traces = []
    for run in ("one", "two"):
        scenario = Scenario(3, tmp_path / run)
        scenario.run()
        traces.append(scenario.network.trace.hexdigest())
    assert traces[0] == traces[1]
