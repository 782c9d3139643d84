"""The table itself: everybody around it, the bids in the middle, the reader at the bottom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic

from msgspec import Struct, field
from msgspec.structs import replace
from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.timer import Timer

from skull_client.glyphs import Glyphs
from skull_client.widgets.discs import Stage
from skull_client.widgets.drawn import Drawn
from skull_client.widgets.motion import Motion, Place, flipped_between, turning
from skull_client.widgets.own_mat import OwnPicture, own_lines
from skull_client.widgets.seat_card import CardPicture, card_lines
from skull_client.widgets.seating import Seating, seating
from skull_client.widgets.sheet import BLANK, Sheet, frame
from skull_client.widgets.track import Flip, News, TrackPicture, track_lines
from skull_protocol.skull import SkullOwn, SkullView
from skull_protocol.tables import SeatInfo


class BoardPicture(Struct, frozen=True):
    """Everything that the table shows."""

    glyphs: Glyphs
    view: SkullView
    own: SkullOwn | None
    """None for a spectator."""
    people: tuple[SeatInfo, ...]
    """Who sits in each seat, with names that may be shown."""
    flips: tuple[Flip, ...] = ()
    news: tuple[News, ...] = ()
    amount: int = 0
    """The bid that is being chosen; 0: none."""
    reach: tuple[int, int] | None = None
    """The bids that the reader may make."""
    seconds: int | None = None
    """Until the clock of those to act runs out."""
    speech: Mapping[int, str] = field(default_factory=dict)
    """What those have just said, by seat, who have."""
    stages: Mapping[Place, Stage] = field(default_factory=dict)
    """Discs that are being turned over."""

    @property
    def bottom(self) -> int:
        """The seat at the bottom: the reader's, or for a spectator the first."""
        return 0 if self.own is None else self.own.seat

    @property
    def others(self) -> list[int]:
        """The seats around the table, clockwise from the bottom."""
        count = len(self.view.seats)
        return [(self.bottom + step) % count for step in range(1, count)]

    def card(self, seat: int) -> CardPicture:
        """What is shown of one seat."""
        return CardPicture(
            self.glyphs,
            self.view,
            seat,
            self.people[seat],
            self.seconds,
            turning(self.stages, seat),
            self.speech.get(seat, ""),
        )


def board_lines(picture: BoardPicture, width: int, height: int) -> list[Content]:
    """The whole table for this many cells and rows."""
    glyphs = picture.glyphs
    sheet = Sheet(glyphs, width, height)
    places = seating(width, height, len(picture.others))
    for seat, place in zip(picture.others, places.seats, strict=True):
        lines = card_lines(picture.card(seat), place.width, place.height, places.size)
        sheet.lay(place, lines)
    own, place = picture.card(picture.bottom), places.own
    if picture.own is not None:
        mine = OwnPicture(own, picture.own)
        sheet.lay(place, own_lines(mine, place.width, place.height, places.size))
    else:
        place = _bottom_place(places)
        sheet.lay(place, card_lines(own, place.width, place.height, places.size))
    _lay_track(sheet, picture, places)
    return sheet.lines()


def _bottom_place(places: Seating) -> Region:
    """Where the card of the seat at the bottom goes, for one who only watches."""
    own, seat = places.own, places.seats[0]
    wide = min(seat.width, own.width)
    return Region(own.x + (own.width - wide) // 2, own.bottom - seat.height, wide, seat.height)


def _lay_track(sheet: Sheet, picture: BoardPicture, places: Seating) -> None:
    flips = tuple(
        replace(flip, just_now=number >= len(picture.flips) - _hidden(picture))
        for number, flip in enumerate(picture.flips)
    )
    names = tuple(info.name for info in picture.people)
    track = TrackPicture(
        picture.glyphs,
        picture.view,
        names,
        picture.amount,
        picture.reach,
        flips,
        () if _hidden(picture) else picture.news,
    )
    place = places.track
    if places.table is not None:
        blank = [BLANK] * (places.table.height - 2)
        drawn = track_lines(track, place.width, place.height)
        inside = [*drawn, *blank][: place.height]
        sheet.lay(places.table, frame(picture.glyphs, places.table.width, inside, "$line"))
        return
    inset = 1 if place.height >= 6 and places.size == "bare" else 0
    if inset:
        rule = Content.styled(picture.glyphs.horizontal * place.width, "$line")
        sheet.lay(Region(place.x, place.y, place.width, 1), [rule])
        sheet.lay(Region(place.x, place.bottom - 1, place.width, 1), [rule])
    place = place.shrink((inset, 1, inset, 1))
    sheet.lay(place, track_lines(track, place.width, place.height))


def _hidden(picture: BoardPicture) -> int:
    """How many of the last flips do not show their faces yet."""
    return sum(stage != "face" for stage in picture.stages.values())


class Board(Drawn[BoardPicture]):
    """Draws the table; a click on somebody tells who it was."""

    class Clicked(Message):
        """Somebody at the table was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    def __init__(self) -> None:
        super().__init__(id="board")
        self.clock: Callable[[], float] = monotonic
        """Tells the time in seconds, from an arbitrary start."""
        self.still: BoardPicture | None = None
        """What is shown once nothing moves any more."""
        self._motion: Motion | None = None
        self._timer: Timer | None = None

    def put(self, picture: BoardPicture, *, motion: bool) -> None:
        """Show the table as it is now; with motion, discs turn over on the way there."""
        before, self.still = self.still, picture
        places = frozenset[Place]()
        if before is not None and motion:
            places = flipped_between(before.view, picture.view)
        if places:
            self._motion = Motion(self.clock(), places)
        elif before is None or before.view != picture.view or not motion:
            self._motion = None
        self.advance()

    @property
    def moving(self) -> bool:
        """Whether something is still to be drawn by itself."""
        return self._timer is not None

    def advance(self) -> None:
        """Draw this moment, and come back for the next one if there is any."""
        if self.still is None:
            return
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._motion is None:
            self.show(self.still)
            return
        now = self.clock()
        self.show(replace(self.still, stages=self._motion.at(now)))
        wait = self._motion.next_change(now)
        if wait is not None:
            self._timer = self.set_timer(max(wait, 0.01), self.advance)

    def lines(self, picture: BoardPicture, width: int, height: int) -> list[Content]:
        """The table."""
        return board_lines(picture, width, height)

    def on_click(self, event: events.Click) -> None:
        """Tell the screen who was meant."""
        if self.picture is None:
            return
        others = self.picture.others
        places = seating(self.size.width, self.size.height, len(others))
        for seat, place in zip(others, places.seats, strict=True):
            if place.contains(event.x, event.y):
                event.stop()
                self.post_message(self.Clicked(seat))
