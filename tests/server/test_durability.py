"""Nothing is acknowledged or shown before it is saved; and what happens while nothing can be."""

import asyncio
import errno
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Peer
from tests.server.disks import BadDisk, on
from tests.server.restarts import LIMITS, Durable, comes_back

from skull_protocol.pushes import Chat, Error, Goodbye, Ok, Table, Update, Welcome
from skull_protocol.requests import (
    Act,
    AskResumeCode,
    ChangeOptions,
    CreateTable,
    JoinTable,
    LeaveTable,
    ListRecords,
    Ping,
    Say,
)
from skull_protocol.skull import Place, SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.damage import JournalDamaged
from skull_server.journal import Journal
from skull_server.server import Server

OPTIONS = TableOptions(
    min_seats=2, turn_seconds=30, rules=SkullOptions(first_player=0, initial="starter_last")
)
"""Seat 1 places first, then seat 0."""
FULL = OSError(errno.ENOSPC, "No space left on device")


def act(number: int, peer: Peer) -> Act:
    return Act(id=number, seq=peer.last(Update).seq, action=Place("F"))


def test_an_action_is_acknowledged_and_shown_only_after_its_commit(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob, eve = world.table(players=2, watchers=1, options=OPTIONS)
    world.journal.at_once = False
    heard = [len(peer.stream) for peer in (ann, bob, eve)]
    assert bob.send(act(5_000_000, bob)) is None
    assert [len(peer.stream) for peer in (ann, bob, eve)] == heard
    world.journal.commit()
    assert bob.inbox[-1] == Ok(5_000_000)
    for peer in (ann, bob, eve):
        assert peer.last(Update).view.seats[1].stack == (None,)
    world.journal.crash()


def test_nothing_else_is_acknowledged_before_its_commit_either(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    world.journal.at_once = False
    ann = world.peer()
    assert ann.hello("Ann") is None
    assert ann.stream == b""
    world.journal.commit()
    assert ann.count(Welcome) == 1
    assert ann.ask(CreateTable, options=OPTIONS) is None
    assert ann.count(Table) == 0
    assert ann.ask(JoinTable, code="BBBB") is None, "answers keep their order"
    assert isinstance(ann.ask(Ping), Ok), "but that to a ping, which tells of nothing"
    world.journal.commit()
    assert ann.count(Table) == 1
    assert isinstance(ann.inbox[-2], Ok)
    assert ann.last(Error).code == "already_at_table"
    world.journal.crash()


def test_what_was_not_committed_at_the_crash_never_was(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS)
    before = world.everything()
    world.journal.at_once = False
    placing = act(5_000_000, bob)
    assert bob.send(placing) is None
    world = world.crash_and_restart()
    assert world.everything() == before
    ann, bob = comes_back(world, ann), comes_back(world, bob)
    assert bob.send(placing) == Ok(5_000_000)
    assert bob.last(Update).view.seats[1].stack == (None,)
    world.journal.crash()


def test_the_same_request_across_reconnects_and_restarts_is_done_once(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS)
    placing = act(5_000_000, bob)
    for turn in range(5):
        assert bob.send(placing) == Ok(5_000_000)
        if turn % 2:
            bob.lose()
        else:
            world = world.crash_and_restart(seed=turn + 10)
            ann = comes_back(world, ann)
        bob = comes_back(world, bob)
    assert bob.last(Update).view.seats[1].stack == (None,)
    assert world.journal.read("SELECT count(*) FROM inputs") == [(1,)]
    other = bob.send(LeaveTable(id=5_000_000))
    assert isinstance(other, Error)
    assert other.code == "bad_message"
    world.journal.crash()


def test_only_so_many_done_requests_are_kept_of_each_player(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann = world.player("Ann")
    for number in range(1, 101):
        world_options = OPTIONS if number % 2 else None
        request = (
            CreateTable(id=number, options=world_options) if world_options
            else LeaveTable(id=number)
        )  # fmt: skip
        assert ann.send(request) == Ok(number)
    kept = world.limits.answers_kept
    assert world.journal.read("SELECT count(*) FROM answers") == [(kept,)]
    world = world.crash_and_restart()
    ann = world.player("Ann", ann.token)
    assert ann.send(LeaveTable(id=100)) == Ok(100)
    assert ann.send(LeaveTable(id=101 - kept + 1)) == Ok(101 - kept + 1)
    assert ann.refused(LeaveTable) == "not_at_table"
    world.journal.crash()


# -- tokens ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("committed", [False, True])
def test_a_crash_around_the_commit_of_a_new_token_locks_nobody_out(
    tmp_path: Path, committed: bool
) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS)
    token = bob.token
    for restart in range(3):
        world.journal.at_once = False
        bob.lose()
        line = world.peer()
        line.reads = False  # the welcome never gets there
        line.hello("Bob", token)
        if committed:
            world.journal.commit()
        world = world.crash_and_restart(seed=restart + 10)
    back = world.player("Bob", token)
    assert back.seat == 1
    newer = world.player("Bob", back.token)
    assert newer.seat == 1
    assert world.peer().hello("Bob", token).code == "bad_token"  # type: ignore[union-attr]
    assert ann.id == 1
    world.journal.crash()


def test_no_token_is_in_the_journal(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    people = world.table(players=2)
    tokens = [peer.token for peer in people]
    people = [world.player("x", token) for token in tokens]
    tokens += [peer.token for peer in people]
    world.journal.crash()
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for token in tokens:
        assert token.encode() not in stored
        assert bytes.fromhex(token) not in stored


# -- a disk that takes nothing --------------------------------------------------------------------


@pytest.mark.parametrize("lies", [False, True])
@pytest.mark.parametrize("fault", [FULL, sqlite3.OperationalError("disk I/O error")])
def test_while_nothing_can_be_saved(tmp_path: Path, fault: Exception, lies: bool) -> None:
    world = Durable(tmp_path)
    ann, bob, eve = world.table(players=2, watchers=1, options=OPTIONS)
    gus = world.player("Gus")
    world.journal.disk.fault, world.journal.disk.lies = fault, lies
    placing = act(5_000_000, bob)
    assert bob.send(placing) is None
    for peer in (ann, bob, eve):
        assert peer.count(Update) == 1
        assert not peer.last(Table).saving
    # What needs no disk lives on, at once.
    assert isinstance(ann.ask(Ping), Ok)
    assert isinstance(bob.ask(Say, text="What now?"), Ok)
    assert ann.last(Chat).text == "What now?"
    assert isinstance(gus.ask(ListRecords), Ok)
    assert isinstance(gus.ask(AskResumeCode), Ok)
    # What does need it is refused before it changes anything.
    before = world.everything()
    assert ann.refused(Act, seq=ann.last(Update).seq, action=Place("F")) == "cannot_save"
    assert gus.refused(CreateTable, options=OPTIONS) == "cannot_save"
    assert eve.refused(LeaveTable) == "cannot_save"
    stranger = world.peer()
    answer = stranger.hello("New")
    assert isinstance(answer, Error)
    assert answer.code == "cannot_save"
    world.time.advance(0)
    assert not stranger.open
    # Nobody runs out of time meanwhile.
    world.wait(100, ann, bob, eve, gus)
    assert world.everything() == before
    assert placing.id not in [message.id for message in bob.inbox if isinstance(message, Ok)]
    assert ann.count(Update) == 1
    # The disk is back.
    world.journal.disk.fault = None
    world.journal.commit()
    assert Ok(5_000_000) in bob.inbox
    for peer in (ann, bob, eve):
        assert peer.last(Table).saving
        assert peer.last(Update).view.seats[1].stack == (None,)
        assert peer.last(Update).clock_ms == 30_000, "the clock starts afresh"
    assert isinstance(ann.act(Place("F")), Ok)
    assert isinstance(gus.ask(CreateTable, options=OPTIONS), Ok)
    eve.do(LeaveTable)
    before = world.everything()
    world = world.crash_and_restart()
    assert world.everything() == before
    world.journal.crash()


def test_who_comes_while_nothing_can_be_saved_is_not_shown_before(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS, start=False)
    cem = world.player("Cem")
    world.journal.disk.fault = FULL
    assert cem.ask(JoinTable, code=ann.last(Table).code) is None
    assert cem.count(Table) == 0
    for peer in (ann, bob):
        shown = peer.last(Table)
        assert not shown.saving
        assert [seat.name for seat in shown.seats] == ["Ann", "Bob"]
    world.journal.disk.fault = None
    world.journal.commit()
    for peer in (ann, bob, cem):
        shown = peer.last(Table)
        assert shown.saving
        assert [seat.name for seat in shown.seats] == ["Ann", "Bob", "Cem"]
    cem.do(LeaveTable)
    world.journal.disk.fault = FULL
    assert bob.ask(LeaveTable) is None
    assert cem.last(Table).saving, "who has left is not told"
    assert [seat.name for seat in bob.last(Table).seats] == ["Ann", "Bob"]
    world.journal.crash()


def test_a_crash_while_nothing_can_be_saved_loses_nothing_acknowledged(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS)
    bob.act(Place("S"))
    before = world.everything()
    world.journal.disk.fault = FULL
    placing = act(5_000_000, ann)
    assert ann.send(placing) is None
    world = world.crash_and_restart()
    assert world.everything() == before
    ann, bob = comes_back(world, ann), comes_back(world, bob)
    assert ann.send(placing) == Ok(5_000_000)
    world.journal.crash()


def test_who_cannot_be_looked_up_is_told_to_try_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = Durable(tmp_path)
    ann = world.player("Ann")

    def unreadable(*_: object) -> None:
        raise JournalDamaged("disk I/O error")

    monkeypatch.setattr(world.journal, "read", unreadable)
    monkeypatch.setattr(world.server.history._finished, "_read", unreadable)
    stranger = world.peer()
    answer = stranger.hello("Old", "0" * 64)
    assert isinstance(answer, Error)
    assert answer.code == "cannot_save"
    assert isinstance(ann.ask(Ping), Ok)
    assert ann.refused(ListRecords) == "internal"
    world.journal.crash()


def test_bots_and_absences_wait_for_the_disk(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, bots=2, options=OPTIONS)
    cem = world.player("Cem")
    world.journal.disk.fault = FULL
    bob.act(Place("F"))
    bob.lose()
    cem.lose()
    before = world.everything()
    world.wait(world.limits.absence + 10, ann)
    assert world.everything() == before
    world.journal.disk.fault = None
    world.journal.commit()
    world.wait(5, ann)
    assert world.everything() != before
    world.player("Cem")  # the name is free
    world.journal.crash()


def test_a_line_replaced_by_a_newer_one_can_do_nothing_more(tmp_path: Path) -> None:
    """Until the newer one's welcome is saved, the older one is still open."""
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=OPTIONS)
    world.journal.at_once = False
    newer = world.peer()
    assert newer.hello("Bob", bob.token) is None
    assert bob.open
    assert bob.send(act(5_000_000, bob)) is None
    world.journal.commit()
    world.time.advance(0)
    assert isinstance(bob.inbox[-1], Goodbye)
    assert not bob.open
    assert ann.last(Update).view.seats[1].stack == ()
    assert newer.seat == 1
    world.journal.crash()


# -- with the writer itself, over the network ---------------------------------------------------


async def test_a_disk_that_fails_and_recovers_under_a_running_server(
    tmp_path: Path, dial: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skull_server.journal_writer._FIRST_RETRY", 0.001)
    disk = BadDisk()
    server = Server(LIMITS, journal=Journal(tmp_path, on(disk)))
    _, port = await server.serve("127.0.0.1", 0)
    ann, bob = await dial(port), await dial(port)
    await ann.hello("Ann")
    await bob.hello("Bob")
    assert isinstance(await ann.ask(CreateTable, options=OPTIONS), Ok)
    disk.fault = FULL
    waiting = ann.send(ChangeOptions, options=TableOptions(turn_seconds=60))
    await ann.wait_for(lambda message: isinstance(message, Table) and not message.saving)
    refused = await bob.ask(CreateTable, options=OPTIONS)
    assert isinstance(refused, Error)
    assert refused.code == "cannot_save"
    assert isinstance(await ann.ask(Ping), Ok)
    assert Ok(waiting) not in ann.inbox
    disk.fault = None
    await ann.wait_for(lambda message: message == Ok(waiting))
    await ann.wait_for(
        lambda message: isinstance(message, Table) and message.saving
        and message.options.turn_seconds == 60
    )  # fmt: skip
    assert isinstance(await bob.ask(CreateTable, options=OPTIONS), Ok)
    await server.stop()
    await ann.wait_for(lambda message: isinstance(message, Goodbye) and message.retry)


async def test_a_server_stops_in_time_whatever_the_disk_does(tmp_path: Path, dial: Any) -> None:
    disk = BadDisk()
    server = Server(LIMITS, journal=Journal(tmp_path, on(disk)))
    _, port = await server.serve("127.0.0.1", 0)
    ann = await dial(port)
    await ann.hello("Ann")
    assert isinstance(await ann.ask(CreateTable, options=OPTIONS), Ok)
    disk.fault = FULL
    unsaved = ann.send(ChangeOptions, options=TableOptions(turn_seconds=60))
    await ann.wait_for(lambda message: isinstance(message, Table) and not message.saving)
    stopping = asyncio.create_task(server.stop())
    await ann.wait_for(lambda message: isinstance(message, Goodbye) and message.retry)
    await stopping
    assert Ok(unsaved) not in ann.inbox
    assert not server.inputs.timers
    restarted = Journal(tmp_path)  # the directory is free again
    assert restarted.read("SELECT count(*) FROM tables") == [(1,)]
    restarted.close()


async def test_a_server_that_stops_saves_what_was_done_before(tmp_path: Path, dial: Any) -> None:
    server = Server(LIMITS, journal=Journal(tmp_path))
    _, port = await server.serve("127.0.0.1", 0)
    ann = await dial(port)
    await ann.hello("Ann")
    made = ann.send(CreateTable, options=OPTIONS)
    assert isinstance(await ann.ask(Ping), Ok)
    await server.stop()
    await ann.wait_for(lambda message: isinstance(message, Goodbye))
    assert ann.inbox.index(Ok(made)) < len(ann.inbox) - 1, "answered first"
    restarted = Journal(tmp_path)
    assert restarted.read("SELECT count(*) FROM tables") == [(1,)]
    restarted.close()
