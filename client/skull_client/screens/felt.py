"""The game as it is drawn, now or when it is looked at again: opponents, bids, own mat, story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from skull_client.glyphs import Glyphs
from skull_client.screens.room import rule
from skull_client.state import StoryItem
from skull_client.widgets.own_mat import OwnMat, OwnPicture
from skull_client.widgets.seat_card import CardPicture, SeatCard
from skull_client.widgets.story import Story, StoryPicture
from skull_client.widgets.track import Track, TrackPicture
from skull_client.wording import say
from skull_protocol.skull import SkullOwn, SkullView
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown


@dataclass(frozen=True)
class Scene:
    """The game at one moment: what all see, what the reader sees besides, and who sits where."""

    view: SkullView
    own: SkullOwn | None
    players: tuple[SeatInfo, ...]

    @property
    def you(self) -> int | None:
        """The reader's seat; None for a spectator."""
        return self.own.seat if self.own is not None else None

    def name(self, seat: int) -> str:
        """Who sits in a seat."""
        if seat < len(self.players):
            return shown(self.players[seat].name)
        return say("Seat {n}", n=seat + 1)

    def info(self, seat: int) -> SeatInfo:
        """Who sits in a seat, with the rest that is known of them."""
        if seat < len(self.players):
            info = self.players[seat]
            return replace(info, name=shown(info.name))
        return SeatInfo(None, self.name(seat), connected=True, answered=False)

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called."""
        return tuple(self.name(seat) for seat in range(len(self.view.seats)))

    @property
    def opponents(self) -> list[int]:
        """The others, clockwise from the reader."""
        count = len(self.view.seats)
        start = self.you if self.you is not None else -1
        return [(start + step) % count for step in range(1, count + (self.you is None))]


class Felt(Horizontal):
    """From the far side of the table to the near one; beside it or below, what happened."""

    def __init__(self, glyphs: Glyphs) -> None:
        super().__init__(id="table")
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """Six places for opponents; as many as there are get used."""
        with Vertical(id="felt"):
            with Horizontal(id="opponents"):
                for _ in range(6):
                    yield SeatCard()
            yield rule(self._glyphs)
            yield Track(id="track")
            yield rule(self._glyphs)
            yield OwnMat(id="own")
            yield rule(self._glyphs)
        with Vertical(id="aside"):
            yield Story(id="story")

    def draw(self, glyphs: Glyphs, scene: Scene, story: Sequence[StoryItem]) -> None:
        """Draw a moment, and what happened up to it; not the bids."""
        opponents = scene.opponents
        for place, card in enumerate(self.query(SeatCard)):
            card.display = place < len(opponents)
            if card.display:
                seat = opponents[place]
                card.show(CardPicture(glyphs, scene.view, seat, scene.info(seat)))
        you = scene.you
        info = scene.info(you) if you is not None else None
        self.query_one(OwnMat).show(OwnPicture(glyphs, scene.view, scene.own, info))
        self.query_one(Story).show(StoryPicture(glyphs, tuple(story), scene.names, you))

    def draw_bids(
        self, glyphs: Glyphs, scene: Scene, amount: int = 0, reach: tuple[int, int] | None = None
    ) -> None:
        """Draw the track. `amount`: the bid that is being chosen; `reach`: which may be."""
        self.query_one(Track).show(
            TrackPicture(glyphs, scene.view, scene.names, scene.you, amount, reach)
        )
