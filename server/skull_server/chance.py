"""Where everything unpredictable comes from: tokens, table codes, the seeds of games and bots.

Without a seed it is the operating system's randomness, as secrets need; with one, the same
server does the same things again, as tests need.
"""

import random

_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"


class Chance:
    """A source of secrets and seeds."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.SystemRandom() if seed is None else random.Random(seed)

    def token(self) -> str:
        """Return a secret of 256 bits."""
        return f"{self._random.getrandbits(256):064x}"

    def code(self, letters: int = 4) -> str:
        """Return a code of so many consonants; it may be in use. A table's has four."""
        return "".join(self._random.choice(_CODE_LETTERS) for _ in range(letters))

    def salt(self, length: int) -> bytes:
        """Return so many bytes that make two hashes of one password differ."""
        return self._random.randbytes(length)

    def seed(self) -> int:
        """Return a seed that nobody can guess."""
        return self._random.getrandbits(256)
