"""A game is rebuilt exactly from its record."""

from random import Random

import pytest
from tests.server.games.skull.scene import Scene, every_option, random_step

from skull_protocol.errors import Refusal
from skull_protocol.skull import Bid, SkullOptions
from skull_server.games.skull.forfeit import Forfeit, SkullInput
from skull_server.games.skull.game import RULES_VERSION, SkullGame
from skull_server.games.skull.replay import RulesChanged, replay

OPTIONS = list(every_option())


def same(one: SkullGame, other: SkullGame) -> bool:
    seats = range(len(one.view().seats))
    return one.view() == other.view() and all(
        one.own_view(seat) == other.own_view(seat) for seat in seats
    )


@pytest.mark.parametrize("part", range(4))
def test_a_game_broken_off_anywhere_goes_on_as_if_nothing_had_happened(part: int) -> None:
    for number in range(part, 96, 4):
        seats = 2 + number % 5
        seed = (number << 130) + 7
        flowers = [None, 3, 3, None, 1, 900][:seats]
        options = OPTIONS[number]
        game = SkullGame(options, seats, Random(seed), flowers)
        rng = Random(number)
        record: list[tuple[int, SkullInput]] = []
        stop = rng.randrange(1, 120)
        while game.winner() is None and len(record) < stop:
            step = random_step(game, rng)
            game.apply(*step)
            record.append(step)
        again = replay(RULES_VERSION, options, seats, seed, flowers, record)
        assert same(game, again)
        assert game.opening() == again.opening()
        while game.winner() is None:
            step = random_step(game, rng)  # also draws default actions, from this game only
            assert game.apply(*step) == again.apply(*step)
            assert same(game, again)


def test_a_forfeit_is_replayed_like_any_action() -> None:
    scene = Scene(3, seed=5)
    scene.hit_skull_of(1, challenger=0)
    scene.do(1, Forfeit())
    again = replay(RULES_VERSION, scene.options, 3, scene.seed, (), scene.actions)
    assert same(scene.game, again)
    assert again.own_view(0).lost == scene.own(0).lost


def test_seeds_matter() -> None:
    hands = {
        replay(RULES_VERSION, SkullOptions(equipment="cards"), 4, seed, (), ()).own_view(0).hand
        for seed in range(20)
    }
    assert len(hands) > 15


def test_a_record_made_under_other_rules_is_refused() -> None:
    with pytest.raises(RulesChanged):
        replay(RULES_VERSION + 1, SkullOptions(), 3, 1, (), ())


def test_a_record_of_no_legal_game_is_refused() -> None:
    scene = Scene(3)
    scene.first_discs()
    record = [*scene.actions, (0, Bid(9))]
    with pytest.raises(Refusal):
        replay(RULES_VERSION, scene.options, 3, scene.seed, (), record)
