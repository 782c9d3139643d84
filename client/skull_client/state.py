"""Everything the client knows, as one immutable value, and how each arrival changes it.

Screens draw from it and never change it: a snapshot in, a picture out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from skull_client.link import Arrival, LinkStatus
from skull_protocol.pushes import (
    Chat,
    Goodbye,
    LeftTable,
    Lobby,
    LobbyChanged,
    Table,
    Update,
    Welcome,
)
from skull_protocol.skull import SkullEvent
from skull_protocol.tables import SeatInfo, TableSummary

MAX_STORY = 400
"""Lines of what happened that are kept, the oldest dropped first."""

CONNECTING = LinkStatus("connecting")

StoryItem = SkullEvent | Chat
"""Something that happened at the table: an event of the game, or something said."""


@dataclass(frozen=True)
class ClientState:
    """What the client knows. Absent parts are not known yet, or do not apply."""

    link: LinkStatus = CONNECTING
    me: Welcome | None = None
    lobby: Mapping[str, TableSummary] = field(default_factory=lambda: MappingProxyType({}))
    table: Table | None = None
    game: Update | None = None
    """The latest update of the game at the table, once one was started."""
    players: tuple[SeatInfo, ...] = ()
    """Who sits in the seats of the game. The table's seats may change once it is over."""
    story: tuple[StoryItem, ...] = ()
    """What happened at this table since arriving, oldest first."""
    goodbye: str = ""
    """Why the server hung up, if it said so."""

    @property
    def is_host(self) -> bool:
        """Whether this player is the host of the table they are at."""
        return self.me is not None and self.table is not None and self.table.host == self.me.player

    @property
    def seat(self) -> int | None:
        """This player's seat at the table; None when watching or at no table."""
        if self.table is None or self.me is None:
            return None
        for index, info in enumerate(self.table.seats):
            if info.player == self.me.player:
                return index
        return None

    def seat_info(self, seat: int) -> SeatInfo | None:
        """Who sits in a seat, as the table last said."""
        if self.table is None or seat >= len(self.table.seats):
            return None
        return self.table.seats[seat]


def arrived(state: ClientState, arrival: Arrival) -> ClientState:
    """Return the state after something arrived."""
    match arrival:
        case LinkStatus():
            return replace(state, link=arrival)
        case Welcome():
            state = replace(state, me=arrival, goodbye="")
            return state if arrival.resumed else _away_from_tables(state)
        case Lobby(tables=tables):
            listed = MappingProxyType({summary.code: summary for summary in tables})
            return replace(_away_from_tables(state), lobby=listed)
        case LobbyChanged(changed=changed, gone=gone):
            tables_now = {code: known for code, known in state.lobby.items() if code not in gone}
            tables_now.update((summary.code, summary) for summary in changed)
            return replace(state, lobby=MappingProxyType(tables_now))
        case Table():
            return _at_table(state, arrival)
        case LeftTable():
            return _away_from_tables(state)
        case Update(events=events):
            return replace(state, game=arrival, story=(state.story + events)[-MAX_STORY:])
        case Chat():
            return replace(state, story=(*state.story, arrival)[-MAX_STORY:])
        case Goodbye(message=message):
            return replace(state, goodbye=message)
        case _:
            return state


def _away_from_tables(state: ClientState) -> ClientState:
    return replace(state, table=None, game=None, players=(), story=())


def _at_table(state: ClientState, table: Table) -> ClientState:
    before = state.table
    if before is None or before.code != table.code:
        return replace(_away_from_tables(state), table=table, players=table.seats)
    if before.game != table.game:
        return replace(state, table=table, game=None, players=table.seats)
    over = table.stage == "finished"
    return replace(state, table=table, players=state.players if over else table.seats)
