"""What goes over a connection: requests, each done once, and pushes, the broken ones too."""

import asyncio
from collections.abc import Callable

import msgspec
import pytest
from tests.client.scripted import FakeClock, Net, Player, settle

from skull_client import languages
from skull_client.connection import Connection
from skull_protocol import codec
from skull_protocol.errors import Refusal
from skull_protocol.pushes import Chat, Error, Goodbye, Ok, Table, refused
from skull_protocol.requests import AddBot, Say, StartGame
from skull_protocol.tables import SeatInfo, TableOptions, WatcherInfo


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
        Table("BCDF", 8, "waiting", 0, TableOptions(), (seat,), (WatcherInfo(9, evil),)),
        Goodbye(evil, True),
    )
    chat, table, goodbye = player.arrivals[-3:]
    assert chat == Chat(8, "a[2Jb", "a[2Jb")
    assert isinstance(table, Table)
    assert (table.seats[0].name, table.watchers[0].name) == ("a[2Jb", "a[2Jb")
    assert goodbye == Goodbye("a[2Jb", True)


async def test_a_mistake_of_the_client_itself_is_a_visible_state() -> None:
    async def dial(make_protocol: Callable[[], asyncio.Protocol]) -> None:
        raise RuntimeError("a bug")

    link = Connection(dial, "Ana", server="box", clock=FakeClock())
    status = await link.first_news()
    assert status.state == "closed"
    assert "RuntimeError" in status.detail
    await link.close()


async def test_what_the_server_says_arrives_in_the_readers_language(player: Player) -> None:
    await player.start_online()
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
