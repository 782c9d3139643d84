"""What the client knows about who is speaking."""

from skull_client.state import SPEAKING_SECONDS, ClientState, arrived
from skull_protocol.pushes import Chat, LeftTable, Table
from skull_protocol.tables import SeatInfo, TableOptions


def table(*players: int | None) -> Table:
    seats = tuple(SeatInfo(player, f"P{player}", True, False) for player in players)
    return Table("BCDF", 1, "waiting", 0, TableOptions(), seats, ())


def test_who_speaks_is_known_by_seat_for_a_moment() -> None:
    state = arrived(ClientState(), table(1, None, 3), 10.0)
    assert not state.speaking(10.0)
    hello, bluff = Chat(3, "P3", "hello"), Chat(3, "P3", "", "nice_bluff")
    state = arrived(state, hello, 20.0)
    state = arrived(state, Chat(99, "Ida", "a watcher"), 20.0)
    assert state.speaking(20.0) == {2: hello}
    state = arrived(state, bluff, 21.0)
    assert state.speaking(21.0 + SPEAKING_SECONDS - 0.1) == {2: bluff}
    assert state.speaking(21.0 + SPEAKING_SECONDS) == {}


def test_who_moves_to_another_seat_speaks_from_there() -> None:
    state = arrived(arrived(ClientState(), table(1, 2, 3)), Chat(3, "P3", "hello"), 5.0)
    state = arrived(state, table(1, 3), 5.0)
    assert list(state.speaking(5.0)) == [1]


def test_nobody_speaks_at_another_table() -> None:
    state = arrived(arrived(ClientState(), table(1)), Chat(1, "P1", "hello"), 5.0)
    state = arrived(arrived(state, LeftTable(), 5.0), table(1), 5.0)
    assert not state.speaking(5.0)
