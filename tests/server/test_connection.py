"""What a connection does when its peer is gone before the event loop has heard of it."""

import logging

import pytest
from tests.server.conftest import World

from skull_protocol.pushes import Chat
from skull_protocol.requests import Say


def test_nothing_is_written_to_a_peer_that_has_broken_off(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    people = world.table(players=3)
    gone, writes = people[2].transport, people[2].transport.writes
    gone.close()
    with caplog.at_level(logging.WARNING):
        people[0].do(Say, text="Anybody there?")
    assert people[1].last(Chat).text == "Anybody there?"
    assert gone.writes == writes
    assert not caplog.records
