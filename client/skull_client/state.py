"""Everything the client knows, as one immutable value, and how each arrival changes it.

Screens draw from it and never change it: a snapshot in, a picture out.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from skull_client.link import Arrival, LinkStatus
from skull_protocol.pushes import (
    Advice,
    Chat,
    Error,
    GameReview,
    Games,
    GameSteps,
    Goodbye,
    LeftTable,
    Lobby,
    LobbyChanged,
    Records,
    ResumeCode,
    Statistics,
    Table,
    Update,
    Welcome,
)
from skull_protocol.skull import SkullEvent
from skull_protocol.tables import SeatInfo, TableSummary

MAX_STORY = 400
"""Lines of what happened that are kept, the oldest dropped first."""

CONNECTING = LinkStatus("connecting")

SPEAKING_SECONDS = 4.0
"""How long somebody counts as speaking after having said something."""


class Spoken(Struct, frozen=True):
    """The latest that somebody said, and when, by the client's own clock in seconds."""

    chat: Chat
    at: float


StoryItem = SkullEvent | Chat
"""Something that happened at the table: an event of the game, or something said."""


def is_bot(info: SeatInfo) -> bool:
    """Tell whether a bot sits here, and not only plays for somebody."""
    return info.player is None and info.connected


def has_left(info: SeatInfo) -> bool:
    """Tell whether who sat here has left the game for good, and the seat stays empty."""
    return info.player is None and not info.connected


def has_room(table: TableSummary) -> bool:
    """Tell whether a seat can be had at a table now."""
    return table.stage != "playing" and table.seated < table.options.max_seats


def shows_a_game(table: TableSummary) -> bool:
    """Tell whether a game is under way at a table, and may be watched."""
    return table.stage == "playing" and table.options.watching


def in_order(tables: Iterable[TableSummary], *, to_watch: bool) -> list[TableSummary]:
    """Return the tables of a lobby, those first that can be joined, or watched."""
    first = shows_a_game if to_watch else has_room
    return sorted(tables, key=lambda table: (not first(table), table.code))


class ClientState(Struct, frozen=True):
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
    spoken: Mapping[int, Spoken] = field(default_factory=lambda: MappingProxyType({}))
    """The latest that each has said at this table, by player."""
    goodbye: str = ""
    """Why the server hung up, if it said so."""
    trouble: str = ""
    """What the server said without being asked, until the player asks for something."""
    resume_code: ResumeCode | None = None
    """The latest code for coming back on another terminal."""
    games: Games | None = None
    """This player's finished games, as many as were asked for, newest first."""
    steps: GameSteps | None = None
    """The finished game that was asked for last, from its beginning on."""
    advice: Advice | None = None
    """What the coach would do; gone with the moment that it is about."""
    choices_since: int = 0
    """The update since which this player may do the same as now."""
    review: GameReview | None = None
    """What cost most in a game with bots, when it was asked for last."""
    records: Records | None = None
    """The records of the players on this server, when they were asked for last."""
    statistics: Statistics | None = None
    """What is counted for this player alone, when it was asked for last."""

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

    @property
    def bot_plays(self) -> bool:
        """Whether a bot plays this player's seat, until they take it back."""
        info = None if self.seat is None else self.seat_info(self.seat)
        return info is not None and info.bot_plays

    def speech_ends(self, now: float) -> float | None:
        """Seconds until the first of those who are speaking is done; None: nobody speaks."""
        left = [spoken.at + SPEAKING_SECONDS - now for spoken in self.spoken.values()]
        return min((seconds for seconds in left if seconds > 0), default=None)

    def speaking(self, now: float) -> Mapping[int, Chat]:
        """What those said, by seat, who said something in the last `SPEAKING_SECONDS`.

        `now` is on the clock that `arrived` was given.
        """
        speaking: dict[int, Chat] = {}
        for seat, info in enumerate(self.players):
            spoken = None if info.player is None else self.spoken.get(info.player)
            if spoken is not None and now - spoken.at < SPEAKING_SECONDS:
                speaking[seat] = spoken.chat
        return speaking

    def seat_info(self, seat: int) -> SeatInfo | None:
        """Who sits in a seat, as the table last said."""
        if self.table is None or seat >= len(self.table.seats):
            return None
        return self.table.seats[seat]


def arrived(state: ClientState, arrival: Arrival, now: float = 0.0) -> ClientState:
    """Return the state after something arrived; `now` is in seconds, from an arbitrary start."""
    match arrival:
        case LinkStatus():
            return replace(state, link=arrival)
        case Welcome():
            state = replace(state, me=arrival, goodbye="")
            if arrival.resumed:
                return state
            return replace(
                _away_from_tables(state), games=None, steps=None, statistics=None, review=None
            )
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
            return _played_on(state, arrival, events)
        case Chat():
            return _said(state, arrival, now)
        case Goodbye(message=message):
            return replace(state, goodbye=message)
        case Error(message=message):
            return replace(state, trouble=message)
        case ResumeCode():
            return replace(state, resume_code=arrival)
        case Games():
            return replace(state, games=_more_games(state.games, arrival))
        case GameSteps():
            return replace(state, steps=_more_steps(state.steps, arrival))
        case Advice(seq=seq):
            return replace(state, advice=arrival) if seq >= state.choices_since else state
        case GameReview():
            return replace(state, review=arrival)
        case Records():
            return replace(state, records=arrival)
        case Statistics():
            return replace(state, statistics=arrival)
        case _:
            return state


def _away_from_tables(state: ClientState) -> ClientState:
    nobody: Mapping[int, Spoken] = MappingProxyType({})
    return replace(state, table=None, game=None, players=(), story=(), spoken=nobody, advice=None)


def _played_on(state: ClientState, update: Update, events: tuple[SkullEvent, ...]) -> ClientState:
    before = state.game
    own, mine = update.you, None if before is None else before.you
    if own is None or mine is None or own.choices != mine.choices:
        state = replace(state, choices_since=update.seq, advice=None)
    return replace(state, game=update, story=(state.story + events)[-MAX_STORY:])


def _said(state: ClientState, chat: Chat, now: float) -> ClientState:
    spoken = MappingProxyType({**state.spoken, chat.player: Spoken(chat, now)})
    return replace(state, story=(*state.story, chat)[-MAX_STORY:], spoken=spoken)


def _at_table(state: ClientState, table: Table) -> ClientState:
    before = state.table
    if before is None or before.code != table.code:
        return replace(_away_from_tables(state), table=table, players=table.seats)
    if before.game != table.game:
        return replace(state, table=table, game=None, players=table.seats, advice=None)
    over = table.stage == "finished"
    return replace(state, table=table, players=state.players if over else table.seats)


def _more_games(known: Games | None, page: Games) -> Games:
    """Put a page behind what it goes on from; another is a new beginning."""
    if known is None or not known.games:
        return page
    if page.games and page.games[0].game >= known.games[-1].game:
        return page
    return Games(known.games + page.games, page.more)


def _more_steps(known: GameSteps | None, page: GameSteps) -> GameSteps | None:
    """Put a page behind what it goes on from; one that does not fit is left out."""
    if page.first == 0:
        return page
    fits = known is not None and known.game.game == page.game.game
    if known is None or not fits or page.first != len(known.steps):
        return known
    return msgspec.structs.replace(known, steps=known.steps + page.steps)
