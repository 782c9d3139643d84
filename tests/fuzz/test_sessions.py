"""Whole sessions by chance: people who ask for anything at any time, vanish, return and repeat.

After each step everything that must always hold is looked at: in what everybody was sent, and in
what the server knows. `SKULL_FUZZ=long` looks for new failures instead of repeating known ones.
"""

import os
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgpack
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule, run_state_machine_as_test
from tests.fuzz.asking import FIELDS, Asked, asked, sound_options
from tests.fuzz.meeting import LIMITS, NAMES, Meeting
from tests.fuzz.watching import Reader
from tests.server.conftest import World
from tests.server.disks import HandJournal

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Error, Games, Ok, Table, Update
from skull_protocol.requests import Act, CreateTable, GetGame, Hello, JoinTable, ListGames
from skull_protocol.skull import Bid, SkullOptions
from skull_protocol.tables import TableOptions

LONG = os.environ.get("SKULL_FUZZ") == "long"
AT_A_TABLE = sorted(set(FIELDS) - {"hello", "ping", "create_table", "list_games", "get_game"})
CARDS = SkullOptions(equipment="cards")
STEPS = 40
"""Of a game, from one question to the next: about as many as one answer holds."""
PEOPLE = st.sampled_from(range(len(NAMES)))
HOSTILE = {
    "no msgpack": b"\0\0\0\x01\xc1",
    "four billion": b"\xff\xff\xff\xff",
    "half a frame": b"\0\0\0\x09\x81",
    "a thousand deep": b"\0\0\x03\xf0\x81\xa1x" + b"\x91" * 1004 + b"\xc0",
    "no message": b"\0\0\0\x07" + msgpack.packb({"t": "x", "i": 1}),
    "http": b"GET / HTTP/1.1\r\n\r\n",
}


class Sessions(Meeting):
    """Whatever five people do."""

    @initialize()
    def arrive(self) -> None:
        """Everybody is in the lobby."""
        for who in range(len(self.people)):
            self.come(who)

    # -- coming and going -------------------------------------------------------------------------

    @rule(who=PEOPLE)
    def come(self, who: int) -> None:
        """Connect, and be who one was before, or somebody new."""
        person = self.people[who]
        if person.online is None:
            self._dial(person)
            token = person.tokens[-1] if person.tokens else None
            answer = self._hello(person, token)
            if token is not None and isinstance(answer, Error) and answer.code == "bad_token":
                answer = self._hello(person, None)
            if person.peer is not None and person.peer.open:
                assert isinstance(answer, Ok) or answer is None or answer.code == "name_taken"

    @rule(who=PEOPLE, token=st.sampled_from(["code", "older", "another's", "wrong", None]))
    def come_in_an_odd_way(self, who: int, token: str | None) -> None:
        """With a token used before, with a wrong one or none: a wrong one opens nothing."""
        person = self.people[who]
        code, mine = self._resume_code(person), person.reader.player
        self._dial(person)
        if token == "code" and code is not None:
            hello = Hello(next(self.ids), PROTOCOL_VERSION, person.name, None, code)
            assert isinstance(self._send(person, hello), Ok)
            assert person.reader.player == mine
        elif token == "older" and len(person.tokens) > 1:
            self._hello(person, person.tokens[-2])
        elif token == "another's":
            answer = self._hello(person, str(self.people[who - 1].reader.player))
            assert isinstance(answer, Error)
        elif token == "wrong":
            assert isinstance(self._hello(person, "0" * 64), Error)
        else:
            self._hello(person, None)

    @rule(who=PEOPLE)
    def vanish(self, who: int) -> None:
        """The connection breaks."""
        peer = self.people[who].peer
        if peer is not None:
            peer.lose()

    @rule(who=PEOPLE)
    def old_connections_die(self, who: int) -> None:
        """Long after their owner is back on another one."""
        for ghost in self.people[who].ghosts:
            ghost.lose()
        self.people[who].ghosts.clear()

    @rule()
    def crash(self) -> None:
        """The server is killed, and another begins where it was."""
        for person in self.people:
            person.peer = None
            person.ghosts.clear()
            person.reader = Reader()
        self.world.server.inputs.stop()
        self.journal.crash()
        self.servers += 1
        self.journal = HandJournal(Path(self.directory.name))
        self.world = World(LIMITS, self.servers, self.journal)

    @rule(who=PEOPLE)
    def stop_reading(self, who: int) -> None:
        """From now on everything waits."""
        peer = self.people[who].peer
        if peer is not None:
            peer.reads = False

    @rule(who=PEOPLE, what=st.sampled_from(sorted(HOSTILE)))
    def speak_nonsense(self, who: int, what: str) -> None:
        """Bytes that are no request."""
        peer = self.people[who].online
        if peer is not None:
            peer.send_bytes(HOSTILE[what])

    @rule()
    def come_all(self) -> None:
        """Whoever is away returns."""
        self.arrive()

    @rule(seconds=st.sampled_from([0.2, 2, 20, 61, 121, 400]), silent=st.integers(-1, 4))
    def wait(self, seconds: float, silent: int) -> None:
        """Time passes; all clients show that they live, but for one or none."""
        while seconds > 0:
            self.world.time.advance(min(seconds, 15))
            seconds -= 15
            for who, person in enumerate(self.people):
                if who != silent:
                    self._ask(person, Asked("ping", {}))

    # -- asking -----------------------------------------------------------------------------------

    @rule(who=PEOPLE, asks=st.lists(asked(), min_size=1, max_size=8))
    def ask(self, who: int, asks: list[Asked]) -> None:
        """Anything."""
        for ask in asks:
            self._ask(self.people[who], ask)

    @rule(asks=st.lists(st.tuples(PEOPLE, asked(*AT_A_TABLE)), min_size=1, max_size=12))
    def ask_at_the_table(self, asks: list[tuple[int, Asked]]) -> None:
        """What needs a table, asked by all; if nobody is at one, they meet first."""
        if all(person.reader.table is None for person in self.people):
            self.arrive()
            self.gather(TableOptions(min_seats=2), 1, False)
        for who, ask in asks:
            self._ask(self.people[who], ask)

    @rule(who=PEOPLE, back=st.integers(1, 5))
    def repeat(self, who: int, back: int) -> None:
        """The same request once more, as after a lost connection."""
        person = self.people[who]
        if len(person.sent) >= back:
            self._send(person, person.sent[-back])

    @rule(who=PEOPLE, back=st.integers(1, 5), ask=asked())
    def use_an_id_again(self, who: int, back: int, ask: Asked) -> None:
        """Another request under the number of an old one."""
        person = self.people[who]
        if len(person.sent) >= back:
            self._send(person, self._made(person, ask, person.sent[-back].id))

    @rule(table=sound_options(), bots=st.integers(0, 2), leave=st.booleans())
    def gather(self, table: TableOptions, bots: int, leave: bool) -> None:
        """Whoever is free meets at one new table, and they begin."""
        here = [p for p in self.people if p.online is not None and p.reader.player is not None]
        for person in here:
            if leave and person.reader.table is not None:
                self._ask(person, Asked("leave_table", {}))
        free = [person for person in here if person.reader.table is None]
        if not free:
            return
        host = free[0]
        self._send(host, CreateTable(next(self.ids), table))
        if host.reader.table is None:
            return
        code = host.reader.table.code
        for guest in free[1:]:
            self._send(guest, JoinTable(next(self.ids), code))
        for _ in range(bots):
            self._ask(host, Asked("add_bot", {}))
        self._ask(host, Asked("start_game", {}))

    @rule(table=sound_options(), steps=st.integers(1, 80), seed=st.integers(0, 99))
    def meet_and_play(self, table: TableOptions, steps: int, seed: int) -> None:
        """Everybody comes, and those who are free begin a game."""
        self.arrive()
        self.gather(table, seed % 3, False)
        self.play_on(steps, seed)

    @rule(first=st.sampled_from([0, 0, 7]), table=sound_options(), seed=st.integers(0, 99))
    def look_back(self, first: int, table: TableOptions, seed: int) -> None:
        """Everybody plays a while, and then looks at the last game that they finished."""
        self.meet_and_play(table, 200, seed)
        for person in self.people:
            if isinstance(self._send(person, ListGames(next(self.ids), None)), Ok):
                assert person.peer is not None
                for game in person.peer.last(Games).games[:1]:
                    for number in range(first, game.steps, STEPS):
                        self._send(person, GetGame(next(self.ids), game.game, number))

    @rule(steps=st.integers(1, 80), seed=st.integers(0, 99))
    def play_on(self, steps: int, seed: int) -> None:
        """Everybody who may do something does, by chance; bots get their time."""
        dice = random.Random(seed)
        for _ in range(steps):
            acted = False
            for person in self.people:
                allowed = self._allowed(person)
                if allowed and dice.random() < 0.8:
                    acted = True
                    assert person.peer is not None
                    seq = person.peer.last(Update).seq
                    low = [action for action in allowed if isinstance(action, Bid)][:1]
                    action = dice.choice(low if low and dice.random() < 0.4 else allowed)
                    act = Act(next(self.ids), seq, action)
                    answer = self._send(person, act)
                    # No id: half a frame was sent before, and this was taken for the rest of it.
                    assert answer is None or isinstance(answer, Ok) or answer.id is None, answer
            if not acted:
                self.world.time.advance(2)
                self._look()

    # -- what always holds ------------------------------------------------------------------------

    @invariant()
    def nothing_that_was_sent_breaks_a_promise(self) -> None:
        """The streams, message by message; and nobody but the offender lost the connection."""
        self.world.time.advance(0)
        self._look()
        assert not self.faults.seen, "the server made a mistake"

    @invariant()
    def everybody_has_one_place(self) -> None:
        """At most one table and one seat for each player; a host who is there; nobody's table."""
        found: list[Any] = []
        for table in self.world.server.lobby.tables():
            people = list(table.roster.people())
            found += people
            assert table._host in people, "the host is not at the table"
        assert len(found) == len(set(found)), "somebody is in two places"

    @invariant()
    def those_who_are_there_see_the_same(self) -> None:
        """Whoever is connected at a table knows it as it is."""
        latest: dict[str, Table] = {}
        for person in self.people:
            if person.online is not None and person.reader.table is not None:
                table = person.reader.table
                assert latest.setdefault(table.code, table) == table
                seat = person.reader.seat
                assert seat is None or table.seats[seat].connected, "somebody here counts as lost"


def test_whatever_people_do_every_promise_holds() -> None:
    run = settings(
        max_examples=3000 if LONG else 80,
        stateful_step_count=80 if LONG else 40,
        derandomize=not LONG,
        deadline=timedelta(seconds=30) if LONG else None,
        suppress_health_check=list(HealthCheck),
        phases=[p for p in Phase if LONG or p is not Phase.shrink],  # it can take minutes
        print_blob=True,
    )
    run_state_machine_as_test(Sessions, settings=run)


def test_games_are_finished_and_looked_back_at() -> None:
    """A walk that chance takes too seldom, through the same checks: so they do see all of it."""
    sessions = Sessions()
    sessions.arrive()
    for seed in range(4):
        sessions.look_back(0, TableOptions(min_seats=2, rules=CARDS), seed)
        sessions.nothing_that_was_sent_breaks_a_promise()
        if seed == 1:
            sessions.crash()
    assert sessions.watching.looked_back > 500
    assert sessions.watching.updates > 1000
    sessions.teardown()


def test_the_coach_names_only_what_the_player_holds() -> None:
    """Nor does chance often bring somebody to play alone with bots, and to ask."""
    sessions = Sessions()
    sessions.arrive()
    player = sessions.people[0]
    alone = TableOptions(min_seats=2, rules=CARDS, coach=True)
    sessions._send(player, CreateTable(next(sessions.ids), alone))
    sessions._ask(player, Asked("add_bot", {}))
    sessions._ask(player, Asked("start_game", {}))
    for seed in range(40):
        sessions._ask(player, Asked("ask_coach", {}))
        sessions.play_on(1, seed)
    sessions.nothing_that_was_sent_breaks_a_promise()
    assert sessions.watching.advised > 10
    sessions.teardown()
