"""What the client asks by itself once it is let in."""

import msgspec

from skull_client.opening import Opening, Step
from skull_protocol.codec import BadMessage
from skull_protocol.pushes import Error
from skull_protocol.requests import (
    REQUESTS,
    AddBot,
    CreateTable,
    JoinTable,
    Request,
    StartGame,
    WatchTable,
)
from skull_protocol.tables import TableOptions


def kinds(opening: Opening) -> list[type[Request]]:
    return [step.request for step in opening.steps(at_table=False)]


def test_the_lobby_needs_nothing() -> None:
    assert kinds(Opening()) == []


def test_a_table_is_joined() -> None:
    assert Opening(table="BCDF").steps(at_table=False) == (Step(JoinTable, {"code": "BCDF"}),)


def test_with_bots_a_table_is_made_and_friends_are_waited_for() -> None:
    assert kinds(Opening(bots=2)) == [CreateTable, AddBot, AddBot]
    assert Opening(bots=2).steps(at_table=False)[0].fields == {"options": TableOptions()}


def test_playing_here_starts_at_once_with_any_number_of_bots() -> None:
    for bots in range(1, 6):
        opening = Opening(bots=bots, start_now=True)
        assert kinds(opening) == [CreateTable, *[AddBot] * bots, StartGame]
        options = opening.steps(at_table=False)[0].fields["options"]
        assert isinstance(options, TableOptions)
        assert options.min_seats <= bots + 1 <= options.max_seats
        assert options.turn_seconds == 0, "nobody waits for a player who is alone"


def test_every_step_is_a_request_that_the_protocol_takes() -> None:
    for opening in (Opening(table="BCDF"), Opening(bots=5, start_now=True)):
        for step in opening.steps(at_table=False):
            body = msgspec.msgpack.encode(step.request(id=1, **step.fields))
            try:
                REQUESTS.parse(body)
            except BadMessage as fault:  # pragma: no cover - the failure of this test
                raise AssertionError(step) from fault


def test_whoever_came_back_to_a_table_stays_there() -> None:
    assert Opening(table="BCDF").steps(at_table=True) == ()
    assert Opening(bots=3, start_now=True).steps(at_table=True) == ()


def test_a_table_without_room_is_watched_and_other_refusals_stand() -> None:
    opening = Opening(table="BCDF")
    (join,) = opening.steps(at_table=False)
    watch = Step(WatchTable, {"code": "BCDF"})
    assert opening.instead(join, Error(1, "table_full", "Full.")) == watch
    assert opening.instead(join, Error(1, "game_running", "Running.")) == watch
    assert opening.instead(join, Error(1, "no_such_table", "None.")) is None
    assert opening.instead(watch, Error(1, "table_full", "Full.")) is None
