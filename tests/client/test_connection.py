"""The promises of the connection, with a scripted server and a clock that tests move."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import msgspec
import pytest

from skull_client import languages
from skull_client.connection import Connection
from skull_client.dialing import Unreachable
from skull_client.link import Arrival, LinkStatus
from skull_client.tokens import TokenStore
from skull_protocol import PROTOCOL_VERSION, codec
from skull_protocol.codec import FrameSplitter
from skull_protocol.errors import ErrorCode, Refusal
from skull_protocol.pushes import Chat, Error, Goodbye, Lobby, Ok, Table, Welcome, refused
from skull_protocol.requests import REQUESTS, AddBot, Hello, Ping, Request, Say, StartGame
from skull_protocol.tables import SeatInfo, TableOptions
from skull_protocol.wire import Tagged


class FakeClock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.sleepers: list[tuple[float, asyncio.Future[None]]] = []
        self.asked: list[float | None] = []

    def now(self) -> float:
        return self.time

    async def wait(self, event: asyncio.Future[None], seconds: float | None) -> None:
        self.asked.append(seconds)
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if seconds is not None:
            self.sleepers.append((self.time + seconds, woken))
        await asyncio.wait({event, woken}, return_when=asyncio.FIRST_COMPLETED)

    async def pass_by(self, seconds: float) -> None:
        """Let time pass in steps small enough for everything due to happen in order."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(self.time + 0.5, end)
            for due, woken in self.sleepers:
                if due <= self.time and not woken.done():
                    woken.set_result(None)
            await settle()


async def settle() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(20):
        await asyncio.sleep(0)


class ServerSide(asyncio.Transport):
    """One connection as the server sees it: what came in, and a way to answer."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.protocol = protocol
        self.splitter = FrameSplitter(codec.MAX_REQUEST)
        self.requests: list[Request] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.requests += [REQUESTS.parse(body) for body in self.splitter.feed(data)]

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.drop()

    def drop(self) -> None:
        if not self.closed:
            self.closed = True
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)

    def send(self, *messages: Tagged) -> None:
        self.send_bytes(b"".join(codec.encode(message) for message in messages))

    def send_bytes(self, chunk: bytes) -> None:
        self.protocol.data_received(chunk)

    @property
    def hello(self) -> Hello:
        hello = [request for request in self.requests if isinstance(request, Hello)][-1]
        assert isinstance(hello, Hello)
        return hello

    def let_in(self, token: str = "secret-1", *, resumed: bool = False) -> None:
        self.send(Welcome(7, self.hello.name, token, "0.1.0", resumed), Ok(self.hello.id))

    def asked(self) -> list[Request]:
        return [item for item in self.requests if not isinstance(item, Hello | Ping)]


class Net:
    """Every connection that was dialled, and whether dialling works."""

    def __init__(self) -> None:
        self.sides: list[ServerSide] = []
        self.failure: str | None = None

    async def dial(self, make_protocol: Callable[[], asyncio.Protocol]) -> None:
        if self.failure is not None:
            raise Unreachable(self.failure)
        protocol = make_protocol()
        side = ServerSide(protocol)
        self.sides.append(side)
        protocol.connection_made(side)

    @property
    def last(self) -> ServerSide:
        return self.sides[-1]


class Player:
    """A client under test with all that it is connected to."""

    def __init__(
        self, store: TokenStore | None = None, name: str = "Ana", code: str | None = None
    ) -> None:
        self.net, self.clock = Net(), FakeClock()
        self.arrivals: list[Arrival] = []
        self.link = Connection(
            self.net.dial,
            name,
            server="box:7585",
            tokens=store,
            clock=self.clock,
            chance=lambda: 1.0,
            first_id=100,
            code=code,
        )

    async def start(self) -> "Player":
        self.link.start(self.arrivals.append)
        await settle()
        return self

    async def start_online(self) -> "Player":
        await self.start()
        self.net.last.let_in()
        await settle()
        return self

    @property
    def statuses(self) -> list[LinkStatus]:
        return [item for item in self.arrivals if isinstance(item, LinkStatus)]

    def state(self) -> str:
        return self.status.state

    @property
    def status(self) -> LinkStatus:
        return self.statuses[-1]


@pytest.fixture
async def player() -> AsyncIterator[Player]:
    made = Player()
    yield made
    await made.link.close()


# -- hello ---------------------------------------------------------------------------------------


async def test_says_hello_first_and_is_online_after_the_welcome(player: Player) -> None:
    await player.start()
    (hello,) = player.net.last.requests
    assert isinstance(hello, Hello)
    assert (hello.protocol, hello.name, hello.token) == (PROTOCOL_VERSION, "Ana", None)
    assert player.arrivals == []
    player.net.last.send(Welcome(7, "Ana", "t", "0.1.0", False), Lobby(()), Ok(hello.id))
    kinds = [type(item) for item in player.arrivals]
    assert kinds == [Welcome, Lobby, LinkStatus]
    assert player.status == LinkStatus("online")


async def test_the_screens_are_never_told_the_token(player: Player) -> None:
    await player.start()
    player.net.last.let_in(token="9f86d081884c7d65")
    assert player.arrivals
    assert "9f86d081884c7d65" not in repr(player.arrivals)


async def test_what_arrives_before_start_is_handed_over_in_order_by_start(player: Player) -> None:
    news = asyncio.ensure_future(player.link.first_news())
    await settle()
    player.net.last.let_in()
    assert (await news).state == "online"
    player.link.start(player.arrivals.append)
    assert [type(item) for item in player.arrivals] == [Welcome, LinkStatus]
    assert len(player.net.sides) == 1


async def test_nobody_there_at_first_is_told_and_not_retried(player: Player) -> None:
    player.net.failure = "Nothing answers at box:7585. Is skull-server running there?"
    status = await player.link.first_news()
    assert status == LinkStatus("refused", player.net.failure)


async def test_another_kind_of_server_is_named_as_such(player: Player) -> None:
    await player.start()
    player.net.last.send_bytes(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    await settle()
    assert player.state() == "refused"
    assert "no Skull server" in player.status.detail


async def test_a_server_that_never_answers_hello_is_given_up(player: Player) -> None:
    await player.start()
    await player.clock.pass_by(9)
    assert player.statuses == []
    await player.clock.pass_by(2)
    assert player.state() == "refused"
    assert "no Skull server" in player.status.detail


@pytest.mark.parametrize("code", ["name_taken", "bad_name"])
async def test_a_refused_name_can_be_changed(player: Player, code: ErrorCode) -> None:
    await player.start()
    player.net.last.send(Error(player.net.last.hello.id, code, "No."))
    await settle()
    assert player.status == LinkStatus("refused", "No.", code)
    await player.clock.pass_by(60)
    assert len(player.net.sides) == 1, "nothing is tried again until there is another name"
    player.link.rename("Bea")
    await settle()
    assert player.net.last.hello.name == "Bea"
    player.net.last.let_in()
    assert player.state() == "online"


async def test_a_rename_in_the_same_moment_as_the_refusal_is_not_lost(player: Player) -> None:
    def deliver(arrival: Arrival) -> None:
        player.arrivals.append(arrival)
        if isinstance(arrival, LinkStatus) and arrival.code == "name_taken":
            player.link.rename("Bea")

    player.link.start(deliver)
    await settle()
    player.net.last.send(Error(player.net.last.hello.id, "name_taken", "Taken."))
    await settle()
    assert player.net.last.hello.name == "Bea"


async def test_another_version_is_refused_for_good_even_after_being_online(player: Player) -> None:
    await player.start_online()
    player.net.last.drop()
    await player.clock.pass_by(1)
    side = player.net.last
    side.send(Error(side.hello.id, "version_mismatch", "Please upgrade skull-client."))
    await player.clock.pass_by(60)
    assert player.status == LinkStatus(
        "refused", "Please upgrade skull-client.", "version_mismatch"
    )
    assert player.net.last is side


async def test_a_full_server_is_told_at_first_and_waited_for_later(player: Player) -> None:
    await player.start_online()
    player.net.last.drop()
    await player.clock.pass_by(1)
    player.net.last.send(Error(None, "server_full", "The server is full."))
    await player.clock.pass_by(5)
    assert player.state() == "lost"
    player.net.last.let_in()
    assert player.state() == "online"

    newcomer = Player()
    await newcomer.start()
    newcomer.net.last.send(Error(None, "server_full", "The server is full."))
    await settle()
    assert newcomer.status == LinkStatus("refused", "The server is full.", "server_full")
    await newcomer.link.close()


# -- a code from another terminal ----------------------------------------------------------------


async def with_code(store: TokenStore | None = None) -> Player:
    """A client that was started with a code, under a name that is not the player's."""
    player = Player(store, name="login", code="ABCD1")
    return await player.start()


async def test_a_code_is_said_once_and_the_token_is_kept_for_the_players_name(
    tmp_path: Path,
) -> None:
    player = await with_code(TokenStore(tmp_path))
    hello = player.net.last.hello
    assert (hello.code, hello.token) == ("ABCD1", None)
    player.net.last.send(Welcome(7, "Bea", "secret-1", "0.1.0", True), Ok(hello.id))
    assert player.state() == "online"
    player.net.last.drop()
    await player.clock.pass_by(1)
    hello = player.net.last.hello
    assert (hello.name, hello.code, hello.token) == ("Bea", None, "secret-1")
    await player.link.close()
    again = await Player(TokenStore(tmp_path), "Bea").start()
    assert again.net.last.hello.token == "secret-1"
    await again.link.close()


async def test_a_code_takes_the_name_over_from_a_client_on_the_same_machine(
    tmp_path: Path,
) -> None:
    first = await Player(TokenStore(tmp_path), "Bea").start_online()
    second = await with_code(TokenStore(tmp_path))
    hello = second.net.last.hello
    second.net.last.send(Welcome(7, "Bea", "secret-2", "0.1.0", True), Ok(hello.id))
    first.net.last.send(Goodbye("You are playing from another window now.", False))
    await settle()
    await second.link.close()
    await first.link.close()
    third = await Player(TokenStore(tmp_path), "Bea").start()
    assert third.net.last.hello.token == "secret-2"
    await third.link.close()


@pytest.mark.parametrize("code", ["bad_code", "too_many_tries"])
async def test_a_refused_code_can_be_typed_again_or_a_name_instead(code: ErrorCode) -> None:
    player = await with_code()
    player.net.last.send(Error(player.net.last.hello.id, code, "No."))
    await settle()
    assert player.status == LinkStatus("refused", "No.", code)
    player.link.use_code("WXYZ2")
    await settle()
    assert player.net.last.hello.code == "WXYZ2"
    player.net.last.send(Error(player.net.last.hello.id, code, "No again."))
    await settle()
    player.link.rename("Eva")
    await settle()
    assert (player.net.last.hello.name, player.net.last.hello.code) == ("Eva", None)
    player.net.last.let_in()
    assert player.state() == "online"
    await player.link.close()


# -- what nobody asked for -----------------------------------------------------------------------


async def test_an_error_without_a_request_is_handed_over_and_is_no_reason_for_later(
    player: Player,
) -> None:
    await player.start_online()
    removed = Error(None, "removed", "The host sent you away.")
    player.net.last.send(removed)
    assert player.arrivals[-1] == removed
    player.net.last.drop()
    await settle()
    assert "The host sent you away." not in player.status.detail


async def test_an_error_that_closes_is_the_reason_in_the_banner(player: Player) -> None:
    await player.start_online()
    player.net.last.send(Error(None, "too_fast", "Too many at once: slow down."))
    player.net.last.drop()
    await settle()
    assert player.status.detail.startswith("Too many at once: slow down.")


# -- losing the connection and coming back -------------------------------------------------------


async def test_comes_back_with_the_latest_token(player: Player) -> None:
    await player.start_online()
    player.net.last.drop()
    await settle()
    assert player.state() == "lost"
    await player.clock.pass_by(1)
    assert player.net.last.hello.token == "secret-1"
    player.net.last.let_in("secret-2", resumed=True)
    assert player.state() == "online"
    player.net.last.drop()
    await player.clock.pass_by(6)
    assert player.net.last.hello.token == "secret-2"


async def test_delays_grow_to_five_seconds_and_it_never_gives_up(player: Player) -> None:
    await player.start_online()
    player.net.failure = "Nothing answers."
    player.clock.asked.clear()
    player.net.last.drop()
    await player.clock.pass_by(600)
    delays = [seconds for seconds in player.clock.asked if seconds is not None]
    assert delays[:6] == pytest.approx([0.2, 0.4, 0.8, 1.6, 3.2, 5.0])
    assert len(delays) > 100
    assert set(delays[6:]) == {5.0}
    assert player.state() == "lost"
    player.net.failure = None
    await player.clock.pass_by(6)
    player.net.last.let_in(resumed=True)
    assert player.state() == "online"


async def test_delays_differ_by_chance_and_are_never_under_a_fifth_of_a_second() -> None:
    net, clock = Net(), FakeClock()
    chances = iter([0.0, 0.5, 0.0, 0.25])
    link = Connection(net.dial, "Ana", server="box", clock=clock, chance=lambda: next(chances, 0.0))
    link.start(lambda arrival: None)
    await settle()
    net.last.let_in()
    net.failure = "Nothing answers."
    clock.asked.clear()
    net.last.drop()
    await clock.pass_by(3)
    assert clock.asked[:4] == pytest.approx([0.2, 0.3, 0.2, 0.55])
    await link.close()


async def test_a_server_that_drops_everybody_at_once_is_not_hammered(player: Player) -> None:
    await player.start_online()
    before = len(player.net.sides)
    for _ in range(120):
        if not player.net.last.closed:
            player.net.last.let_in(resumed=True)
            player.net.last.drop()
        await player.clock.pass_by(0.5)
    assert len(player.net.sides) - before < 25, "a minute holds no more than that at 5 s each"


async def test_unanswered_requests_are_sent_again_with_the_same_id(player: Player) -> None:
    await player.start_online()
    asking = asyncio.ensure_future(player.link.ask(Say, text="hello"))
    await settle()
    (first,) = player.net.last.asked()
    player.net.last.drop()
    await player.clock.pass_by(1)
    assert player.net.last.asked() == [], "nothing before the server has let us in"
    player.net.last.let_in("secret-2", resumed=True)
    await settle()
    assert player.net.last.asked() == [first]
    assert not asking.done()
    player.net.last.send(Ok(first.id))
    assert await asking is None


async def test_answered_requests_are_not_sent_again(player: Player) -> None:
    await player.start_online()
    asking = asyncio.ensure_future(player.link.ask(AddBot))
    await settle()
    player.net.last.send(Error(player.net.last.asked()[0].id, "not_host", "Only the host may."))
    refusal = await asking
    assert refusal is not None
    assert refusal.code == "not_host"
    player.net.last.drop()
    await player.clock.pass_by(1)
    player.net.last.let_in("secret-2", resumed=True)
    assert player.net.last.asked() == []


async def test_what_is_asked_while_away_is_sent_on_return_in_order(player: Player) -> None:
    await player.start_online()
    player.net.last.drop()
    await settle()
    asking = [asyncio.ensure_future(player.link.ask(Say, text=text)) for text in ("one", "two")]
    await player.clock.pass_by(1)
    player.net.last.let_in("secret-2", resumed=True)
    await settle()
    sent = player.net.last.asked()
    assert [item.text for item in sent if isinstance(item, Say)] == ["one", "two"]
    player.net.last.send(*(Ok(item.id) for item in sent))
    assert await asyncio.gather(*asking) == [None, None]


async def test_requests_of_a_forgotten_player_are_not_done_for_a_new_one(player: Player) -> None:
    await player.start_online()
    asking = asyncio.ensure_future(player.link.ask(AddBot))
    await settle()
    player.net.last.drop()
    await player.clock.pass_by(1)
    player.net.last.let_in("secret-2", resumed=False)
    refusal = await asking
    assert refusal is not None
    assert "no longer knows you" in refusal.message
    assert player.net.last.asked() == []


async def test_a_request_that_nobody_waits_for_any_more_is_not_sent_again(player: Player) -> None:
    await player.start_online()
    asking = asyncio.ensure_future(player.link.ask(AddBot))
    await settle()
    asking.cancel()
    await settle()
    player.net.last.drop()
    await player.clock.pass_by(1)
    player.net.last.let_in("secret-2", resumed=True)
    assert player.net.last.asked() == []


async def test_ids_grow_across_reconnects_and_never_repeat(player: Player) -> None:
    await player.start_online()
    for _ in range(3):
        await player.clock.pass_by(16)
        player.net.last.drop()
        await player.clock.pass_by(1)
        player.net.last.let_in(resumed=True)
    ids = [request.id for side in player.net.sides for request in side.requests]
    assert ids == sorted(set(ids))
    assert len(ids) > 6


async def test_ids_of_a_restarted_client_are_above_those_of_the_one_before() -> None:
    earlier = Connection(Net().dial, "Ana", server="box", clock=FakeClock())
    net = Net()
    later = Connection(net.dial, "Ana", server="box", clock=FakeClock())
    later.start(lambda arrival: None)
    await settle()
    # More than an id a millisecond would be needed to catch up; the codec takes 53 bits.
    assert 1_700_000_000_000 < net.last.hello.id < 2**53
    await later.close()
    await earlier.close()


# -- heartbeat -----------------------------------------------------------------------------------


async def test_pings_only_after_fifteen_quiet_seconds(player: Player) -> None:
    await player.start_online()
    await player.clock.pass_by(10)
    asking = asyncio.ensure_future(player.link.ask(Say, text="hi"))
    await settle()
    await player.clock.pass_by(14)
    assert not any(isinstance(item, Ping) for item in player.net.last.requests)
    await player.clock.pass_by(2)
    (ping,) = [item for item in player.net.last.requests if isinstance(item, Ping)]
    player.net.last.send(Ok(ping.id))
    assert player.state() == "online"
    asking.cancel()


async def test_forty_five_silent_seconds_mean_lost(player: Player) -> None:
    await player.start_online()
    side = player.net.last
    await player.clock.pass_by(40)
    side.send(Chat(8, "Bob", "still here"))
    await player.clock.pass_by(44)
    assert player.state() == "online"
    await player.clock.pass_by(2)
    assert side.closed
    assert [status.state for status in player.statuses] == ["online", "lost"]
    assert "silent" in player.status.detail
    assert len(player.net.sides) == 2


# -- the server hangs up -------------------------------------------------------------------------


async def test_goodbye_for_good_closes_and_answers_what_was_asked(player: Player) -> None:
    await player.start_online()
    asking = asyncio.ensure_future(player.link.ask(AddBot))
    await settle()
    player.net.last.send(Goodbye("You came in from elsewhere.", False))
    assert player.status == LinkStatus("closed", "You came in from elsewhere.")
    assert await asking is not None
    assert await player.link.ask(AddBot) is not None
    await player.clock.pass_by(60)
    assert len(player.net.sides) == 1


async def test_goodbye_for_now_is_told_and_the_client_comes_back(player: Player) -> None:
    await player.start_online()
    player.net.last.send(Goodbye("The server restarts.", True))
    await settle()
    assert player.state() == "lost"
    assert "The server restarts." in player.status.detail
    await player.clock.pass_by(1)
    assert len(player.net.sides) == 2


# -- bad pushes ----------------------------------------------------------------------------------


def framed(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


BAD_CHUNKS = {
    "no map": framed(b"\x05"),
    "unknown type": framed(msgspec.msgpack.encode({"type": "zap"})),
    "missing field": framed(msgspec.msgpack.encode({"type": "chat", "player": 1})),
    "too long": b"\xff\xff\xff\xff",
    "empty": b"\x00\x00\x00\x00",
    "not msgpack": framed(b"\xc1\xc1"),
    "nested": framed(b"\x91" * 500 + b"\x90"),
}


@pytest.mark.parametrize("chunk", BAD_CHUNKS.values(), ids=BAD_CHUNKS.keys())
async def test_a_malformed_push_is_a_visible_state_and_tried_again(
    player: Player, chunk: bytes
) -> None:
    await player.start_online()
    side = player.net.last
    side.send_bytes(chunk)
    await settle()
    assert side.closed
    assert player.state() == "lost"
    assert "cannot read" in player.status.detail
    await player.clock.pass_by(1)
    player.net.last.let_in(resumed=True)
    assert player.state() == "online"


async def test_a_push_of_a_megabyte_is_read_and_one_byte_more_is_not(player: Player) -> None:
    await player.start_online()
    arrived = len(player.arrivals)
    header = codec.MAX_PUSH.to_bytes(4, "big")
    player.net.last.send_bytes(header + bytes(1000))
    await settle()
    assert player.state() == "online"
    assert len(player.arrivals) == arrived
    player.net.last.drop()
    await player.clock.pass_by(1)
    player.net.last.let_in()
    player.net.last.send_bytes((codec.MAX_PUSH + 1).to_bytes(4, "big"))
    await settle()
    assert player.state() == "lost"


async def test_pushes_torn_into_single_bytes_arrive_whole_and_in_order(player: Player) -> None:
    await player.start_online()
    chats = [Chat(8, "Bob", f"line {number}") for number in range(3)]
    for byte in b"".join(codec.encode(chat) for chat in chats):
        player.net.last.send_bytes(bytes([byte]))
    assert player.arrivals[-3:] == chats


async def test_nothing_that_moves_a_cursor_reaches_the_screens(player: Player) -> None:
    await player.start_online()
    evil = "a\x1b[2J\u202e\u200b\x9bb\n\x00"
    seat = SeatInfo(8, evil, True, False)
    player.net.last.send(
        Chat(8, evil, evil),
        Table("BCDF", 8, "waiting", 0, TableOptions(), (seat,), (evil,)),
        Goodbye(evil, True),
    )
    chat, table, goodbye = player.arrivals[-3:]
    assert chat == Chat(8, "a[2Jb", "a[2Jb")
    assert isinstance(table, Table)
    assert (table.seats[0].name, table.watchers) == ("a[2Jb", ("a[2Jb",))
    assert goodbye == Goodbye("a[2Jb", True)


async def test_a_mistake_of_the_client_itself_is_a_visible_state() -> None:
    async def dial(make_protocol: Callable[[], asyncio.Protocol]) -> None:
        raise RuntimeError("a bug")

    link = Connection(dial, "Ana", server="box", clock=FakeClock())
    status = await link.first_news()
    assert status.state == "closed"
    assert "RuntimeError" in status.detail
    await link.close()


# -- tokens --------------------------------------------------------------------------------------


async def test_a_restarted_client_is_the_same_player(tmp_path: Path) -> None:
    first = await Player(TokenStore(tmp_path)).start_online()
    await first.link.close()
    second = await Player(TokenStore(tmp_path)).start()
    assert second.net.last.hello.token == "secret-1"
    await second.link.close()


async def test_a_token_that_the_server_forgot_is_dropped_and_hello_said_without(
    tmp_path: Path,
) -> None:
    first = await Player(TokenStore(tmp_path)).start_online()
    await first.link.close()
    second = await Player(TokenStore(tmp_path)).start()
    side = second.net.last
    old = side.hello
    side.send(Error(old.id, "bad_token", "Say hello without a token."))
    assert side.hello.token is None
    assert side.hello.id > old.id
    side.let_in("secret-9")
    assert second.status.state == "online"
    await second.link.close()
    third = await Player(TokenStore(tmp_path)).start()
    assert third.net.last.hello.token == "secret-9"
    await third.link.close()


async def test_a_second_client_with_the_name_does_not_take_over_the_first(tmp_path: Path) -> None:
    first = await Player(TokenStore(tmp_path)).start_online()
    second = await Player(TokenStore(tmp_path)).start()
    assert second.net.last.hello.token is None, "a stranger: the server will say the name is taken"
    second.net.last.send(Error(second.net.last.hello.id, "name_taken", "Taken."))
    await settle()
    second.link.rename("Bea")
    await settle()
    second.net.last.let_in("secret-bea")
    await first.link.close()
    await second.link.close()
    again = await Player(TokenStore(tmp_path)).start()
    bea = await Player(TokenStore(tmp_path), "Bea").start()
    assert again.net.last.hello.token == "secret-1"
    assert bea.net.last.hello.token == "secret-bea"
    await again.link.close()
    await bea.link.close()


async def test_a_store_that_does_not_work_is_told_and_play_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    player = await Player(TokenStore(blocked / "below")).start_online()
    assert player.state() == "online"
    assert "cannot be remembered" in player.status.detail
    player.net.last.drop()
    await player.clock.pass_by(1)
    assert player.net.last.hello.token == "secret-1", "within the process the token still helps"
    await player.link.close()


async def test_what_the_server_says_arrives_in_the_readers_language(player: Player) -> None:
    await player.start_online()
    try:
        languages.use("sv")
        asked = asyncio.ensure_future(player.link.ask(StartGame))
        await settle()
        number = player.net.last.asked()[-1].id
        refusal = Refusal("not_host", "Only the host may do that: ask {host}.", host="Bob")
        player.net.last.send(refused(number, refusal))
        error = await asked
        assert error is not None
        assert error.message == "Bara värden får göra det: fråga Bob."
        player.net.last.send(Goodbye("Nothing was heard from you for too long.", True))
        assert Goodbye("Inget hördes från dig på för länge.", True) in player.arrivals
    finally:
        languages.use("en")
