"""The client's side of the connection: says hello, asks, listens, and comes back by itself.

One task runs the connection for as long as the client lives; everything else happens in the
callbacks of the event loop, so that arrivals keep their order.
"""

import asyncio
import random
import time
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from skull_client import link_wording, server_wording
from skull_client.clock import Clock, RealClock
from skull_client.dialing import Dial, Unreachable
from skull_client.link import Arrival, LinkStatus
from skull_client.tokens import Token, TokenFile, TokenStore
from skull_client.wire import Wire
from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Error, Goodbye, Ok, Welcome
from skull_protocol.requests import Hello, Ping, Request
from skull_protocol.wire import Tagged

PING_SECONDS = 15.0
"""A ping is sent when nothing else was for so long."""
SILENCE_SECONDS = 45.0
"""A server silent for so long is lost. Generous: a stalled terminal stalls this client as well."""
HELLO_SECONDS = 10.0
"""How long the answer to `hello` may take."""
FIRST_DELAY, LAST_DELAY = 0.2, 5.0
"""Seconds between two attempts to come back: at least, and at most."""
_FOR_THE_PERSON = ("name_taken", "bad_name", "bad_code", "too_many_tries", "version_mismatch")
"""Refusals of `hello` that trying again by itself cannot change."""
_CLOSING = (
    "bad_frame",
    "hello_first",
    "hello_timeout",
    "version_mismatch",
    "tls_needed",
    "too_fast",
    "too_many_connections",
    "server_full",
)
"""Errors without a request after which the server hangs up: they are the reason for that."""


class _Pending(Struct):
    """A request whose answer is awaited; `session` is the one it was last sent in, 0 for none."""

    request: Request
    answer: asyncio.Future[Error | None]
    session: int = 0


class Connection:
    """A `Link` over whatever `dial` reaches. `tokens` is None where nothing need be remembered."""

    def __init__(
        self,
        dial: Dial,
        name: str,
        *,
        server: str,
        tokens: TokenStore | None = None,
        clock: Clock | None = None,
        chance: Callable[[], float] = random.random,
        first_id: int | None = None,
        code: str | None = None,
    ) -> None:
        """`code`: be whoever got this code on another terminal, under the name they have."""
        self._dial = dial
        self._name = name
        self._code = code
        self._server = server
        self._store = tokens
        self._clock = clock or RealClock()
        self._chance = chance
        # The server remembers answers by request id for as long as it knows the session, and a
        # session outlives this process: milliseconds since 1970 are larger than any id before.
        self._next_id = first_id if first_id is not None else time.time_ns() // 1_000_000
        self._file: TokenFile | None = None
        self._token: Token | None = None
        self._pending: dict[int, _Pending] = {}
        self._wire: Wire | None = None
        self._session = 0
        self._was_online = False
        self._online_since: float | None = None
        self._status = LinkStatus("connecting")
        self._deliver: Callable[[Arrival], None] | None = None
        self._held_back: list[Arrival] = []
        self._task: asyncio.Task[None] | None = None
        self._first_news: asyncio.Future[None] | None = None
        self._nudged: asyncio.Future[None] | None = None

    # -- what the screens use (link.Link) --

    def start(self, deliver: Callable[[Arrival], None]) -> None:
        """Connect, and hand over everything that arrives, in order, on the event loop."""
        self._deliver = deliver
        held_back, self._held_back = self._held_back, []
        for arrival in held_back:
            deliver(arrival)
        self._run_in_background()

    async def first_news(self) -> LinkStatus:
        """Connect, and return the status once it is known whether the server lets us in.

        For use before `start`: nothing that arrives meanwhile is lost.
        """
        self._run_in_background()
        assert self._first_news is not None
        await asyncio.shield(self._first_news)
        return self._status

    async def ask(self, request: type[Request], **fields: object) -> Error | None:
        """Send a request with these fields and wait for its answer: None for ok.

        Survives a lost connection: the request is sent again, and the server does it once.
        """
        if self._status.state == "closed":
            return Error(None, "stale", link_wording.hung_up_for_good())
        made = request(id=self._take_id(), **fields)
        pending = _Pending(made, asyncio.get_running_loop().create_future())
        self._pending[made.id] = pending
        if self._status.state == "online":
            self._send_pending(pending)
        try:
            return await pending.answer
        finally:
            self._pending.pop(made.id, None)

    def rename(self, name: str) -> None:
        """After a refusal: try again as somebody else."""
        self._name, self._code = name, None
        self._try_anew()

    def use_code(self, code: str) -> None:
        """After a refusal: try again as whoever got this code on another terminal."""
        self._code = code
        self._try_anew()

    def _try_anew(self) -> None:
        self._close_file()
        self._token = None
        if self._nudged is not None and not self._nudged.done():
            self._nudged.set_result(None)

    async def close(self) -> None:
        """Hang up for good."""
        self._deliver = _nobody
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._finish("")

    # -- the life of the connection --

    def _run_in_background(self) -> None:
        if self._task is None:
            loop = asyncio.get_running_loop()
            self._first_news, self._nudged = loop.create_future(), loop.create_future()
            self._task = asyncio.create_task(self._run(), name="skull connection")
            self._task.add_done_callback(self._ran)

    def _ran(self, task: asyncio.Task[None]) -> None:
        """Make a failure of the task a state that people see."""
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            self._finish(link_wording.own_mistake(fault))

    async def _run(self) -> None:
        failures = 0
        while True:
            reason = await self._attempt()
            ended = self._status.state
            if ended == "closed":
                return
            if ended == "refused":
                await self._sleep(None)
                self._set(LinkStatus("connecting"))
                failures = 0
                continue
            # A server that lets us in and drops us at once must not be hammered.
            since, self._online_since = self._online_since, None
            failures = (
                0 if since is not None and self._clock.now() - since > LAST_DELAY else failures
            )
            self._set(LinkStatus("lost", link_wording.retrying(reason)))
            await self._sleep(self._delay(failures))
            failures += 1

    def _delay(self, failures: int) -> float:
        """Return seconds to wait: growing, and different for everybody who lost the same server."""
        longest = min(LAST_DELAY, FIRST_DELAY * 2.0 ** min(failures, 10))
        return FIRST_DELAY + self._chance() * (longest - FIRST_DELAY)

    async def _attempt(self) -> str:
        """Be connected for as long as it lasts; return why it ended, as a sentence."""
        if self._code is None:  # else the server will tell the name
            self._open_file()
        wire = Wire(self._clock, self._arrived)
        self._wire = wire
        try:
            await self._dial(lambda: wire)
            self._hello()
            await self._watch(wire)
        except Unreachable as fault:
            wire.fail(str(fault))
        finally:
            self._wire = None
            wire.abort()
        if not self._was_online and self._status.state == "connecting":
            self._set(LinkStatus("refused", self._why_never(wire), wire.code))
        return wire.reason or link_wording.hung_up()

    def _why_never(self, wire: Wire) -> str:
        """Say why the very first attempt failed: then nobody waits for it to heal by itself."""
        if wire.code == "bad_frame" or wire.reason == link_wording.silent():
            return link_wording.not_skull(self._server)
        return wire.reason or link_wording.no_welcome(self._server)

    async def _watch(self, wire: Wire) -> None:
        """Keep a connection alive until it ends or the server has been silent for too long."""
        while not wire.lost.done():
            now = self._clock.now()
            patience = SILENCE_SECONDS if self._status.state == "online" else HELLO_SECONDS
            silence_in = wire.heard + patience - now
            ping_in = wire.sent + PING_SECONDS - now
            if silence_in <= 0:
                wire.fail(link_wording.silent())
            elif ping_in <= 0:
                wire.send(Ping(self._take_id()))
            else:
                await self._clock.wait(wire.lost, min(silence_in, ping_in))

    async def _sleep(self, seconds: float | None) -> None:
        """Wait for so long (None: however long), or until `rename`, which may have come before."""
        assert self._nudged is not None
        await self._clock.wait(self._nudged, seconds)
        if self._nudged.done():
            self._nudged = asyncio.get_running_loop().create_future()

    # -- what is said --

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id

    def _hello(self) -> None:
        assert self._wire is not None
        token = None if self._token is None else self._token.reveal()
        hello = Hello(self._take_id(), PROTOCOL_VERSION, self._name, token, self._code)
        self._wire.hello_id = hello.id
        self._wire.send(hello)

    def _send_pending(self, pending: _Pending) -> None:
        assert self._wire is not None
        pending.session = self._session
        self._wire.send(pending.request)

    # -- what is heard --

    def _arrived(self, message: Tagged) -> None:
        wire = self._wire
        if wire is None:
            return
        # From here on, what the server said is in the reader's language.
        if isinstance(message, Error):
            message = replace(message, message=server_wording.refusal_words(message))
        elif isinstance(message, Goodbye):
            message = replace(message, message=server_wording.goodbye_words(message.message))
        match message:
            case Ok(id=number) if number == wire.hello_id:
                self._online()
            case Error() if wire.hello_id is not None and message.id in (wire.hello_id, None):
                self._refused(wire, message)
            case Ok(id=number):
                self._answer(number, None)
            case Error(id=int(number)):
                self._answer(number, message)
            case Error(code=code) if code in _CLOSING:
                wire.reason, wire.code = message.message, code
            case Goodbye(message=sentence, retry=retry):
                wire.reason = sentence
                self._hand_over(message)
                if not retry:
                    self._finish(sentence)
                wire.abort()
            case Welcome():
                self._welcomed(message)
                # A crash on the screen prints what it knows: so it must not know the token.
                self._hand_over(replace(message, token=""))
            case _:
                self._hand_over(message)

    def _welcomed(self, welcome: Welcome) -> None:
        if not welcome.resumed:
            self._session += 1
        if self._code is not None:
            self._code, self._name = None, welcome.name
            self._open_file()
        self._token = Token(welcome.token)
        if self._file is not None:
            self._file.save(self._token)

    def _online(self) -> None:
        assert self._wire is not None
        self._wire.hello_id = None
        self._was_online = True
        self._online_since = self._clock.now()
        self._set(LinkStatus("online", "" if self._file is None else self._file.problem))
        for number, pending in list(self._pending.items()):
            if pending.session in (0, self._session):
                self._send_pending(pending)
            else:  # it may have been done for the player that the server has forgotten
                self._answer(number, Error(number, "stale", link_wording.forgotten()))

    def _refused(self, wire: Wire, error: Error) -> None:
        """Take the refusal of a `hello`."""
        if error.code == "bad_token" and self._token is not None:
            self._token = None
            if self._file is not None:
                self._file.forget()
            self._hello()
            return
        wire.reason, wire.code = error.message, error.code
        if error.code in _FOR_THE_PERSON:
            self._set(LinkStatus("refused", error.message, error.code))
        wire.abort()

    def _answer(self, number: int, error: Error | None) -> None:
        pending = self._pending.get(number)
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(error)

    # -- what is told to the screens --

    def _set(self, status: LinkStatus) -> None:
        if status == self._status:
            return
        self._status = status
        self._hand_over(status)
        if self._first_news is not None and not self._first_news.done():
            self._first_news.set_result(None)

    def _hand_over(self, arrival: Arrival) -> None:
        if self._deliver is None:
            self._held_back.append(arrival)
        else:
            self._deliver(arrival)

    def _finish(self, sentence: str) -> None:
        """Be closed for good, for the reason in the sentence."""
        self._close_file()
        self._set(LinkStatus("closed", sentence))
        for number in list(self._pending):
            self._answer(number, Error(number, "stale", link_wording.hung_up_for_good()))

    def _open_file(self) -> None:
        if self._file is None and self._store is not None:
            self._file = self._store.open(self._server, self._name)
            self._token = self._token or self._file.load()

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.release()
            self._file = None


def _nobody(arrival: Arrival) -> None:
    """Take an arrival once nobody listens any more."""
