"""Reaching a server: the one thing that differs between a network and a server in this process."""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable

from skull_client import trust
from skull_client.address import Address
from skull_client.wording import say

DIAL_SECONDS = 10.0
"""How long a machine may take to accept a connection."""

Dial = Callable[[Callable[[], asyncio.Protocol]], Awaitable[None]]
"""Connects a new protocol, made by the function it is given, or raises `Unreachable`."""


class Unreachable(Exception):  # noqa: N818 - says what the server is
    """No connection came about; the message is a sentence for people that says what to check."""


def tcp(address: Address, tls: ssl.SSLContext | None = None) -> Dial:
    """Return how to reach a server over the network; with `tls`, encrypted."""

    async def dial(make_protocol: Callable[[], asyncio.Protocol]) -> None:
        try:
            async with asyncio.timeout(DIAL_SECONDS):
                await asyncio.get_running_loop().create_connection(
                    make_protocol, address.host, address.port, ssl=tls, happy_eyeballs_delay=0.25
                )
        except (OSError, UnicodeError) as fault:
            raise Unreachable(_sentence(address, fault)) from fault

    return dial


def _sentence(address: Address, fault: OSError | UnicodeError) -> str:
    if isinstance(fault, ssl.SSLError):
        return trust.sentence(address, fault)
    if isinstance(fault, socket.gaierror | UnicodeError):
        return say(
            "No machine called {host} was found: check the name and the network.",
            host=address.host,
        )
    if isinstance(fault, TimeoutError):
        return say("{address} does not answer: check the address and the network.", address=address)
    return say("Nothing answers at {address}. Is skull-server running there?", address=address)
