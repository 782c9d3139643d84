"""Losing the connection and coming back: token, pace, silence, and a server that hangs up."""

import asyncio

import pytest
from tests.client.scripted import FakeClock, Net, Player, settle

from skull_client.connection import Connection
from skull_client.link import LinkStatus
from skull_protocol.pushes import Chat, Goodbye, Ok
from skull_protocol.requests import AddBot, Ping, Say


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
