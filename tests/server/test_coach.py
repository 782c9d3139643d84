"""The coach: what a hard bot would do, told to whoever plays alone with bots and to nobody else."""

import random
from typing import Any

from msgspec.structs import replace

from skull_protocol.pushes import Advice, GameReview, Ok, Table, Update
from skull_protocol.requests import AskCoach, ReviewGame, WatchTable
from skull_protocol.skull import (
    Abandon,
    Bid,
    Pass,
    Place,
    Ready,
    Show,
    SkullAction,
    SkullOptions,
    SkullOwn,
    SkullView,
)
from skull_protocol.tables import TableOptions
from skull_server.coach import Counsel, Missed, Moment, Review
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.game import SkullGame
from skull_server.history import FinishedGame, GameRecord, History, PlayedSeat
from skull_server.thinking import QuickMind, Thought

RULES = SkullOptions(first_player=0, initial="together")
COACHED = TableOptions(min_seats=2, rules=RULES, coach=True)


WORTHS = {Bid(1): 0.8, Place("F"): 0.3}


class Reckons(Bot):
    """Thinks that to bid 1 wins, to place a flower rarely, and everything else never."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        return own.choices.actions()[0]

    def worths(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        if not own.stack:
            return {}
        return {action: WORTHS.get(action, 0.0) for action in own.choices.actions()}


def scene(placed: bool) -> tuple[SkullView, SkullOwn]:
    game = SkullGame(RULES, 3, random.Random(1))
    for seat in range(3) if placed else ():
        game.apply(seat, Place("F"))
    return game.view(), game.own_view(0)


def bot() -> Reckons:
    return Reckons(random.Random(1), RULES)


def test_it_says_what_is_worth_most_and_how_likely_that_wins() -> None:
    advised = Counsel(*scene(placed=True))(bot())
    assert (advised.action, advised.chance) == (Bid(1), 0.8)


def test_where_it_does_not_reckon_it_says_what_it_would_do() -> None:
    advised = Counsel(*scene(placed=False))(bot())
    assert (advised.action, advised.chance) == (Place("F"), None)


def test_a_review_names_the_dearest_decisions_first_and_leaves_out_what_cost_little() -> None:
    view, own = scene(placed=True)
    done = [Place("F"), Bid(1), Bid(2), Pass(), Place("S")]
    moments = [Moment(step, (), view, own, action) for step, action in enumerate(done, 1)]
    found = Review(moments, most=3, least=0.2)(bot())
    assert found == (Missed(3, Bid(1), 0.8), Missed(5, Bid(1), 0.8), Missed(1, Bid(1), 0.5))
    assert Review(moments, most=3, least=0.9)(bot()) == ()


def coached(world: Any, options: TableOptions = COACHED) -> Any:
    (ann,) = world.table(players=1, bots=2, options=options)
    return ann


def test_who_plays_alone_with_bots_is_advised_about_their_own_turn(world: Any) -> None:
    ann = coached(world)
    assert isinstance(ann.ask(AskCoach), Ok)
    advice = ann.last(Advice)
    update = ann.last(Update)
    assert advice.seq == update.seq
    assert advice.action in update.you.choices.actions()
    ann.act(Place("F"))
    while update.view.phase == "initial" or 0 not in update.view.to_act:
        world.wait(1, ann)
        update = ann.last(Update)
    ann.do(AskCoach)
    assert ann.last(Advice).seq == update.seq
    assert 0 <= ann.last(Advice).chance <= 100


def test_there_is_no_advice_unless_the_table_has_it(world: Any) -> None:
    ann = coached(world, replace(COACHED, coach=False))
    assert ann.refused(AskCoach) == "no_coach"
    assert not TableOptions().coach


def test_there_is_no_advice_with_other_people_there_not_even_watching(world: Any) -> None:
    ann, _ = world.table(players=2, bots=1, options=COACHED)
    assert ann.refused(AskCoach) == "no_coach"


def test_there_is_no_advice_while_somebody_watches(world: Any) -> None:
    ann = coached(world)
    watcher = world.player("Wes")
    watcher.do(WatchTable, code=ann.last(Table).code)
    assert ann.refused(AskCoach) == "no_coach"
    assert watcher.refused(AskCoach) == "not_seated"


def test_there_is_no_advice_while_others_are_to_act(world: Any) -> None:
    ann = coached(world)
    ann.act(Place("F"))
    assert ann.refused(AskCoach) == "not_your_turn"


def test_advice_goes_to_who_asked_and_to_nobody_else(world: Any) -> None:
    ann, stranger = coached(world), world.player("Bob")
    before = len(stranger.stream)
    ann.do(AskCoach)
    assert len(stranger.stream) == before


class LateMind:
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def ask(self, bot: Bot, question: Any) -> Thought[Any]:
        self.asked.append((bot, question, Thought()))
        return self.asked[-1][2]  # type: ignore[no-any-return]

    def settle(self) -> None:
        asked, self.asked = self.asked, []
        for bot, question, thought in asked:
            thought.settle(question(bot))

    def close(self) -> None:
        """There is nothing to end."""


def game_with_bots(*others: int) -> GameRecord:
    """Seat 0 is player 1's; the others are bots, or these people."""
    rng = random.Random(3)
    game, inputs = SkullGame(RULES, 3, random.Random(7)), []
    while game.winner() is None:
        seat = min(game.to_act())
        likely = [a for a in game.legal_actions(seat) if not isinstance(a, Abandon | Show)]
        action = Ready() if Ready() in likely else rng.choice(likely)
        game.apply(seat, action)
        inputs.append((seat, action))
    people = (1, *others, None, None)[:3]
    seats = tuple(PlayedSeat(player, f"P{player}") for player in people)
    finished = FinishedGame(9, "BCDF", 0, game.winner() or 0, 1, len(inputs), seats)
    return GameRecord(finished, game.rules_version, RULES, 7, (None,) * 3, tuple(inputs))


class Kept:
    """One finished game."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record

    def load(self, game: int) -> GameRecord | None:
        return self.record if game == 9 else None


def test_a_review_names_decisions_of_the_player_and_what_was_better(world: Any) -> None:
    record = game_with_bots()
    world.server.history = History(Kept(record), QuickMind(), world.server.inputs.run)
    ann = world.player("Ann")
    assert ann.id == 1
    ann.do(ReviewGame, game=9)
    review = ann.last(GameReview)
    assert review.game == 9
    assert 0 < len(review.missed) <= 3
    for missed in review.missed:
        seat, done = record.inputs[missed.step - 1]
        assert seat == 0
        assert missed.better != done
        assert 5 <= missed.cost <= 100
    again = world.player("Bea")
    assert again.refused(ReviewGame, game=9) == "no_such_game"
    ann.do(ReviewGame, game=9)
    assert ann.last(GameReview) == review, "the same game, the same review"


def test_a_game_with_other_people_is_not_reviewed(world: Any) -> None:
    world.server.history = History(Kept(game_with_bots(2)), QuickMind(), world.server.inputs.run)
    assert world.player("Ann").refused(ReviewGame, game=9) == "no_coach"


def test_one_review_at_a_time_however_often_it_is_asked_for(world: Any) -> None:
    mind = LateMind()
    world.server.history = History(Kept(game_with_bots()), mind, world.server.inputs.run)
    ann = world.player("Ann")
    for _ in range(5):
        ann.do(ReviewGame, game=9)
    assert len(mind.asked) == 1
    assert ann.count(GameReview) == 0
    mind.settle()
    assert ann.count(GameReview) == 1
