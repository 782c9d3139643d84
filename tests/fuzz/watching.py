"""Looks at every message that anybody was sent, for what must hold whatever was done before.

Most tables of the fuzzer play with cards: there every face exists once, so a face that reaches
somebody who may not know it is seen as what it is, wherever in a message it stands.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from skull_protocol.pushes import (
    Advice,
    Chat,
    GameReview,
    GameSteps,
    LeftTable,
    Table,
    Update,
    Welcome,
)
from skull_protocol.skull import (
    DiscLost,
    Flipped,
    Placed,
    RoundAbandoned,
    RoundStarted,
    Shown,
    SkullEvent,
    SkullOwn,
    SkullView,
)
from skull_protocol.wire import Tagged

CARD = re.compile(r"(10|[2-9])[cdhs]|[JQK][cdhs]")


@dataclass
class Reader:
    """What one connection was told so far."""

    player: int | None = None
    table: Table | None = None
    seq: int = -1

    @property
    def seat(self) -> int | None:
        """Where the receiver sits, as far as they know."""
        assert self.table is not None
        seats = self.table.seats
        return next((seat for seat, info in enumerate(seats) if info.player == self.player), None)


@dataclass
class _Game:
    """What came to light in one game, whoever was told."""

    seq: int = -1
    """The newest update that anybody read."""

    dealt: dict[int, frozenset[str]] = field(default_factory=dict)
    """The cards of each seat that was seen by its player."""
    shown: set[str] = field(default_factory=set)


class Watching:
    """Reads all streams; each broken promise is an `AssertionError`."""

    def __init__(self) -> None:
        self._views: dict[tuple[str, int], SkullView] = {}
        self._games: defaultdict[tuple[str, int], _Game] = defaultdict(_Game)
        self.updates = 0
        self.looked_back = 0
        self.advised = 0

    def read(self, reader: Reader, message: Tagged) -> None:
        """Check one message that the reader was sent."""
        match message:
            case Welcome(player=player):
                reader.player = player
            case Table():
                moved = reader.table is not None and reader.table.code != message.code
                reader.seq = -1 if moved else reader.seq
                reader.table = message
                self._check_table(message)
            case LeftTable():
                reader.table, reader.seq = None, -1
            case Update():
                self.updates += 1
                self._check_update(reader, message)
            case GameSteps():
                self.looked_back += len(message.steps)
                _check_history(message)
            case Advice():
                self.advised += 1
                self._check_advice(reader, message)
            case Chat() | GameReview():  # a review is of actions that the receiver could choose
                pass
            case _:
                assert not list(_cards(message)), message

    def _check_table(self, table: Table) -> None:
        players = [info.player for info in table.seats if info.player is not None]
        assert len(players) == len(set(players)), "two seats for one player"
        assert len({info.name for info in table.seats}) == len(table.seats)
        assert len(table.seats) <= 6

    def _check_update(self, reader: Reader, update: Update) -> None:
        table = reader.table
        assert table is not None, "an update without a table"
        assert len(update.view.seats) == len(table.seats)
        if update.events:
            assert update.seq > reader.seq, "an update was numbered twice, or came late"
        else:
            assert update.seq >= reader.seq
        reader.seq = update.seq
        seen = self._views.setdefault((table.code, update.seq), update.view)
        assert seen == update.view, "two people saw different tables"
        seat = reader.seat
        assert (update.you is None) == (seat is None)
        assert set(update.view.to_act) <= set(range(len(table.seats)))
        _check_masks(update.events, update.view, update.you, seat)
        self._check_cards(self._games[table.code, table.game], update, seat)

    def _check_advice(self, reader: Reader, advice: Advice) -> None:
        """What a player is told to place or to lose is theirs."""
        assert reader.table is not None, "advice away from a table"
        assert reader.seat is not None, "advice to a watcher"
        mine = self._games[reader.table.code, reader.table.game].dealt[reader.seat]
        assert mine.issuperset(_cards(advice)), "advice names somebody else's cards"

    def _check_cards(self, game: _Game, update: Update, seat: int | None) -> None:
        game.shown |= {e.disc for e in update.events if isinstance(e, Flipped | Shown)}
        if update.seq > game.seq + (update.events != ()):
            # Nobody was told of what came before: what is face up now was turned over then.
            game.shown |= {disc for other in update.view.seats for disc in other.stack if disc}
        game.seq = max(game.seq, update.seq)
        mine: frozenset[str] = frozenset()
        you = update.you
        if you is not None:
            mine = frozenset(_cards((you.hand, you.stack, you.lost)))
            assert game.dealt.setdefault(you.seat, mine) == mine, "somebody else's cards"
            for other, cards in game.dealt.items():
                assert other == you.seat or not cards & mine
        leaked = set(_cards(update)) - mine - game.shown
        assert not leaked, f"seat {seat} was told of {leaked}"


def _check_history(history: GameSteps) -> None:
    """A finished game keeps the secrets that it had."""
    shown: set[str] = set()
    for number, step in enumerate(history.steps):
        _check_masks(step.events, step.view, step.you, history.game.seat)
        shown |= {event.disc for event in step.events if isinstance(event, Flipped | Shown)}
        if number == 0:
            shown |= {disc for seat in step.view.seats for disc in seat.stack if disc}
        you = step.you
        mine = set() if you is None else set(_cards((you.hand, you.stack, you.lost)))
        assert not set(_cards(step)) - mine - shown


def _check_masks(
    events: tuple[SkullEvent, ...], view: SkullView, you: SkullOwn | None, seat: int | None
) -> None:
    """What is face down is null, to everybody but its owner."""
    assert you is None or you.seat == seat
    for event in events:
        if isinstance(event, Placed | DiscLost):
            assert (event.disc is None) == (event.seat != seat), event
        if isinstance(event, RoundStarted | RoundAbandoned):
            assert all(disc is None for other in view.seats for disc in other.stack)
    if view.phase in ("initial", "turn", "bidding"):
        assert all(disc is None for other in view.seats for disc in other.stack)


def _cards(value: object) -> Iterator[str]:
    """Every card that stands anywhere in a message."""
    if isinstance(value, str):
        if CARD.fullmatch(value):
            yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _cards(getattr(value, name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _cards(item)
