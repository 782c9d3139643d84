"""How much others feel of abuse: their p99 answer time beside the quiet one of the same run.

    python -m tests.benchmarks.abuse_latency

The offenders are a process of their own, so that their own work does not count. Prints a ratio for
each abuse (promised: at most 2) and gates nothing: the machine decides.
"""

import asyncio
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.abuse.conftest import ServerProcess
from tests.server.conftest import SocketPeer

from skull_protocol.codec import encode
from skull_protocol.pushes import Ok, Table
from skull_protocol.requests import CreateTable, JoinTable, Ping, Say, WatchTable
from skull_protocol.tables import TableOptions

SECONDS = 4.0
PAUSE = 0.01
"""Seconds between two lines that a bystander says; each goes to the whole table."""


BREATH = 0.05
"""Seconds between two attempts of an offender: what is measured is the server, not the machine."""


async def dial(port: int, address: str = "127.0.0.1") -> SocketPeer:
    """Connect from an address of this machine."""
    return SocketPeer(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0)))


async def answer_times(speaker: SocketPeer, seconds: float) -> list[float]:
    """Talk for so long; how long each line took to be answered, in milliseconds."""
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        assert isinstance(await speaker.ask(Say, text="hello"), Ok)
        times.append((time.perf_counter() - began) * 1000)
        del speaker.inbox[:-20]
        await asyncio.sleep(PAUSE)
    return times


async def silent(port: int) -> None:
    """500 sockets that say nothing."""
    sockets = [await dial(port) for _ in range(500)]
    for peer in sockets:
        while await peer.read():
            pass


async def strangers(port: int) -> None:
    """One HTTP request after the other."""
    while True:
        peer = await dial(port)
        peer.writer.write(b"GET / HTTP/1.1\r\nHost: skull\r\n\r\n")
        while await peer.read():
            pass
        peer.writer.close()
        await asyncio.sleep(BREATH)


async def floods(port: int) -> None:
    """5,000 frames in one write, again and again."""
    number = 0
    while True:
        peer = await dial(port)
        number += 1
        await peer.hello(f"{number:06} floods")
        peer.writer.write(encode(Ping(10**6)) * 5000)
        try:
            while await peer.read():
                pass
        except ConnectionError:
            pass
        peer.writer.close()
        await asyncio.sleep(BREATH)


async def deep(port: int) -> None:
    """Frames nested a thousand deep, and lists of thousands of empty maps."""
    bodies = [
        b"\x81\xa1x" + b"\x91" * 1000 + b"\xc0",
        b"\x81\xa1x\xdd" + struct.pack(">I", 4000) + b"\x80" * 4000,
    ]
    while True:
        for body in bodies:
            peer = await dial(port)
            peer.writer.write(struct.pack(">I", len(body)) + body)
            while await peer.read():
                pass
            peer.writer.close()
            await asyncio.sleep(BREATH)


async def half_made(port: int) -> None:
    """Tables that are set up and left."""
    number = 0
    while True:
        peer = await dial(port)
        number += 1
        await peer.hello(f"{number:06} leaves")
        await peer.ask(CreateTable, options=TableOptions())
        peer.writer.close()
        await asyncio.sleep(BREATH / 5)


ABUSES: dict[str, Callable[[int], Awaitable[None]]] = {
    "silent": silent,
    "strangers": strangers,
    "floods": floods,
    "deep": deep,
    "half_made": half_made,
}


async def main() -> None:
    """Measure the quiet, then each abuse, then the quiet again."""
    with tempfile.TemporaryDirectory() as directory:
        flags = ("--chat-burst", "1000000", "--players", "100000", "--tables", "100000")
        paces = ("--requests-per-second", "1000", "--log-level", "warning")
        server = ServerProcess(Path(directory) / "server", *flags, *paces)
        table = [await dial(server.port, "127.0.0.9") for _ in range(6)]
        for number, person in enumerate(table):
            await person.hello(f"Bystander {number}")
        await table[0].ask(CreateTable, options=TableOptions(min_seats=2))
        for number, person in enumerate(table[1:]):
            request = JoinTable if number < 3 else WatchTable
            await person.ask(request, code=table[0].last(Table).code)
        readers = [asyncio.create_task(_read_for_ever(person)) for person in table[1:]]
        await answer_times(table[0], 1)
        quiet = _p99(await answer_times(table[0], SECONDS))
        print(f"{'quiet':>12}: p99 {quiet:7.2f} ms")
        for name in ABUSES:
            module = ("-m", "tests.benchmarks.abuse_latency", name, str(server.port))
            offender = await asyncio.create_subprocess_exec(sys.executable, *module)
            times = _p99(await answer_times(table[0], SECONDS))
            assert offender.returncode is None, f"{name} ended by itself"
            offender.kill()
            await offender.wait()
            print(f"{name:>12}: p99 {times:7.2f} ms, {times / quiet:5.2f} of the quiet one")
        again = _p99(await answer_times(table[0], SECONDS))
        print(f"{'quiet again':>12}: p99 {again:7.2f} ms, {again / quiet:5.2f} of the quiet one")
        for reader in readers:
            reader.cancel()
        server.process.kill()


async def offend(name: str, port: int) -> None:
    """Abuse a server until killed."""
    await ABUSES[name](port)
    await asyncio.Event().wait()


async def _read_for_ever(peer: SocketPeer) -> None:
    while await peer.read():
        peer.inbox.clear()


def _p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


if __name__ == "__main__":
    asyncio.run(offend(sys.argv[1], int(sys.argv[2])) if len(sys.argv) > 1 else main())
