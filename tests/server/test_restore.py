"""After a restart every table is exactly where it was, whatever was played at it."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.server.games.skull.scene import every_option
from tests.server.restarts import Durable, choices_of, comes_back, play_on

from skull_protocol.pushes import Lobby, Ok, Table, Update, Welcome
from skull_protocol.requests import (
    Act,
    AddBot,
    AnswerFlowers,
    ChangeOptions,
    CreateTable,
    HandToBot,
    JoinTable,
    LeaveTable,
    RemovePlayer,
    SetPassword,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions
from skull_server.damage import JournalDamaged
from skull_server.journal import Journal


@pytest.mark.parametrize("number", range(len(list(every_option()))))
def test_random_games_by_every_option(tmp_path: Path, number: int) -> None:
    """Restarted again and again, in the middle of a game and after it."""
    dice = random.Random(number)
    rules = list(every_option())[number]
    world = Durable(tmp_path, seed=number)
    options = TableOptions(min_seats=2, rules=rules, turn_seconds=dice.choice([0, 30, 90]))
    people = world.table(players=dice.randint(2, 4), bots=dice.randint(0, 2), options=options)
    for restart in range(4):
        play_on(people, dice, dice.randrange(25))
        world.time.advance(dice.choice([0, 2, 40]))
        before = world.everything()
        last = [peer.last(Update) for peer in people]
        world = world.crash_and_restart(seed=100 * number + restart + 1000)
        assert world.everything() == before
        people = [comes_back(world, peer) for peer in people]
        for peer, update in zip(people, last, strict=True):
            assert peer.last(Welcome).resumed
            shown = peer.last(Update)
            if shown.seq == update.seq:  # at a pause the first to come back may end it
                assert (shown.view, shown.you) == (update.view, update.you)
            assert shown.seq >= update.seq
    world.journal.crash()


def test_the_game_goes_on_to_its_end_and_to_a_rematch(tmp_path: Path) -> None:
    dice = random.Random(5)
    world = Durable(tmp_path)
    people = world.table(players=3, options=TableOptions(min_seats=2))
    play_on(people, dice, 12)
    world = world.crash_and_restart()
    people = [comes_back(world, peer) for peer in people]
    play_on(people, dice, 10_000)
    assert people[0].last(Table).stage == "finished"
    seq = people[0].last(Update).seq
    world = world.crash_and_restart()
    people = [comes_back(world, peer) for peer in people]
    assert people[0].last(Update).view.winner is not None
    assert people[0].last(Table).stage == "finished"
    people[0].do(StartGame)
    assert people[0].last(Table).game == 2
    assert people[0].last(Update).seq == seq + 1
    before = world.everything()
    world = world.crash_and_restart()
    assert world.everything() == before
    world.journal.crash()


def test_tables_that_wait_are_as_they_were(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob, cem, dee = (world.player(name) for name in ("Ann", "Bob", "Cem", "Dee"))
    ann.do(CreateTable, options=TableOptions(), password="sesame")
    code = ann.last(Table).code
    bob.do(JoinTable, code=code, password="sesame")
    cem.do(JoinTable, code=code, password="sesame")
    ann.do(AddBot)
    ann.do(ChangeOptions, options=TableOptions(turn_seconds=30, max_seats=5))
    bob.do(AnswerFlowers, days=3)
    ann.do(RemovePlayer, player=cem.id)
    dee.do(WatchTable, code=code, password="sesame")
    ann.do(LeaveTable)  # Bob is the host now
    dee.do(LeaveTable)
    before = world.everything()
    world = world.crash_and_restart()
    assert world.everything().keys() == {code}
    assert world.everything() == before
    bob, cem, dee = (world.player(name, peer.token) for name, peer in
                     (("Bob", bob), ("Cem", cem), ("Dee", dee)))  # fmt: skip
    assert bob.last(Table).host == bob.id
    assert bob.last(Table).seats[0].answered
    assert cem.refused(JoinTable, code=code, password="sesame") == "removed"
    assert dee.refused(JoinTable, code=code, password="wrong") == "bad_password"
    dee.do(JoinTable, code=code, password="sesame")
    bob.do(SetPassword, password=None)
    world = world.crash_and_restart()
    world.player("Guest").do(JoinTable, code=code)
    world.journal.crash()


@pytest.mark.parametrize("leavers", ["bot", "forfeit"])
def test_who_left_and_whom_a_bot_plays_for(tmp_path: Path, leavers: Any) -> None:
    world = Durable(tmp_path)
    options = TableOptions(min_seats=2, leavers=leavers)
    people = world.table(players=4, bots=1, options=options)
    play_on(people, random.Random(4), 7)
    people[0].do(HandToBot, player=people[1].id)
    people[2].do(LeaveTable)
    people[0].do(LeaveTable)
    before = world.everything()
    seats = people[3].last(Table).seats
    world = world.crash_and_restart()
    assert world.everything() == before
    left = world.player("x", people[0].token)
    assert left.count(Lobby) == 1
    back = comes_back(world, people[3])
    assert [seat.name for seat in back.last(Table).seats] == [seat.name for seat in seats]
    taken = comes_back(world, people[1])
    assert not taken.last(Table).seats[1].bot_plays
    world.wait(200, back, taken)  # the bots go on
    assert back.last(Update).seq > people[3].last(Update).seq
    world.journal.crash()


def test_an_action_under_way_at_the_crash_is_no_more_stale_than_it_was(tmp_path: Path) -> None:
    """While all place at once, somebody else's placing does not make a player's own stale."""
    world = Durable(tmp_path)
    rules = SkullOptions(initial="together")
    ann, bob = world.table(players=2, options=TableOptions(min_seats=2, rules=rules))
    seen, action = bob.last(Update).seq, choices_of(bob)[0]
    ann.act(choices_of(ann)[0])
    world = world.crash_and_restart()
    ann, bob = (comes_back(world, peer) for peer in (ann, bob))
    assert bob.send(Act(id=77_777, seq=seen, action=action)) == Ok(77_777)
    world.journal.crash()


def test_who_only_watched_comes_back_to_the_lobby(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, _bob, cem = world.table(players=2, watchers=1)
    world = world.crash_and_restart()
    back = world.player("Cem", cem.token)
    assert back.count(Lobby) == 1
    back.do(WatchTable, code=ann.last(Table).code)
    world.journal.crash()


def test_a_table_that_only_watchers_held_is_gone_for_good(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob, _cem = world.table(players=2, watchers=1, start=False)
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    assert world.everything()
    for _ in range(2):
        world = world.crash_and_restart()
        assert not world.everything()
    world.journal.crash()


def test_a_clock_starts_afresh_and_waits_for_somebody_to_come(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    people = world.table(players=2, options=TableOptions(min_seats=2, turn_seconds=30))
    world.time.advance(29)
    world = world.crash_and_restart()
    world.time.advance(29)
    before = world.everything()
    people = [comes_back(world, peer) for peer in people]
    assert people[0].last(Update).clock_ms == 30_000
    world.wait(29, *people)
    assert world.everything() == before
    world.wait(1, *people)
    assert world.everything() != before
    world.journal.crash()


def test_who_does_not_come_back_is_absent_as_after_any_loss(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2, options=TableOptions(min_seats=2))
    lonely = world.player("Lonely")
    world = world.crash_and_restart()
    ann = comes_back(world, ann)
    assert [seat.connected for seat in ann.last(Table).seats] == [True, False]
    assert world.peer().hello("lonely").code == "name_taken"  # type: ignore[union-attr]
    world.wait(world.limits.absence, ann)
    assert [seat.bot_plays for seat in ann.last(Table).seats] == [False, True]
    world.player("lonely")
    world = world.crash_and_restart()
    assert world.peer().hello("x", lonely.token).code == "bad_token"  # type: ignore[union-attr]
    assert comes_back(world, bob).seat == 1
    world.journal.crash()


def test_numbers_are_not_given_twice(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    last = [world.player(name) for name in ("Ann", "Bob")][-1]
    last.lose()
    world.time.advance(world.limits.absence)
    world = world.crash_and_restart()
    assert world.player("Cem").id > last.id
    world.journal.crash()


def test_a_closed_table_leaves_nothing_of_a_game_that_was_not_over(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    for peer in world.table(players=2):
        peer.do(LeaveTable)
    for table in ("tables", "games", "seats", "inputs"):
        assert world.journal.read(f"SELECT count(*) FROM {table}") == [(0,)]
    world.journal.crash()


@pytest.mark.interpreted
def test_a_game_by_other_rules_is_not_played_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = Durable(tmp_path)
    ann, bob = world.table(players=2)
    monkeypatch.setattr("skull_server.games.skull.game.SkullGame.rules_version", 999)
    world = world.crash_and_restart()
    ann, bob = (comes_back(world, peer) for peer in (ann, bob))
    assert ann.last(Table).stage == "waiting"
    assert ann.count(Update) == 0
    ann.do(StartGame)
    assert bob.count(Update) == 1
    world.journal.crash()


def test_a_finished_game_that_is_no_longer_kept_is_no_longer_shown(tmp_path: Path) -> None:
    world = Durable(tmp_path)
    people = world.table(players=2, options=TableOptions(min_seats=2))
    play_on(people, random.Random(1), 10_000)
    assert people[0].last(Table).stage == "finished"
    world.journal._connection.execute("DELETE FROM games")
    world = world.crash_and_restart()
    people = [comes_back(world, peer) for peer in people]
    assert people[0].count(Update) == 0
    people[0].do(StartGame)
    assert people[0].last(Table).game == 2
    world.journal.crash()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM inputs WHERE n = 2",
        "DELETE FROM games",
        "DELETE FROM players WHERE id = 1",
        "UPDATE tables SET record = x'00'",
        "UPDATE tables SET record = 7",
        "UPDATE inputs SET action = x'80' WHERE n = 1",
        "UPDATE inputs SET seat = 1 - seat WHERE n = 0",
        "UPDATE games SET start = x'c0'",
        "UPDATE players SET tokens = x'00'",
        "DROP TABLE answers",
    ],
)
def test_a_journal_that_cannot_be_restored_is_said_to_be_damaged(
    tmp_path: Path, damage: str
) -> None:
    world = Durable(tmp_path)
    people = world.table(players=2, options=TableOptions(min_seats=2))
    play_on(people, random.Random(1), 5)
    world.journal.crash()
    journal = Journal(tmp_path)
    journal._connection.execute(damage)
    journal.close()
    with pytest.raises(JournalDamaged):
        Durable(tmp_path)
