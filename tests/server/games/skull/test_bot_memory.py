"""What bots conclude from what everybody saw: who still owns a skull, and where it may be."""

from collections.abc import Sequence
from random import Random

import pytest

from skull_protocol.skull import (
    Bid,
    Disc,
    Flip,
    Lose,
    Pass,
    Pick,
    Place,
    Ready,
    SkullAction,
    SkullOptions,
)
from skull_server.games.skull.bots.beliefs import Beliefs, feature
from skull_server.games.skull.bots.habits import FirstDisc, Habits
from skull_server.games.skull.bots.knowledge import knowledge
from skull_server.games.skull.bots.levels import Level, new_bot
from skull_server.games.skull.bots.mats import IN_HAND, NO_SKULL
from skull_server.games.skull.bots.memory import Memory
from skull_server.games.skull.bots.posterior import Where, posterior
from skull_server.games.skull.game import SkullGame

RULES = SkullOptions(first_player=0)
FIRST = [(1, Place("F")), (2, Place("S")), (0, Place("F"))]


class Shown:
    """A game of three, and a memory of what everybody saw of it."""

    def __init__(self, rules: SkullOptions = RULES, seats: int = 3) -> None:
        self.game = SkullGame(rules, seats, Random(5), [None] * seats)
        self.memory = Memory(rules)
        self.memory.see(self.game.opening())

    def do(self, *steps: tuple[int, SkullAction]) -> None:
        for seat, action in steps:
            events = self.game.apply(seat, action)
            self.memory.see([self.game.event_for(event, None) for event in events])

    def owns(self, seat: int) -> float:
        return self.memory.owns(self.game.view(), seat)

    def wheres(self, seat: int) -> list[Where]:
        view, own = self.game.view(), self.game.own_view(seat)
        return posterior(view, own, self.memory, knowledge()).wheres


def failed_on(owner: int, rules: SkullOptions = RULES) -> Shown:
    """Seat 0 has bid 2 and flips the skull of seat 2, or its own."""
    shown = Shown(rules)
    mine = Place("S" if owner == 0 else "F")
    shown.do((1, Place("F")), (2, Place("S")), (0, mine), (0, Bid(2)), (1, Pass()), (2, Pass()))
    shown.do((0, Flip(0)))
    if owner == 2:
        shown.do((0, Flip(2)))
    return shown


def test_a_skull_taken_blind_is_as_likely_as_any_disc() -> None:
    shown = failed_on(2)
    assert shown.owns(0) == 1
    shown.do((2, Pick(0)))
    assert shown.owns(0) == pytest.approx(3 / 4)
    assert shown.owns(2) == 1
    assert shown.owns(1) == 1


def test_who_chooses_what_to_lose_mostly_keeps_the_skull() -> None:
    shown = failed_on(0)
    shown.do((0, Lose("F")))
    assert shown.owns(0) == pytest.approx(0.9)
    drawn = failed_on(0, SkullOptions(first_player=0, own_skull="random"))
    assert drawn.owns(0) == pytest.approx(3 / 4)


def test_a_skull_that_is_seen_is_owned_whatever_was_thought() -> None:
    shown = failed_on(2)
    shown.do((2, Pick(0)))
    shown.do(*[(seat, Ready()) for seat in range(3)])
    assert shown.owns(0) < 1
    lost = shown.game.own_view(0).lost
    if lost != ("S",):
        shown.do((1, Place("F")), (2, Place("F")), (0, Place("S")))
        shown.do((0, Bid(1)), (1, Bid(2)), (2, Pass()), (0, Pass()), (1, Flip(1)), (1, Flip(0)))
        assert shown.owns(0) == 1


def test_a_memory_that_came_late_goes_by_the_discs_left() -> None:
    shown = failed_on(2)
    shown.do((2, Pick(0)))
    late = Memory(RULES)
    assert 0.5 < late.owns(shown.game.view(), 0) < 1
    assert late.owns(shown.game.view(), 1) == 1


def adds_up(wheres: Sequence[Where]) -> None:
    for where in wheres:
        assert sum(where.values()) == pytest.approx(1)
        assert min(where.values()) >= 0


def test_the_own_skull_is_known_and_others_may_be_anywhere_they_were_not_seen() -> None:
    shown = Shown()
    shown.do(*FIRST)
    wheres = shown.wheres(2)
    adds_up(wheres)
    assert wheres[2] == {1: 1.0}
    assert set(wheres[0]) == set(wheres[1]) == {IN_HAND, 1}
    assert 0.1 < wheres[1][1] < 0.7


def test_who_passes_over_a_low_bid_is_likelier_to_lie_on_the_skull_than_who_raises() -> None:
    def skull_of_seat_1(action: SkullAction) -> float:
        shown = Shown()
        shown.do(*FIRST, (0, Bid(1)), (1, action))
        wheres = shown.wheres(2)
        adds_up(wheres)
        return wheres[1][1]

    assert skull_of_seat_1(Pass()) > 0.5 > skull_of_seat_1(Bid(2))


def test_a_flower_that_was_flipped_is_no_skull() -> None:
    shown = Shown()
    shown.do((1, Place("F")), (2, Place("F")), (0, Place("F")))
    shown.do((0, Place("F")), (1, Place("S")), (2, Place("F")), (0, Bid(4)), (1, Pass()))
    shown.do((2, Pass()), (0, Flip(0)), (0, Flip(0)), (0, Flip(2)))
    wheres = shown.wheres(0)
    adds_up(wheres)
    assert 2 not in wheres[2]
    assert {1, 2} <= set(wheres[1])
    assert NO_SKULL not in wheres[1]


def test_without_having_seen_the_round_the_looks_of_the_stacks_are_all_there_is() -> None:
    shown = Shown()
    shown.do(*FIRST, (0, Bid(1)))
    shown.memory = Memory(RULES)
    wheres = shown.wheres(1)
    adds_up(wheres)
    assert set(wheres[0]) >= {IN_HAND, 1}


# -- how others play -----------------------------------------------------------------------------


def test_an_earlier_round_is_kept_as_it_began() -> None:
    shown = failed_on(owner=2)
    shown.do((2, Pick(0)), *[(seat, Ready()) for seat in range(3)])
    shown.do((1, Place("F")), (2, Place("F")), (0, Place("F")), (0, Bid(3)))
    for _ in range(3):
        shown.do((0, Flip(shown.game.own_view(0).choices.flip[0])))
    shown.do(*[(seat, Ready()) for seat in range(3)])
    first, second = shown.memory.rounds
    assert first.seats == second.seats == [0, 1, 2]
    assert (first.starter, first.points, first.discs) == (0, [0, 0, 0], [4, 4, 4])
    assert (second.points, second.discs) == ([0, 0, 0], [3, 4, 4])
    assert [move.amount for move in second.moves] == [-1, -1, -1, 3]
    assert first.seen == [{1: False}, {}, {1: True}]
    assert second.seen == [{1: False}, {1: False}, {1: False}]


def test_the_discs_of_a_stack_are_seen_from_the_top() -> None:
    shown = Shown()
    shown.do((1, Place("F")), (2, Place("S")), (0, Place("F")))
    shown.do((0, Place("F")), (1, Place("F")), (2, Place("F")), (0, Bid(4)))
    shown.do((1, Pass()), (2, Pass()), (0, Flip(0)), (0, Flip(0)), (0, Flip(2)), (0, Flip(2)))
    shown.do((2, Pick(0)), *[(seat, Ready()) for seat in range(3)])
    shown.do((1, Place("F")), (2, Place("F")), (0, Place("F")), (0, Bid(3)))
    shown.do((0, Flip(0)), (0, Flip(1)), (0, Flip(2)))
    shown.do(*[(seat, Ready()) for seat in range(3)])
    assert shown.memory.rounds[0].seen == [{2: False, 1: False}, {}, {2: False, 1: True}]


def skull_chance(of_rounds: int, lays: Disc) -> float:
    """How likely seat 2 has just laid the skull first, once it was seen to lay this so often."""
    shown = Shown()
    for _ in range(of_rounds):
        owner = 2 if lays == "S" else 1
        shown.do((1, Place("S" if owner == 1 else "F")), (2, Place(lays)), (0, Place("F")))
        if owner == 1:
            shown.do((0, Bid(3)), (0, Flip(0)), (0, Flip(2)), (0, Flip(1)))
        else:
            shown.do((0, Bid(2)), (1, Pass()), (2, Pass()), (0, Flip(0)), (0, Flip(2)))
        shown.do((owner, Pick(0)), *[(seat, Ready()) for seat in range(3)])
    shown.do(*[(seat, Place("F")) for seat in (1, 2, 0)])
    wheres = shown.wheres(1)
    adds_up(wheres)
    return wheres[2][1]


def test_who_was_seen_to_lay_the_skull_first_is_thought_to_do_so_again() -> None:
    flowers, nothing = skull_chance(2, "F"), skull_chance(0, "F")
    once, twice = skull_chance(1, "S"), skull_chance(2, "S")
    assert flowers < nothing - 0.1
    assert nothing + 0.1 < once < twice < 1


def test_what_somebody_lays_first_is_learned_for_each_occasion_alone() -> None:
    habits = Habits()
    often = [FirstDisc(begins, point, 0.4) for begins in (False, True) for point in (False, True)]
    before = [habits.skull_chance(first) for first in often]
    assert before == [pytest.approx(0.4, abs=0.1)] * 4
    for _ in range(3):
        habits.laid(often[0], 1.0)
    assert habits.skull_chance(often[0]) > 0.8
    assert [habits.skull_chance(first) for first in often[1:]] == before[1:]


def test_a_first_disc_of_which_nothing_was_found_out_teaches_nothing() -> None:
    habits = Habits()
    first = FirstDisc(begins=False, point=False, usual=0.3)
    before = habits.skull_chance(first)
    habits.laid(first, before)
    assert habits.skull_chance(first) == pytest.approx(before)


def careless(level: Level) -> float:
    """How careless a hard bot takes two of this level to be, on average, after five rounds."""
    reckoned: list[float] = []
    for seed in range(12):
        rules = SkullOptions(first_player=0)
        game = SkullGame(rules, 3, Random(seed), [None] * 3)
        bots = [new_bot(level, Random(f"{seed} {seat}"), rules) for seat in range(3)]
        memory = Memory(rules)
        events = game.opening()
        while game.winner() is None:
            shown = [game.event_for(event, None) for event in events]
            memory.see(shown)
            for bot in bots:
                bot.see(shown)
            seat = min(game.to_act())
            view, own = game.view(), game.own_view(seat)
            if len(memory.rounds) == 5 and own.choices.place:
                found = posterior(view, own, memory, knowledge()).careless
                reckoned.append(sum(found) / (len(found) - 1))
                break
            events = game.apply(seat, bots[seat].decide(view, own))
    return sum(reckoned) / len(reckoned)


def test_who_is_often_carried_away_is_told_from_who_plays_the_table() -> None:
    assert careless("easy") > careless("normal") + 0.3


def test_how_a_stack_looks_does_not_hang_on_what_was_asked_before() -> None:
    seen = feature(still_in=3, discs=4, height=2, done=0)
    asked = Beliefs({})
    asked.flowers(seen, 0.747)
    assert asked.flowers(seen, 0.75) == Beliefs({}).flowers(seen, 0.75)
