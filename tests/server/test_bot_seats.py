"""Bots at the table: they act in their time, which tells nothing, and agree to abandon."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.requests import AddBot
from skull_protocol.skull import (
    Abandon,
    Choices,
    Place,
    Placed,
    Ready,
    SkullAction,
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
)
from skull_protocol.tables import TableOptions
from skull_server.bot_seats import BotSeats
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.table import TableBot
from skull_server.games.skull.game import SkullGame
from skull_server.inputs import Inputs
from skull_server.thinking import QuickMind, Thought

OPTIONS = TableOptions(min_seats=2, rules=SkullOptions(first_player=0))


def test_a_bot_takes_half_to_one_and_a_half_of_its_delay(world: Any) -> None:
    (ann,) = world.table(players=1, bots=3, options=OPTIONS)
    delay = world.limits.bot_delay
    world.time.advance(delay * 0.5 - 0.01)
    assert ann.last(Update).seq == 0
    world.time.advance(delay + 0.02)
    assert [len(seat.stack) for seat in ann.last(Update).view.seats] == [0, 1, 1, 1]


class Waiter(Bot):
    """Lays a flower, after using up as much chance as it is told to."""

    draws = 0

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        for _ in range(self.draws):
            self.rng.random()
        return Place("F")


class Moves(list[Any]):
    """Called when a bot moves: seat, action and time."""

    def __init__(self, time: Any) -> None:
        self._time = time

    def made(self, seat: int, action: SkullAction | None) -> None:
        self.append((seat, action, round(self._time.time(), 6)))


def seated(world: Any, draws: int = 0, mind: Any = None) -> tuple[Any, BotSeats, Moves]:
    """A bot in seat 0, and the moves that it makes: seat, action and time."""
    inputs: Inputs = Inputs(world.time)
    moves = Moves(world.time)
    bots = BotSeats(inputs, mind or QuickMind(), 1.0)
    bot = Waiter(random.Random(1), SkullOptions())
    bot.draws = draws
    bots.seat(0, bot, random.Random(5))
    return inputs, bots, moves


def scene() -> tuple[SkullView, list[SkullOwn]]:
    game = SkullGame(SkullOptions(first_player=0), 3, random.Random(1))
    return game.view(), [game.own_view(seat) for seat in range(3)]


def test_the_time_a_bot_takes_does_not_hang_on_its_decisions(world: Any) -> None:
    """However much chance the player uses up, the pace stays."""
    view, owns = scene()
    (_, some, moves), (_, more, others) = seated(world), seated(world, draws=17)
    for _ in range(20):
        some.wake({0}, view, owns, moves.made)
        more.wake({0}, view, owns, others.made)
        world.time.advance(2)
    assert len(moves) == 20
    assert moves == others
    assert len({round(at % 2, 3) for *_, at in moves}) > 15, "it varies"


def test_a_bot_that_is_not_awaited_any_more_does_not_act(world: Any) -> None:
    inputs, bots, moves = seated(world)
    bots.wake({0}, *scene(), moves.made)
    bots.wake(set(), *scene(), moves.made)
    world.time.advance(5)
    assert not moves
    assert not inputs.timers


def test_a_bot_that_is_sent_away_while_it_thinks_does_not_act(world: Any) -> None:
    inputs, bots, moves = seated(world)
    bots.wake({0}, *scene(), moves.made)
    bots.unseat(0)
    bots.unseat(1)
    assert not bots.seats()
    assert not inputs.timers
    world.time.advance(5)
    assert not moves


class SlowMind:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.thoughts: list[Thought[Any]] = []

    def ask(self, bot: Bot, question: Any) -> Thought[Any]:
        self.thoughts.append(Thought())
        return self.thoughts[-1]

    def close(self) -> None:
        """There is nothing to end."""


def test_a_bot_whose_thought_comes_late_acts_as_soon_as_it_has_come(world: Any) -> None:
    mind = SlowMind()
    _, bots, moves = seated(world, mind=mind)
    bots.wake({0}, *scene(), moves.made)
    world.time.advance(5)
    assert not moves
    mind.thoughts[0].settle(Place("S"))
    world.time.advance(0)
    assert [action for _, action, _ in moves] == [Place("S")]


def test_a_thought_about_what_can_no_longer_be_chosen_is_not_acted_upon(world: Any) -> None:
    mind = SlowMind()
    _, bots, moves = seated(world, mind=mind)
    view, owns = scene()
    bots.wake({0}, view, owns, moves.made)
    bots.wake({0}, view, [replace(owns[0], choices=Choices(place=("F",))), *owns[1:]], moves.made)
    mind.thoughts[0].settle(Place("S"))
    mind.thoughts[1].settle(Place("F"))
    world.time.advance(5)
    assert [action for _, action, _ in moves] == [Place("F")]


def test_a_late_thought_of_a_bot_that_is_not_awaited_any_more_is_dropped(world: Any) -> None:
    mind = SlowMind()
    inputs, bots, moves = seated(world, mind=mind)
    bots.wake({0}, *scene(), moves.made)
    world.time.advance(5)
    bots.wake(set(), *scene(), moves.made)
    mind.thoughts[0].settle(Place("S"))
    world.time.advance(5)
    assert not moves
    assert not inputs.timers


def test_a_bot_is_told_what_all_have_seen_also_from_before_it_sat_down(world: Any) -> None:
    seen: list[SkullEvent] = []

    class Watcher(Waiter):
        def see(self, events: Sequence[SkullEvent]) -> None:
            seen.extend(events)

    _, bots, _ = seated(world)
    before, after = Placed(1, None), Placed(2, None)
    bots.tell([before])
    bots.seat(1, Watcher(random.Random(1), SkullOptions()), random.Random(1))
    bots.tell([after])
    assert seen == [before, after]


def test_a_bot_that_fails_does_the_rules_default_and_the_table_goes_on(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("nothing to choose")

    monkeypatch.setattr(TableBot, "decide", fail)
    (ann,) = world.table(players=1, bots=2, options=OPTIONS)
    world.wait(5, ann)
    assert [len(seat.stack) for seat in ann.last(Update).view.seats] == [0, 1, 1]


def test_a_bot_has_the_level_that_it_was_given_for_all_to_see(world: Any) -> None:
    (ann,) = world.table(players=1, bots=0, start=False, options=OPTIONS)
    for level in ("easy", "normal", "hard"):
        assert isinstance(ann.ask(AddBot, level=level), Ok)
    assert [seat.level for seat in ann.last(Table).seats] == [None, "easy", "normal", "hard"]


def test_bots_agree_to_abandon_once_all_people_do(world: Any) -> None:
    ann, bob = world.table(players=2, bots=2, options=OPTIONS)
    bob.act(Place("F"))
    assert isinstance(ann.act(Abandon(True)), Ok)
    assert [seat.agrees for seat in bob.last(Update).view.seats] == [True, False, False, False]
    assert isinstance(bob.act(Abandon(True)), Ok)
    view = bob.last(Update).view
    assert [seat.agrees for seat in view.seats] == [False] * 4
    assert [seat.stack for seat in view.seats] == [()] * 4


def test_one_person_among_bots_plays_whole_games(new_world: Callable[..., Any]) -> None:
    for seed in range(3):
        world = new_world(seed=seed)
        (ann,) = world.table(players=1, bots=4, options=OPTIONS)
        rng = random.Random(seed)
        while ann.last(Table).stage == "playing":
            update = ann.last(Update)
            choices = update.you.choices
            if 0 in update.view.to_act:
                wanted = [a for a in choices.actions() if not isinstance(a, Abandon)]
                action = Ready() if choices.ready else rng.choice(wanted)
                assert isinstance(ann.act(action), Ok)
            else:
                world.wait(1, ann)
            assert update.seq < 1000
        assert ann.last(Update).view.winner is not None
        world.wait(5, ann)
        assert ann.last(Table).stage == "finished"
