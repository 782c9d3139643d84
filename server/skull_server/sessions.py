"""Who is who: a player's identity, which outlives their connections and the server's own life.

A token proves identity, or a short code that the player asked for on another terminal, and nothing
else does. Only hashes of tokens are kept. Each welcome gives a new token; the one it was given for
holds until the new one is used, so nobody is locked out whatever gets lost on the way.
"""

import hashlib
from collections.abc import Callable, Iterable

import msgspec

from skull_protocol.codec import encode
from skull_protocol.errors import Refusal, msg
from skull_protocol.pushes import Error, Goodbye, Ok, ResumeCode
from skull_protocol.requests import (
    CreateTable,
    Hello,
    JoinTable,
    Request,
    SetPassword,
    WatchTable,
)
from skull_protocol.wire import Tagged
from skull_server import records
from skull_server.chance import Chance
from skull_server.inputs import Alarm, Inputs, Receiver
from skull_server.limits import Limits
from skull_server.names import checked_name, looks
from skull_server.resume_codes import ResumeCodes

_TOKENS_KEPT = 4
"""Hashes for one player: more than two only after codes were used from terminal to terminal."""
_WITH_PASSWORD = frozenset((CreateTable, JoinTable, WatchTable, SetPassword))


class Session:
    """One player, connected or not."""

    __slots__ = (
        "_answers",
        "_done",
        "_inputs",
        "_kept",
        "absence",
        "connection",
        "id",
        "name",
        "tokens",
    )

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
        self._answers: dict[int, tuple[bytes, Ok | Error]] = {}
        """By request, oldest first."""
        self._done = 0
        """How many requests of this player were done, and recorded as such."""

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
        if kept[0] != _digest(request):
            raise Refusal(
                "bad_message", "Each new request needs an id of its own, larger each time."
            )
        return kept[1]

    def remember(self, request: Request, answer: Ok | Error, *, record: bool) -> None:
        """Keep an answer, for when the same request comes again after a lost connection.

        `record`: also after a restart. A refusal changed nothing, so it need not outlive one.
        """
        digest = _digest(request)
        self._keep(request.id, digest, answer)
        if record and isinstance(answer, Ok):
            self._inputs.record(
                records.request_done, self.id, self._done, self._kept, request.id, digest
            )
            self._done += 1

    def restore_done(self, done: Iterable[tuple[int, int, bytes]]) -> None:
        """Remember requests from before a restart: number, request id and digest, oldest first."""
        for n, request, digest in done:
            self._keep(request, digest, Ok(request))
            self._done = n + 1

    def _keep(self, request: int, digest: bytes, answer: Ok | Error) -> None:
        self._answers[request] = (digest, answer)
        if len(self._answers) > self._kept:
            del self._answers[next(iter(self._answers))]


class Sessions:
    """Everybody the server knows, found by token and kept apart by name."""

    def __init__(
        self,
        inputs: Inputs,
        limits: Limits,
        chance: Chance,
        forget: Callable[[Session], bool],
        former: Callable[[bytes], int | None] | None = None,
    ) -> None:
        """`forget(session)` is asked when an absence got long; True lets the player go.

        `former(hash)` tells the number of a player gone long ago, by the hash of their token.
        """
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._may_forget = forget
        self._former = former
        self._codes = ResumeCodes(inputs.now, limits, chance)
        self._next_id = 1
        self._by_token: dict[bytes, Session] = {}
        self._by_id: dict[int, Session] = {}
        self._by_look: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def enter(
        self, hello: Hello, connection: Receiver, address: str | None = None
    ) -> tuple[Session, str, bool]:
        """Let somebody in: a new player, or one who comes back with a token or a code.

        `address`: where they are, whose wrong codes are counted. Returns the session, its new
        token, and whether it is a player who came back. Raises `Refusal`; then nothing has changed.
        """
        if hello.token is not None:
            session, resumed = self._returning(hello.token, hello.name)
        elif hello.code is not None:
            session, resumed = self._by_id[self._codes.take(hello.code, address)], True
        else:
            session, resumed = self._newcomer(checked_name(hello.name)), False
        token = self._renew_token(session, hello.token)
        if session.connection is not None:
            words = msg("You are playing from another window now: this one is closed.")
            session.tell(Goodbye(words, retry=False))
            self._inputs.hang_up(session.connection)
        if session.absence is not None:
            session.absence.cancel()
            session.absence = None
        session.connection = connection
        return session, token, resumed

    def give_code(self, session: Session) -> None:
        """Tell a player a code with which they can come back on another terminal."""
        session.tell(ResumeCode(self._codes.give(session.id), round(self._limits.code_seconds)))

    def gone(self, session: Session) -> None:
        """The player lost the connection: keep name and seat for a while."""
        session.connection = None
        self._await_return(session)

    def restore(self, player: int, name: str, tokens: Iterable[bytes]) -> Session:
        """Know somebody again after a restart; they are absent from now on."""
        session = self._add(Session(player, name, self._inputs, self._limits.answers_kept))
        session.tokens = tuple(tokens)
        for hashed in session.tokens:
            self._by_token[hashed] = session
        self._await_return(session)
        return session

    def restore_next_id(self, player: int) -> None:
        """Give no number below this one to anybody."""
        self._next_id = max(self._next_id, player)

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
        self._codes.forget(session.id)
        self._inputs.record(records.player_gone, session.id, session.tokens)

    def _newcomer(self, name: str, player: int | None = None) -> Session:
        """Make a session for somebody new; `player`: for one who was forgotten meanwhile."""
        if any(look in self._by_look for look in looks(name)):
            raise Refusal(
                "name_taken", "Somebody here has that name or one like it: add something."
            )
        if len(self._by_id) >= self._limits.players:
            raise Refusal("server_full", "This server is full: please try again later.")
        number = self._next_id if player is None else player
        return self._add(Session(number, name, self._inputs, self._limits.answers_kept))

    def _add(self, session: Session) -> Session:
        self._next_id = max(self._next_id, session.id + 1)
        self._by_id[session.id] = session
        for look in looks(session.name):
            self._by_look[look] = session
        return session

    def _returning(self, token: str, name: str) -> tuple[Session, bool]:
        """Find whose token it is; False: they were forgotten, and have but their games."""
        hashed = _hashed(token)
        session = self._by_token.get(hashed)
        if session is not None:
            return session, True
        player = None if self._former is None else self._former(hashed)
        if player is None or player in self._by_id:
            raise Refusal("bad_token", "That seat is not kept any more: say hello as a new player.")
        session = self._newcomer(checked_name(name), player)
        self._inputs.record(records.player_again, player)
        return session, False

    def _renew_token(self, session: Session, used: str | None) -> str:
        """Give out a new token; of the older ones only the one just used still holds.

        Who came with a code used none: theirs all hold, in case that this welcome gets lost.
        """
        token = self._chance.token()
        older = session.tokens if used is None else (_hashed(used),)
        holds = (*older, _hashed(token))[-_TOKENS_KEPT:]
        for hashed in session.tokens:
            del self._by_token[hashed]
        session.tokens = holds
        for hashed in holds:
            self._by_token[hashed] = session
        self._inputs.record(records.player_saved, session.id, session.name, holds)
        return token


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _digest(request: Request) -> bytes:
    """Tell requests with the same id apart, in the same way after a restart.

    Passwords are left out: they could be guessed from a hash that is quick to compute.
    """
    if type(request) in _WITH_PASSWORD:
        request = msgspec.structs.replace(request, password=None)
    return hashlib.blake2b(encode(request), digest_size=16).digest()
