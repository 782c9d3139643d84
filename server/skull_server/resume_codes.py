"""Short codes with which a player comes back on another terminal.

A code is said aloud or typed by hand, so it is short: it works once and for a few minutes, and who
keeps trying wrong ones must wait. Codes are kept as hashes, in memory: a restart voids them.
"""

import hashlib
from collections.abc import Callable

from skull_protocol.errors import Refusal
from skull_server.allowances import Allowances
from skull_server.chance import Chance
from skull_server.limits import Limits

_LETTERS = 8


class ResumeCodes:
    """The codes that hold, one for a player at most."""

    def __init__(self, now: Callable[[], float], limits: Limits, chance: Chance) -> None:
        """`now()` is the time in seconds."""
        self._now = now
        self._limits = limits
        self._chance = chance
        self._codes: dict[bytes, tuple[int, float]] = {}
        """The number of the player whose code it is, and until when it holds."""
        self._code_of: dict[int, bytes] = {}
        self._tries = Allowances(now, limits.code_tries, limits.code_seconds)
        """Wrong codes that each address may still say."""

    def give(self, player: int) -> str:
        """Return a new code; the player's former one holds no longer."""
        self.forget(player)
        code = self._chance.code(_LETTERS)
        hashed = _hashed(code)
        self._codes[hashed] = player, self._now() + self._limits.code_seconds
        self._code_of[player] = hashed
        return code

    def take(self, code: str, address: str | None) -> int:
        """Return the number of the player whose code it is, and use it up.

        Raises `bad_code` or `too_many_tries`.
        """
        if not self._tries.any_left(address):
            raise Refusal(
                "too_many_tries", "Too many wrong codes came from where you are: wait a little."
            )
        player, until = self._codes.get(_hashed(code), (None, 0.0))
        if player is None or until < self._now():
            self._tries.take(address)
            raise Refusal(
                "bad_code", "That code is wrong, used or too old: ask for a new one and type that."
            )
        self.forget(player)
        return player

    def forget(self, player: int) -> None:
        """Void a player's code, if there is one."""
        hashed = self._code_of.pop(player, None)
        if hashed is not None:
            del self._codes[hashed]


def _hashed(code: str) -> bytes:
    """The hash of a code, however it is spaced and capitalized."""
    return hashlib.sha256("".join(code.split()).replace("-", "").upper().encode()).digest()
