"""The load: every client of a server, in one raw epoll loop that decodes as little as it can.

A *move* is one request, and is complete when each of the six connections of its table has been
sent what it led to. Only then the table's next move is made: at once (closed loop: as fast as the
server can), or when its time has come (paced).
"""

import heapq
import select
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from process import ServerProcess

SEATS = 6


class Tables(Protocol):
    """What is played: every table of one server, six connections each."""

    sockets: list[socket.socket]
    """Seat `s` of table `t` is number `t * SEATS + s`."""

    def is_move(self, body: bytes) -> bool:
        """Whether a frame is what every move sends to each seat exactly once."""

    def next_move(self, table: int) -> tuple[int, bytes]:
        """Return who moves next at a table, and the frame that is sent for it."""

    def saw(self, number: int, body: bytes) -> None:
        """Take in the frame that told a connection of a move."""


@dataclass
class Measured:
    """What one stretch of load came to."""

    moves: int
    seconds: float
    cpu: float
    """Seconds that the server computed."""
    latencies: list[float]
    """From each request to the last of its six receivers, sorted; seconds."""
    late: int
    """Moves of a paced load that could not be made, because the one before was not complete."""

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    @property
    def cpu_per_move(self) -> float:
        """Microseconds."""
        return self.cpu / max(1, self.moves) * 1e6

    def percentile(self, share: float) -> float:
        """Milliseconds."""
        if not self.latencies:
            return float("nan")
        return self.latencies[int((len(self.latencies) - 1) * share)] * 1000


class Load:
    """Plays at all tables."""

    def __init__(self, server: ServerProcess, tables: Tables) -> None:
        self._server = server
        self._tables = tables
        self._epoll = select.epoll()
        self._numbers: dict[int, int] = {}
        for number, sock in enumerate(tables.sockets):
            sock.setblocking(False)
            self._epoll.register(sock.fileno(), select.EPOLLIN)
            self._numbers[sock.fileno()] = number
        self._rest: dict[int, bytes] = {}
        self._count = len(tables.sockets) // SEATS
        self._missing = [0] * self._count
        self._sent_at = [0.0] * self._count
        self._complete: list[int] = []
        self._latencies: list[float] = []

    def run(self, seconds: float, rate: float = 0.0, warm_up: float = 1.0) -> Measured:
        """Play for a while; `rate`: moves a second, all tables together; 0: closed loop."""
        self._play(warm_up, rate)
        self._latencies = []
        cpu, began = self._server.cpu(), time.perf_counter()
        late = self._play(seconds, rate)
        took, used = time.perf_counter() - began, self._server.cpu() - cpu
        return Measured(len(self._latencies), took, used, sorted(self._latencies), late)

    def _play(self, seconds: float, rate: float) -> int:
        now = time.perf_counter()
        until, late = now + seconds, 0
        period = self._count / rate if rate else 0.0
        due = [(now + period * table / self._count, table) for table in range(self._count)]
        if not rate:
            for table in range(self._count):
                self._move(table)
        while now < until:
            while rate and due[0][0] <= now:
                when, table = due[0]
                heapq.heapreplace(due, (when + period, table))
                if self._missing[table]:
                    late += 1
                else:
                    self._move(table)
            self._wait(max(0.0, min(due[0][0] - now, 0.1)) if rate else 0.1)
            if not rate:
                for table in self._complete:
                    self._move(table)
            self._complete.clear()
            now = time.perf_counter()
        self._settle()
        return late

    def _settle(self) -> None:
        """Wait until every move that was begun is complete."""
        while any(self._missing):
            self._wait(0.1)
        self._complete.clear()

    def _move(self, table: int) -> None:
        seat, frame = self._tables.next_move(table)
        self._missing[table] = SEATS
        self._sent_at[table] = time.perf_counter()
        self._tables.sockets[table * SEATS + seat].send(frame)

    def _wait(self, seconds: float) -> None:
        for descriptor, _ in self._epoll.poll(seconds, 4096):
            number = self._numbers[descriptor]
            data = self._tables.sockets[number].recv(65536)
            if not data:
                raise SystemExit("the server closed a connection")
            for body in self._frames(number, data):
                if self._tables.is_move(body):
                    self._tables.saw(number, body)
                    self._moved(number // SEATS)

    def _frames(self, number: int, data: bytes) -> Iterator[bytes]:
        if number in self._rest:
            data = self._rest.pop(number) + data
        position, end = 0, len(data)
        while end - position >= 4:
            after = position + 4 + int.from_bytes(data[position : position + 4], "big")
            if after > end:
                break
            yield data[position + 4 : after]
            position = after
        if position < end:
            self._rest[number] = data[position:]

    def _moved(self, table: int) -> None:
        self._missing[table] -= 1
        if self._missing[table] == 0:
            self._latencies.append(time.perf_counter() - self._sent_at[table])
            self._complete.append(table)


def connect(port: int) -> socket.socket:
    """Open a connection to a server on this machine; blocking."""
    sock = socket.create_connection(("127.0.0.1", port), timeout=20)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock
