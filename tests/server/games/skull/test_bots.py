"""Bots play by the rules, on what their seat may see and nothing else, and not badly."""

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skull_protocol.skull import (
    Abandon,
    Bid,
    ChallengeStarted,
    ChallengeWon,
    Choices,
    Flip,
    Lose,
    Pass,
    Pick,
    Place,
    Ready,
    Show,
    SkullAction,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots import Bot
from skull_server.games.skull.game import SkullGame

Decide = Callable[[SkullView, SkullOwn], SkullAction]


def uniform(rng: Random) -> Decide:
    """A player who does anything at all that is allowed."""

    def decide(_view: SkullView, own: SkullOwn) -> SkullAction:
        actions = [a for a in own.choices.actions() if not isinstance(a, Show | Abandon)]
        return rng.choice(actions)

    return decide


def bot(rng: Random) -> Decide:
    return Bot(rng).decide


def new_game(seed: int, seats: int, options: SkullOptions | None = None) -> SkullGame:
    options = options or SkullOptions(first_player="random")
    return SkullGame(options, seats, Random(seed), [None] * seats)


def play(game: SkullGame, players: list[Decide], order: Random) -> int:
    """Play to the end, those who choose at once in random order; return the winner."""
    for _ in range(20_000):
        winner = game.winner()
        if winner is not None:
            return winner
        seat = order.choice(sorted(game.to_act()))
        game.apply(seat, players[seat](game.view(), game.own_view(seat)))
    raise AssertionError("the game does not end")


variants = st.builds(
    SkullOptions,
    first_player=st.sampled_from(["flowers", "random", 0, 1]),
    initial=st.sampled_from(["starter_last", "together"]),
    own_skull=st.sampled_from(["choose", "random"]),
    self_elimination_starter=st.sampled_from(["choose", "left"]),
    last_chance=st.booleans(),
    equipment=st.sampled_from(["discs", "cards"]),
    practice=st.booleans(),
).filter(lambda options: not (options.last_chance and options.equipment == "cards"))
seats = st.integers(2, 6)
seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(options=variants, seats=seats, seed=seeds)
def test_every_action_is_allowed_in_every_variant(
    options: SkullOptions, seats: int, seed: int
) -> None:
    game = new_game(seed, seats, options)

    def checked(decide: Decide) -> Decide:
        def decide_allowed(view: SkullView, own: SkullOwn) -> SkullAction:
            action = decide(view, own)
            assert action in own.choices.actions()
            assert not isinstance(action, Abandon)
            return action

        return decide_allowed

    # Bots and people who do anything sit at one table, so that odd positions come up too.
    players = [
        checked((bot if (seed >> seat) % 3 else uniform)(Random(seed + seat)))
        for seat in range(seats)
    ]
    play(game, players, Random(seed))


def scramble(game: SkullGame, seat: int, rng: Random) -> None:
    """Change all that this seat cannot see: faces, lost discs, the order offered, the dice."""
    state = game._state
    for player in state.players:
        if player.seat == seat:
            continue
        hidden = [i for i in range(len(player.stack)) if not player.face_up[i]]
        discs = [*player.hand, *player.lost, *(player.stack[i] for i in hidden)]
        # Any disc a player was dealt may be anywhere, but a held Last Chance flower is a flower.
        rng.shuffle(discs)
        player.hand[:] = [discs.pop() for _ in player.hand]
        player.lost[:] = [discs.pop() for _ in player.lost]
        for position in hidden:
            player.stack[position] = discs.pop()
    rng.shuffle(state.offered)
    state.rng.seed(rng.getrandbits(64))


@settings(max_examples=25, deadline=None)
@given(options=variants, seats=seats, seed=seeds)
def test_what_a_seat_cannot_see_does_not_change_its_action(
    options: SkullOptions, seats: int, seed: int
) -> None:
    game = new_game(seed, seats, options)
    rng = Random(seed)

    def decide(seat: int, view: SkullView, own: SkullOwn) -> SkullAction:
        dice = rng.getrandbits(64)
        action = Bot(Random(dice)).decide(view, own)
        other = copy.deepcopy(game)
        scramble(other, seat, rng)
        assert Bot(Random(dice)).decide(other.view(), other.own_view(seat)) == action
        return action

    def seated(seat: int) -> Decide:
        return lambda view, own: decide(seat, view, own)

    play(game, [seated(seat) for seat in range(seats)], rng)


def test_the_first_disc_does_not_hang_on_who_has_placed() -> None:
    options = SkullOptions(first_player=0, initial="together")
    for dice in range(200):
        game = new_game(1, 4, options)
        alone = Bot(Random(dice)).decide(game.view(), game.own_view(2))
        for seat in (3, 0, 1):
            game.apply(seat, Place("S" if seat == 3 else "F"))
        assert Bot(Random(dice)).decide(game.view(), game.own_view(2)) == alone


def wins(players: Sequence[Callable[[Random], Decide]], games: int) -> Counter[str]:
    """Who won how many, by the name of the kind of player; seats change from game to game."""
    won: Counter[str] = Counter()
    for seed in range(games):
        turn = seed % len(players)
        kinds = [*players[turn:], *players[:turn]]
        seated = [kind(Random(f"{seed} {seat}")) for seat, kind in enumerate(kinds)]
        winner = play(new_game(seed, len(kinds)), seated, Random(seed))
        won[kinds[winner].__name__] += 1
    return won


def never_bidding(rng: Random) -> Decide:
    """A player who bids only where the rules leave nothing else."""

    def decide(view: SkullView, own: SkullOwn) -> SkullAction:
        calm = [a for a in own.choices.actions() if isinstance(a, Pass | Place | Ready)]
        return rng.choice(calm) if calm else uniform(rng)(view, own)

    return decide


def timid(rng: Random) -> Decide:
    """A beginner who bids what the own flowers cover, and rarely one more."""

    def decide(view: SkullView, own: SkullOwn) -> SkullAction:
        choices = own.choices
        clean = not any(map(is_skull, own.stack))
        if choices.place and own.stack and (not clean or rng.random() < 0.5):
            return Place(rng.choice(choices.place))
        if choices.bid is not None and (clean or not choices.may_pass):
            lowest = choices.bid[0]
            dares = lowest <= len(own.stack) or rng.random() < 0.3
            if not choices.may_pass or (lowest <= len(own.stack) + 1 and dares):
                return Bid(lowest)
        return Pass() if choices.may_pass else uniform(rng)(view, own)

    return decide


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_bot_among_players_who_do_anything_wins_far_more_than_its_share(seats: int) -> None:
    assert wins([bot] + [uniform] * (seats - 1), 80)["bot"] > 1.3 / seats * 80


@pytest.mark.parametrize(("seats", "of_its_share"), [(2, 0.8), (3, 0.7), (4, 0.7), (6, 0.6)])
def test_doing_anything_among_bots_loses(seats: int, of_its_share: float) -> None:
    games = 300 if seats == 2 else 80
    assert wins([uniform] + [bot] * (seats - 1), games)["uniform"] < of_its_share / seats * games


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
@pytest.mark.parametrize("waiting", [never_bidding, timid])
def test_waiting_for_bots_to_wear_each_other_out_does_not_pay(
    waiting: Callable[[Random], Decide], seats: int
) -> None:
    won = wins([waiting] + [bot] * (seats - 1), 80)[waiting.__name__]
    assert won < 1 / seats * 80


@cache
def watch(seats: int) -> "Watched":
    return Watched(seats, 40)


class Watched:
    """Games of bots among themselves, with what a spectator may find fault with counted."""

    def __init__(self, seats: int, games: int) -> None:
        self.challenges = self.successes = self.of_all_discs = 0
        self.could_bluff = self.bluffs = self.certain_losses = 0
        for seed in range(games):
            players = [self._watch(Bot(Random(f"{seed} {seat}"))) for seat in range(seats)]
            self._play(new_game(seed, seats), players, Random(seed))

    def _watch(self, watched: Bot) -> Decide:
        def decide(view: SkullView, own: SkullOwn) -> SkullAction:
            action = watched.decide(view, own)
            for_the_game = view.bidder is not None and view.seats[view.bidder].points > 0
            if own.choices.bid is None or for_the_game:
                return action
            if isinstance(action, Bid) and self._fails(own, action.amount):
                self.certain_losses += action.amount == view.discs_on_mats
            if own.choices.may_pass and self._fails(own, own.choices.bid[0]):
                self.could_bluff += 1
                self.bluffs += isinstance(action, Bid)
            return action

        return decide

    @staticmethod
    def _fails(own: SkullOwn, amount: int) -> bool:
        return any(map(is_skull, own.stack[::-1][:amount]))

    def _play(self, game: SkullGame, players: list[Decide], order: Random) -> None:
        while game.winner() is None:
            seat = order.choice(sorted(game.to_act()))
            action = players[seat](game.view(), game.own_view(seat))
            for event in game.apply(seat, action):
                if isinstance(event, ChallengeStarted):
                    self.challenges += 1
                    self.of_all_discs += event.bid == game.view().discs_on_mats
                self.successes += isinstance(event, ChallengeWon)


@pytest.mark.parametrize(("seats", "least"), [(3, 0.31), (4, 0.26), (6, 0.23)])
def test_bots_do_not_talk_each_other_into_hopeless_challenges(seats: int, least: float) -> None:
    watched = watch(seats)
    assert least < watched.successes / watched.challenges < 0.5
    assert watched.of_all_discs / watched.challenges < (0.45 if seats == 6 else 0.8)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_raise_that_needs_the_own_skull_is_a_rare_bluff_that_others_can_raise(
    seats: int,
) -> None:
    watched = watch(seats)
    assert watched.certain_losses == 0
    assert 0 < watched.bluffs < 0.12 * watched.could_bluff


@pytest.mark.parametrize(("points", "deny"), [(0, False), (1, True)])
def test_a_certain_loss_is_taken_only_to_keep_a_player_from_winning(
    points: int, deny: bool
) -> None:
    game = new_game(1, 2, SkullOptions(first_player=0))
    if points:
        for action in (Place("F"), Place("F"), Bid(1), Pass(), Flip(0), Ready(), Ready()):
            game.apply(min(game.to_act()), action)
    # The bidder needs one disc of the other's: the flower over the skull.
    for seat, disc in ((1, "S"), (0, "F"), (0, "F"), (1, "F")):
        game.apply(seat, Place(disc))
    game.apply(0, Bid(3))
    assert game.view().seats[0].points == points
    view, own = game.view(), game.own_view(1)
    did = {Bot(Random(dice)).decide(view, own) for dice in range(300)}
    assert (Bid(4) in did) == deny


def opened(seed: int, mine: str) -> SkullGame:
    """Four players with one disc each, seat 3's as asked; seat 0 has bid 1, 1 and 2 passed."""
    game = new_game(seed, 4, SkullOptions(first_player=0))
    for seat in (1, 2, 3, 0):
        game.apply(seat, Place(mine if seat == 3 else "F"))
    game.apply(0, Bid(1))
    game.apply(1, Pass())
    game.apply(2, Pass())
    return game


def raises(mine: str) -> float:
    game = opened(1, mine)
    view, own = game.view(), game.own_view(3)
    return sum(isinstance(Bot(Random(dice)).decide(view, own), Bid) for dice in range(300)) / 300


def test_bots_raise_over_a_flower_and_bluff_sometimes() -> None:
    assert raises("F") > 0.6
    assert 0 < raises("S") < 0.2
    assert raises("S") < raises("F")


def test_the_first_disc_is_sometimes_the_skull() -> None:
    game = new_game(1, 4, SkullOptions(first_player=0))
    view, own = game.view(), game.own_view(1)
    skulls = sum(Bot(Random(dice)).decide(view, own) == Place("S") for dice in range(300))
    assert 0.2 * 300 < skulls < 0.6 * 300


def losing(hand: tuple[str, ...]) -> tuple[SkullView, SkullOwn]:
    own = SkullOwn(
        seat=0, hand=hand, stack=(), lost=(), choices=Choices(lose=tuple(dict.fromkeys(hand)))
    )
    return new_game(1, 4).view(), own


@pytest.mark.parametrize("hand", [("F", "F", "F", "S"), ("2c", "3d", "Kh")])
def test_bots_mostly_keep_the_skull(hand: tuple[str, ...]) -> None:
    view, own = losing(hand)
    lost: list[Any] = [Bot(Random(dice)).decide(view, own) for dice in range(200)]
    assert all(isinstance(action, Lose) for action in lost)
    assert 0 < sum(is_skull(action.disc) for action in lost) < 0.25 * 200


def test_a_bluff_is_shown_now_and_then_and_then_the_bot_presses_on() -> None:
    game = new_game(1, 4, SkullOptions(first_player=0))
    for seat, disc in ((1, "F"), (2, "S"), (3, "S"), (0, "F")):
        game.apply(seat, Place(disc))
    game.apply(0, Bid(1))
    game.apply(1, Pass())
    game.apply(2, Pass())
    game.apply(3, Bid(2))
    game.apply(0, Bid(4))
    game.apply(0, Flip(0))
    game.apply(0, Flip(2))
    game.apply(2, Pick(0))
    view, own = game.view(), game.own_view(3)
    assert own.choices.ready
    did = Counter(Bot(Random(dice)).decide(view, own) for dice in range(300))
    assert set(did) == {Ready(), Show(0)}
    assert 0 < did[Show(0)] < 0.25 * 300
    game.apply(3, Show(0))
    assert Bot(Random(1)).decide(game.view(), game.own_view(3)) == Ready()


def test_a_bot_with_nothing_to_choose_says_so() -> None:
    game = new_game(1, 3, SkullOptions(first_player=0))
    with pytest.raises(ValueError, match="nothing to choose"):
        Bot(Random(1)).decide(game.view(), game.own_view(0))
