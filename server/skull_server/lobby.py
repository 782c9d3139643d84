"""All tables, who is at which, and the list of them that those at no table see.

Moves in a game change nothing here; what does change is pushed a moment later, together.
"""

from collections.abc import Collection, Mapping
from functools import partial

from skull_protocol.codec import encode
from skull_protocol.errors import Refusal, msg
from skull_protocol.pushes import Lobby as LobbyPush
from skull_protocol.pushes import LobbyChanged, refused
from skull_protocol.tables import TableOptions, TableSummary
from skull_server import records
from skull_server.allowances import Allowances
from skull_server.chance import Chance
from skull_server.inputs import Alarm, Inputs
from skull_server.limits import Limits
from skull_server.records import BegunGame, TableRecord
from skull_server.sessions import Session
from skull_server.table import Table
from skull_server.thinking import Mind


class Lobby:
    """Where players are who are at no table, and where tables are found by their codes."""

    def __init__(self, inputs: Inputs, limits: Limits, chance: Chance, mind: Mind) -> None:
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._mind = mind
        self._tables: dict[str, Table] = {}
        self._table_of: dict[Session, Table] = {}
        self._deserted: dict[Table, Alarm] = {}
        """Tables where nobody is connected, each with when it is closed."""
        self._chat_pace = Allowances(inputs.now, limits.chat_burst, limits.chat_seconds)
        self._here: dict[Session, None] = {}
        """Those connected and at no table, in the order in which they came."""
        self._listed: dict[str, TableSummary] = {}
        """The tables as those here last heard of them; newcomers are told the same."""
        self._list: bytes | None = None
        """`_listed` as a frame, once somebody needed it."""
        self._news: set[str] = set()
        self._next_push: Alarm | None = None

    def tables(self) -> Collection[Table]:
        """All tables."""
        return self._tables.values()

    def table_of(self, session: Session) -> Table:
        """The table that somebody is at. Raises `Refusal` with `not_at_table`."""
        table = self._table_of.get(session)
        if table is None:
            raise Refusal("not_at_table", "You are at no table: join one or set one up first.")
        return table

    # -- connections ------------------------------------------------------------------------------

    def arrive(self, session: Session) -> None:
        """Somebody has connected: show them where they are."""
        table = self._table_of.get(session)
        if table is not None:
            table.back(session)
            self._watch_over(table)
        else:
            self._enter(session)

    def lost(self, session: Session) -> None:
        """Somebody's connection was lost."""
        self._here.pop(session, None)
        table = self._table_of.get(session)
        if table is not None:
            table.lost_one()
            self._watch_over(table)

    def let_go(self, session: Session) -> bool:
        """Somebody has been away for long. False: their seat in a running game is still held."""
        table = self._table_of.get(session)
        if table is None:
            return True
        if table.playing and table.roster.seat_of(session) is not None:
            table.absent_for_long(session)
            return False
        self._take_away(session, table)
        return True

    # -- requests ---------------------------------------------------------------------------------

    def create(self, session: Session, options: TableOptions, password: str | None) -> None:
        """Set up a table; its host sits down."""
        self._check_at_none(session)
        if len(self._tables) >= self._limits.tables:
            raise Refusal("too_many_tables", "There are as many tables as fit: join one of them.")
        code = self._chance.code()
        while code in self._tables:
            code = self._chance.code()
        table = self._new_table(code, session, options)
        table.admission.lock(password)
        self._tables[code] = table
        self._move(session, table)
        table.publish()

    def join(self, session: Session, code: str, password: str | None) -> None:
        """Go from the lobby to a seat at a table."""
        self._check_at_none(session)
        table = self._find(code)
        table.join(session, password)
        self._move(session, table)

    def watch(self, session: Session, code: str, password: str | None) -> None:
        """Go from the lobby to watch at a table."""
        self._check_at_none(session)
        table = self._find(code)
        table.watch(session, password)
        self._move(session, table)

    def leave(self, session: Session) -> None:
        """Go from a table back to the lobby."""
        self._take_away(session, self.table_of(session))
        self._enter(session)

    def remove(self, session: Session, player: int) -> None:
        """The host of a table sends somebody away from it for good."""
        table = self.table_of(session)
        person = table.check_removable(session, player)
        table.admission.keep_out(person)
        self._take_away(person, table)
        words = msg("{host} removed you from table {code}: choose another.")
        refusal = Refusal("removed", words, host=session.name, code=table.code)
        self._tell_why(person, refusal)

    def change_options(self, session: Session, options: TableOptions) -> None:
        """The host of a table sets its options, which may send away those who watch there."""
        table = self.table_of(session)
        for watcher in table.change_options(session, options):
            del self._table_of[watcher]
            words = msg("Table {code} takes no watchers any more: join it, or try another.")
            self._tell_why(watcher, Refusal("no_watching", words, code=table.code))

    # -- after a restart --------------------------------------------------------------------------

    def restore(
        self, record: TableRecord, people: Mapping[int, Session], game: BegunGame | None
    ) -> None:
        """Have a table again; all are absent. Raises `Refusal`, or `KeyError` for who is unknown.

        Those who watched are not kept, nor is a table where nobody but them was.
        """
        seated = [people[seat.player] for seat in record.seats if seat.player is not None]
        if not seated:
            self._inputs.record(records.table_gone, record.code)
            return
        table = self._new_table(record.code, seated[0], record.options)
        table.restore(record, people, game)
        self._tables[table.code] = table
        for session in seated:
            self._table_of[session] = table
        self._watch_over(table)
        self._changed(table)

    # -- the list ---------------------------------------------------------------------------------

    def _enter(self, session: Session) -> None:
        self._here[session] = None
        if self._list is None:
            self._list = encode(LobbyPush(tuple(self._listed.values())))
        session.tell_frame(self._list)

    def _tell_why(self, session: Session, refusal: Refusal) -> None:
        """Show somebody the lobby who did not ask for it, and say why."""
        if session.connected:
            self._enter(session)
            session.tell(refused(None, refusal))

    def _new_table(self, code: str, host: Session, options: TableOptions) -> Table:
        return Table(
            code,
            host,
            options,
            self._inputs,
            self._limits,
            self._chance,
            self._mind,
            self._chat_pace,
            self._changed,
        )

    def _move(self, session: Session, table: Table) -> None:
        self._table_of[session] = table
        self._here.pop(session, None)
        self._watch_over(table)

    def _take_away(self, session: Session, table: Table) -> None:
        del self._table_of[session]
        table.leave(session)
        if next(table.roster.people(), None) is None:
            self._close(table)
        else:
            self._watch_over(table)

    def _watch_over(self, table: Table) -> None:
        """Have a table closed after a while if nobody is connected there, unless somebody comes."""
        if table.roster.anybody_there():
            if (closing := self._deserted.pop(table, None)) is not None:
                closing.cancel()
        elif table not in self._deserted:
            self._deserted[table] = self._inputs.later(
                self._limits.empty_table, partial(self._close, table)
            )

    def _close(self, table: Table) -> None:
        """Nobody is left, or nobody came back."""
        if (closing := self._deserted.pop(table, None)) is not None:
            closing.cancel()
        for session in table.roster.people():
            del self._table_of[session]
        table.close()
        del self._tables[table.code]
        self._inputs.record(records.table_gone, table.code)
        self._changed(table)

    def _find(self, code: str) -> Table:
        table = self._tables.get(code)
        if table is None:
            words = msg("No table is called {code}: look at the list again.")
            raise Refusal("no_such_table", words, code=code)
        return table

    def _check_at_none(self, session: Session) -> None:
        if session in self._table_of:
            raise Refusal("already_at_table", "You are at a table: leave it first.")

    def _changed(self, table: Table) -> None:
        self._news.add(table.code)
        if self._next_push is None:
            self._next_push = self._inputs.later(self._limits.lobby_interval, self._push)

    def _push(self) -> None:
        """Tell those in the lobby which tables look different from what they heard last."""
        self._next_push = None
        changed: list[TableSummary] = []
        gone: list[str] = []
        for code in sorted(self._news):
            table = self._tables.get(code)
            if table is None:
                if self._listed.pop(code, None) is not None:
                    gone.append(code)
            elif (summary := table.summary()) != self._listed.get(code):
                self._listed[code] = summary
                changed.append(summary)
        self._news.clear()
        if changed or gone:
            self._list = None
            frame = encode(LobbyChanged(tuple(changed), tuple(gone)))
            for session in self._here:
                session.tell_frame(frame)
