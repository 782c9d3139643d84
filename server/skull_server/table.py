"""One table: who sits and watches there, its options, its chat, and the game being played.

Each method that a request leads to checks first and changes then: a `Refusal` means that
nothing has changed.
"""

from collections.abc import Callable, Mapping

from skull_protocol.errors import Refusal, msg
from skull_protocol.phrases import PhraseCode
from skull_protocol.pushes import LeftTable
from skull_protocol.pushes import Table as TablePush
from skull_protocol.skull import SkullAction
from skull_protocol.tables import BotLevel, TableOptions, TableStage, TableSummary
from skull_server import records
from skull_server.admission import Admission
from skull_server.allowances import Allowances
from skull_server.announcements import Announcements
from skull_server.chance import Chance
from skull_server.chat import TableChat
from skull_server.inputs import Inputs
from skull_server.limits import Limits
from skull_server.records import BegunGame, TableRecord
from skull_server.roster import Roster
from skull_server.sessions import Session
from skull_server.table_games import TableGames
from skull_server.table_options import check_options
from skull_server.thinking import Mind


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
        mind: Mind,
        chat_pace: Allowances,
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
        self._changed = changed
        self._games = TableGames(code, self.roster, inputs, limits, chance, mind, self.publish)
        self.admission = Admission(inputs, limits, chance)
        self._chat = TableChat(chat_pace, limits.mutes)
        self._recorded: TableRecord | None = None
        self._announcements = Announcements(inputs)
        self.roster.sit(host)

    @property
    def stage(self) -> TableStage:
        """Whether a game is awaited, played, or over."""
        return self._games.stage

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self._games.running is not None

    def summary(self) -> TableSummary:
        """The table as the lobby lists it."""
        return TableSummary(
            self.code,
            self._host.name,
            self.stage,
            self.roster.seated(),
            self.roster.bots(),
            len(self.roster.watchers),
            self._options,
            locked=self.admission.locked,
        )

    # -- coming and going -------------------------------------------------------------------------

    def join(self, session: Session, password: str | None) -> None:
        """Somebody from the lobby sits down."""
        self.admission.check_not_removed(session)
        self._games.check_seats_open(self._options)
        self.admission.check_password(session, password)
        self._games.forget_finished()
        self.roster.sit(session)
        self.publish()

    def watch(self, session: Session, password: str | None) -> None:
        """Somebody from the lobby comes to watch."""
        self.admission.check_not_removed(session)
        if not self._options.watching:
            raise Refusal("no_watching", "That table takes no watchers: join it, or try another.")
        if len(self.roster.watchers) >= self._limits.watchers:
            raise Refusal("too_many_watchers", "As many people watch there as may: try later.")
        self.admission.check_password(session, password)
        self.roster.watchers.append(session)
        self._arrived(session)

    def take_seat(self, session: Session) -> None:
        """Somebody who watches sits down."""
        if self.roster.seat_of(session) is not None:
            raise Refusal("already_seated", "You have a seat at this table already.")
        self._games.check_seats_open(self._options)
        self._games.forget_finished()
        self.roster.watchers.remove(session)
        self.roster.sit(session)
        self.publish()

    def leave(self, session: Session) -> None:
        """Somebody goes for good; in a running game, as the option `leavers` says."""
        seat, play = self.roster.seat_of(session), self._games.running
        forfeits = self._options.leavers == "forfeit"
        if seat is None:
            self.roster.watchers.remove(session)
        elif play is None:
            sitter = self.roster.seats[seat]
            self._games.forget_finished()
            self.roster.seats.remove(sitter)
        elif forfeits:
            self.roster.forfeit(seat)
        else:
            self.roster.replace_by_bot(seat)
        self._chat.left(session)
        session.tell(LeftTable())
        if self._host is session:
            self._host = self.roster.next_host() or session
        self.publish()
        if play is None:
            return
        if seat is None:
            play.go_on()
            return
        play.left(seat)
        if forfeits:
            play.forfeit(seat)
        else:
            play.bot_plays(seat)

    def lost_one(self) -> None:
        """Somebody's connection was lost; their place is held."""
        self.publish()
        if self._games.running is not None:
            self._games.running.go_on()

    def back(self, session: Session) -> None:
        """Somebody who was lost is back, and plays again if a bot did."""
        seat = self.roster.seat_of(session)
        if seat is not None:
            self._games.have_person_play(seat)
        self._arrived(session)

    def absent_for_long(self, session: Session) -> None:
        """Somebody has been away for long, in the middle of a game: a bot plays for them."""
        heir = self.roster.next_host() if session is self._host else None
        if heir is not None and heir.connected:
            self._host = heir
            self.publish()
        seat = self.roster.seat_of(session)
        if seat is not None:
            self._games.have_bot_play(seat)

    def close(self) -> None:
        """Nobody is left: let nothing more happen here."""
        self._games.close()

    def _arrived(self, session: Session) -> None:
        """Tell everybody, and show the game to who came; it goes on if it had rested."""
        play = self._games.running
        if play is not None:
            play.wake()
        self.publish()
        self._games.show_to(session)
        if play is not None:
            play.go_on()

    # -- what the host does -----------------------------------------------------------------------

    def change_options(self, session: Session, options: TableOptions) -> list[Session]:
        """The host sets the options. Returns the watchers whom that sent away."""
        self._check_host(session)
        self._games.check_none()
        check_options(options, self.roster.seated())
        if not options.watching and session in self.roster.watchers:
            raise Refusal("bad_options", "You watch here yourself: take a seat first.")
        self._options = options
        sent_away: list[Session] = []
        if not options.watching:
            sent_away, self.roster.watchers = self.roster.watchers, []
        for watcher in sent_away:
            self._chat.left(watcher)
            watcher.tell(LeftTable())
        self.publish()
        return sent_away

    def set_password(self, session: Session, password: str | None) -> None:
        """The host says what it takes to come in; None: nothing. Who is here stays."""
        self._check_host(session)
        self.admission.lock(password)
        self.publish()

    def check_removable(self, session: Session, player: int) -> Session:
        """Return the person whom the host wants to remove, if that may be done."""
        self._check_host(session)
        return self._other_person(session, player)

    def hand_to_bot(self, session: Session, player: int) -> None:
        """The host has a bot play for somebody, who may be the host, until they take it back."""
        self._check_host(session)
        if not self.playing:
            raise Refusal("no_game", "No game is being played here: start one first.")
        person = self.roster.person(player)
        seat = None if person is None else self.roster.seat_of(person)
        if seat is None:
            raise Refusal("no_such_player", "They do not play here: choose somebody with a seat.")
        self._games.have_bot_play(seat)

    def add_bot(self, session: Session, level: BotLevel) -> None:
        """The host seats a bot."""
        self._check_host(session)
        self._games.check_none()
        if self.roster.seated() >= self._options.max_seats:
            raise Refusal("table_full", "Every seat is taken: raise the number of seats first.")
        if self.roster.bots() >= self._limits.bots:
            raise Refusal("table_full", "A table takes {n} bots at most.", n=self._limits.bots)
        self._games.forget_finished()
        self.roster.sit_bot(level)
        self.publish()

    def remove_bot(self, session: Session, seat: int) -> None:
        """The host sends a bot away."""
        self._check_host(session)
        self._games.check_none()
        sitter = next(iter(self.roster.seats[seat : seat + 1]), None)
        if sitter is None or not sitter.is_bot:
            raise Refusal("not_a_bot", "No bot sits there: choose a seat with a bot.")
        self._games.forget_finished()
        self.roster.seats.remove(sitter)
        self.publish()

    def start(self, session: Session) -> None:
        """The host starts the game, or after a game another."""
        self._check_host(session)
        self._games.start(self._options)

    # -- at the table -----------------------------------------------------------------------------

    def answer_flowers(self, session: Session, days: int | None) -> None:
        """Somebody says when they last gave flowers."""
        seat = self._seat_of(session)
        self._games.check_none()
        sitter = self.roster.seats[seat]
        sitter.flowers = days
        sitter.answered = True
        self.publish()

    def act(self, session: Session, seq: int, action: SkullAction) -> None:
        """A player does something in the game."""
        self._games.act(self._seat_of(session), seq, action)

    def ask_coach(self, session: Session) -> None:
        """Somebody who plays alone with bots wants to know what a hard one would do."""
        seat = self._seat_of(session)
        if not self._options.coach or any(one is not session for one in self.roster.people()):
            raise Refusal(
                "no_coach", "The coach helps only alone with bots, where the options have it."
            )
        self._games.ask_coach(seat, session)

    def take_back(self, session: Session) -> None:
        """A player, for whom a bot plays, plays again."""
        if not self._games.have_person_play(self._seat_of(session)):
            raise Refusal("not_replaced", "No bot plays for you: go on playing.")
        self.publish()

    def say(self, session: Session, raw: str) -> None:
        """Somebody says something to everybody here."""
        self._check_talk(session)
        self._chat.say(session, raw, self.roster.people())

    def say_phrase(self, session: Session, phrase: PhraseCode) -> None:
        """Somebody says one of the usual phrases to everybody here."""
        self._check_talk(session)
        self._chat.say_phrase(session, phrase, self.roster.people())

    def _check_talk(self, session: Session) -> None:
        if not self._options.watchers_talk and self.roster.seat_of(session) is None:
            raise Refusal("no_chat", "Watchers do not talk at this table: take a seat to talk.")

    def mute(self, session: Session, player: int, muted: bool) -> None:
        """Somebody no longer wants to hear somebody; or wants to again."""
        if muted:
            self._chat.mute(session, self._other_person(session, player).id)
        else:
            self._chat.unmute(session, player)

    def publish(self) -> None:
        """Tell everybody here, and the lobby, how the table is now; and save it."""
        if self._inputs.journal is not None and (record := self.record()) != self._recorded:
            self._recorded = record
            self._inputs.record(records.table_saved, record)
        self._announcements.tell(self._push(), self.roster.people())
        self._changed(self)

    def saving_changed(self) -> None:
        """The server cannot save any more, or can again: tell everybody. It costs nobody time."""
        if self._inputs.failing:
            self._announcements.tell_that_nothing_is_saved()
            return
        self._announcements.tell(self._push(), self.roster.people())
        if self._games.running is not None:
            self._games.running.start_clock_afresh()

    # -- what outlives the server -----------------------------------------------------------------

    def record(self) -> TableRecord:
        """The table as it is to be after a restart."""
        return TableRecord(
            self.code,
            self._host.id,
            self._options,
            self.stage,
            self._games.count,
            self._games.next_seq,
            tuple(sitter.record() for sitter in self.roster.seats),
            self.admission.kept_password,
            self.admission.removed,
            self._games.shown,
        )

    def restore(
        self, record: TableRecord, people: Mapping[int, Session], game: BegunGame | None
    ) -> None:
        """After a restart: be as recorded; all are absent. Raises `Refusal` or `KeyError`."""
        self._recorded = record
        self.roster.restore(record.seats, people)
        self._host = people.get(record.host) or self.roster.next_host() or self._host
        self.admission.restore_password(record.password)
        self.admission.restore_removed(record.removed)
        self._games.restore(record, game)
        self.publish()

    # -- how it looks -----------------------------------------------------------------------------

    def _push(self) -> TablePush:
        return TablePush(
            self.code,
            self._host.id,
            self.stage,
            self._games.count,
            self._options,
            tuple(sitter.info() for sitter in self.roster.seats),
            self.roster.watching(),
            locked=self.admission.locked,
            saving=not self._inputs.failing,
        )

    # -- who may ----------------------------------------------------------------------------------

    def _seat_of(self, session: Session) -> int:
        seat = self.roster.seat_of(session)
        if seat is None:
            raise Refusal("not_seated", "You are watching: take a seat to do that.")
        return seat

    def _other_person(self, session: Session, player: int) -> Session:
        person = self.roster.person(player)
        if person is None:
            raise Refusal("no_such_player", "They are not at this table: look who is here.")
        if person is session:
            raise Refusal("no_such_player", "That is you: choose somebody else.")
        return person

    def _check_host(self, session: Session) -> None:
        if session is not self._host:
            words = msg("Only the host may do that: ask {host}.")
            raise Refusal("not_host", words, host=self._host.name)
