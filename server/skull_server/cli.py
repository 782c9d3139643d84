"""The command `skull-server`."""

import argparse
import asyncio
import gc
import os
import resource
import signal
import socket
import ssl
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from skull_server import log_lines, logs
from skull_server.limits import Limits

if TYPE_CHECKING:
    from skull_server.inputs import Scheduler
    from skull_server.server import Server

DEFAULT_PORT = 7585
SEARCH = 600.0
"""Seconds between two searches for garbage, each of which stops a full server for a tenth of a
second. What is over goes without (tests/server/test_garbage.py)."""


def main() -> None:
    """Run the server until it is told to stop, or check a data directory."""
    if sys.argv[1:2] == ["check"]:
        sys.exit(_check(sys.argv[2:]))
    flags = _read_flags()
    log_lines.set_up(flags.log_level, flags.log_format)
    limits = Limits.from_flags(flags)
    flags.data_dir = flags.data_dir or _default_directory()
    try:
        _prepare_directory(flags.data_dir)
    except OSError as fault:
        _give_up(
            f"cannot use {fault.filename or flags.data_dir}: {fault.strerror}. Try --data-dir."
        )
    _allow_open_files(limits.connections)
    sys.exit(asyncio.run(_run(flags, limits)))


async def _run(flags: argparse.Namespace, limits: Limits) -> int:
    host, port = flags.host, flags.port
    tls = None if flags.tls_cert is None else _tls(flags.tls_cert, flags.tls_key)
    server = _server(flags.data_dir, limits, salvage=flags.salvage)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_fault)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        address, taken = await server.serve(host, port, tls)
    except OSError as fault:
        where = _shown(host, port)
        _give_up(f"cannot listen on {where}: {_reason(fault)}. Try another --host or --port.")
    if flags.metrics_port is not None:
        _count(server, flags.metrics_host, flags.metrics_port)
    gc.freeze()  # what there is by now stays for good: never search it for garbage
    search_now_and_then(loop)
    print(f"skull-server listening on {_shown(address, taken)}", flush=True)  # noqa: T201
    await stopping.wait()
    await server.stop()
    return 0


def search_now_and_then(scheduler: "Scheduler") -> None:
    """Look for garbage every so often, and never else."""
    gc.disable()

    def search() -> None:
        gc.collect()
        scheduler.call_later(SEARCH, search)

    scheduler.call_later(SEARCH, search)


def _server(directory: Path, limits: Limits, *, salvage: bool) -> "Server":
    """Return the server of a data directory, as it was when its former one ended."""
    from skull_server.damage import JournalDamaged
    from skull_server.journal import Journal
    from skull_server.journal_file import DirectoryBusy, JournalTooNew
    from skull_server.server import Server
    from skull_server.thinking import WorkerMind

    try:
        journal = Journal(directory)
        try:
            return Server(limits, journal=journal, mind=WorkerMind())
        except BaseException:
            journal.close()
            raise
    except DirectoryBusy as busy:
        _give_up(f"{busy}. Stop that one, or try another --data-dir.")
    except JournalTooNew as newer:
        _give_up(f"{newer}. Upgrade skull-server, or try another --data-dir.")
    except JournalDamaged as damage:
        if not salvage:
            _give_up(
                f"the journal in {directory} is damaged ({damage}). "
                "With --salvage it is set aside, and what can be read is kept."
            )
    except OSError as fault:
        _give_up(f"cannot use {fault.filename or directory}: {fault.strerror}. Try --data-dir.")
    _salvage(directory)
    return _server(directory, limits, salvage=False)


def _salvage(directory: Path) -> None:
    from skull_server.salvage import salvage

    try:
        report = salvage(directory)
    except OSError as fault:
        _give_up(f"cannot set the journal aside: {fault.strerror}. Nothing was changed.")
    for sentence in report:
        print(f"skull-server: {sentence}.", file=sys.stderr)  # noqa: T201


def _check(arguments: list[str]) -> int:
    """Do `skull-server check`: one line for each problem on stdout, and 1 if there is any."""
    parser = argparse.ArgumentParser(
        prog="skull-server check",
        description="Verifies what a server keeps: the file, and that every game can be played "
        "again from it. Exits 0 if all is well, and else 1 after a line for each problem.",
    )
    parser.add_argument(
        "--data-dir", type=Path, metavar="DIR", help="the server's --data-dir (default: as there)"
    )
    from skull_server.check import check

    problems = check(parser.parse_args(arguments).data_dir or _default_directory())
    for problem in problems:
        print(problem)  # noqa: T201
    return 1 if problems else 0


def _tls(certificate: Path, key: Path) -> ssl.SSLContext:
    from skull_server.tls import UnfitCertificate, server_context

    try:
        return server_context(certificate, key)
    except UnfitCertificate as unfit:
        _give_up(f"{unfit}. Look at --tls-cert and --tls-key.")


def _count(server: "Server", host: str, port: int) -> None:
    from skull_server.prometheus import Endpoint, PrometheusMetrics

    metrics = PrometheusMetrics()
    try:
        endpoint = Endpoint(host, port, metrics)
    except OSError as fault:
        where = _shown(host, port)
        _give_up(f"cannot serve metrics on {where}: {_reason(fault)}. Try another --metrics-port.")
    server.count_with(metrics)
    logs.get(__name__).info("metrics_served", host=host, port=endpoint.port)


def _read_flags() -> argparse.Namespace:
    parser = _parser()
    flags = parser.parse_args()
    if (flags.tls_cert is None) != (flags.tls_key is None):
        parser.error("--tls-cert and --tls-key go together: give both, or neither")
    return flags


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skull-server",
        description="Serves Skull to everybody who connects with skull-client.",
        epilog="`skull-server check [--data-dir DIR]` verifies what a server keeps.",
    )
    parser.add_argument(
        "--host",
        default="0.0.0.0",  # noqa: S104 - friends on the LAN are to reach it
        help="address to listen on (default: %(default)s, every network of this machine; "
        "127.0.0.1: only players on this machine, as over SSH)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        default=DEFAULT_PORT,
        help="port to listen on (default: %(default)s; 0: any free one)",
    )
    parser.add_argument(
        "--data-dir",
        type=Path,
        metavar="DIR",
        help="where the server keeps what must outlive it (default: under the user's state)",
    )
    parser.add_argument(
        "--salvage",
        action="store_true",
        help="if the journal is damaged, set it aside and go on with what can be read of it",
    )
    parser.add_argument(
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="warning",
        help="how much to log on stderr (default: %(default)s)",
    )
    parser.add_argument(
        "--log-format",
        choices=["text", "json"],
        default="text",
        help="one line an event, either way (default: %(default)s)",
    )
    parser.add_argument(
        "--tls-cert",
        type=Path,
        metavar="FILE",
        help="speak TLS, with the certificate (chain) in this PEM file (default: no TLS)",
    )
    parser.add_argument(
        "--tls-key", type=Path, metavar="FILE", help="the certificate's key, as a PEM file"
    )
    parser.add_argument(
        "--metrics-port",
        type=_port,
        metavar="PORT",
        help="serve counts for Prometheus on this port (default: off)",
    )
    parser.add_argument(
        "--metrics-host",
        default="127.0.0.1",
        metavar="HOST",
        help="address to serve them on (default: %(default)s)",
    )
    Limits.add_flags(parser)
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError("must be a number from 0 to 65535")
    return int(text)


def _shown(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _default_directory() -> Path:
    from platformdirs import user_state_dir

    return Path(user_state_dir("skull-server"))


def _prepare_directory(directory: Path) -> None:
    """Make the directory for this user alone, and see that it can be written. Raises `OSError`."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=directory):
        pass


def _allow_open_files(connections: int) -> None:
    """Let the process have a file descriptor for each connection, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 100
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _reason(fault: OSError) -> str:
    if isinstance(fault, socket.gaierror) or fault.errno is None:
        return fault.strerror or str(fault)
    return os.strerror(fault.errno)


def _give_up(reason: str) -> NoReturn:
    sys.exit(f"skull-server: {reason}")
