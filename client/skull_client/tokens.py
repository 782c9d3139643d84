"""Resume tokens on this machine: with one, whoever lost the connection or quit is the same player
again.

One file per server and name, for the owner's eyes only. Several players may share one account:
whoever uses a name holds its lock, so that a second client with the same name is a stranger to
the server, and is asked for another name instead of taking over a friend's seat.
"""

import fcntl
import hashlib
import os
import unicodedata
from pathlib import Path

from skull_client.places import state_folder
from skull_client.whole_file import write_whole
from skull_client.wording import say


class Token:
    """A secret. Only `reveal` tells it, so that no traceback or log does."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def reveal(self) -> str:
        """Return the secret, to be sent to the server that gave it or to be stored."""
        return self._secret

    def __repr__(self) -> str:
        return "Token(…)"


class TokenFile:
    """Where the token for one server and name is kept. Nothing here raises `OSError`."""

    def __init__(self, directory: Path, server: str, name: str) -> None:
        # A digest: names hold anything, and nothing may lead out of the directory.
        folded = unicodedata.normalize("NFKC", name).casefold()
        digest = hashlib.sha256(f"{server}\0{folded}".encode()).hexdigest()[:32]
        self._directory = directory
        self._path = directory / f"{digest}.token"
        self._lock: int | None = None
        self._unsaved: Token | None = None
        self.problem = ""
        """A sentence for the player when tokens cannot be kept here; empty while all is well."""

    def claim(self) -> bool:
        """Take the name for this process. False when another client has it, or nothing works."""
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._directory.chmod(0o700)
            lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as fault:
            self._broken(fault)
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        except OSError as fault:
            os.close(lock)
            self._broken(fault)
            return False
        self._lock = lock
        return True

    def load(self) -> Token | None:
        """Return the token kept here, if the name is ours and there is one."""
        if self._lock is None:
            return None
        try:
            secret = self._path.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            return None  # not written by us; the next welcome replaces it
        except OSError as fault:
            self._broken(fault)
            return None
        return Token(secret) if 0 < len(secret) <= 200 else None

    def save(self, token: Token) -> None:
        """Keep a token instead of the former one, as soon as the name is ours.

        Who comes back by a code takes the name over from a client that is just hanging up here.
        """
        if self._lock is None and not self.claim():
            self._unsaved = token
            return
        self._unsaved = None
        try:
            write_whole(self._path, token.reveal())
        except (OSError, UnicodeEncodeError) as fault:
            self._broken(fault)

    def forget(self) -> None:
        """Remove a token that the server no longer knows, if the name is ours."""
        if self._lock is None:
            return
        try:
            self._path.unlink(missing_ok=True)
        except OSError as fault:
            self._broken(fault)

    def release(self) -> None:
        """Let another client have the name."""
        if self._unsaved is not None:
            self.save(self._unsaved)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _broken(self, fault: OSError | UnicodeEncodeError) -> None:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else "bad token"
        self.problem = say(
            "Your seat cannot be remembered on this machine ({reason}): stay until the game ends.",
            reason=reason,
        )


class TokenStore:
    """All tokens that this account keeps."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or state_folder()

    def open(self, server: str, name: str) -> TokenFile:
        """Return the place for one server (as `HOST:PORT`) and name, claimed if it is free."""
        file = TokenFile(self._directory, server, name)
        file.claim()
        return file
