"""Asking for history: who may look at a game, how much comes at once, and what there is none of."""

from typing import Any

from msgspec.structs import replace
from tests.server.finished_games import Kept, ReplayTwins, looking_back, pages

from skull_protocol.codec import encode
from skull_protocol.pushes import Error, Games, GameSteps, Records, Statistics
from skull_protocol.requests import AskStatistics, GetGame, ListGames, ListRecords
from skull_protocol.skull import Abandon, SkullOptions
from skull_protocol.tables import Opponent
from skull_protocol.text import MAX_NAME_CELLS
from skull_server.games.skull.game import RULES_VERSION
from skull_server.history import (
    MOST_OPPONENTS,
    MOST_STEPS,
    PAGE,
    STEPS_BYTES,
    FinishedGame,
    GameRecord,
    PlayedSeat,
    steps,
)
from skull_server.limits import Limits


def some_record(number: int = 1, *players: int) -> GameRecord:
    """A game that has just begun, as if it were over."""
    sat = tuple(PlayedSeat(player, f"P{player}") for player in players or (1, 2, 3))
    finished = FinishedGame(number, "BCDF", 1000 + number, 0, 1, 0, sat)
    return GameRecord(finished, RULES_VERSION, SkullOptions(), 7, (None,) * len(sat), ())


def test_a_game_can_be_looked_at_by_those_who_played_it_and_by_nobody_else(world: Any) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    kept = Kept()
    kept.games[5] = some_record(5, ann.id, 900)
    world.server.history = looking_back(kept)
    ann.do(GetGame, game=5, first=0)
    before = len(bob.stream)
    theirs = bob.ask(GetGame, game=5, first=0)
    middle = len(bob.stream)
    absent = bob.ask(GetGame, game=6, first=0)
    assert isinstance(theirs, Error)
    assert isinstance(absent, Error)
    assert theirs.code == absent.code == "no_such_game"
    assert theirs.message == absent.message
    assert len(bob.stream) - middle == middle - before, "the lengths would tell which games exist"
    assert not any(isinstance(message, GameSteps) for message in bob.inbox)


def test_games_come_in_pages_newest_first(world: Any) -> None:
    ann = world.player("Ann")
    kept = Kept()
    for number in range(1, PAGE + 6):
        kept.games[number] = some_record(number, ann.id, 900)
    kept.games[99] = some_record(99, 900, 901)
    world.server.history = looking_back(kept)
    ann.do(ListGames, before=None)
    page: Games = ann.last(Games)
    assert [game.game for game in page.games] == list(range(PAGE + 5, 5, -1))
    assert page.more
    ann.do(ListGames, before=6)
    page = ann.last(Games)
    assert [game.game for game in page.games] == [5, 4, 3, 2, 1]
    assert not page.more


def test_without_a_journal_there_is_no_history(world: Any) -> None:
    ann = world.player("Ann")
    ann.do(ListGames, before=None)
    assert ann.last(Games) == Games((), more=False)
    ann.do(ListRecords)
    assert ann.last(Records) == Records(())
    ann.do(AskStatistics)
    assert ann.last(Statistics) == Statistics(0, 0, 0, 0, 0, 0, 0, ())
    assert ann.refused(GetGame, game=1, first=0) == "no_such_game"


def test_a_long_game_comes_in_pages_that_fit() -> None:
    twins = max((ReplayTwins(seed) for seed in range(40)), key=lambda t: len(t.inputs[0]))
    record = next(twins.records())
    votes = [(0, Abandon(agree)) for agree in (True, False)] * 400
    record = replace(
        record,
        finished=replace(record.finished, inputs=len(votes)),
        inputs=votes,
        options=SkullOptions(initial="together", first_player=0),
    )
    found = list(pages(record, 1))
    assert len(found) > 1
    assert sum(len(page.steps) for page in found) == found[0].game.steps == len(votes) + 1
    assert max(len(encode(page)) for page in found) < 256 * 1024
    assert [step for page in found for step in page.steps] == list(steps(record, 1))


def test_the_longest_game_can_be_asked_for_in_one_go() -> None:
    """A client asks for page after page; it must not be cut off for asking too fast."""
    full = max((ReplayTwins(seed) for seed in range(40)), key=lambda twins: twins.seats)
    record = next(full.records())
    votes = [(0, Abandon(number % 2 == 0)) for number in range(MOST_STEPS + 10)]
    record = replace(
        record,
        finished=replace(record.finished, inputs=len(votes)),
        inputs=votes,
        options=SkullOptions(initial="together", first_player=0),
    )
    assert full.seats == 6
    found = list(pages(record, 1))
    assert sum(len(page.steps) for page in found) == found[0].game.steps == MOST_STEPS
    assert len(found) < Limits().request_burst


def test_the_longest_statistics_are_no_longer_than_a_page_of_a_game() -> None:
    met = Opponent("\N{LATIN SMALL LETTER L WITH STROKE}" * MAX_NAME_CELLS, *(10**6,) * 7)
    told = Statistics(*(10**6,) * 7, (met,) * MOST_OPPONENTS)
    assert len(encode(told)) < STEPS_BYTES
    assert Limits().opponents_kept <= MOST_OPPONENTS, "who is kept is shown"


def test_steps_past_the_end_are_none(world: Any) -> None:
    ann = world.player("Ann")
    kept = Kept()
    kept.games[5] = some_record(5, ann.id, 900)
    world.server.history = looking_back(kept)
    ann.do(GetGame, game=5, first=2**31)
    assert ann.last(GameSteps).steps == ()


def test_a_game_by_older_rules_is_refused_and_not_shown_wrongly(world: Any) -> None:
    ann = world.player("Ann")
    kept = Kept()
    kept.games[5] = replace(some_record(5, ann.id, 900), rules_version=0)
    world.server.history = looking_back(kept)
    assert ann.refused(GetGame, game=5, first=0) == "no_such_game"


def test_the_same_question_asked_again_is_answered_in_full(world: Any) -> None:
    ann = world.player("Ann")
    again = ListGames(id=123_456, before=None)
    ann.send(again)
    token = ann.token
    ann.lose()
    back = world.player("?", token)
    back.send(again)
    assert back.count(Games) == 1


def test_the_seed_of_a_game_is_in_no_text_made_of_its_record() -> None:
    record = replace(some_record(), seed=424_242_424_242)
    assert "424242424242" not in repr(record)
