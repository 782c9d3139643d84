"""Where a server is, as people type it: `box`, `box:7585`, `192.0.2.7`, `[::1]:7585` or `::1`."""

import re
from ipaddress import AddressValueError, IPv6Address

from msgspec import Struct

from skull_client.typed import number_in
from skull_client.wording import say

DEFAULT_PORT = 7585
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})", re.ASCII)


class BadAddress(ValueError):  # noqa: N818 - says what was typed
    """What was typed is no address; the message says in one sentence what to type."""


class Address(Struct, frozen=True):
    """A host and a port to connect to."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(typed: str) -> Address:
    """Return the address that was typed. Raises `BadAddress`."""
    text = typed.strip()
    if text.startswith("["):
        inside, closed, rest = text[1:].partition("]")
        if not closed or not (rest == "" or rest.startswith(":")):
            raise BadAddress(say("Type an IPv6 address with a port as [ADDRESS]:PORT."))
        return Address(_ipv6(inside), _port(rest[1:]) if rest else DEFAULT_PORT)
    if text.count(":") > 1:
        return Address(_ipv6(text), DEFAULT_PORT)
    host, colon, port = text.partition(":")
    if not _HOST.fullmatch(host) or ".." in host:
        raise BadAddress(say("Type the server as HOST or HOST:PORT, such as box or box:7585."))
    return Address(host.lower(), _port(port) if colon else DEFAULT_PORT)


def _ipv6(text: str) -> str:
    try:
        return str(IPv6Address(text))
    except AddressValueError:
        raise BadAddress(say("That is no IPv6 address: type it as ::1 or [::1]:7585.")) from None


def _port(text: str) -> int:
    port = number_in(range(1, 65536), text)
    if port is not None:
        return port
    raise BadAddress(say("A port is a number from 1 to 65535, such as 7585."))
