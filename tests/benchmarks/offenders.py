"""People who abuse a server, each way a process of its own, on and off as a line on stdin says.

    python tests/benchmarks/offenders.py NAME PORT CODE...

The codes are those of the bystanders' tables. It gives way to everybody else (nice), so that what
others feel is what the server does for an offender, and not what an offender computes.
"""

import contextlib
import itertools
import os
import select
import socket
import ssl
import struct
import sys
from collections.abc import Callable, Generator, Iterable, Sequence

from load import connect
from skull_tables import Client

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import encode
from skull_protocol.pushes import PUSHES, Games, Table, Update
from skull_protocol.requests import (
    Act,
    AddBot,
    CreateTable,
    GetGame,
    Hello,
    JoinTable,
    LeaveTable,
    ListGames,
    Ping,
    Say,
    StartGame,
    WatchTable,
)
from skull_protocol.skull import Abandon, SkullOptions
from skull_protocol.tables import TableOptions

BREATH = float(os.environ.get("SKULL_BREATH", "0.02"))
"""Seconds between two attempts of who tries again and again; 0: as fast as it goes."""
SOCKETS = 500
DEAF = 40

Attempts = Generator[float, None, None]
"""Each step is one attempt, and tells how many seconds there are until the next."""


_numbers = itertools.count()


def a_name() -> str:
    """A name that nobody had before."""
    return f"{next(_numbers):06} {os.getpid()}"


def silent(port: int, codes: Sequence[str]) -> Attempts:
    """500 sockets that say nothing."""
    with contextlib.ExitStack() as held:
        for _ in range(SOCKETS):
            held.enter_context(connect(port))
            yield 0
        while True:
            yield 0.1


def drips(port: int, codes: Sequence[str]) -> Attempts:
    """200 sockets that send a hello, a byte a second each."""
    hello = encode(Hello(1, PROTOCOL_VERSION, "drips", None))
    with contextlib.ExitStack() as held:
        dripping = [held.enter_context(connect(port)) for _ in range(200)]
        for number in itertools.count():
            byte = number // len(dripping) % len(hello)
            with contextlib.suppress(ConnectionError):
                dripping[number % len(dripping)].sendall(hello[byte : byte + 1])
            yield 1 / len(dripping)


def strangers(port: int, codes: Sequence[str]) -> Attempts:
    """HTTP, TLS, a length of four billion, a thousand deep, 4,000 empty maps; one after another."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="box")
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    bodies = (
        b"\x81\xa1x" + b"\x91" * 1000 + b"\xc0",
        b"\x81\xa1x\xdd" + struct.pack(">I", 4000) + b"\x80" * 4000,
    )
    words = (
        b"GET / HTTP/1.1\r\nHost: skull\r\n\r\n",
        outgoing.read(),
        b"\xff\xff\xff\xff",
        *(struct.pack(">I", len(body)) + body for body in bodies),
    )
    for said in itertools.cycle(words):
        with connect(port) as sock:
            _say_and_read_to_end(sock, said)
        yield BREATH


def floods(port: int, codes: Sequence[str]) -> Attempts:
    """5,000 frames in one write, again and again."""
    frames = encode(Ping(10**6)) * 5000
    while True:
        with Client(port, a_name()).sock as sock:
            _say_and_read_to_end(sock, frames)
        yield BREATH


def impostors(port: int, codes: Sequence[str]) -> Attempts:
    """Names that are taken and tokens that are wrong, until the line is cut."""
    while True:
        with connect(port) as sock:
            for number in range(5):
                token = "0" * 64 if number % 2 else None
                sock.sendall(encode(Hello(number + 1, PROTOCOL_VERSION, "Player 0 0", token)))
            _say_and_read_to_end(sock, b"")
        yield BREATH


def deaf(port: int, codes: Sequence[str]) -> Attempts:
    """40 who watch the bystanders and never read; cut off, they come again."""
    with contextlib.ExitStack() as held:
        for number in itertools.count():
            watcher = Client(port, a_name())
            held.enter_context(watcher.sock)
            watcher.sock.sendall(encode(WatchTable(2, codes[number % len(codes)])))
            yield 0 if number < DEAF else 0.2


def chatters(port: int, codes: Sequence[str]) -> Attempts:
    """One who watches and talks as fast as the server takes requests; most is refused."""
    talker = Client(port, a_name())
    with talker.sock as sock:
        talker.ask(WatchTable(2, codes[0]))
        for number in itertools.count(3):
            sock.sendall(encode(Say(number, "hm" * 100)))
            while select.select([sock], [], [], 0)[0]:
                sock.recv(65536)
            yield 1 / 18


def lookers(port: int, codes: Sequence[str]) -> Attempts:
    """One who looks at a long game again and again, as fast as the server takes requests."""
    people = [Client(port, a_name()) for _ in range(6)]
    host, *guests = people
    options = TableOptions(min_seats=6, leavers="forfeit", rules=SkullOptions(first_player=0))
    with contextlib.ExitStack() as held:
        for person in people:
            held.enter_context(person.sock)
        made = map(PUSHES.parse, host.ask(CreateTable(2, options)))
        code = next(push.code for push in made if isinstance(push, Table))
        for guest in guests:
            guest.ask(JoinTable(2, code))
        begun = map(PUSHES.parse, host.ask(StartGame(3)))
        seq = next(push.seq for push in begun if isinstance(push, Update))
        for number in range(30):
            for person in guests:  # not all, or the round would be abandoned
                person.ask(Act(4 + number, seq, Abandon(number % 2 == 0)))
                seq += 1
        for guest in guests:
            guest.ask(LeaveTable(100))
        game = _latest_game(host.ask(ListGames(101, None)))
        yield 1.0  # what may be asked in one go is used up
        for number in itertools.count(102):
            host.sock.sendall(encode(GetGame(number, game, 0)))
            while select.select([host.sock], [], [], 0)[0]:
                host.sock.recv(65536)
            yield 1 / 18


def _latest_game(bodies: Iterable[bytes]) -> int:
    return next(
        push.games[0].game
        for push in map(PUSHES.parse, bodies)
        if isinstance(push, Games) and push.games
    )


def half_made(port: int, codes: Sequence[str]) -> Attempts:
    """Tables that are set up, and left by vanishing."""
    while True:
        maker = Client(port, a_name())
        with maker.sock:
            maker.ask(CreateTable(2, TableOptions()))
            maker.ask(AddBot(3))
        yield BREATH


ABUSES: dict[str, Callable[[int, Sequence[str]], Attempts]] = {
    "silent": silent,
    "drips": drips,
    "strangers": strangers,
    "floods": floods,
    "impostors": impostors,
    "deaf": deaf,
    "chatters": chatters,
    "lookers": lookers,
    "half_made": half_made,
}


def _say_and_read_to_end(sock: socket.socket, said: bytes) -> None:
    """The server must close; it may do so while it is still being talked to."""
    with contextlib.suppress(ConnectionError):
        sock.sendall(said)
    with contextlib.suppress(ConnectionError):
        while sock.recv(65536):
            pass


def main() -> None:
    """Offend from a line "go" to a line "stop"; answer each when it is so."""
    name, port, *codes = sys.argv[1:]
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, 0, 10)
    attempts: Attempts | None = None
    pause: float | None = None
    while True:
        if select.select([sys.stdin], [], [], pause)[0]:
            line = sys.stdin.readline().strip()
            if not line:
                return
            if attempts is not None:
                attempts.close()
            attempts = ABUSES[name](int(port), codes) if line == "go" else None
            pause = None if attempts is None else 0.0
            print(line, flush=True)
        elif attempts is not None:
            pause = next(attempts)


if __name__ == "__main__":
    main()
