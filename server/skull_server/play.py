"""One game being played at a table: inputs in, updates out to everybody who may see them.

Every action, whoever chose it (a player, a bot, a clock), passes `_apply`, and every update
passes `_publish`.
"""

from collections.abc import Callable, Iterator

from skull_protocol.codec import encode, encode_part
from skull_protocol.errors import Refusal
from skull_protocol.pushes import EncodedUpdate
from skull_protocol.skull import Abandon, SkullAction, SkullEvent, SkullOwn
from skull_protocol.tables import TableOptions
from skull_server.bot_seats import BotSeats
from skull_server.clocks import TurnClock, is_new_decision
from skull_server.game_kinds import TableGame
from skull_server.inputs import Inputs
from skull_server.roster import Roster
from skull_server.sessions import Session


class Play:
    """A game, its clock and its bots. It stays to be looked at when the game is over."""

    def __init__(
        self,
        inputs: Inputs,
        game: TableGame,
        options: TableOptions,
        roster: Roster,
        updates: Iterator[int],
        bot_delay: float,
        seed: Callable[[], int],
        over: Callable[[], None],
    ) -> None:
        """`updates` numbers this table's updates; `over()` is called when the game is won."""
        self._game = game
        self._options = options
        self._roster = roster
        self._updates = updates
        self._over = over
        self._seed = seed
        self._clock = TurnClock(inputs, self._time_is_up)
        self._bots = BotSeats(inputs, bot_delay, self._bot_moves)
        self._seq = 0
        self._view = game.view()
        count = len(roster.seats)
        self._owns = [game.own_view(seat) for seat in range(count)]
        self._choices_since = [0] * count
        """For each seat the update since which its choices are what they are."""
        self._given_up: set[int] = set()
        """Seats of players away for so long that a game without a clock goes on without them."""

    def begin(self) -> None:
        """Tell everybody that the game has begun."""
        for seat, sitter in enumerate(self._roster.seats):
            if sitter.session is None:
                self._bots.seat(seat, self._seed())
        self._start_clock()
        self._publish(self._game.opening())
        self._choices_since = [self._seq] * len(self._choices_since)
        self._go_on()

    def stop(self) -> None:
        """Let nothing more happen by itself."""
        self._clock.stop()
        self._bots.wake(())

    def act(self, seat: int, seq: int, action: SkullAction) -> None:
        """Do what a player asks for, who last saw update `seq`. Raises `Refusal`."""
        if not self._choices_since[seat] <= seq <= self._seq:
            raise Refusal("stale", "The game has moved on: look again, then choose.")
        self._apply(seat, action)
        self._go_on()

    def show_to(self, session: Session) -> None:
        """Send somebody who arrives the game as it stands."""
        seat = self._roster.seat_of(session)
        own = None if seat is None or seat >= len(self._owns) else self._owns[seat]
        update = EncodedUpdate(self._seq, (), self._clock.left_ms(), encode_part(self._view), own)
        session.tell_frame(encode(update))

    def lost(self) -> None:
        """Somebody's connection was lost: a pause need not wait for them."""
        self._go_on()

    def give_up(self, seat: int) -> None:
        """A player has been away for long: without a clock, no longer wait for them."""
        self._given_up.add(seat)
        self._go_on()

    def back(self, seat: int) -> None:
        """A player is back: wait for them again."""
        self._given_up.discard(seat)

    def bot_takes_over(self, seat: int) -> None:
        """A bot has taken the seat of somebody who left."""
        self._bots.seat(seat, self._seed())
        self._go_on()

    # -- inputs -----------------------------------------------------------------------------------

    def _apply(self, seat: int, action: SkullAction) -> None:
        """Do one action and tell everybody. Raises `Refusal`; then nothing has changed."""
        phase, awaited = self._view.phase, self._game.to_act()
        events = self._game.apply(seat, action)
        self._view = self._game.view()
        new_phase = self._view.phase != phase
        if new_phase or is_new_decision(seat, action, awaited, self._game.to_act()):
            self._start_clock()
        self._publish(events)

    def _time_is_up(self) -> None:
        """Do the rules' default for each seat that is to act."""
        for seat in sorted(self._game.to_act()):
            self._apply(seat, self._game.default_action(seat))
        self._go_on()

    def _bot_moves(self, seat: int) -> None:
        self._apply(seat, self._bots.decide(seat, self._view, self._owns[seat]))
        self._go_on()

    def _go_on(self) -> None:
        """Do what needs nobody's choice, then have the bots think about what does."""
        while (step := self._step_without_choice()) is not None:
            self._apply(*step)
        if self._game.winner() is not None:
            self.stop()
            self._over()
        else:
            self._bots.wake(() if self._game.is_pause() else self._game.to_act())

    def _step_without_choice(self) -> tuple[int, SkullAction] | None:
        awaited = sorted(self._game.to_act())
        for seat in awaited:
            if seat in self._given_up and self._options.turn_seconds == 0:
                return seat, self._game.default_action(seat)
            if self._game.is_pause() and self._needs_no_pause(seat):
                return seat, self._game.default_action(seat)
        return self._bot_agrees_to_abandon()

    def _needs_no_pause(self, seat: int) -> bool:
        return seat in self._bots.seats() or self._roster.seats[seat].absent

    def _bot_agrees_to_abandon(self) -> tuple[int, SkullAction] | None:
        """A bot's vote to abandon the round: given as soon as all people still in agree."""
        bots = self._bots.seats()
        if not bots:
            return None
        people = [
            seat
            for number, seat in enumerate(self._view.seats)
            if number not in bots and not seat.eliminated
        ]
        if people and all(seat.agrees for seat in people):
            for number in bots:
                if self._owns[number].choices.abandon is True:
                    return number, Abandon(True)
        return None

    # -- clock and updates ------------------------------------------------------------------------

    def _start_clock(self) -> None:
        if self._game.winner() is not None:
            self._clock.stop()
        elif self._game.is_pause():
            self._clock.start(self._options.pause_seconds)
        else:
            self._clock.start(self._options.turn_seconds)

    def _publish(self, events: list[SkullEvent]) -> None:
        """Number what happened and tell everybody, each what they may know."""
        self._seq = next(self._updates)
        clock, view = self._clock.left_ms(), encode_part(self._view)
        for seat, sitter in enumerate(self._roster.seats):
            own = self._look(seat)
            if sitter.session is not None and sitter.session.connected:
                seen = self._seen(events, seat)
                update = EncodedUpdate(self._seq, seen, clock, view, own)
                sitter.session.tell_frame(encode(update))
        watchers = [watcher for watcher in self._roster.watchers if watcher.connected]
        if watchers:
            seen = self._seen(events, None)
            frame = encode(EncodedUpdate(self._seq, seen, clock, view, None))
            for watcher in watchers:
                watcher.tell_frame(frame)

    def _look(self, seat: int) -> SkullOwn:
        own = self._game.own_view(seat)
        if own.choices != self._owns[seat].choices:
            self._choices_since[seat] = self._seq
        self._owns[seat] = own
        return own

    def _seen(self, events: list[SkullEvent], seat: int | None) -> tuple[SkullEvent, ...]:
        seen = (self._game.event_for(event, seat) for event in events)
        return tuple(event for event in seen if event is not None)
