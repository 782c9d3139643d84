"""A server and five people, and how one of them asks for something and what is looked at then."""

import itertools
import logging
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis.stateful import RuleBasedStateMachine
from tests.fuzz.asking import Asked
from tests.fuzz.watching import Reader, Watching
from tests.server.conftest import Peer, World
from tests.server.disks import HandJournal

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import encode
from skull_protocol.pushes import Error, Lobby, LobbyChanged, Ok, ResumeCode, Update, Welcome
from skull_protocol.requests import AskResumeCode, Hello, Request
from skull_protocol.skull import Abandon, SkullAction
from skull_server.limits import Limits

NAMES = ("Ann", "Bob", "Cem", "Dee", "Eva")
LIMITS = Limits(
    requests_per_second=1e6,
    request_burst=10**6,
    tables=4,
    watchers=2,
    bots=3,
    hello_tries=3,
    queue_messages=20,
)


class Person:
    """Somebody with a name, who keeps the tokens and has a connection now and then."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tokens: list[str] = []
        self.peer: Peer | None = None
        self.ghosts: list[Peer] = []
        """Older connections that nobody has closed yet."""
        self.reader = Reader()
        self.read = 0
        """How many messages of this connection were looked at."""
        self.sent: list[Request] = []

    @property
    def online(self) -> Peer | None:
        """The connection, if it is open and somebody listens."""
        peer = self.peer
        return peer if peer is not None and peer.open and peer.reads else None


class Meeting(RuleBasedStateMachine):
    """A server, five people, and how they ask."""

    def __init__(self) -> None:
        super().__init__()
        self.directory = TemporaryDirectory()
        self.journal = HandJournal(Path(self.directory.name))
        self.world = World(LIMITS, 1, self.journal)
        self.servers = 1
        self.people = [Person(name) for name in NAMES]
        self.ids = itertools.count(1)
        self.watching = Watching()
        self.faults = _Faults()
        logging.getLogger("skull_server").addHandler(self.faults)

    def teardown(self) -> None:
        """Everybody goes: after a while nothing is left of them."""
        try:
            for person in self.people:
                for peer in filter(None, [person.peer, *person.ghosts]):
                    peer.lose()
            for _ in range(30):
                self.world.time.advance(LIMITS.absence)
            server = self.world.server
            assert not self.faults.seen
            assert not list(server.lobby.tables())
            assert len(server.sessions) == 0
            assert not server.inputs.timers
        finally:
            logging.getLogger("skull_server").removeHandler(self.faults)
            self.journal.crash()
            self.directory.cleanup()

    def _dial(self, person: Person) -> None:
        if person.peer is not None:
            self._look()
            person.ghosts.append(person.peer)
        person.peer = self.world.peer()
        person.reader, person.read = Reader(), 0

    def _hello(self, person: Person, token: str | None) -> Ok | Error | None:
        return self._send(person, Hello(next(self.ids), PROTOCOL_VERSION, person.name, token))

    def _resume_code(self, person: Person) -> str | None:
        """A code for another terminal, if they are somebody and here."""
        if isinstance(self._send(person, AskResumeCode(next(self.ids))), Ok):
            assert person.peer is not None
            return str(person.peer.last(ResumeCode).code)
        return None

    def _ask(self, person: Person, ask: Asked) -> None:
        self._send(person, self._made(person, ask, next(self.ids)))

    def _made(self, person: Person, ask: Asked, number: int) -> Request:
        codes = [table.code for table in self.world.server.lobby.tables()]
        players = [p.reader.player for p in self.people if p.reader.player is not None]
        return ask.made(number, codes, players, max(0, person.reader.seq))

    def _send(self, person: Person, request: Request) -> Ok | Error | None:
        """Send a request; it is answered once, unless the connection ends."""
        peer = person.online
        if peer is None:
            return None
        person.sent = [*person.sent[-20:], request]
        seen = len(peer.inbox)
        peer.send_bytes(encode(request))
        answers = [m for m in peer.inbox[seen:] if isinstance(m, Ok | Error)]
        assert all(answer.id == request.id for answer in answers if answer.id is not None)
        ended = not peer.open or peer.transport.is_closing() or peer.connection._closing
        assert len(answers) == 1 or (ended and not answers), (request, answers)
        self._look()
        return answers[0] if answers else None

    def _allowed(self, person: Person) -> list[SkullAction]:
        """What somebody who is at a running game may do."""
        peer, table = person.online, person.reader.table
        if peer is None or table is None or table.stage != "playing" or person.reader.seat is None:
            return []
        if table.seats[person.reader.seat].bot_plays:
            return []
        you = peer.last(Update).you
        allowed: list[SkullAction] = [
            action for action in you.choices.actions() if not isinstance(action, Abandon)
        ]
        return allowed

    def _look(self) -> None:
        for person in self.people:
            peer = person.peer
            if peer is None:
                continue
            for message in peer.inbox[person.read :]:
                if isinstance(message, Welcome):
                    person.tokens.append(message.token)
                if isinstance(message, Lobby | LobbyChanged):
                    assert person.reader.table is None, "the lobby told somebody at a table"
                self.watching.read(person.reader, message)
            person.read = len(peer.inbox)


class _Faults(logging.Handler):
    """Keeps what the server logs as its own mistakes."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(self.format(record))
