"""The command `skull-server`."""

import argparse
import asyncio
import logging
import os
import resource
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from skull_server.limits import Limits

DEFAULT_PORT = 7585


def main() -> None:
    """Run the server until it is told to stop."""
    flags = _parser().parse_args()
    logging.basicConfig(
        stream=sys.stderr,
        level=flags.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    limits = Limits.from_flags(flags)
    try:
        _prepare_directory(flags.data_dir or _default_directory())
    except OSError as fault:
        _give_up(
            f"cannot use {fault.filename or flags.data_dir}: {fault.strerror}. Try --data-dir."
        )
    _allow_open_files(limits.connections)
    sys.exit(asyncio.run(_run(flags.host, flags.port, limits)))


async def _run(host: str, port: int, limits: Limits) -> int:
    from skull_server.server import Server

    server = Server(limits)
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        address, taken = await server.serve(host, port)
    except OSError as fault:
        where = _shown(host, port)
        _give_up(f"cannot listen on {where}: {_reason(fault)}. Try another --host or --port.")
    print(f"skull-server listening on {_shown(address, taken)}", flush=True)  # noqa: T201
    await stopping.wait()
    await server.stop()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skull-server",
        description="Serves Skull to everybody who connects with skull-client.",
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
        "--log-level",
        choices=["debug", "info", "warning", "error"],
        default="warning",
        help="how much to log on stderr (default: %(default)s)",
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
