"""Who is who: a player's identity, which outlives their connections.

A token proves identity and nothing else does. Only hashes of tokens are kept. Each welcome gives
a new token; the one it was given for holds until the new one is used.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable

from skull_protocol.errors import Refusal
from skull_protocol.pushes import Error, Goodbye, Ok
from skull_protocol.requests import Hello, Request
from skull_protocol.wire import Tagged
from skull_server.chance import Chance
from skull_server.inputs import Alarm, Inputs, Receiver
from skull_server.limits import Limits
from skull_server.names import checked_name, looks


class Session:
    """One player, connected or not."""

    __slots__ = ("_answers", "_inputs", "_kept", "absence", "connection", "id", "name", "tokens")

    def __init__(self, player: int, name: str, inputs: Inputs, answers_kept: int) -> None:
        self.id = player
        self.name = name
        self.connection: Receiver | None = None
        self.tokens: tuple[bytes, ...] = ()
        """Hashes of the tokens that hold, the newest last."""
        self.absence: Alarm | None = None
        """Runs while the player is not connected."""
        self._inputs = inputs
        self._kept = answers_kept
        self._answers: OrderedDict[int, tuple[int, Ok | Error]] = OrderedDict()

    @property
    def connected(self) -> bool:
        """Whether somebody is there to be told things."""
        return self.connection is not None

    def tell(self, message: Tagged) -> None:
        """Send this player a message, if they are there."""
        if self.connection is not None:
            self._inputs.send(self.connection, message)

    def tell_frame(self, frame: bytes) -> None:
        """Send this player a frame that was encoded once for many."""
        if self.connection is not None:
            self._inputs.send_frame(self.connection, frame)

    def answered(self, request: Request) -> Ok | Error | None:
        """Return the answer that this request had before, None if it is new.

        Raises `Refusal` with `bad_message` if another request had this id.
        """
        kept = self._answers.get(request.id)
        if kept is None:
            return None
        if kept[0] != hash(request):
            raise Refusal(
                "bad_message", "Each new request needs an id of its own, larger each time."
            )
        return kept[1]

    def remember(self, request: Request, answer: Ok | Error) -> None:
        """Keep an answer, for when the same request comes again after a lost connection."""
        self._answers[request.id] = (hash(request), answer)
        if len(self._answers) > self._kept:
            self._answers.popitem(last=False)


class Sessions:
    """Everybody the server knows, found by token and kept apart by name."""

    def __init__(
        self, inputs: Inputs, limits: Limits, chance: Chance, forget: Callable[[Session], bool]
    ) -> None:
        """`forget(session)` is asked when an absence got long; True lets the player go."""
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._may_forget = forget
        self._next_id = 1
        self._by_token: dict[bytes, Session] = {}
        self._by_id: dict[int, Session] = {}
        self._by_look: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def enter(self, hello: Hello, connection: Receiver) -> tuple[Session, str, bool]:
        """Let somebody in: a new player, or one who comes back with a token.

        Returns the session, its new token, and whether it is a player who came back. Raises
        `Refusal`; then nothing has changed.
        """
        if hello.token is None:
            session, resumed = self._newcomer(checked_name(hello.name)), False
        else:
            session, resumed = self._returning(hello.token), True
        token = self._renew_token(session, hello.token)
        if session.connection is not None:
            words = "You are playing from another window now: this one is closed."
            session.tell(Goodbye(words, retry=False))
            self._inputs.hang_up(session.connection)
        if session.absence is not None:
            session.absence.cancel()
            session.absence = None
        session.connection = connection
        return session, token, resumed

    def gone(self, session: Session) -> None:
        """The player lost the connection: keep name and seat for a while."""
        session.connection = None
        self._await_return(session)

    def _await_return(self, session: Session) -> None:
        session.absence = self._inputs.later(
            self._limits.absence, lambda: self._absent_for_long(session)
        )

    def _absent_for_long(self, session: Session) -> None:
        session.absence = None
        if self._may_forget(session):
            self._drop(session)
        else:
            self._await_return(session)

    def _drop(self, session: Session) -> None:
        del self._by_id[session.id]
        for look in looks(session.name):
            del self._by_look[look]
        for hashed in session.tokens:
            del self._by_token[hashed]

    def _newcomer(self, name: str) -> Session:
        if any(look in self._by_look for look in looks(name)):
            raise Refusal(
                "name_taken", "Somebody here has that name or one like it: add something."
            )
        if len(self._by_id) >= self._limits.players:
            raise Refusal("server_full", "This server is full: please try again later.")
        session = Session(self._next_id, name, self._inputs, self._limits.answers_kept)
        self._next_id += 1
        self._by_id[session.id] = session
        for look in looks(name):
            self._by_look[look] = session
        return session

    def _returning(self, token: str) -> Session:
        session = self._by_token.get(_hashed(token))
        if session is None:
            raise Refusal("bad_token", "That seat is not kept any more: say hello as a new player.")
        return session

    def _renew_token(self, session: Session, used: str | None) -> str:
        """Give out a new token; of the older ones only the one just used still holds."""
        token = self._chance.token()
        holds = (_hashed(token),) if used is None else (_hashed(used), _hashed(token))
        for hashed in session.tokens:
            del self._by_token[hashed]
        session.tokens = holds
        for hashed in holds:
            self._by_token[hashed] = session
        return token


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
