"""What a stranger learns without saying who they are: that the server lives, and how busy it is."""

from typing import Any

from tests.server.conftest import World

from skull_protocol import PROTOCOL_VERSION
from skull_protocol.codec import encode
from skull_protocol.pushes import Error, Glimpse, Lobby, Ok, Welcome
from skull_protocol.requests import Peek
from skull_server.limits import Limits


def test_a_stranger_is_told_how_it_stands_and_the_line_is_cut(world: Any) -> None:
    people = world.table(players=2)
    stranger = world.peer("10.0.0.9")
    assert isinstance(stranger.ask(Peek), Ok)
    seen = stranger.last(Glimpse)
    assert (seen.protocol, seen.tables, seen.players) == (PROTOCOL_VERSION, 1, 2)
    world.time.advance(0)
    assert not stranger.open
    assert [peer.count(Glimpse) for peer in people] == [0, 0]


def test_nobody_is_named_and_nobody_is_let_in(world: Any) -> None:
    ann = world.player("Annabella")
    stranger = world.peer()
    stranger.ask(Peek)
    assert b"Annabella" not in stranger.stream
    assert {type(message) for message in stranger.inbox} == {Glimpse, Ok}
    assert (stranger.count(Welcome), stranger.count(Lobby)) == (0, 0)
    # Nothing about a peek stays: the next one is told the same.
    again = world.peer()
    again.ask(Peek)
    assert again.last(Glimpse) == stranger.last(Glimpse)
    assert ann.count(Error) == 0


def test_those_who_have_left_are_not_counted(world: Any) -> None:
    ann, ben = world.player("Ann"), world.player("Ben")
    ben.lose()
    assert peeked(world).players == 1
    world.player("Ben", ben.token)
    assert peeked(world).players == 2
    ann.lose()
    assert peeked(world).players == 1


def test_a_player_may_peek_as_well_and_stays(world: Any) -> None:
    ann = world.player("Ann")
    ann.do(Peek)
    assert ann.last(Glimpse).players == 1
    world.time.advance(0)
    assert ann.open


def test_one_connection_gets_one_glimpse(world: Any) -> None:
    stranger = world.peer()
    stranger.send_bytes(b"".join(encode(Peek(number)) for number in range(1, 30)))
    assert stranger.count(Glimpse) == 1


def test_who_has_too_many_connections_is_told_nothing() -> None:
    world = World(Limits(connections_per_address=2))
    for _ in range(2):
        world.peer()
    third = world.peer()
    third.ask(Peek)
    assert (third.count(Glimpse), third.last(Error).code) == (0, "too_many_connections")


def peeked(world: Any) -> Any:
    """What a stranger sees now."""
    stranger = world.peer()
    stranger.ask(Peek)
    return stranger.last(Glimpse)
