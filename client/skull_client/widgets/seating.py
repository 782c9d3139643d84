"""Where everything on the table is drawn: who sits where, for every size and number of players.

The reader sits at the bottom, the others clockwise from the left. Where there is little room, the
table has two long sides and the bids between them; where there is much, people sit all around.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from textual.geometry import Region

_CARD, _OWN = 5, 5
"""Rows of a seat, and of the reader's own place, as bare lines."""
_FLAT = 4
"""Rows of both where there is hardly any room."""
_MAT, _OWN_MAT = 7, 8
"""Rows of the same with frames."""
_BIG_MAT, _BIG_OWN_MAT = 9, 10
"""Rows of the same with large discs."""
_OWN_WIDTH = 46
"""Columns that the reader's own place takes with frames, at least."""
_MAT_WIDTH = 26
"""Columns of a framed seat, at least."""
_WIDEST_MAT, _WIDEST_OWN, _WIDEST_TABLE = 34, 64, 76
_WIDEST_BARE_OWN = 50
_TALLEST_TABLE = 18
_BIG_RING = 44, 110
"""Rows and columns from which on discs are drawn large."""
_TRACK = 6
"""Rows between framed seats for the bids, at least."""
_RING = 28, 84
"""Rows and columns from which on people sit all around, and not on two sides."""


Size = Literal["bare", "framed", "big"]
"""Lines of letters; mats with frames and discs drawn on them; the same with large discs."""


class Seating(Struct, frozen=True):
    """Places for everything on the table; none of them overlap."""

    seats: tuple[Region, ...]
    """The others, clockwise from the reader's left."""
    own: Region
    """The reader's place; for a spectator that of the seat at the bottom."""
    track: Region
    """The middle of the table."""
    size: Size
    """How mats and discs are drawn."""
    table: Region | None
    """A frame round the middle, where there is room for one."""


def seating(width: int, height: int, others: int) -> Seating:
    """Return the places in this many columns and rows for a reader and so many others."""
    sides = 2 if others > 2 else 0
    if height >= _RING[0] and width >= _RING[1]:
        return _ring(width, height, others - sides, sides)
    own = _OWN_WIDTH + (2 * (_MAT_WIDTH + 1) if sides else 0)
    if height >= _MAT + _OWN_MAT + _TRACK and width >= max(own, 3 * _MAT_WIDTH):
        return _two_sides(width, height, others - sides, sides, (_MAT, _OWN_MAT), framed=True)
    flat = height < _CARD + _OWN + 3
    rows = (_FLAT, _FLAT) if flat else (_CARD, _OWN)
    return _two_sides(width, height, others - sides, sides, rows, framed=False)


def _two_sides(
    width: int, height: int, far: int, near: int, rows: tuple[int, int], *, framed: bool
) -> Seating:
    """The far side, the bids, and the near side with the reader in the middle."""
    card, own = rows
    top = _row(width, 0, card, far, framed=framed)
    below = height - own
    if near:
        side = (width * 2 // 7) if not framed else max(_MAT_WIDTH, (width - _OWN_WIDTH - 2) // 2)
        side = min(side, _WIDEST_MAT)
        card_y = height - card
        left = Region(0, card_y, side, card)
        right = Region(width - side, card_y, side, card)
        middle = width - 2 * side - 2
        own_width = min(middle, _WIDEST_OWN)
        place = Region(side + 1 + (middle - own_width) // 2, below, own_width, own)
        seats = (left, *top, right)
    else:
        own_width = min(width, _WIDEST_OWN if framed else _WIDEST_BARE_OWN)
        place = Region((width - own_width) // 2, below, own_width, own)
        seats = top
    track = Region(0, card, width, max(height - card - own, 0))
    return Seating(seats, place, track, "framed" if framed else "bare", None)


def _row(width: int, y: int, height: int, count: int, *, framed: bool) -> tuple[Region, ...]:
    """So many seats side by side, each in the middle of its share."""
    if not count:
        return ()
    share = width // count
    most = _WIDEST_MAT if framed else width * 2 // 5
    gap = 2 if framed else 1
    wide = min(share - (gap if count > 1 else 0), most)
    left = [place * width // count + (share - wide) // 2 for place in range(count // 2)]
    middle = [(width - wide) // 2] * (count % 2)
    right = [width - x - wide for x in reversed(left)]
    return tuple(Region(x, y, wide, height) for x in [*left, *middle, *right])


def _ring(width: int, height: int, far: int, near: int) -> Seating:
    """A table in the middle, and people on all its sides."""
    big = height >= _BIG_RING[0] and width >= _BIG_RING[1]
    card, own_tall = (_BIG_MAT, _BIG_OWN_MAT) if big else (_MAT, _OWN_MAT)
    spare = height - card - own_tall - 2
    tall = min(spare, _TALLEST_TABLE)
    air = (spare - tall) // 4
    first = (spare - tall - 2 * air) // 2
    side = min(_WIDEST_MAT, max(_MAT_WIDTH, (width - _WIDEST_TABLE) // 2 - 2)) if near else 0
    table_y = first + card + 1 + air
    room = width - 2 * side - (4 if near else 0)
    wide = min(room, _WIDEST_TABLE)
    table = Region((width - wide) // 2, table_y, wide, tall)
    own_wide = min(width, _WIDEST_OWN)
    own_y = table_y + tall + 1 + air
    own = Region((width - own_wide) // 2, own_y, own_wide, own_tall)
    seats = _row(width, first, card, far, framed=True)
    if near:
        beside = table_y + (tall - card) // 2
        left = Region(table.x - side - 1, beside, side, card)
        right = Region(table.right + 1, beside, side, card)
        seats = (left, *seats, right)
    track = Region(table.x + 2, table.y + 1, table.width - 4, table.height - 2)
    return Seating(seats, own, track, "big" if big else "framed", table)
