"""A player who lost their client comes back on another terminal with a short code."""

import re
from typing import Any

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Error, Goodbye, Ok, ResumeCode, Welcome
from skull_protocol.requests import AskResumeCode, Hello


def asked(peer: Any) -> str:
    peer.do(AskResumeCode)
    told = peer.last(ResumeCode)
    assert told.seconds == 300
    assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{8}", told.code)
    return str(told.code)


def say(peer: Any, code: str) -> Any:
    return peer.ask(Hello, protocol=PROTOCOL_VERSION, name="x", token=None, code=code)


def refused(peer: Any, code: str) -> str:
    answer = say(peer, code)
    assert isinstance(answer, Error)
    assert answer.message
    return answer.code


def test_with_the_code_another_terminal_has_the_seat(world: Any) -> None:
    ann, bob = world.table(players=2)
    code = asked(bob)
    other = world.peer("10.0.0.2")
    assert isinstance(say(other, code), Ok)
    welcome = other.last(Welcome)
    assert (welcome.player, welcome.name, welcome.resumed) == (bob.id, "Bob", True)
    assert other.seat == 1
    assert isinstance(bob.inbox[-1], Goodbye)
    assert not bob.inbox[-1].retry
    world.wait(200, ann, other)
    assert world.player("Bob", other.token).seat == 1


def test_a_code_is_told_to_who_asked_and_to_nobody_else(world: Any) -> None:
    ann, bob = world.table(players=2)
    code = asked(bob)
    assert code.encode() not in ann.stream
    assert ann.count(ResumeCode) == 0


def test_a_code_works_once_and_however_it_is_typed(world: Any) -> None:
    ann = world.player("Ann")
    code = asked(ann)
    assert isinstance(say(world.peer(), f" {code[:4].lower()}-{code[4:]} "), Ok)
    assert refused(world.peer(), code) == "bad_code"


def test_a_newer_code_voids_the_older_one(world: Any) -> None:
    ann = world.player("Ann")
    older, newer = asked(ann), asked(ann)
    assert refused(world.peer(), older) == "bad_code"
    assert isinstance(say(world.peer(), newer), Ok)


def test_a_code_is_good_for_five_minutes(world: Any) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    first, second = asked(ann), asked(bob)
    world.wait(299, ann, bob)
    assert isinstance(say(world.peer(), first), Ok)
    world.wait(2, bob)
    assert refused(world.peer(), second) == "bad_code"


def test_the_old_tokens_hold_until_the_new_one_is_used(world: Any) -> None:
    """Otherwise a welcome lost on the way to the other terminal would lock the player out."""
    ann = world.player("Ann")
    code = asked(ann)
    other = world.peer()
    other.reads = False
    say(other, code)
    back = world.player("Ann", ann.token)
    assert back.id == ann.id
    newest = world.player("Ann", back.token)
    assert newest.id == ann.id
    assert world.peer().hello("x", ann.token).code == "bad_token"


def test_who_tries_wrong_codes_must_wait_and_others_need_not(world: Any) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    code = asked(ann)
    for _ in range(world.limits.code_tries):
        assert refused(world.peer("10.9.9.9"), "BBBBBBBB") == "bad_code"
    assert refused(world.peer("10.9.9.9"), code) == "too_many_tries", "not even the right one"
    assert refused(world.peer("10.9.9.9"), "") == "too_many_tries"
    assert isinstance(say(world.peer("10.0.0.7"), code), Ok)
    world.wait(300, bob)
    assert refused(world.peer("10.9.9.9"), "BBBBBBBB") == "bad_code"


def test_a_forgotten_player_s_code_is_void(world: Any) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    code = asked(ann)
    ann.lose()
    world.wait(world.limits.absence, bob)
    assert refused(world.peer(), code) == "bad_code"


def test_codes_are_kept_as_hashes_only(world: Any) -> None:
    ann = world.player("Ann")
    code = asked(ann)
    codes = world.server.sessions._codes
    assert code not in repr(vars(codes))
