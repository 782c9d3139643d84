"""Tables of our server: six people each, who play whole games by drawing among what they may do.

Of the updates of a move, two are decoded: one to see who is to act, and that player's own, for
what they may do.
"""

import itertools
import random
import socket

import msgspec
from load import SEATS, connect

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import MAX_PUSH, FrameSplitter, encode
from skull_protocol.pushes import PUSHES, Table
from skull_protocol.requests import Act, CreateTable, Hello, JoinTable, Request, StartGame
from skull_protocol.skull import Bid, Choices, Flip, Lose, NameStarter, Pass, Pick, Place, Ready
from skull_protocol.tables import TableOptions


class _View(msgspec.Struct):
    to_act: tuple[int, ...]


class _Own(msgspec.Struct):
    choices: Choices


class _Public(msgspec.Struct):
    """What is read of an update to see who is next."""

    view: _View


class _Private(msgspec.Struct):
    """What is read of an update to see what its receiver may do."""

    seq: int
    you: _Own


_public = msgspec.msgpack.Decoder(_Public)
_private = msgspec.msgpack.Decoder(_Private)
_UPDATE = b"\xa4type\xa6update"


class Client:
    """One connection to our server, from its hello on; blocking, until a `Load` takes it over."""

    def __init__(self, port: int, name: str) -> None:
        self.sock = connect(port)
        self._splitter = FrameSplitter(MAX_PUSH)
        self.ask(Hello(1, PROTOCOL_VERSION, name, None), "ok")

    def ask(self, request: Request, until: str = "ok") -> list[bytes]:
        """Send a request; return the frames that came, up to one of this type."""
        self.sock.sendall(encode(request))
        return self.read(until)

    def read(self, until: str) -> list[bytes]:
        """Return the frames that came, up to one of this type."""
        bodies: list[bytes] = []
        while not any(_type(body) == until for body in bodies):
            data = self.sock.recv(65536)
            if not data:
                raise SystemExit("the server closed a connection")
            bodies += self._splitter.feed(data)
            for body in bodies:
                check(body)
        return bodies


def check(body: bytes) -> None:
    """Give up if the server refused something."""
    if _type(body) == "error":
        raise SystemExit(f"the server refused: {PUSHES.parse(body)}")


def _type(body: bytes) -> str:
    """The type of a frame, which our server always sends first."""
    return body[7 : 7 + (body[6] & 0x1F)].decode()


class SkullTables:
    """All tables of one server, each with a game running."""

    def __init__(self, port: int, tables: int, names: str = "Player") -> None:
        """`names`: what the players' names begin with."""
        self.sockets: list[socket.socket] = []
        self.codes: list[str] = []
        self._ids = itertools.count(2)
        self._rng = random.Random(7585)
        self._latest: list[bytes] = []
        for table in range(tables):
            self._seat_six([Client(port, f"{names} {table} {seat}") for seat in range(SEATS)])

    def _seat_six(self, people: list[Client]) -> None:
        """Bring six players to a new table, and start the game there."""
        host = people[0]
        bodies = host.ask(CreateTable(next(self._ids), TableOptions(min_seats=SEATS)))
        code = next(push.code for push in map(PUSHES.parse, bodies) if isinstance(push, Table))
        for person in people[1:]:
            person.ask(JoinTable(next(self._ids), code))
        bodies = host.ask(StartGame(next(self._ids)))
        for person in people:
            if person is not host:
                bodies = person.read("update")
            self._latest.append(next(body for body in bodies if self.is_move(body)))
        self.codes.append(code)
        self.sockets += [person.sock for person in people]

    def is_move(self, body: bytes) -> bool:
        if body.startswith(_UPDATE, 1):
            return True
        check(body)
        return False

    def saw(self, number: int, body: bytes) -> None:
        self._latest[number] = body

    def next_move(self, table: int) -> tuple[int, bytes]:
        first = table * SEATS
        to_act = _public.decode(self._latest[first]).view.to_act
        if not to_act:
            return 0, encode(StartGame(next(self._ids)))
        seat = self._rng.choice(to_act)
        update = _private.decode(self._latest[first + seat])
        action = self._action(update.you.choices)
        return seat, encode(Act(next(self._ids), update.seq, action))

    def _action(
        self, choices: Choices
    ) -> Place | Bid | Pass | Flip | Pick | Lose | NameStarter | Ready:
        """Draw an action, so that rounds are about as long as people's."""
        draw = self._rng
        if choices.bid is not None and (not choices.place or draw.random() < 0.3):
            if choices.may_pass and draw.random() < 0.7:
                return Pass()
            return Bid(choices.bid[0])
        if choices.place:
            return Place(draw.choice(choices.place))
        if choices.flip:
            return Flip(draw.choice(choices.flip))
        if choices.pick:
            return Pick(draw.randrange(choices.pick))
        if choices.lose:
            return Lose(draw.choice(choices.lose))
        if choices.name_starter:
            return NameStarter(draw.choice(choices.name_starter))
        return Ready()
