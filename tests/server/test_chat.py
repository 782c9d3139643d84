"""Chat: who may talk, how fast, and who no longer hears whom."""

from collections.abc import Callable
from typing import Any

from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Chat, Error, Ok
from skull_protocol.requests import (
    JoinTable,
    LeaveTable,
    Mute,
    Ping,
    Say,
    SayPhrase,
    WatchTable,
)
from skull_protocol.tables import TableOptions
from skull_server.limits import Limits


def heard(peer: Any) -> list[str]:
    return [message.text for message in peer.inbox if isinstance(message, Chat)]


def test_who_is_muted_is_heard_by_all_others(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1)
    seen = [len(bob.inbox), len(eve.inbox)]
    ann.do(Mute, player=bob.id, muted=True)
    ann.do(Mute, player=bob.id, muted=True)
    assert [len(bob.inbox), len(eve.inbox)] == seen, "nobody is told who mutes whom"
    bob.do(Say, text="one")
    eve.do(Say, text="two")
    assert heard(ann) == ["two"]
    assert heard(bob) == heard(eve) == ["one", "two"]
    ann.do(Mute, player=bob.id, muted=False)
    bob.do(Say, text="three")
    assert heard(ann) == ["two", "three"]


def test_mute_holds_across_connections_and_ends_with_leaving(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1)
    code = world.server.lobby.table_of(ann.connection.session).code
    eve.do(Mute, player=bob.id, muted=True)
    eve.lose()
    eve = world.player("Cem", eve.token)
    bob.do(Say, text="one")
    assert heard(eve) == []
    eve.do(LeaveTable)
    eve.do(WatchTable, code=code)
    bob.do(Say, text="two")
    assert heard(eve) == ["two"]
    ann.do(Mute, player=eve.id, muted=True)
    eve.do(LeaveTable)
    eve.do(WatchTable, code=code)
    eve.do(Say, text="three")
    assert "three" not in heard(ann), "who is muted cannot get out of it by coming back"


def test_only_people_at_the_table_can_be_muted(world: Any) -> None:
    ann, bob = world.table(players=2, bots=1)
    far = world.player("Far")
    for player in (far.id, ann.id, 10**6):
        assert ann.refused(Mute, player=player, muted=True) == "no_such_player"
    assert far.refused(Mute, player=ann.id, muted=True) == "not_at_table"
    ann.do(Mute, player=bob.id, muted=False)


def test_mutes_are_numbered(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(mutes=2))
    ann, *others = world.table(players=4)
    for other in others:
        ann.do(Mute, player=other.id, muted=True)
    for number, other in enumerate(others):
        other.do(Say, text=str(number))
    assert heard(ann) == ["0"], "of too many, the first muted is heard again"


def test_who_talks_too_fast_is_refused_and_stays(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(chat_burst=3, chat_seconds=6))
    ann, bob = world.table(players=2)
    for number in range(3):
        ann.do(Say, text=str(number))
    answer = ann.ask(Say, text="too much")
    assert isinstance(answer, Error)
    assert answer.code == "too_much_chat"
    world.time.advance(0)
    assert ann.open
    bob.do(Say, text="mine")
    assert heard(bob) == ["0", "1", "2", "mine"]
    world.time.advance(2)
    ann.do(Say, text="3")
    assert ann.refused(Say, text="4") == "too_much_chat"
    assert isinstance(ann.ask(Ping), Ok)


def test_going_out_and_in_buys_no_more_talk(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(chat_burst=3, chat_seconds=60))
    ann, bob = world.table(players=2, start=False)
    code = world.server.lobby.table_of(ann.connection.session).code
    for _ in range(3):
        bob.do(Say, text="spam")
    bob.do(LeaveTable)
    bob.do(JoinTable, code=code)
    assert bob.refused(Say, text="spam") == "too_much_chat"
    bob.lose()
    bob = world.player("Bob", bob.token)
    assert bob.refused(Say, text="spam") == "too_much_chat"


def test_unfit_lines_do_not_use_up_the_allowance(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(chat_burst=1))
    ann, _bob = world.table(players=2)
    for _ in range(5):
        assert ann.refused(Say, text="\x1b[2J") == "bad_text"
    ann.do(Say, text="hello")


def test_watchers_talk_only_where_they_may(world: Any) -> None:
    quiet = TableOptions(min_seats=2, watchers_talk=False)
    ann, bob, eve = world.table(players=2, watchers=1, options=quiet)
    assert eve.refused(Say, text="psst") == "no_chat"
    bob.do(Say, text="hello")
    assert heard(eve) == heard(ann) == ["hello"]


def test_phrases_travel_as_codes(new_world: Callable[..., Any]) -> None:
    ann, bob, eve = new_world(Limits(chat_burst=99)).table(players=2, watchers=1)
    for phrase in PHRASES:
        ann.do(SayPhrase, phrase=phrase)
    for person in (ann, bob, eve):
        said = [message for message in person.inbox if isinstance(message, Chat)]
        assert said == [Chat(ann.id, "Ann", "", phrase) for phrase in PHRASES]


def test_phrases_are_talk(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(chat_burst=3, chat_seconds=60))
    quiet = TableOptions(min_seats=2, watchers_talk=False)
    ann, bob, eve = world.table(players=2, watchers=1, options=quiet)
    assert eve.refused(SayPhrase, phrase="thanks") == "no_chat"
    bob.do(Mute, player=ann.id, muted=True)
    ann.do(SayPhrase, phrase="thanks")
    ann.do(Say, text="thanks")
    ann.do(SayPhrase, phrase="hurry")
    assert ann.refused(SayPhrase, phrase="ouch") == "too_much_chat"
    assert ann.refused(Say, text="ouch") == "too_much_chat"
    assert heard(bob) == []
    assert heard(eve) == ["", "thanks", ""]
    assert world.player("Far").refused(SayPhrase, phrase="thanks") == "not_at_table"
