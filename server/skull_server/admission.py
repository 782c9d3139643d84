"""Who may come in at one table: its password, and whom the host has removed."""

from skull_protocol.errors import Refusal
from skull_server.chance import Chance
from skull_server.inputs import Inputs
from skull_server.limits import Limits
from skull_server.passwords import SALT_BYTES, Password, hashed
from skull_server.sessions import Session


class Admission:
    """Lets in who has not been removed and knows the password, if there is one."""

    def __init__(self, inputs: Inputs, limits: Limits, chance: Chance) -> None:
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._password: Password | None = None
        self._removed: dict[int, None] = {}
        """Players who must not come back, by number, the first removed first."""

    @property
    def locked(self) -> bool:
        """Whether it takes a password to come in."""
        return self._password is not None

    @property
    def kept_password(self) -> bytes | None:
        """Salt and hash of the password, to be stored; None: there is none."""
        return None if self._password is None else self._password.kept

    @property
    def removed(self) -> tuple[int, ...]:
        """Players who must not come back, by number, the first removed first."""
        return tuple(self._removed)

    def lock(self, password: str | None) -> None:
        """Ask for this password from now on; None: for none. Raises `Refusal` with `bad_text`."""
        self.restore_password(
            None if password is None else hashed(password, self._chance.salt(SALT_BYTES))
        )

    def restore_password(self, kept: bytes | None) -> None:
        """Ask for the password of which this was kept."""
        self._password = None if kept is None else Password(kept, self._inputs.now, self._limits)

    def keep_out(self, player: int) -> None:
        """Somebody must not come back. Of too many, the first removed may again."""
        self._removed[player] = None
        if len(self._removed) > self._limits.removed_kept:
            del self._removed[next(iter(self._removed))]

    def check_not_removed(self, session: Session) -> None:
        """Raise `Refusal` for who was removed."""
        if session.id in self._removed:
            raise Refusal("removed", "The host removed you from that table: choose another.")

    def check_password(self, session: Session, said: str | None) -> None:
        """Raise `Refusal` unless this is the password. To be asked last: wrong ones are counted."""
        if self._password is not None:
            address = None if session.connection is None else session.connection.address
            self._password.check(said, address)
