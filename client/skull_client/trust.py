"""Speaking TLS: whom the client trusts, and what to say when a certificate does not fit."""

import ssl
from pathlib import Path

from skull_client.address import Address
from skull_client.wording import msg, say

_FAULTS = {
    9: msg("The certificate of {host} is not valid yet: is this machine's clock right?"),
    10: msg("The certificate of {host} has expired: ask who runs the server to renew it."),
    62: msg("The server's certificate is not for {host}: type the name that it was made for."),
    64: msg("The server's certificate is not for {host}: type the name that it was made for."),
}
"""By OpenSSL's number for what is wrong with a certificate."""
_NOT_TRUSTED = msg(
    "The certificate of {host} is not trusted here: "
    "get it from who runs the server, then add --tls-ca FILE."
)


class UnfitAuthority(Exception):  # noqa: N818 - says what the file is
    """A file holds no certificate to trust; the message says in one sentence what to give."""


def trusting(authority: Path | None) -> ssl.SSLContext:
    """Return how to speak TLS 1.2 or newer with a server whose certificate can be trusted.

    `authority`: a PEM file with the server's own certificate, or that of who signed it; None:
    whomever this machine trusts. Raises `UnfitAuthority`.
    """
    try:
        context = ssl.create_default_context(cafile=None if authority is None else str(authority))
    except ssl.SSLError as fault:
        raise UnfitAuthority(
            say(
                "{file} holds no certificate: give the server's certificate as a PEM file.",
                file=authority,
            )
        ) from fault
    except OSError as fault:
        raise UnfitAuthority(
            say(
                "Cannot read {file} ({reason}): give the server's certificate.",
                file=authority,
                reason=fault.strerror,
            )
        ) from fault
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def sentence(address: Address, fault: ssl.SSLError) -> str:
    """Say why TLS with a server came to nothing, and what to do."""
    if not isinstance(fault, ssl.SSLCertVerificationError):
        return say("{address} does not speak TLS as it should: try without --tls.", address=address)
    return say(_FAULTS.get(fault.verify_code, _NOT_TRUSTED), host=address.host)
