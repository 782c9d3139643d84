"""One table: who sits and watches there, its options, its chat, and the game being played.

Each method that a request leads to checks first and changes then: a `Refusal` means that
nothing has changed.
"""

import itertools
import random
from collections.abc import Callable

from skull_protocol.codec import encode
from skull_protocol.errors import Refusal
from skull_protocol.pushes import Chat, LeftTable
from skull_protocol.pushes import Table as TablePush
from skull_protocol.skull import SkullAction
from skull_protocol.tables import TableOptions, TableStage, TableSummary
from skull_protocol.text import UnfitText, clean_chat
from skull_server.chance import Chance
from skull_server.game_kinds import check_rules, new_game
from skull_server.inputs import Inputs
from skull_server.limits import Limits
from skull_server.play import Play
from skull_server.roster import Roster
from skull_server.sessions import Session


class Table:
    """A table, from the moment that its host sets it up until nobody is left."""

    def __init__(
        self,
        code: str,
        host: Session,
        options: TableOptions,
        inputs: Inputs,
        limits: Limits,
        chance: Chance,
        changed: Callable[["Table"], None],
    ) -> None:
        """`changed(table)` is called whenever the lobby may have to list it differently.

        Raises `Refusal` with `bad_options`.
        """
        check_options(options, seated=1)
        self.code = code
        self.roster = Roster()
        self._host = host
        self._options = options
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._changed = changed
        self._stage: TableStage = "waiting"
        self._games = 0
        self._updates = itertools.count()
        self._play: Play | None = None
        self.roster.sit(host)

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self._stage == "playing"

    def summary(self) -> TableSummary:
        """The table as the lobby lists it."""
        return TableSummary(
            self.code,
            self._host.name,
            self._stage,
            len(self.roster.seats),
            self.roster.bots(),
            len(self.roster.watchers),
            self._options,
        )

    # -- coming and going -------------------------------------------------------------------------

    def check_seat_free(self) -> None:
        """Raise `Refusal` if nobody can sit down now."""
        if self.playing:
            raise Refusal("game_running", "A game is being played there: you can watch it.")
        if len(self.roster.seats) >= self._options.max_seats:
            raise Refusal("table_full", "Every seat is taken: you can watch, or wait for a seat.")

    def join(self, session: Session) -> None:
        """Somebody from the lobby sits down."""
        self.check_seat_free()
        self._forget_finished_game()
        self.roster.sit(session)
        self.publish()
        self._show_game(session)

    def watch(self, session: Session) -> None:
        """Somebody from the lobby comes to watch."""
        if len(self.roster.watchers) >= self._limits.watchers:
            raise Refusal("too_many_watchers", "As many people watch there as may: try later.")
        self.roster.watchers.append(session)
        self.publish()
        self._show_game(session)

    def take_seat(self, session: Session) -> None:
        """Somebody who watches sits down."""
        if self.roster.seat_of(session) is not None:
            raise Refusal("already_seated", "You have a seat at this table already.")
        self.check_seat_free()
        self._forget_finished_game()
        self.roster.watchers.remove(session)
        self.roster.sit(session)
        self.publish()

    def leave(self, session: Session) -> None:
        """Somebody goes for good; in a running game a bot takes over their seat."""
        seat = self.roster.seat_of(session)
        if seat is None:
            self.roster.watchers.remove(session)
        elif self.playing:
            self.roster.replace_by_bot(seat)
        else:
            self._forget_finished_game()
            del self.roster.seats[seat]
        session.tell(LeftTable())
        if self._host is session:
            self._host = self.roster.next_host() or session
        self.publish()
        if seat is not None and self.playing and self._play is not None:
            self._play.bot_takes_over(seat)

    def lost_one(self) -> None:
        """Somebody's connection was lost; their place is held."""
        self.publish()
        if self.playing and self._play is not None:
            self._play.lost()

    def back(self, session: Session) -> None:
        """Somebody who was lost is back."""
        seat = self.roster.seat_of(session)
        if seat is not None and self._play is not None:
            self._play.back(seat)
        self.publish()
        self._show_game(session)

    def give_up(self, session: Session) -> None:
        """Somebody has been away for long, in the middle of a game."""
        seat = self.roster.seat_of(session)
        if seat is not None and self.playing and self._play is not None:
            self._play.give_up(seat)

    def close(self) -> None:
        """Nobody is left: let nothing more happen here."""
        if self._play is not None:
            self._play.stop()

    # -- setting up -------------------------------------------------------------------------------

    def change_options(self, session: Session, options: TableOptions) -> None:
        """The host sets the options."""
        self._check_host(session)
        self._check_no_game()
        check_options(options, len(self.roster.seats))
        self._options = options
        self.publish()

    def add_bot(self, session: Session) -> None:
        """The host seats a bot."""
        self._check_host(session)
        self._check_no_game()
        if len(self.roster.seats) >= self._options.max_seats:
            raise Refusal("table_full", "Every seat is taken: raise the number of seats first.")
        if self.roster.bots() >= self._limits.bots:
            raise Refusal("table_full", f"A table takes {self._limits.bots} bots at most.")
        self._forget_finished_game()
        self.roster.sit_bot()
        self.publish()

    def remove_bot(self, session: Session, seat: int) -> None:
        """The host sends a bot away."""
        self._check_host(session)
        self._check_no_game()
        seats = self.roster.seats
        if seat >= len(seats) or seats[seat].session is not None:
            raise Refusal("not_a_bot", "No bot sits there: choose a seat with a bot.")
        self._forget_finished_game()
        del seats[seat]
        self.publish()

    def answer_flowers(self, session: Session, days: int | None) -> None:
        """Somebody says when they last gave flowers."""
        seat = self._seat_of(session)
        self._check_no_game()
        sitter = self.roster.seats[seat]
        sitter.flowers = days
        sitter.answered = True
        self.publish()

    def start(self, session: Session) -> None:
        """The host starts the game, or after a game another."""
        self._check_host(session)
        self._check_no_game()
        seats = self.roster.seats
        missing = self._options.min_seats - len(seats)
        if missing > 0:
            more = "one more player" if missing == 1 else f"{missing} more players"
            raise Refusal("too_few_players", f"This table needs {more}: add a bot, or wait.")
        game = new_game(
            self._options.rules,
            len(seats),
            random.Random(self._chance.seed()),
            [sitter.flowers for sitter in seats],
        )
        self._stage = "playing"
        self._games += 1
        self._play = Play(
            self._inputs,
            game,
            self._options,
            self.roster,
            self._updates,
            self._limits.bot_delay,
            self._chance.seed,
            self._game_over,
        )
        self.publish()
        self._play.begin()

    # -- at the table -----------------------------------------------------------------------------

    def say(self, session: Session, raw: str) -> None:
        """Somebody says something to everybody here."""
        try:
            text = clean_chat(raw)
        except UnfitText as unfit:
            raise Refusal("bad_text", str(unfit)) from unfit
        frame = encode(Chat(session.id, session.name, text))
        for person in self.roster.people():
            person.tell_frame(frame)

    def act(self, session: Session, seq: int, action: SkullAction) -> None:
        """A player does something in the game."""
        seat = self._seat_of(session)
        if self._play is None or not self.playing:
            raise Refusal("no_game", "No game is being played here: wait for the host to start.")
        self._play.act(seat, seq, action)

    def publish(self) -> None:
        """Tell everybody here, and the lobby, how the table is now."""
        frame = self._frame()
        for person in self.roster.people():
            person.tell_frame(frame)
        self._changed(self)

    def _frame(self) -> bytes:
        return encode(
            TablePush(
                self.code,
                self._host.id,
                self._stage,
                self._games,
                self._options,
                tuple(sitter.info() for sitter in self.roster.seats),
                tuple(watcher.name for watcher in self.roster.watchers),
            )
        )

    def _show_game(self, session: Session) -> None:
        if self._play is not None:
            self._play.show_to(session)

    def _game_over(self) -> None:
        self._stage = "finished"
        self.publish()

    def _forget_finished_game(self) -> None:
        """The seats are about to change: newcomers could not tell who played in which."""
        self._play = None

    def _seat_of(self, session: Session) -> int:
        seat = self.roster.seat_of(session)
        if seat is None:
            raise Refusal("not_seated", "You are watching: take a seat to do that.")
        return seat

    def _check_host(self, session: Session) -> None:
        if session is not self._host:
            raise Refusal("not_host", f"Only the host may do that: ask {self._host.name}.")

    def _check_no_game(self) -> None:
        if self.playing:
            raise Refusal("game_running", "A game is running: wait until it is over.")


def check_options(options: TableOptions, seated: int) -> None:
    """Raise `Refusal` with `bad_options` if the options cannot be meant."""
    if options.min_seats > options.max_seats:
        raise Refusal(
            "bad_options",
            f"At least {options.min_seats} and at most {options.max_seats} players cannot be: "
            "lower the one or raise the other.",
        )
    if options.max_seats < seated:
        raise Refusal("bad_options", f"{seated} players are seated: allow {seated} seats or more.")
    check_rules(options.rules, options.max_seats)
