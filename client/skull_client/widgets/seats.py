"""Who sits at a table before the game: a line for each seat, or a place at the table."""

from msgspec import Struct
from textual.content import Content
from textual.geometry import Region

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.widgets.sheet import BLANK, Sheet, frame
from skull_client.wording import say

_PLACE = Region(0, 0, 20, 5)
"""The least room for a place."""
_NAME, _NARROW_NAME = 16, 9
_ROOMY = 38
"""Cells from which on names are told in full in a line."""


class SeatPicture(Struct, frozen=True):
    """One seat: who sits there, and what is to be said of them."""

    name: str = ""
    """Empty: nobody."""
    notes: tuple[str, ...] = ()
    mine: bool = False


class SeatsPicture(Struct, frozen=True):
    """All seats, in the order of play."""

    glyphs: Glyphs
    seats: tuple[SeatPicture, ...]


class Seats(Drawn[SeatsPicture]):
    """Places where there is room for them, else lines."""

    def lines(self, picture: SeatsPicture, width: int, height: int) -> list[Content]:
        """As many places in a row as fit."""
        columns = min(width // _PLACE.width, 3)
        if columns > 1:
            rows = -(-len(picture.seats) // columns)
            if rows * _PLACE.height <= height:
                return _places(picture, width, columns, rows)
        return _lines(picture, width)


def _lines(picture: SeatsPicture, width: int) -> list[Content]:
    lines = []
    for number, seat in enumerate(picture.seats, 1):
        if not seat.name:
            lines.append(Content.styled(say("{n} free", n=number), paint.QUIET))
            continue
        name = paint.fit(picture.glyphs, seat.name, _NAME if width >= _ROOMY else _NARROW_NAME)
        style = "bold" if seat.mine else ""
        notes = (", ".join(seat.notes), paint.QUIET)
        lines.append(Content.assemble((f"{number} {name}", style), " ", notes))
    return lines


def _places(picture: SeatsPicture, width: int, columns: int, rows: int) -> list[Content]:
    glyphs, across = picture.glyphs, min(width // columns, 40)
    sheet = Sheet(glyphs, width, rows * _PLACE.height)
    for at, seat in enumerate(picture.seats):
        x, y = at % columns * across, at // columns * _PLACE.height
        place = Region(x, y, across, _PLACE.height)
        number = Content.styled(str(at + 1), paint.QUIET)
        if seat.name:
            who = Content.styled(seat.name, "bold")
            told = [Content.styled(note, paint.QUIET) for note in seat.notes[:3]]
        else:
            who = BLANK
            told = [BLANK, Content.styled(say("free"), paint.QUIET)]
        told += [BLANK] * (3 - len(told))
        style = "$turn" if seat.mine else "$line"
        framed = frame(glyphs, place.width, told, style, top=(who, BLANK), bottom=(BLANK, number))
        sheet.lay(place, framed)
    return sheet.lines()
