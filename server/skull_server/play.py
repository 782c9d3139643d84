"""One game being played at a table: inputs in, updates out to everybody who may see them.

Every action, whoever chose it (a player, a bot, a clock), passes `_apply`, and every update
passes `_publish`. While no person at the table is connected, everything rests.
"""

import random
from collections.abc import Callable
from functools import partial

from skull_protocol.codec import NULL, encode_part, frame_of
from skull_protocol.errors import Refusal
from skull_protocol.pushes import Advice, update_head
from skull_protocol.skull import Abandon, SkullAction, SkullEvent
from skull_protocol.tables import TableOptions
from skull_server import records
from skull_server.bot_seats import BotSeats
from skull_server.clocks import TurnClock, is_new_decision
from skull_server.coach import Advised, Counsel, new_coach
from skull_server.game_kinds import TableGame, new_bot
from skull_server.games.skull.forfeit import Forfeit, SkullInput
from skull_server.history_store import game_over
from skull_server.inputs import Inputs
from skull_server.limits import Limits
from skull_server.records import BegunGame
from skull_server.roster import STAND_IN, Roster
from skull_server.sessions import Session
from skull_server.statistics import Tally
from skull_server.thinking import Mind, Thought


class Play:
    """A game, its clock and its bots. It stays to be looked at when the game is over.

    What is to happen by itself knows the game, and not for longer than until it happens or is
    stopped: a game that is over and dropped is gone at once.
    """

    def __init__(
        self,
        inputs: Inputs,
        number: int,
        game: TableGame,
        options: TableOptions,
        roster: Roster,
        next_seq: Callable[[], int],
        mind: Mind,
        bot_delay: float,
        seed: Callable[[], int],
        over: Callable[[], None],
    ) -> None:
        """`number` names the game in the journal; `next_seq()` numbers this table's updates.

        `over()` is called when the game is won.
        """
        self.number = number
        self._inputs = inputs
        self._game = game
        self._options = options
        self._roster = roster
        self._next_seq = next_seq
        self._over = over
        self._seed = seed
        self._clock = TurnClock(inputs)
        self._bots = BotSeats(inputs, mind, bot_delay)
        self._first_seq = self._seq = 0
        self._view = game.view()
        count = len(roster.seats)
        self._owns = [game.own_view(seat) for seat in range(count)]
        self._encoded_owns = [encode_part(own) for own in self._owns]
        self._choices_since = [0] * count
        """For each seat the update since which its choices are what they are."""
        self._mind = mind
        self._coached: Thought[Advised] | None = None
        """What the coach is thinking about."""
        self._rests = False
        """Whether nothing happens, because nobody is there."""
        self._tally = Tally(
            {seat: s.name for seat, s in enumerate(roster.seats) if s.session is not None},
            {seat: s.name for seat, s in enumerate(roster.seats) if s.session is None},
        )

    def begin(self) -> None:
        """Tell everybody that the game has begun."""
        self._seat_bots()
        self._start_clock()
        self._publish(self._game.opening())
        self._first_seq = self._seq
        self._choices_since = [self._seq] * len(self._choices_since)
        self.go_on()

    def resume(self, begun: BegunGame) -> None:
        """After a restart: bring the game to where it was, to rest until somebody comes.

        Raises `Refusal` if that is no game.
        """
        self._first_seq = self._seq = begun.start.first_seq
        self._choices_since = [self._seq] * len(self._owns)
        self._tally = Tally({seat: name for seat, name, _ in begun.people}, dict(begun.bots))
        self._seen_by_all(self._game.opening())
        for n, (seat, action) in enumerate(begun.inputs):
            self._tally_leavers(begun, n)
            self._seen_by_all(self._game.apply(seat, action))
            self._seq += 1
            for each in range(len(self._owns)):
                self._look(each)
        self._tally_leavers(begun, len(begun.inputs))
        self._view = self._game.view()
        self._seat_bots()
        self._rests = self._game.winner() is None

    def _seen_by_all(self, events: list[SkullEvent]) -> tuple[SkullEvent, ...]:
        """Count what happened, and tell the bots; return what of it everybody may know."""
        self._tally.see(events)
        public = self._game.events_for(events, None)
        self._bots.tell(public)
        return public

    def _tally_leavers(self, begun: BegunGame, inputs: int) -> None:
        for seat, _, left in begun.people:
            if left == inputs:
                self._tally.left(seat)

    def start_clock_afresh(self) -> None:
        """The server could not go on for a while: that costs nobody time."""
        if not self._rests:
            self._start_clock()
            self._show_to_all()

    def _show_to_all(self) -> None:
        for person in self._roster.people():
            self.show_to(person)

    def left(self, seat: int) -> None:
        """The player of this seat has left for good: record what they have seen."""
        self._inputs.record(records.seat_left, self.number, seat, self._seq - self._first_seq)
        self._tally.left(seat)

    def record_end(self, limits: Limits) -> None:
        """The game is over: record how it ended and what is counted for its players."""
        winner = self._game.winner()
        assert winner is not None
        self._tally.won(winner)
        self._inputs.record(
            game_over,
            self.number,
            winner,
            self._view.round,
            self._tally.by_name(),
            self._tally.own(),
            limits,
        )

    def _seat_bots(self) -> None:
        for seat, sitter in enumerate(self._roster.seats):
            if sitter.is_bot or sitter.bot_plays:
                self._seat_bot(seat)

    def _seat_bot(self, seat: int) -> None:
        sitter, seeds = self._roster.seats[seat], random.Random(self._seed())
        rng, pace = (random.Random(seeds.getrandbits(128)) for _ in range(2))
        level = sitter.level or STAND_IN
        self._bots.seat(seat, new_bot(level, sitter.name, rng, self._options.rules), pace)

    def stop(self) -> None:
        """Let nothing more happen by itself."""
        self._clock.stop()
        self._bots.rest()

    def act(self, seat: int, seq: int, action: SkullAction) -> None:
        """Do what a player asks for, who last saw update `seq`. Raises `Refusal`."""
        if not self._choices_since[seat] <= seq <= self._seq:
            raise Refusal("stale", "The game has moved on: look again, then choose.")
        if seat in self._bots.seats():
            raise Refusal("not_your_turn", "A bot plays for you: take your seat back first.")
        sitter = self._roster.seats[seat].session
        self._apply(seat, action, None if sitter is None else sitter.id)
        self.go_on()

    def ask_coach(self, seat: int, session: Session) -> None:
        """Tell a player, in time, what the coach would do; one question at a time.

        Raises `Refusal` if it is not their turn.
        """
        if seat not in self._view.to_act:
            raise Refusal("not_your_turn", "The coach waits for your turn.")
        if self._coached is not None:
            return
        coach, seq = new_coach(self._options.rules, self._seed()), self._seq
        coach.see(self._bots.told)
        self._coached = self._mind.ask(coach, Counsel(self._view, self._owns[seat]))
        self._coached.then(partial(self._inputs.run, partial(self._tell_advice, session, seq)))

    def _tell_advice(self, session: Session, seq: int) -> None:
        advised = None if self._coached is None else self._coached.answer
        self._coached = None
        if advised is not None:
            chance = None if advised.chance is None else round(100 * advised.chance)
            session.tell(Advice(seq, advised.action, chance))

    def show_to(self, session: Session) -> None:
        """Send somebody who arrives the game as it stands."""
        seat = self._roster.seat_of(session)
        own = NULL if seat is None or seat >= len(self._owns) else self._encoded_owns[seat]
        head = update_head(self._seq, (), self._clock.left_ms(), encode_part(self._view))
        session.tell_frame(frame_of(head, own))

    def wake(self) -> None:
        """Somebody comes: if everything rested, the clock starts afresh. `go_on` is to follow."""
        if self._rests:
            self._rests = False
            self._start_clock()

    def bot_plays(self, seat: int) -> None:
        """A bot plays this seat from now on."""
        if seat not in self._bots.seats():
            self._seat_bot(seat)
        self.go_on()

    def person_plays(self, seat: int) -> None:
        """The person who sits here plays again."""
        self._bots.unseat(seat)

    def forfeit(self, seat: int) -> None:
        """The player of this seat has left for good, and no bot is to play on.

        One already out of the game may still be asked something: then the default is done.
        """
        if not self._view.seats[seat].eliminated:
            self._apply(seat, Forfeit())
        elif seat in self._game.to_act():
            self._apply(seat, self._game.default_action(seat))
        self.go_on()

    def go_on(self) -> None:
        """Do what needs nobody's choice, then have the bots think about what does."""
        somebody = self._roster.anybody_there()
        while somebody and (step := self._step_without_choice()) is not None:
            self._apply(*step)
        if self._game.winner() is not None:
            self.stop()
            self._over()
        elif somebody:
            awaited = () if self._game.is_pause() else self._view.to_act
            self._bots.wake(awaited, self._view, self._owns, self._bot_moves)
        else:
            self.stop()
            self._rests = True

    # -- inputs -----------------------------------------------------------------------------------

    def _apply(self, seat: int, action: SkullInput, player: int | None = None) -> None:
        """Do one action and tell everybody. Raises `Refusal`; then nothing has changed.

        `player`: who asked for it; None if a bot or a clock did it.
        """
        phase, awaited = self._view.phase, frozenset(self._view.to_act)
        events = self._game.apply(seat, action)
        n = self._seq - self._first_seq
        self._inputs.record(records.input_done, self.number, n, seat, action, player)
        self._inputs.metrics.moved()
        self._view = self._game.view()
        new_phase = self._view.phase != phase
        if (
            new_phase
            or isinstance(action, Forfeit)
            or is_new_decision(seat, action, awaited, frozenset(self._view.to_act))
        ):
            self._start_clock()
        self._publish(events)

    def _time_is_up(self) -> None:
        """Do the rules' default for each seat that is to act."""
        for seat in sorted(self._game.to_act()):
            self._apply(seat, self._game.default_action(seat))
        self.go_on()

    def _bot_moves(self, seat: int, action: SkullAction | None) -> None:
        """Do what a bot chose; None: it failed, which must not hold up the table."""
        self._apply(seat, self._game.default_action(seat) if action is None else action)
        self.go_on()

    def _step_without_choice(self) -> tuple[int, SkullInput] | None:
        if self._game.is_pause():
            for seat in sorted(self._game.to_act()):
                if not self._is_played_by_somebody_here(seat):
                    return seat, self._game.default_action(seat)
        return self._vote_of_a_bot()

    def _vote_of_a_bot(self) -> tuple[int, SkullAction] | None:
        """Bots agree to abandon the round as soon as everybody else does.

        Whoever was lost a moment ago has not agreed: nothing is taken back behind their back.
        """
        bots = self._bots.seats()
        asked = False
        for seat, public in enumerate(self._view.seats):
            if seat not in bots and not public.eliminated:
                if not public.agrees:
                    return None
                asked = True
        if asked:
            for seat in bots:
                if self._owns[seat].choices.abandon is True:
                    return seat, Abandon(True)
        return None

    def _is_played_by_somebody_here(self, seat: int) -> bool:
        return seat not in self._bots.seats() and not self._roster.seats[seat].absent

    # -- clock and updates ------------------------------------------------------------------------

    def _start_clock(self) -> None:
        if self._game.winner() is not None:
            self._clock.stop()
            return
        pause, options = self._game.is_pause(), self._options
        seconds = options.pause_seconds if pause else options.turn_seconds
        self._clock.start(seconds, self._time_is_up, self._show_to_all)

    def _publish(self, events: list[SkullEvent]) -> None:
        """Number what happened and tell everybody, each what they may know."""
        public = self._seen_by_all(events)
        self._seq = self._next_seq()
        clock, view = self._clock.left_ms(), encode_part(self._view)
        for_all = update_head(self._seq, public, clock, view)
        insiders = self._game.insiders(events)
        for seat, sitter in enumerate(self._roster.seats):
            self._look(seat)
            if sitter.session is not None:
                head = for_all
                if seat in insiders:
                    seen = self._game.events_for(events, seat)
                    head = update_head(self._seq, seen, clock, view)
                sitter.session.tell_frame(frame_of(head, self._encoded_owns[seat]))
        if self._roster.watchers:
            frame = frame_of(for_all, NULL)
            for watcher in self._roster.watchers:
                watcher.tell_frame(frame)

    def _look(self, seat: int) -> None:
        """See how the game now is for one seat."""
        own, before = self._game.own_view(seat), self._owns[seat]
        if own is before or own == before:
            return
        if own.choices != before.choices:
            self._choices_since[seat] = self._seq
        self._owns[seat] = own
        self._encoded_owns[seat] = encode_part(own)
