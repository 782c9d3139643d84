"""History: what a player can look at afterwards is what they were sent, and nothing more.

Games are played over the wire by random people and bots, on a server with a journal that is killed
now and then, with people who lose the connection, come back and leave for good.
"""

import os
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.server.restarts import Durable

from skull_protocol.codec import encode
from skull_protocol.pushes import Error, Games, GameSteps, Ok, Records, Table, Update
from skull_protocol.requests import GetGame, LeaveTable, ListGames, ListRecords
from skull_protocol.skull import (
    Abandon,
    Bid,
    ChallengeLost,
    ChallengeWon,
    DiscLost,
    Flip,
    Lose,
    Pass,
    Place,
    Placed,
    Ready,
    Show,
    SkullAction,
    SkullOptions,
)
from skull_protocol.tables import GameStep, PlayerRecord, TableOptions
from skull_server.games.skull.game import SkullGame
from skull_server.history import (
    PAGE,
    FinishedGame,
    GameRecord,
    History,
    PlayedSeat,
    steps,
)

GAMES = int(os.environ.get("SKULL_HISTORY_GAMES", "24"))


class Kept:
    """Finished games, newest last, as a journal would keep them."""

    def __init__(self) -> None:
        self.games: dict[int, GameRecord] = {}

    def played_by(self, player: int, before: int | None, limit: int) -> list[FinishedGame]:
        found = [
            record.finished
            for number, record in sorted(self.games.items(), reverse=True)
            if (before is None or number < before)
            and any(sat.player == player for sat in record.finished.seats)
        ]
        return found[:limit]

    def load(self, game: int) -> GameRecord | None:
        return self.games.get(game)

    def records(self, limit: int) -> list[PlayerRecord]:
        return []


class Person:
    """Somebody at the table, over all their connections."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.id = peer.id
        self.name = peer.last(Table).seats[peer.seat].name
        self.seat: int = peer.seat
        self.before: list[Update] = []
        self.left: int | None = None
        self.was_lost = False

    def updates(self) -> list[Update]:
        """Everything that happened, as it was sent here; the pictures on coming back left out."""
        sent = [*self.before, *(m for m in self.peer.inbox if isinstance(m, Update))]
        return [update for update in sent if update.events]

    def come_back(self, world: Any) -> None:
        token = self.peer.token
        self.before = self.updates()
        self.peer.lose()
        self.was_lost = True
        self.peer = world.player("?", token)


class Evening:
    """One game, played to its end by people who choose at random, over restarts of the server."""

    def __init__(self, directory: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.world = durable(directory, seed)
        seats = self.rng.randrange(2, 7)
        bots = min(self.rng.randrange(0, seats), seats - 2)
        options = TableOptions(
            min_seats=2,
            rules=random_rules(self.rng, seats),
            turn_seconds=self.rng.choice((30, 90)),
            leavers=self.rng.choice(("bot", "forfeit")),
        )
        peers = self.world.table(players=seats - bots, bots=bots, options=options)
        self.people = [Person(peer) for peer in peers]
        self.first_seq = peers[0].last(Update).seq

    @property
    def here(self) -> list[Person]:
        return [person for person in self.people if person.left is None]

    def play(self) -> None:
        while self.here[0].peer.last(Table).stage == "playing":
            self._step()

    def _step(self) -> None:
        chance = self.rng.random()
        if chance < 0.02 and len(self.here) > 1:
            leaver = self.rng.choice(self.here)
            leaver.left = leaver.peer.last(Update).seq - self.first_seq
            leaver.peer.do(LeaveTable)
        elif chance < 0.05:
            self.rng.choice(self.here).come_back(self.world)
        elif chance < 0.06:
            self.world = self.world.crash_and_restart(seed=self.rng.randrange(10**6))
            self.world.journal._connection.execute("PRAGMA synchronous = OFF")
            for person in self.people:
                person.come_back(self.world)
        elif chance < 0.08:
            self._wait(91)
        else:
            self._act()

    def _wait(self, seconds: float) -> None:
        self.world.wait(seconds, *(person.peer for person in self.people))

    def _act(self) -> None:
        awaited = self.here[0].peer.last(Update).view.to_act
        ready = [person for person in self.here if person.seat in awaited]
        if not ready:
            self._wait(2)
            return
        person = self.rng.choice(ready)
        choices = person.peer.last(Update).you.choices
        person.peer.act(some_action(self.rng, choices.actions()))


def durable(directory: Path, seed: int) -> Durable:
    """A server with a journal; the machine does not crash in this test, so it need not sync."""
    world = Durable(directory, seed=seed)
    world.journal._connection.execute("PRAGMA synchronous = OFF")
    return world


def some_action(rng: random.Random, actions: Any) -> SkullAction:
    """Random, but so that a game gets somewhere."""
    likely = [a for a in actions if not isinstance(a, Abandon | Show)]
    if rng.random() < 0.08 or not likely:
        likely = list(actions)
    if any(isinstance(a, Ready) for a in likely) and rng.random() < 0.8:
        return Ready()
    bids = [a for a in likely if isinstance(a, Bid)]
    if bids and rng.random() < 0.5:
        return bids[0]
    return rng.choice(likely)


def random_rules(rng: random.Random, seats: int) -> SkullOptions:
    cards = rng.random() < 0.3
    return SkullOptions(
        first_player=rng.choice(("flowers", "random", seats - 1)),  # type: ignore[arg-type]
        initial=rng.choice(("starter_last", "together")),
        own_skull=rng.choice(("choose", "random")),
        self_elimination_starter=rng.choice(("choose", "left")),
        last_chance=not cards and rng.random() < 0.5,
        equipment="cards" if cards else "discs",
        practice=rng.random() < 0.3,
    )


def all_steps(peer: Any, game: int) -> list[GameStep]:
    """A whole game, page by page."""
    found: list[GameStep] = []
    while True:
        peer.do(GetGame, game=game, first=len(found))
        page: GameSteps = peer.last(GameSteps)
        assert page.first == len(found)
        assert page.steps, "a page before the end is never empty"
        found += page.steps
        if len(found) == page.game.steps:
            return found


@pytest.mark.parametrize("block", range(4))
def test_a_replay_shows_step_by_step_what_was_sent(tmp_path: Path, block: int) -> None:
    left = compared = 0
    for seed in range(block, GAMES, 4):
        directory = tmp_path / str(seed)
        directory.mkdir()
        evening = Evening(directory, seed)
        evening.play()
        for person in evening.people:
            person.peer.do(ListGames, before=None)
            [game] = person.peer.last(Games).games
            assert game.seat == person.seat
            assert set(game.left) == {p.seat for p in evening.people if p.left is not None}
            replayed = all_steps(person.peer, game.game)
            sent = {update.seq - evening.first_seq: update for update in person.updates()}
            for number, update in sent.items():
                if person.left is None or number <= person.left:
                    assert replayed[number] == GameStep(update.events, update.view, update.you)
                    compared += 1
            if not person.was_lost:
                assert sorted(sent) == list(range(len(sent)))
                assert len(sent) == (len(replayed) if person.left is None else person.left + 1)
            if person.left is None:
                assert replayed[-1].view.winner == game.winner
            else:
                left += 1
                after = replayed[person.left + 1 :]
                assert all(step.you is None for step in after)
                assert not any(_tells_a_secret(step) for step in after)
        check_records(evening)
        evening.world.journal.crash()
    assert left > 0
    assert compared > 500


def check_records(evening: Evening) -> None:
    """What is counted is what can be counted in the games as they were shown."""
    watcher = evening.here[0].peer
    watcher.do(ListRecords)
    counted = {record.name: record for record in watcher.last(Records).players}
    watcher.do(ListGames, before=None)
    [game] = watcher.last(Games).games
    replayed = all_steps(watcher, game.game)
    assert set(counted) == {person.name for person in evening.people}
    for person in evening.people:
        until = len(replayed) if person.left is None else person.left + 1
        ends = [
            event
            for step in replayed[:until]
            for event in step.events
            if isinstance(event, ChallengeWon | ChallengeLost) and step.view.round > 0
        ]
        own = [event for event in ends if event.seat == person.seat]
        lost = [event for event in own if isinstance(event, ChallengeLost)]
        hit = [e for e in ends if isinstance(e, ChallengeLost) and e.owner == person.seat]
        assert counted[person.name] == PlayerRecord(
            person.name,
            games=1,
            wins=int(person.left is None and game.winner == person.seat),
            challenges_won=len(own) - len(lost),
            challenges_lost=len(lost),
            bluffs_caught=sum(event.owner == person.seat for event in lost),
            skulls_hit=sum(event.seat != person.seat for event in hit),
        )


def _tells_a_secret(step: GameStep) -> bool:
    return any(
        isinstance(event, Placed | DiscLost) and event.disc is not None for event in step.events
    )


class Twins:
    """One game played twice in step, in which one player hides something."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.seats = rng.randrange(2, 7)
        self.hider = rng.randrange(self.seats)
        self.options = random_rules(rng, self.seats)
        self.seed = seed
        self.lost_differently = False
        games = [SkullGame(self.options, self.seats, random.Random(seed)) for _ in range(2)]
        self.inputs: tuple[list[Any], list[Any]] = ([], [])
        for _ in range(300):
            awaited = sorted(games[0].to_act())
            if not awaited:
                break
            seat = rng.choice(awaited)
            pair = self._choose(rng, seat, [game.legal_actions(seat) for game in games])
            if pair is None:
                break
            for game, action, inputs in zip(games, pair, self.inputs, strict=True):
                game.apply(seat, action)
                inputs.append((seat, action))
            if games[0].view() != games[1].view():  # it has come to light
                for inputs in self.inputs:
                    inputs.pop()
                break

    def _choose(self, rng: random.Random, seat: int, legal: Any) -> tuple[Any, Any] | None:
        here, there = ([a for a in some if not isinstance(a, Abandon)] for some in legal)
        if seat == self.hider:
            hidden = [
                (one, other)
                for one in here
                for other in there
                if one != other and type(one) is type(other) and isinstance(one, Place | Lose)
            ]
            losses = [pair for pair in hidden if isinstance(pair[0], Lose)]
            if losses or (hidden and rng.random() < 0.2):
                self.lost_differently |= bool(losses)
                return rng.choice(losses or hidden)
        common = [action for action in here if action in there]
        if not common:
            return None
        action = some_action(rng, common)
        return action, action

    def records(self) -> Iterator[GameRecord]:
        sat = tuple(PlayedSeat(seat + 1, f"P{seat}") for seat in range(self.seats))
        for inputs in self.inputs:
            finished = FinishedGame(1, "BCDF", 1000, 0, 1, len(inputs), sat)
            flowers = (None,) * self.seats
            yield GameRecord(
                finished, SkullGame.rules_version, self.options, self.seed, flowers, inputs
            )


def test_what_one_player_hid_is_in_no_byte_of_anybody_elses_history() -> None:
    lost_differently = 0
    for seed in range(GAMES * 4):
        twins = Twins(seed)
        here, there = twins.records()
        if here.inputs == there.inputs:
            continue
        lost_differently += twins.lost_differently
        for player in range(1, twins.seats + 1):
            one, other = (
                [encode(page) for page in _pages(record, player)] for record in (here, there)
            )
            assert (one == other) == (player != twins.hider + 1)
    assert lost_differently > GAMES // 4, "the twins must differ for the test to mean anything"


def _pages(record: GameRecord, player: int) -> Iterator[GameSteps]:
    kept = Kept()
    kept.games[1] = record
    history, first = History(kept), 0
    while first < len(record.inputs) + 1:
        page = history.steps(player, 1, first)
        yield page
        first += len(page.steps)


def a_game_with_a_loss(directory: Path, lost: str) -> tuple[Durable, list[Any]]:
    """Ann loses a disc to her own skull and gives up; then Bob gives up, so Cem has won."""
    directory.mkdir()
    world = durable(directory, seed=5)
    rules = SkullOptions(first_player=0)
    people = world.table(players=3, options=TableOptions(rules=rules, leavers="forfeit"))
    ann, bob, cem = people
    for peer, action in [
        (bob, Place("F")),
        (cem, Place("F")),
        (ann, Place("S")),
        (ann, Bid(1)),
        (bob, Pass()),
        (cem, Pass()),
        (ann, Flip(0)),
        (ann, Lose(lost)),
    ]:
        answer = peer.act(action)
        assert isinstance(answer, Ok), answer
    ann.do(LeaveTable)
    bob.do(LeaveTable)
    for peer in people:
        peer.do(ListGames, before=None)
        peer.do(GetGame, game=1, first=0)
        peer.do(ListRecords)
    return world, people


def test_a_lost_disc_is_in_no_byte_of_anybody_elses_history_on_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1e9)
    (one, here), (other, there) = (a_game_with_a_loss(tmp_path / lost, lost) for lost in ("F", "S"))
    for seat in (1, 2):
        assert here[seat].stream == there[seat].stream
    assert here[0].last(Games) == there[0].last(Games)
    mine = [peers[0].last(GameSteps).steps for peers in (here, there)]
    assert mine[0] != mine[1]
    assert [steps[8].you.lost for steps in mine] == [("F",), ("S",)]
    assert mine[0][9].you is None
    assert here[0].last(Records).players[0].name == "Cem"
    one.journal.crash()
    other.journal.crash()


# -- who may look, and how much at once ------------------------------------------------------------


def some_record(number: int = 1, *players: int) -> GameRecord:
    """A game that has just begun, as if it were over."""
    sat = tuple(PlayedSeat(player, f"P{player}") for player in players or (1, 2, 3))
    finished = FinishedGame(number, "BCDF", 1000 + number, 0, 1, 0, sat)
    return GameRecord(finished, SkullGame.rules_version, SkullOptions(), 7, (None,) * len(sat), ())


def test_a_game_can_be_looked_at_by_those_who_played_it_and_by_nobody_else(world: Any) -> None:
    ann, bob = world.player("Ann"), world.player("Bob")
    kept = Kept()
    kept.games[5] = some_record(5, ann.id, 900)
    world.server.history = History(kept)
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
    world.server.history = History(kept)
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
    assert ann.refused(GetGame, game=1, first=0) == "no_such_game"


def test_a_long_game_comes_in_pages_that_fit() -> None:
    twins = max((Twins(seed) for seed in range(40)), key=lambda t: len(t.inputs[0]))
    record = next(twins.records())
    votes = [(0, Abandon(agree)) for agree in (True, False)] * 400
    record = replace(
        record,
        finished=replace(record.finished, inputs=len(votes)),
        inputs=votes,
        options=SkullOptions(initial="together", first_player=0),
    )
    pages = list(_pages(record, 1))
    assert len(pages) > 1
    assert sum(len(page.steps) for page in pages) == pages[0].game.steps == len(votes) + 1
    assert max(len(encode(page)) for page in pages) < 256 * 1024
    assert [step for page in pages for step in page.steps] == list(steps(record, 1))


def test_steps_past_the_end_are_none(world: Any) -> None:
    ann = world.player("Ann")
    kept = Kept()
    kept.games[5] = some_record(5, ann.id, 900)
    world.server.history = History(kept)
    ann.do(GetGame, game=5, first=2**31)
    assert ann.last(GameSteps).steps == ()


def test_a_game_by_older_rules_is_refused_and_not_shown_wrongly(world: Any) -> None:
    ann = world.player("Ann")
    kept = Kept()
    kept.games[5] = replace(some_record(5, ann.id, 900), rules_version=0)
    world.server.history = History(kept)
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
