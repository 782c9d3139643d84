"""How well bots play, in games by the real rules: each level above the one below, and above habit.

Few games each, so that chance hardly ever decides; docs/bots.md has the figures of many.
"""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from skull_protocol.skull import SkullOptions
from skull_server.arena.match import play as play_match
from skull_server.arena.yardsticks import AlwaysBids, AlwaysRaises, Anything, NeverBids, Timid
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.characters import CHARACTERS
from skull_server.games.skull.bots.levels import Level, new_bot

RULES = SkullOptions(first_player="random")
Make = Callable[[Random, SkullOptions], Bot]


def at_level(level: Level) -> Make:
    return lambda rng, rules: new_bot(level, rng, rules, CHARACTERS[0])


@cache
def share_of(hero: Make, villain: Make, seats: int, games: int) -> float:
    """How often the hero wins among villains, in shares: 1 is as often as any of them should."""
    won = 0
    for game in range(games):
        at = game % seats
        makers = [hero if seat == at else villain for seat in range(seats)]
        won += play_match(makers, RULES, f"test {game}") == at
    return won / games * seats


EASY, NORMAL, HARD = at_level("easy"), at_level("normal"), at_level("hard")


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("level", [EASY, NORMAL], ids=["easy", "normal"])
@pytest.mark.parametrize("one_track", [AlwaysBids, NeverBids, AlwaysRaises])
def test_doing_always_the_same_does_not_beat_easy_and_normal(
    one_track: Make, level: Make, seats: int
) -> None:
    assert share_of(one_track, level, seats, 60 if seats == 6 else 150) < 1


@pytest.mark.parametrize("one_track", [AlwaysBids, NeverBids, AlwaysRaises])
@pytest.mark.parametrize(("seats", "games"), [(2, 150), (3, 60)])
def test_doing_always_the_same_does_not_beat_hard(one_track: Make, seats: int, games: int) -> None:
    assert share_of(one_track, HARD, seats, games) < 1


@pytest.mark.parametrize("simple", [Anything, Timid])
@pytest.mark.parametrize(("seats", "games"), [(3, 150), (4, 100), (6, 60)])
def test_a_beginner_at_a_table_of_easy_bots_loses(simple: Make, seats: int, games: int) -> None:
    assert share_of(simple, EASY, seats, games) < 1


@pytest.mark.parametrize(("seats", "games"), [(3, 300), (4, 200), (6, 120)])
def test_normal_among_easy_wins_more_than_its_share(seats: int, games: int) -> None:
    assert share_of(NORMAL, EASY, seats, games) > 1


@pytest.mark.parametrize(("seats", "games"), [(3, 60), (4, 40), (6, 20)])
def test_hard_among_normal_wins_more_than_its_share(seats: int, games: int) -> None:
    assert share_of(HARD, NORMAL, seats, games) > 1.15


@pytest.mark.parametrize(("seats", "games"), [(3, 90), (4, 40), (6, 20)])
def test_hard_among_easy_wins_more_than_its_share(seats: int, games: int) -> None:
    assert share_of(HARD, EASY, seats, games) > 1.4
