"""`make bench`: measures the rules and the server, and prints what came out. It never gates.

Figures of one machine say little about another, so each is printed beside that of a bare server
(`bare_server`) taken in turn with it, in the same run. Name what to measure, or everything is.
"""

import argparse
import contextlib
import gc
import statistics
import tempfile
from collections.abc import Callable, Iterator

import engine
from bare_tables import BareTables
from load import SEATS, Load, Measured
from process import BARE, UNSAVED, ServerProcess, running, skull
from skull_tables import Client, SkullTables

from skull_protocol.requests import WatchTable


@contextlib.contextmanager
def skull_server(*flags: str, compiled: bool = False) -> Iterator[ServerProcess]:
    """Run our server on a fresh data directory, which must lie on a real disk to mean much."""
    with (
        tempfile.TemporaryDirectory(dir=".") as data,
        running(skull(data, *flags, compiled=compiled)) as server,
    ):
        yield server


def closed_loop(tables: int = 100, rounds: int = 3, seconds: float = 3.0) -> None:
    """As many moves as the server can do, beside the bare server in turn.

    "Compiled" has a journal as well.
    """
    print(f"closed loop, {tables} tables of {SEATS}")
    with (
        running(BARE) as bare,
        running(UNSAVED) as unsaved,
        skull_server() as saved,
        skull_server(compiled=True) as compiled,
    ):
        loads = {
            "bare": Load(bare, BareTables(bare.port, tables)),
            "no journal": Load(unsaved, SkullTables(unsaved.port, tables)),
            "journal": Load(saved, SkullTables(saved.port, tables)),
            "compiled": Load(compiled, SkullTables(compiled.port, tables)),
        }
        gc.freeze()
        measured: dict[str, list[Measured]] = {name: [] for name in loads}
        for _ in range(rounds):
            for name, load in loads.items():
                measured[name].append(load.run(seconds))
    for name, runs in measured.items():
        cpu = sorted(run.cpu_per_move for run in runs)
        rate = sorted(run.rate for run in runs)
        p99 = statistics.median(run.percentile(0.99) for run in runs)
        print(
            f"  {name:10} {statistics.median(rate):7,.0f} moves/s"
            f" ({rate[0]:,.0f} to {rate[-1]:,.0f})"
            f"  {statistics.median(cpu):6.1f} µs of CPU a move ({cpu[0]:.1f} to {cpu[-1]:.1f})"
            f"  p99 {p99:.1f} ms"
        )
    for name in ("no journal", "journal", "compiled"):
        pairs = list(zip(measured[name], measured["bare"], strict=True))
        by_rate = statistics.median(ours.rate / bare.rate for ours, bare in pairs)
        by_cpu = statistics.median(bare.cpu_per_move / ours.cpu_per_move for ours, bare in pairs)
        goal = "" if name == "no journal" else "   goal 0.40"
        print(f"  ratio, {name:10} {by_rate:.2f} by moves/s, {by_cpu:.2f} by CPU a move{goal}")


def paced(tables: int = 1000, rate: float = 1000, seconds: float = 8.0) -> None:
    """Many tables at an even pace: how long it takes until the last receiver has a move."""
    print(f"paced, {tables} tables, {rate:.0f} moves/s, to the last of {SEATS} receivers")
    with running(BARE) as bare_server, skull_server() as server:
        bare = Load(bare_server, BareTables(bare_server.port, tables))
        ours = Load(server, SkullTables(server.port, tables))
        gc.freeze()
        for name, load in (("bare", bare), ("skull", ours), ("bare", bare), ("skull", ours)):
            _print_paced(name, load.run(seconds / 2, rate), "   goal p99 20" * (load is ours))


def _print_paced(name: str, run: Measured, note: str = "") -> None:
    print(
        f"  {name:6} p50 {run.percentile(0.5):6.2f} ms  p99 {run.percentile(0.99):6.2f} ms"
        f"  {run.cpu_per_move:6.1f} µs of CPU a move"
        f"  {run.rate:,.0f} moves/s, {run.late} late{note}"
    )


def memory(connections: int = 2000, tables: int = 400) -> None:
    """What a connection in the lobby, and a table with its game, keep."""
    with skull_server() as server:
        warm = [Client(server.port, f"First {number}") for number in range(50)]
        before = server.memory()
        people = [Client(server.port, f"Next {number}") for number in range(connections)]
        each = (server.memory() - before) / connections
        for person in warm + people:
            person.sock.close()
    with skull_server() as server:
        few = SkullTables(server.port, 10, "Early")
        before = server.memory()
        many = SkullTables(server.port, tables)
        Load(server, many).run(2)
        # Six connections come with each table.
        table = (server.memory() - before) / tables - SEATS * each
        for sock in few.sockets + many.sockets:
            sock.close()
    print("memory")
    print(f"  a connection  {each / 1024:6.1f} KiB   goal  8")
    print(f"  a table       {table / 1024:6.1f} KiB   goal 64 (its six connections not counted)")


def one_that_never_reads(tables: int = 100, rate: float = 300, seconds: float = 4.0) -> None:
    """At every table somebody watches who never reads: the players must not notice."""
    print(f"clients that never read, {tables} of them at {tables} tables, {rate:.0f} moves/s")
    with skull_server() as server:
        play = SkullTables(server.port, tables)
        load = Load(server, play)
        gc.freeze()
        _print_paced("before", load.run(seconds, rate))
        watchers = [Client(server.port, f"Watcher {number}") for number in range(tables)]
        for watcher, code in zip(watchers, play.codes, strict=True):
            watcher.ask(WatchTable(2, code))
        _print_paced("with", load.run(seconds, rate))
        for watcher in watchers:
            watcher.sock.close()
        _print_paced("after", load.run(seconds, rate))


MEASUREMENTS: dict[str, Callable[[], None]] = {
    "engine": engine.main,
    "closed": closed_loop,
    "paced": paced,
    "memory": memory,
    "stalled": one_that_never_reads,
}


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", help=f"among: {', '.join(MEASUREMENTS)}")
    for name in parser.parse_args().what or MEASUREMENTS:
        MEASUREMENTS[name]()


if __name__ == "__main__":
    main()
