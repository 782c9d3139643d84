"""Views that are made anew only where something changed are what they would be made anew."""

from random import Random

import pytest
from tests.server.games.skull.scene import every_option, random_step

from skull_server.games.skull.game import SkullGame
from skull_server.games.skull.view import Views

OPTIONS = list(every_option())


@pytest.mark.parametrize("part", range(4))
def test_after_every_action_each_view_is_as_if_made_for_the_first_time(part: int) -> None:
    for number in range(part, 240, 4):
        seats = 2 + number % 5
        game = SkullGame(OPTIONS[number % len(OPTIONS)], seats, Random(number))
        rng = Random(-1 - number)
        while game.winner() is None:
            seat, action = random_step(game, rng)
            game.apply(seat, action)
            if rng.random() < 0.7:  # views may also be looked at now and then only
                anew = Views(game._state)
                assert game.view() == anew.public()
                assert all(game.own_view(each) == anew.own(each) for each in range(seats))


def test_a_seat_that_an_action_did_not_touch_keeps_its_view() -> None:
    game = SkullGame(OPTIONS[0], 6, Random(1))
    before = [game.own_view(seat) for seat in range(6)]
    starter = game.view().starter
    actor = next(seat for seat in game.to_act() if seat != starter)
    game.apply(actor, game.default_action(actor))
    kept = [seat for seat in range(6) if game.own_view(seat) is before[seat]]
    assert kept == [seat for seat in range(6) if seat not in (actor, starter)]
