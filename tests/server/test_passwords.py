"""Passwords of tables: it takes one to come in, tries are limited, and no byte of it gets out."""

from collections.abc import Callable
from typing import Any

import pytest

from skull_protocol.pushes import Error, Lobby, Ok, Table
from skull_protocol.requests import (
    CreateTable,
    JoinTable,
    LeaveTable,
    SetPassword,
    StartGame,
    WatchTable,
)
from skull_protocol.tables import TableOptions
from skull_server.allowances import Allowances
from skull_server.limits import Limits
from skull_server.passwords import SALT_BYTES, Password, hashed

OPTIONS = TableOptions(min_seats=2)
SALT = bytes(range(SALT_BYTES))


def locked(world: Any, password: str = "sésame") -> tuple[Any, str]:
    ann = world.player("Ann")
    ann.do(CreateTable, options=OPTIONS, password=password)
    return ann, ann.last(Table).code


def test_it_takes_the_password_to_join_or_to_watch(world: Any) -> None:
    ann, code = locked(world)
    bob, eve = world.player("Bob"), world.player("Eve")
    for request in (JoinTable, WatchTable):
        for said in (None, "", "sesame", "SÉSAME", "sésame "):
            assert bob.refused(request, code=code, password=said) == "bad_password"
        world.wait(world.limits.password_wait, ann, bob, eve)
    assert len(ann.last(Table).seats) == 1
    bob.do(JoinTable, code=code, password="se\u0301same")
    eve.do(WatchTable, code=code, password="sésame")
    assert bob.seat == 1


def test_the_lock_is_seen_and_the_password_is_not(world: Any) -> None:
    eve = world.player("Eve")
    ann, code = locked(world, "xyzzyplugh")
    bob = world.player("Bob")
    bob.do(JoinTable, code=code, password="xyzzyplugh")
    world.time.advance(1)
    assert ann.last(Table).locked
    assert world.player("Gus").last(Lobby).tables[0].locked
    for peer in (ann, bob, eve):
        assert b"xyzzyplugh" not in peer.stream
    ann.do(SetPassword, password=None)
    assert not bob.last(Table).locked
    world.time.advance(1)
    assert not world.player("Hal").last(Lobby).tables[0].locked


def test_the_host_alone_sets_it_at_any_time_and_who_is_in_stays(world: Any) -> None:
    ann, bob, eve = world.table(players=2, watchers=1, options=OPTIONS, start=False)
    code = ann.last(Table).code
    far = world.player("Far")
    for guest in (bob, eve):
        assert guest.refused(SetPassword, password="mine") == "not_host"
        assert guest.refused(SetPassword, password=None) == "not_host"
    assert far.refused(SetPassword, password="mine") == "not_at_table"
    assert ann.refused(SetPassword, password="  ") == "bad_text"
    assert not ann.last(Table).locked
    ann.do(StartGame)
    ann.do(SetPassword, password="one")
    assert far.refused(WatchTable, code=code, password=None) == "bad_password"
    ann.do(SetPassword, password="two")
    assert far.refused(WatchTable, code=code, password="one") == "bad_password"
    bob.lose()
    assert world.player("Bob", bob.token).seat == 1, "who comes back needs none"
    far.do(WatchTable, code=code, password="two")


def test_no_table_is_made_with_an_empty_password(world: Any) -> None:
    ann = world.player("Ann")
    assert ann.refused(CreateTable, options=OPTIONS, password="") == "bad_text"
    assert not list(world.server.lobby.tables())
    ann.do(CreateTable, options=OPTIONS, password=None)


def test_who_leaves_needs_it_to_come_back(world: Any) -> None:
    _ann, code = locked(world)
    bob = world.player("Bob")
    bob.do(JoinTable, code=code, password="sésame")
    bob.do(LeaveTable)
    assert bob.refused(JoinTable, code=code, password=None) == "bad_password"


def test_tries_are_limited_for_each_address_and_table(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(password_tries=3, password_wait=60))
    _ann, code = locked(world)
    other = world.player("Oda")
    other.do(CreateTable, options=OPTIONS, password="other")
    guesser, second = world.player("Guesser"), world.player("Second")
    for number in range(3):
        said = {"code": code, "password": f"guess {number}"}
        assert (guesser, second)[number % 2].refused(WatchTable, **said) == "bad_password"
    for peer in (guesser, second):
        answer = peer.ask(JoinTable, code=code, password="sésame")
        assert isinstance(answer, Error)
        assert answer.code == "too_many_tries", "the right one is not even looked at"
        assert "wait" in answer.message
    guesser.do(WatchTable, code=other.last(Table).code, password="other")
    elsewhere = world.peer("10.9.9.9")
    elsewhere.hello("Elsewhere")
    elsewhere.do(WatchTable, code=code, password="sésame")
    world.time.advance(21)
    assert second.refused(WatchTable, code=code, password="no") == "bad_password"
    assert second.refused(WatchTable, code=code, password="no") == "too_many_tries"
    world.time.advance(21)
    second.do(WatchTable, code=code, password="sésame")


def test_tries_are_limited_for_each_table_in_all(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(password_tries=2, table_password_tries=5, password_wait=60))
    ann, code = locked(world)
    codes = []
    for number in range(7):
        peer = world.peer(f"10.2.0.{number}")
        peer.hello(f"Guesser {number}")
        codes.append(peer.refused(WatchTable, code=code, password=str(number)))
    assert codes == ["bad_password"] * 5 + ["too_many_tries"] * 2
    bob = world.player("Bob")
    assert bob.refused(JoinTable, code=code, password="sésame") == "too_many_tries"
    ann.do(SetPassword, password="another")
    bob.do(JoinTable, code=code, password="another")


def test_saying_none_or_finding_no_seat_is_no_try(new_world: Callable[..., Any]) -> None:
    world = new_world(Limits(password_tries=1))
    ann, code = locked(world)
    bob = world.player("Bob")
    for _ in range(5):
        assert bob.refused(JoinTable, code=code, password=None) == "bad_password"
    world.player("Cem").do(JoinTable, code=code, password="sésame")
    ann.do(StartGame)
    for _ in range(5):
        assert bob.refused(JoinTable, code=code, password="no") == "game_running"
    bob.do(WatchTable, code=code, password="sésame")


def test_what_is_kept_is_a_salted_hash() -> None:
    kept = hashed("secret", SALT)
    assert kept[:SALT_BYTES] == SALT
    assert b"secret" not in kept
    assert len(kept) == SALT_BYTES + 32
    assert kept != hashed("secret", SALT[::-1])[:SALT_BYTES] + kept[SALT_BYTES:]
    assert kept[SALT_BYTES:] != hashed("secret", SALT[::-1])[SALT_BYTES:]
    password = Password(kept, lambda: 0.0, Limits())
    password.check("secret", None)
    password.check("secret", None)
    with pytest.raises(Exception, match="not the password"):
        password.check("secret ", None)
    password.check("secret", None)


def test_two_tables_with_one_password_keep_different_hashes(world: Any) -> None:
    tables = []
    for name in ("Ann", "Bob"):
        world.player(name).do(CreateTable, options=OPTIONS, password="same")
    tables = list(world.server.lobby.tables())
    first, second = (table.admission.kept_password for table in tables)
    assert first != second


def test_an_allowance_fills_again_and_forgets_who_is_full() -> None:
    now = 0.0
    allowances = Allowances(lambda: now, 2, 10)
    assert [allowances.take("a") for _ in range(3)] == [True, True, False]
    assert not allowances.any_left("a")
    assert allowances.take("b")
    now = 5.0
    assert [allowances.take("a") for _ in range(2)] == [True, False]
    for number in range(10_000):
        now += 0.5
        assert allowances.take(number)
    assert len(allowances) < 200


def test_a_right_password_is_recognised_quickly_the_second_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Coming and going all the time must not make the server compute dear hashes."""
    password = Password(hashed("secret", SALT), lambda: 0.0, Limits())
    password.check("secret", None)
    monkeypatch.setattr("skull_server.passwords._hash", None)
    for _ in range(3):
        password.check("secret", None)


def test_join_answers_ok(world: Any) -> None:
    _ann, code = locked(world)
    assert isinstance(world.player("Bob").ask(JoinTable, code=code, password="sésame"), Ok)
