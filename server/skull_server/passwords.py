"""The password of a table: kept as a hash, and not to be found by trying.

The hash is scrypt with cheap parameters. It is computed on the one loop that serves everybody,
where a dear one would let anybody who sets passwords slow down all others; and what it keeps is
no account's password, but a word told among friends for an evening. Right passwords after the
first are recognised without it.
"""

import hashlib
import unicodedata
from collections.abc import Callable
from hmac import compare_digest

from skull_protocol.errors import Refusal
from skull_server.allowances import Allowances
from skull_server.limits import Limits

SALT_BYTES = 32
_COST = {"n": 2**7, "r": 8, "p": 1, "dklen": 32}
"""A quarter of a millisecond and 128 KiB."""
_EVERYBODY = "everybody"


class Password:
    """What it takes to come in, and how often it was tried in vain."""

    def __init__(self, kept: bytes, now: Callable[[], float], limits: Limits) -> None:
        """`kept`: what `hashed` made."""
        self.kept = kept
        """Salt and hash, to be stored."""
        self._right: bytes | None = None
        """A quick hash of the right password, in memory only, once somebody has said it."""
        seconds = limits.password_wait
        self._per_address = Allowances(now, limits.password_tries, seconds)
        self._in_all = Allowances(now, limits.table_password_tries, seconds)

    def check(self, said: str | None, address: str | None) -> None:
        """Raise `Refusal` unless this is it; wrong ones are counted, for the address and in all."""
        if said is None:
            raise Refusal("bad_password", "It takes a password to come in: ask the host for it.")
        if not (self._per_address.any_left(address) and self._in_all.any_left(_EVERYBODY)):
            raise Refusal(
                "too_many_tries", "Too many wrong passwords: wait a few minutes, then try again."
            )
        if not self._is_right(said):
            self._per_address.take(address)
            self._in_all.take(_EVERYBODY)
            raise Refusal("bad_password", "That is not the password: ask the host, try again.")

    def _is_right(self, said: str) -> bool:
        salt, hash_ = self.kept[:SALT_BYTES], self.kept[SALT_BYTES:]
        quick = hashlib.blake2b(_bytes(said), key=salt).digest()
        if self._right is not None and compare_digest(quick, self._right):
            return True
        if not compare_digest(_hash(said, salt), hash_):
            return False
        self._right = quick
        return True


def hashed(password: str, salt: bytes) -> bytes:
    """Return what is kept of a password. Raises `Refusal` with `bad_text` for an empty one."""
    if not password.strip():
        raise Refusal("bad_text", "A password cannot be empty: type one, or choose to have none.")
    return salt + _hash(password, salt)


def _hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(_bytes(password), salt=salt, **_COST)


def _bytes(password: str) -> bytes:
    """The same for every keyboard that types it. (No lone surrogate gets through the decoder.)"""
    return unicodedata.normalize("NFC", password).encode()
