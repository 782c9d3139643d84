"""Who is at a table: those seated, in clockwise order, and those who watch."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from skull_protocol.tables import SeatInfo
from skull_server.sessions import Session

_BOT_NAMES = ("Bot Ana", "Bot Ben", "Bot Cleo", "Bot Dan", "Bot Eva", "Bot Finn", "Bot Gil")


@dataclass
class Sitter:
    """Who sits in one seat."""

    session: Session | None
    """None: a bot."""
    name: str
    flowers: int | None = None
    """Days since they last gave flowers; None: never, or no answer."""
    answered: bool = False

    @property
    def absent(self) -> bool:
        """Whether it is a person who is not connected."""
        return self.session is not None and not self.session.connected

    def info(self) -> SeatInfo:
        """This seat as everybody sees it."""
        player = None if self.session is None else self.session.id
        return SeatInfo(player, self.name, not self.absent, self.answered)


@dataclass
class Roster:
    """The people and bots at one table. Seats are numbered from 0, clockwise, with no gaps."""

    seats: list[Sitter] = field(default_factory=list)
    watchers: list[Session] = field(default_factory=list)

    def seat_of(self, session: Session) -> int | None:
        """The seat of a player; None for a watcher."""
        for seat, sitter in enumerate(self.seats):
            if sitter.session is session:
                return seat
        return None

    def people(self) -> Iterator[Session]:
        """Every person at the table, the absent ones included: the seated, then the watchers."""
        for sitter in self.seats:
            if sitter.session is not None:
                yield sitter.session
        yield from self.watchers

    def bots(self) -> int:
        """How many bots are seated."""
        return sum(sitter.session is None for sitter in self.seats)

    def sit(self, session: Session) -> None:
        """Give a person the next seat."""
        self.seats.append(Sitter(session, session.name))

    def sit_bot(self) -> None:
        """Give a bot the next seat."""
        self.seats.append(Sitter(None, self._bot_name()))

    def replace_by_bot(self, seat: int) -> None:
        """Have a bot take over a seat."""
        self.seats[seat] = Sitter(None, self._bot_name())

    def next_host(self) -> Session | None:
        """Who should be host: the person seated longest, or one who watches; None: nobody.

        Those connected come first.
        """
        people = list(self.people())
        return next((person for person in people if person.connected), next(iter(people), None))

    def _bot_name(self) -> str:
        taken = {sitter.name for sitter in self.seats}
        return next(name for name in _BOT_NAMES if name not in taken)
