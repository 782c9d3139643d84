"""Who is at a table: those seated, in clockwise order, and those who watch."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from skull_protocol.tables import BotLevel, SeatInfo, WatcherInfo
from skull_server.game_kinds import BOT_NAMES
from skull_server.records import SeatRecord
from skull_server.sessions import Session

STAND_IN: BotLevel = "normal"
"""How well a bot plays that nobody chose: one that takes over a person's seat, for good or not."""


@dataclass(eq=False)
class Sitter:
    """Who sits in one seat."""

    session: Session | None
    """None: a bot, or nobody any more."""
    name: str
    flowers: int | None = None
    """Days since they last gave flowers; None: never, or no answer."""
    answered: bool = False
    bot_plays: bool = False
    """A bot plays for the person who sits here, until they are back."""
    gone: bool = False
    """Has left the game for good and forfeited it; the seat is kept while that game is shown."""
    level: BotLevel | None = None
    """How well the bot plays that sits here."""

    @property
    def absent(self) -> bool:
        """Whether it is a person who is not connected."""
        return self.session is not None and not self.session.connected

    @property
    def is_bot(self) -> bool:
        """Whether a bot sits here, and not only plays."""
        return self.session is None and not self.gone

    def info(self) -> SeatInfo:
        """This seat as everybody sees it."""
        player = None if self.session is None else self.session.id
        here = not (self.absent or self.gone)
        return SeatInfo(player, self.name, here, self.answered, self.bot_plays, self.level)

    def record(self) -> SeatRecord:
        """This seat as it is to be after a restart."""
        player = None if self.session is None else self.session.id
        return SeatRecord(
            player,
            self.name,
            self.flowers,
            self.answered,
            self.bot_plays,
            self.gone,
            self.level,
        )


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

    def watching(self) -> tuple[WatcherInfo, ...]:
        """Those who watch, as everybody sees them."""
        return tuple(WatcherInfo(watcher.id, watcher.name) for watcher in self.watchers)

    def people(self) -> Iterator[Session]:
        """Every person at the table, the absent ones included: the seated, then the watchers."""
        for sitter in self.seats:
            if sitter.session is not None:
                yield sitter.session
        yield from self.watchers

    def person(self, player: int) -> Session | None:
        """The person with this number; None: nobody here has it."""
        return next((person for person in self.people() if person.id == player), None)

    def anybody_there(self) -> bool:
        """Whether any person at the table is connected."""
        return any(person.connected for person in self.people())

    def seated(self) -> int:
        """How many people and bots are seated."""
        return sum(not sitter.gone for sitter in self.seats)

    def bots(self) -> int:
        """How many bots are seated."""
        return sum(sitter.is_bot for sitter in self.seats)

    def sit(self, session: Session) -> None:
        """Give a person the next seat."""
        self.seats.append(Sitter(session, session.name))

    def sit_bot(self, level: BotLevel) -> None:
        """Give a bot the next seat."""
        self.seats.append(self._new_bot(level))

    def replace_by_bot(self, seat: int) -> None:
        """Have a bot take over a seat for good."""
        self.seats[seat] = self._new_bot(STAND_IN)

    def forfeit(self, seat: int) -> None:
        """Leave a seat empty until the game is no longer shown."""
        self.seats[seat] = Sitter(None, self.seats[seat].name, gone=True)

    def clear_empty_seats(self) -> None:
        """Close the gaps that those left who forfeited."""
        self.seats = [sitter for sitter in self.seats if not sitter.gone]

    def restore(self, seats: Iterable[SeatRecord], people: Mapping[int, Session]) -> None:
        """After a restart: be seated as recorded. Raises `KeyError` for somebody not known."""
        self.seats = [
            Sitter(
                None if seat.player is None else people[seat.player],
                seat.name,
                seat.flowers,
                seat.answered,
                seat.bot_plays,
                seat.gone,
                seat.level,
            )
            for seat in seats
        ]

    def next_host(self) -> Session | None:
        """Who should be host: the person seated longest, or one who watches; None: nobody.

        Those connected come first.
        """
        people = list(self.people())
        return next((person for person in people if person.connected), next(iter(people), None))

    def _new_bot(self, level: BotLevel) -> Sitter:
        taken = {sitter.name for sitter in self.seats}
        name = next(name for name in BOT_NAMES if name not in taken)
        return Sitter(None, name, level=level)
