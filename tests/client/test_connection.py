"""How a connection begins: the hello, a code instead, and the token that is kept."""

import asyncio
from pathlib import Path

import pytest
from tests.client.scripted import Player, settle

from skull_client.link import Arrival, LinkStatus
from skull_client.tokens import TokenStore
from skull_protocol import PROTOCOL_VERSION
from skull_protocol.errors import ErrorCode
from skull_protocol.pushes import Error, Goodbye, Lobby, Ok, Welcome
from skull_protocol.requests import Hello

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
