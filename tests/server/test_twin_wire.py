"""The twin test on the wire: what a player hides is in no byte that anybody else is sent.

Not while the game is played (seats, watchers, those who come back or leave, refusals, lobby, chat),
and not afterwards (the list of games, each step, the text to keep, records, own statistics, the
lobby).
`SKULL_TWIN_GAMES=1000` plays that many games.
"""

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.server.twins import Twins

GAMES = int(os.environ.get("SKULL_TWIN_GAMES", "64"))


@pytest.mark.parametrize("block", range(4))
def test_nobody_is_sent_what_another_hides(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)  # when a game ended is told, in seconds
    differed = compared = steps = own_differed = 0
    for seed in range(block, GAMES, 4):
        with TemporaryDirectory() as directory:
            twins = Twins(Path(directory), seed)
            twins.play()
            twins.end_game()
            twins.look_back()
            twins.end()
        differed += twins.differed
        compared += twins.compared
        steps += twins.steps_compared
        own_differed += twins.own_differed
    assert differed > GAMES // 8, "the twins must differ for the test to mean anything"
    assert compared > 10_000
    assert steps > GAMES * 5, "the games must end for history to be looked at"
    assert own_differed >= GAMES // 64, "and the difference must still be hidden then"
