"""Whatever is played: games end, discs are conserved, and what is said to be legal is legal."""

import copy
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.games.skull.scene import every_action, every_option, held, random_step

from skull_protocol.errors import Refusal
from skull_protocol.skull import GameWon, Pick, SkullOptions
from skull_server.games.skull.forfeit import Forfeit
from skull_server.games.skull.game import SkullGame

OPTIONS = list(every_option())
LONGEST = 6000
"""Actions in a game of random play, votes and showing included; far above what was ever seen."""


def game_number(number: int) -> tuple[SkullGame, Random]:
    """A game for each number: every combination of options, with 2 to 6 seats."""
    seats = 2 + number % 5
    return SkullGame(OPTIONS[number % len(OPTIONS)], seats, Random(number)), Random(-1 - number)


def check_discs(game: SkullGame, dealt: list[Counter[str]]) -> None:
    view = game.view()
    assert view.discs_on_mats == sum(len(seat.stack) for seat in view.seats)
    for seat, public in enumerate(view.seats):
        own = game.own_view(seat)
        mine = Counter([*held(own), *own.lost])
        assert mine - Counter("F" * public.last_chance) == dealt[seat]
        assert public.hand == len(own.hand)
        assert len(public.stack) == len(own.stack)
        assert all(seen in (None, disc) for seen, disc in zip(public.stack, own.stack, strict=True))
        assert public.discs == len(held(own)) - public.last_chance == 4 - len(own.lost)
        assert public.eliminated == (public.discs == 0)
        assert 0 <= public.points <= 2


@pytest.mark.parametrize("part", range(8))
def test_random_legal_play_ends_and_conserves_discs(part: int) -> None:
    forfeits = 0
    for number in range(part, 480, 8):
        game, rng = game_number(number)
        dealt = [Counter(game.own_view(seat).hand) for seat in range(len(game.view().seats))]
        events = []
        for _ in range(LONGEST):
            seat, action = random_step(game, rng)
            forfeits += isinstance(action, Forfeit)
            events = game.apply(seat, action)
            if game.winner() is not None:
                break
            assert game.to_act()
            if number % 6 == 0:
                check_discs(game, dealt)
        view = game.view()
        assert view.phase == "game_over"
        assert game.winner() == view.winner is not None
        assert game.to_act() == frozenset()
        winner = view.seats[view.winner]
        won = events[-1]
        assert isinstance(won, GameWon)
        assert won.seat == view.winner
        if won.by == "points":
            assert winner.points == 2
        else:
            assert [seat.eliminated for seat in view.seats].count(False) == 1
            assert not winner.eliminated
    assert forfeits > 5


def everything(game: SkullGame) -> tuple[object, ...]:
    seats = range(len(game.view().seats))
    return (
        game.view(),
        [game.own_view(seat) for seat in seats],
        [game.legal_actions(seat) for seat in seats],
        game.to_act(),
        game.is_pause(),
        game.winner(),
    )


@pytest.mark.interpreted
@pytest.mark.parametrize("part", range(4))
def test_legal_actions_choices_and_apply_agree(part: int) -> None:
    for number in range(part, 48, 4):
        game, rng = game_number(7 * number)
        while game.winner() is None:
            if rng.random() < 0.12:
                probe(game)
            game.apply(*random_step(game, rng))
        probe(game)


def probe(game: SkullGame) -> None:
    """Try every action from every seat: exactly the legal ones are taken, on a copy."""
    before = everything(game)
    actions = every_action(game)
    for seat in range(len(game.view().seats)):
        legal = game.legal_actions(seat)
        assert len(set(legal)) == len(legal)
        assert legal == game.own_view(seat).choices.actions()
        assert set(legal) <= set(actions)
        for action in actions:
            if action in legal:
                copied = copy.deepcopy(game)
                assert copied.apply(seat, action)
                assert everything(copied) != before or isinstance(action, Pick)
            else:
                with pytest.raises(Refusal):
                    game.apply(seat, action)
        awaited = seat in game.to_act()
        assert not awaited or legal
    assert everything(game) == before
    for seat in (-1, len(game.view().seats)):
        with pytest.raises(Refusal):
            game.apply(seat, actions[0])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    options=st.sampled_from(OPTIONS),
    seats=st.integers(2, 6),
    tries=st.lists(st.tuples(st.integers(-1, 6), st.integers(0, 199)), max_size=400),
)
def test_any_sequence_of_tries_is_done_or_refused_and_refusals_change_nothing(
    options: SkullOptions, seats: int, tries: list[tuple[int, int]]
) -> None:
    game = SkullGame(options, seats, Random(3))
    clean = SkullGame(options, seats, Random(3))
    for seat, choice in tries:
        if choice >= 100:  # go on with something legal, so that every phase is reached
            seat = min(game.to_act(), default=0)
            actions = list(game.legal_actions(seat))
        else:
            actions = every_action(game)
        if not actions:
            break
        action = actions[choice % len(actions)]
        try:
            game.apply(seat, action)
        except Refusal:
            continue
        clean.apply(seat, action)
    assert everything(game) == everything(clean)
