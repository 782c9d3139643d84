"""Who may come in at one table: its password, and whom the host has removed.

Who was removed is known by number, whatever connection or token they come with, and by name, since
a player who stays away for long is forgotten and comes back under another number. An address keeps
nobody out: people on one box or behind one router share it. A password does.
"""

from collections.abc import Iterable

from skull_protocol.errors import Refusal
from skull_server.chance import Chance
from skull_server.inputs import Inputs
from skull_server.limits import Limits
from skull_server.names import small_look
from skull_server.passwords import SALT_BYTES, Password, hashed
from skull_server.sessions import Session


class Admission:
    """Lets in who has not been removed and knows the password, if there is one."""

    def __init__(self, inputs: Inputs, limits: Limits, chance: Chance) -> None:
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._password: Password | None = None
        self._removed: dict[int | str, None] = {}
        """Who must not come back: numbers and looks of names, the first removed first."""

    @property
    def locked(self) -> bool:
        """Whether it takes a password to come in."""
        return self._password is not None

    @property
    def kept_password(self) -> bytes | None:
        """Salt and hash of the password, to be stored; None: there is none."""
        return None if self._password is None else self._password.kept

    @property
    def removed(self) -> tuple[int | str, ...]:
        """Who must not come back: numbers and looks of names, the first removed first."""
        return tuple(self._removed)

    def lock(self, password: str | None) -> None:
        """Ask for this password from now on; None: for none. Raises `Refusal` with `bad_text`."""
        self.restore_password(
            None if password is None else hashed(password, self._chance.salt(SALT_BYTES))
        )

    def restore_password(self, kept: bytes | None) -> None:
        """Ask for the password of which this was kept."""
        self._password = None if kept is None else Password(kept, self._inputs.now, self._limits)

    def keep_out(self, session: Session) -> None:
        """Somebody must not come back. Of too many, the first removed may again."""
        for known_by in _known_by(session):
            self._removed[known_by] = None
        while len(self._removed) > 2 * self._limits.removed_kept:
            del self._removed[next(iter(self._removed))]

    def restore_removed(self, kept: Iterable[int | str]) -> None:
        """Keep out those of whom this was kept."""
        self._removed = dict.fromkeys(kept)

    def check_not_removed(self, session: Session) -> None:
        """Raise `Refusal` for who was removed."""
        number, look = _known_by(session)
        if number in self._removed:
            raise Refusal("removed", "The host removed you from that table: choose another.")
        if look in self._removed:
            raise Refusal(
                "removed",
                "The host removed somebody of your name from that table: choose another.",
            )

    def check_password(self, session: Session, said: str | None) -> None:
        """Raise `Refusal` unless this is the password. To be asked last: wrong ones are counted."""
        if self._password is not None:
            address = None if session.connection is None else session.connection.address
            self._password.check(said, address)


def _known_by(session: Session) -> tuple[int, str]:
    return session.id, small_look(session.name)
