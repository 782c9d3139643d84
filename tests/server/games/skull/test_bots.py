"""Bots play by the rules, on what their seat may see and nothing else, each with its habits."""

import copy
import pickle
from collections import Counter
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
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.arena.yardsticks import Anything
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.characters import CHARACTERS, Character
from skull_server.games.skull.bots.levels import LEVELS, Level, new_bot
from skull_server.games.skull.game import SkullGame

RULES = SkullOptions(first_player="random")


def plain(level: Level, dice: int = 1) -> Bot:
    return new_bot(level, Random(dice), RULES)


def new_game(seed: int, seats: int, options: SkullOptions | None = None) -> SkullGame:
    return SkullGame(options or RULES, seats, Random(seed), [None] * seats)


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
    # Bots and people who do anything sit at one table, so that odd positions come up too.
    rng = Random(seed)
    game = new_game(seed, seats, options)
    bots: list[Bot] = []
    for seat in range(seats):
        dice = Random(seed + seat)
        level = rng.choice([*LEVELS, None])
        character = rng.choice(CHARACTERS)
        bots.append(
            Anything(dice, options) if level is None else new_bot(level, dice, options, character)
        )
    events = game.opening()
    while game.winner() is None:
        for bot in bots:
            bot.see(game.events_for(events, None))
        seat = rng.choice(sorted(game.to_act()))
        own = game.own_view(seat)
        action = bots[seat].decide(game.view(), own)
        assert action in own.choices.actions()
        assert not isinstance(action, Abandon)
        events = game.apply(seat, action)


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


@pytest.mark.interpreted
@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=12, deadline=None)
@given(options=variants, seats=seats, seed=seeds)
def test_what_a_seat_cannot_see_does_not_change_its_action(
    level: Level, options: SkullOptions, seats: int, seed: int
) -> None:
    game = new_game(seed, seats, options)
    rng = Random(seed)
    # Two of each, with the same dice: one is shown the game, the other a scrambled one.
    twins = [[new_bot(level, Random(seed + seat), options) for _ in "ab"] for seat in range(seats)]
    events = game.opening()
    while game.winner() is None:
        for bots in twins:
            for bot in bots:
                bot.see(game.events_for(events, None))
        seat = rng.choice(sorted(game.to_act()))
        action = twins[seat][0].decide(game.view(), game.own_view(seat))
        other = copy.deepcopy(game)
        scramble(other, seat, rng)
        assert twins[seat][1].decide(other.view(), other.own_view(seat)) == action
        events = game.apply(seat, action)


@pytest.mark.parametrize("level", LEVELS)
def test_the_first_disc_does_not_hang_on_who_has_placed(level: Level) -> None:
    options = SkullOptions(first_player=0, initial="together")
    for dice in range(100):
        game = new_game(1, 4, options)
        early, late = plain(level, dice), plain(level, dice)
        for each in (early, late):
            each.see(game.events_for(game.opening(), None))
        alone = early.decide(game.view(), game.own_view(2))
        for seat in (3, 0, 1):
            laid = Place("S" if seat == 3 else "F")
            late.see(game.events_for(game.apply(seat, laid), None))
        assert late.decide(game.view(), game.own_view(2)) == alone


def hit_by_a_skull(seats: int) -> tuple[SkullGame, tuple[SkullEvent, ...]]:
    """A second round is on: in the first, seat 0 flipped the skull of seat 2."""
    game = new_game(1, seats, SkullOptions(first_player=0))
    seen = game.events_for(game.opening(), None)
    steps: list[tuple[int, SkullAction]] = [
        (seat, Place("S" if seat == 2 else "F")) for seat in (*range(1, seats), 0)
    ]
    steps += [(0, Bid(2)), *[(seat, Pass()) for seat in range(1, seats)], (0, Flip(0))]
    steps += [(0, Flip(2)), (2, Pick(0)), *[(seat, Ready()) for seat in range(seats)]]
    steps += [(seat, Place("F")) for seat in (*range(1, seats), 0)]
    steps += [(0, Bid(1))]
    for seat, action in steps:
        seen += game.events_for(game.apply(seat, action), None)
    return game, seen


def test_every_seat_has_a_memory_of_its_own() -> None:
    game, seen = hit_by_a_skull(4)
    _, elsewhere = hit_by_a_skull(3)

    def weights(*others: Bot) -> dict[SkullAction, float]:
        bot = new_bot("hard", Random(1), RULES)
        bot.see(seen)
        for other in others:
            other.see(elsewhere)
        return bot.weights(game.view(), game.own_view(1))

    assert weights() == weights(plain("hard")) == weights(plain("normal"), plain("hard"))
    never_told = new_bot("hard", Random(1), RULES)
    assert weights() != never_told.weights(game.view(), game.own_view(1))


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_that_came_late_plays_on_what_it_is_shown(level: Level) -> None:
    game = new_game(3, 4, SkullOptions(first_player=0))
    rng = Random(3)
    for _ in range(200):
        if game.winner() is not None:
            break
        seat = rng.choice(sorted(game.to_act()))
        action = plain(level).decide(game.view(), game.own_view(seat))
        assert action in game.own_view(seat).choices.actions()
        game.apply(seat, action)


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_is_sent_to_another_process_without_its_tables(level: Level) -> None:
    game = new_game(1, 3, SkullOptions(first_player=0))
    bot = plain(level)
    bot.see(game.events_for(game.opening(), None))
    packed = pickle.dumps(bot)
    assert len(packed) < 20_000
    there = pickle.loads(packed)
    view, own = game.view(), game.own_view(1)
    assert there.decide(view, own) == bot.decide(view, own)


# -- habits --------------------------------------------------------------------------------------


@cache
def watch(seats: int) -> "Watched":
    return Watched(seats, 60)


class Watched:
    """Games of normal bots among themselves, with what a spectator may find fault with counted."""

    def __init__(self, seats: int, games: int) -> None:
        self.challenges = self.successes = 0
        self.could_bluff = self.bluffs = self.certain_losses = 0
        for seed in range(games):
            self._play(new_game(seed, seats), [plain("normal", seed * 9 + s) for s in range(seats)])

    def _play(self, game: SkullGame, bots: list[Bot]) -> None:
        events = game.opening()
        while game.winner() is None:
            for bot in bots:
                bot.see(game.events_for(events, None))
            seat = min(game.to_act())
            view, own = game.view(), game.own_view(seat)
            action = bots[seat].decide(view, own)
            self._look(view, own, action)
            events = game.apply(seat, action)
            self.challenges += any(isinstance(event, ChallengeStarted) for event in events)
            self.successes += any(isinstance(event, ChallengeWon) for event in events)

    def _look(self, view: SkullView, own: SkullOwn, action: SkullAction) -> None:
        for_the_game = view.bidder is not None and view.seats[view.bidder].points > 0
        if own.choices.bid is None or for_the_game:
            return
        if isinstance(action, Bid) and self._fails(own, action.amount):
            self.certain_losses += action.amount == view.discs_on_mats
        if own.choices.may_pass and self._fails(own, own.choices.bid[0]):
            self.could_bluff += 1
            self.bluffs += isinstance(action, Bid)

    @staticmethod
    def _fails(own: SkullOwn, amount: int) -> bool:
        return any(map(is_skull, own.stack[::-1][:amount]))


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_bots_do_not_talk_each_other_into_hopeless_challenges(seats: int) -> None:
    watched = watch(seats)
    assert 0.2 < watched.successes / watched.challenges < 0.6


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_raise_that_needs_the_own_skull_is_a_bluff_that_others_can_raise(seats: int) -> None:
    watched = watch(seats)
    assert watched.certain_losses == 0
    assert 0 < watched.bluffs < 0.35 * watched.could_bluff


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("points", "deny"), [(0, False), (1, True)])
def test_a_certain_loss_is_taken_only_to_keep_a_player_from_winning(
    level: Level, points: int, deny: bool
) -> None:
    game = new_game(1, 3, SkullOptions(first_player=0))
    if points:
        for seat in (1, 2, 0):
            game.apply(seat, Place("F"))
        for action in (Bid(1), Pass(), Pass(), Flip(0), Ready(), Ready(), Ready()):
            game.apply(min(game.to_act()), action)
    for seat, disc in ((1, "S"), (2, "F"), (0, "F")):
        game.apply(seat, Place(disc))
    game.apply(0, Bid(2))
    assert game.view().seats[0].points == points
    view, own = game.view(), game.own_view(1)
    did = {plain(level, dice).decide(view, own) for dice in range(100)}
    assert (Bid(3) in did) <= deny
    assert Pass() in did


def opened(mine: str, passes: int = 2) -> SkullGame:
    """Four players of one disc each, the next one's `mine`; seat 0 has bid 1, so many passed."""
    game = new_game(1, 4, SkullOptions(first_player=0))
    for seat in (1, 2, 3, 0):
        game.apply(seat, Place(mine if seat == 1 + passes else "F"))
    game.apply(0, Bid(1))
    for seat in range(1, 1 + passes):
        game.apply(seat, Pass())
    return game


def raises(level: Level, mine: str) -> float:
    game = opened(mine)
    view, own = game.view(), game.own_view(3)
    return sum(isinstance(plain(level, dice).decide(view, own), Bid) for dice in range(100)) / 100


@pytest.mark.parametrize("level", LEVELS)
def test_bots_raise_more_over_a_flower_than_over_their_skull(level: Level) -> None:
    assert raises(level, "S") < raises(level, "F")
    assert raises(level, "F") > 0.3


@pytest.mark.parametrize("level", LEVELS)
def test_the_first_disc_is_sometimes_the_skull(level: Level) -> None:
    game = new_game(1, 4, SkullOptions(first_player=0))
    view, own = game.view(), game.own_view(1)
    skulls = sum(plain(level, dice).decide(view, own) == Place("S") for dice in range(200))
    assert 0.1 * 200 < skulls < 0.7 * 200


def losing(hand: tuple[str, ...]) -> tuple[SkullView, SkullOwn]:
    own = SkullOwn(
        seat=0, hand=hand, stack=(), lost=(), choices=Choices(lose=tuple(dict.fromkeys(hand)))
    )
    return new_game(1, 4).view(), own


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("hand", [("F", "F", "F", "S"), ("2c", "3d", "Kh")])
def test_bots_mostly_keep_the_skull(level: Level, hand: tuple[str, ...]) -> None:
    view, own = losing(hand)
    lost: list[Any] = [plain(level, dice).decide(view, own) for dice in range(200)]
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
    did = Counter(plain("hard", dice).decide(view, own) for dice in range(300))
    assert set(did) == {Ready(), Show(0)}
    assert 0 < did[Show(0)] < 0.25 * 300
    game.apply(3, Show(0))
    assert plain("hard").decide(game.view(), game.own_view(3)) == Ready()


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_with_nothing_to_choose_says_so(level: Level) -> None:
    game = new_game(1, 3, SkullOptions(first_player=0))
    with pytest.raises(ValueError, match="nothing to choose"):
        plain(level).decide(game.view(), game.own_view(0))


# -- characters ----------------------------------------------------------------------------------


def test_every_bot_has_a_name_and_ways_of_its_own() -> None:
    assert len({character.name for character in CHARACTERS}) == len(CHARACTERS) >= 5
    ways = {(each.skull_first, each.opens, each.raises, each.bluffs) for each in CHARACTERS}
    assert len(ways) == len(CHARACTERS)


def chance(character: Character, game: SkullGame, seat: int, kind: type[SkullAction]) -> float:
    bot = new_bot("normal", Random(1), RULES, character)
    weights = bot.weights(game.view(), game.own_view(seat))
    assert sum(weights.values()) == pytest.approx(1)
    return sum(weight for action, weight in weights.items() if isinstance(action, kind))


def test_characters_do_more_often_what_they_like() -> None:
    plain_one = Character("plain")
    first = new_game(1, 4, SkullOptions(first_player=0))
    bot = new_bot("normal", Random(1), RULES, Character("skulls", skull_first=1.5))
    before = new_bot("normal", Random(1), RULES, plain_one)
    skull = Place("S")
    view, own = first.view(), first.own_view(1)
    assert bot.weights(view, own)[skull] > before.weights(view, own)[skull] > 0

    turn = new_game(1, 4, SkullOptions(first_player=0))
    for seat in (1, 2, 3, 0):
        turn.apply(seat, Place("F"))
    eager = Character("opens", opens=1.5)
    assert chance(eager, turn, 0, Bid) > chance(plain_one, turn, 0, Bid) > 0

    bold = Character("raises", raises=1.5)
    unsure = opened("F", passes=1)
    assert chance(bold, unsure, 2, Bid) > chance(plain_one, unsure, 2, Bid) > 0
    bluffer = Character("bluffs", bluffs=1.5)
    assert chance(bluffer, opened("S"), 3, Bid) >= chance(plain_one, opened("S"), 3, Bid)
    assert chance(bluffer, opened("F"), 3, Bid) == chance(plain_one, opened("F"), 3, Bid)
