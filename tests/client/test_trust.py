"""Speaking TLS: whom the client trusts, and the sentence when a certificate does not fit."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from skull_client import trust
from skull_client.address import Address
from skull_client.cli import Mistake, read_wish
from skull_client.dialing import Unreachable, tcp
from skull_client.trust import UnfitAuthority, trusting
from skull_server.limits import Limits
from skull_server.server import Server
from skull_server.tls import server_context

CERTIFICATES = Path(__file__).parent.parent / "certificates"
CERTIFICATE, KEY = CERTIFICATES / "test-only.cert.pem", CERTIFICATES / "test-only.key.pem"
EXPIRED = CERTIFICATES / "test-only-expired.cert.pem"


@contextlib.asynccontextmanager
async def listening(certificate: Path | None, host: str = "127.0.0.1") -> AsyncIterator[Address]:
    """A server with this certificate, or without TLS."""
    server = Server(Limits(farewell=600))
    tls = None if certificate is None else server_context(certificate, KEY)
    try:
        yield Address(*await server.serve(host, 0, tls))
        assert await server._all_gone(30)
    finally:
        await server.stop()


class Greeted(asyncio.Protocol):
    """Waits until the server says something."""

    def __init__(self) -> None:
        self.words: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b"no frame, to which there is an answer")

    def data_received(self, data: bytes) -> None:
        self.words.set_result(data)


async def test_a_certificate_that_was_given_is_trusted() -> None:
    protocol = Greeted()
    async with listening(CERTIFICATE) as address:
        await tcp(address, trusting(CERTIFICATE))(lambda: protocol)
        assert b"bad_frame" in await protocol.words
        assert protocol.transport.get_extra_info("ssl_object").version() == "TLSv1.3"
        protocol.transport.abort()


@pytest.mark.parametrize(
    ("certificate", "host", "authority", "told"),
    [
        (
            CERTIFICATE,
            "127.0.0.1",
            None,
            "The certificate of 127.0.0.1 is not trusted here: "
            "get it from who runs the server, then add --tls-ca FILE.",
        ),
        (
            EXPIRED,
            "127.0.0.1",
            EXPIRED,
            "The certificate of 127.0.0.1 has expired: ask who runs the server to renew it.",
        ),
        (
            CERTIFICATE,
            "127.0.0.2",
            CERTIFICATE,
            "The server's certificate is not for 127.0.0.2: type the name that it was made for.",
        ),
        (None, "127.0.0.1", CERTIFICATE, "does not speak TLS as it should: try without --tls."),
    ],
)
async def test_what_does_not_fit_is_one_sentence_that_says_what_to_do(
    certificate: Path | None, host: str, authority: Path | None, told: str
) -> None:
    async with listening(certificate, host) as address:
        with pytest.raises(Unreachable) as caught:
            await tcp(address, trusting(authority))(asyncio.Protocol)
    assert str(caught.value).endswith(told)


@pytest.mark.parametrize(
    ("code", "hint"), [(9, "clock"), (10, "expired"), (62, "name"), (18, "--tls-ca")]
)
def test_each_fault_of_a_certificate(code: int, hint: str) -> None:
    fault = ssl.SSLCertVerificationError("certificate verify failed")
    fault.verify_code = code
    assert hint in trust.sentence(Address("box", 7585), fault)


def test_only_tls_1_2_and_newer() -> None:
    assert trusting(None).minimum_version == ssl.TLSVersion.TLSv1_2
    assert trusting(None).verify_mode == ssl.CERT_REQUIRED
    assert trusting(CERTIFICATE).check_hostname


@pytest.mark.parametrize(
    ("file", "hint"),
    [("missing.pem", "Cannot read"), (".", "Cannot read"), ("test-only.key.pem", "no certificate")],
)
def test_a_file_that_holds_no_certificate(file: str, hint: str) -> None:
    with pytest.raises(UnfitAuthority, match=hint):
        trusting(CERTIFICATES / file)


def test_the_command_line() -> None:
    assert read_wish(["box"]).tls is None
    assert read_wish(["box", "--tls"]).tls is not None
    assert read_wish(["box", "--tls", "--tls-ca", str(CERTIFICATE)]).tls is not None


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--tls"], "add a HOST"),
        (["box", "--tls-ca", str(CERTIFICATE)], "add --tls"),
        (["box", "--tls", "--tls-ca", "missing.pem"], "missing.pem"),
    ],
)
def test_what_makes_no_sense_is_told(arguments: list[str], hint: str) -> None:
    with pytest.raises(Mistake, match=hint):
        read_wish(arguments)
