"""The middle of the table: the bids and who stands where; in a challenge, the flowers flipped."""

from __future__ import annotations

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import discs, paint
from skull_client.widgets.sheet import BLANK
from skull_client.wording import say, say_count
from skull_protocol.skull import Disc, SkullView, is_skull

_DRAWN_DISCS = 6
"""Rows from which on flipped discs are drawn as discs."""


_TIGHT = 5
"""Rows below which what came of a challenge leaves no room for more than a line."""
_LARGE_DISCS = 14
"""Rows from which on they are drawn large."""
_DISC, _WIDE_DISC = 7, 15
"""Cells that a flipped disc takes with the name below it, at least and at most."""


class Flip(Struct, frozen=True):
    """A disc that was flipped in this challenge."""

    owner: int
    disc: Disc
    just_now: bool = False
    """It is being turned over: where it will lie is shown, and not yet what it is."""


class News(Struct, frozen=True):
    """Something that nobody is to miss."""

    words: str
    loud: bool = False
    """It is set off from the rest: how a challenge ended, and the game."""


class TrackPicture(Struct, frozen=True):
    """Everything that the track shows."""

    glyphs: Glyphs
    view: SkullView
    names: tuple[str, ...]
    """What each seat is called here."""
    amount: int
    """The bid that is being chosen; 0: none."""
    reach: tuple[int, int] | None
    """The bids that the reader may make now."""
    flips: tuple[Flip, ...] = ()
    """In the order in which they were flipped."""
    news: tuple[News, ...] = ()
    """What came of the challenge, in order."""


def track_lines(picture: TrackPicture, width: int, height: int) -> list[Content]:
    """As many lines as there are rows, the block in the middle of them."""
    if picture.view.phase in ("initial", "turn", "bidding"):
        drawn = _bids(picture, width, height)
    else:
        drawn = _flowers(picture, width, height)
    drawn = drawn[:height]
    above = [BLANK] * ((height - len(drawn)) // 2)
    return [*above, *[_centred(line, width) for line in drawn]]


def _centred(line: Content, width: int) -> Content:
    return Content.assemble(" " * max((width - line.cell_length) // 2, 0), line)


# -- bids ------------------------------------------------------------------------------------------


def _bids(picture: TrackPicture, width: int, height: int) -> list[Content]:
    view = picture.view
    total = view.discs_on_mats
    if not total:
        return [
            Content.styled(say("Nobody has placed a disc yet."), paint.QUIET),
            *_news(picture, width, height - 1),
        ]
    pitch = 4 if total > 9 or total * 4 <= width else 3
    in_row = max(min(width // pitch, total), 1)
    rows = -(-total // in_row)
    in_row = -(-total // rows)
    grid: list[Content] = []
    for first in range(1, total + 1, in_row):
        numbers = range(first, min(first + in_row, total + 1))
        filler = " " * (pitch * (in_row - len(numbers)))
        grid += [
            Content.assemble(*[_number(picture, number, pitch) for number in numbers], filler),
            Content.assemble(*[_bidder(picture, number, pitch) for number in numbers], filler),
        ]
    head, said = _head(total), _said(picture, width)
    spare = height - len(grid) - len(said)
    if spare < 0:
        said = said[: max(height - len(grid), 0)]
    if spare >= 1:
        grid = [head, *([BLANK] if spare > 2 else []), *grid]
    if spare > 3:
        said = [BLANK, *said]
    return [*grid, *said]


def _head(total: int) -> Content:
    words = say_count(total, "{n} disc on the mats", "{n} discs on the mats")
    return Content.styled(words, paint.QUIET)


def _number(picture: TrackPicture, number: int, pitch: int) -> Content:
    """A number: in round brackets the highest bid, in square ones the bid that is being chosen."""
    view, reach = picture.view, picture.reach
    text = str(number)
    if number == view.bid:
        return Content.styled(f"({text})".rjust(pitch), "bold")
    if number == picture.amount:
        mark = Content.styled(f"[{text}]", paint.CHOSEN)
        return Content.assemble(" " * (pitch - mark.cell_length), mark)
    low = reach[0] if reach is not None else view.bid + 1
    style = paint.QUIET if number < low else ("bold" if reach is not None else "")
    return Content.styled(f"{text} ".rjust(pitch), style)


def _bidder(picture: TrackPicture, number: int, pitch: int) -> Content:
    """Who bid a number, by the marks of their names."""
    seats = picture.view.seats
    here = [seat for seat, stand in enumerate(seats) if stand.bid == number]
    mark = seat_marks(picture.names)[here[0]] if here else ""
    text = f"{mark} " if len(mark) < pitch else mark
    style = paint.QUIET if here and seats[here[0]].passed else "bold"
    return Content.styled(" " * (pitch - cell_len(text)) + text, style)


def _said(picture: TrackPicture, width: int) -> list[Content]:
    """Who leads and who is out, on one line or two."""
    view = picture.view
    parts: list[Content] = []
    if view.bidder is not None:
        words = say("{name} bids {n}", name=picture.names[view.bidder], n=view.bid)
        parts.append(Content.styled(words, "bold"))
    passed = [picture.names[s] for s, seat in enumerate(view.seats) if seat.passed]
    if passed:
        long = say("passed: {names}", names=", ".join(passed))
        if cell_len(long) > width:
            marks = seat_marks(picture.names)
            short = [marks[s] for s, seat in enumerate(view.seats) if seat.passed]
            long = say("passed: {names}", names=" ".join(short))
        parts.append(Content.styled(long, paint.QUIET))
    whole = Content("   ").join(parts)
    return [whole] if parts and whole.cell_length <= width else parts


# -- flowers ---------------------------------------------------------------------------------------


def _flowers(picture: TrackPicture, width: int, height: int) -> list[Content]:
    view = picture.view
    just_now = sum(flip.just_now and not is_skull(flip.disc) for flip in picture.flips)
    count = Content.styled(_count(picture, view.flowers - just_now), "bold")
    if picture.news and height < _TIGHT:
        return [_on_one_line(picture, count, width), *_news(picture, width, height - 1)]
    head = [count]
    news = _news(picture, width, max(height - 3, 1))
    roomy = height - len(news) >= _DRAWN_DISCS
    big = height >= _LARGE_DISCS
    block = _row_of_discs(picture, width, big=big) if roomy else _line_of_discs(picture, width)
    if height > len(head) + len(block) + len(news) + 1:
        head.append(BLANK)
    if news and height > len(head) + len(block) + len(news) + 1:
        news = [BLANK, *news]
    drawn = [*head, *block]
    if len(drawn) + len(news) > height:
        drawn = drawn[: max(height - len(news), 0)]
    if not news and view.bidder is not None and height > len(drawn) + 1:
        words = say("{name} is the challenger", name=picture.names[view.bidder])
        news = [BLANK, Content.styled(words, paint.QUIET)]
    return [*drawn, *news]


def _count(picture: TrackPicture, flowers: int) -> str:
    return say("Flowers: {n} of {bid}", n=flowers, bid=picture.view.bid)


def _slots(picture: TrackPicture, room: int) -> tuple[list[Flip], int]:
    """The flips that there is room for, the last ones, and how many flowers are still to come."""
    flips = list(picture.flips)[-max(room, 1) :]
    ended = picture.view.outcome is not None
    to_go = 0 if ended else max(picture.view.bid - picture.view.flowers, 0)
    return flips, max(min(to_go, room - len(flips)), 0)


def _row_of_discs(picture: TrackPicture, width: int, *, big: bool) -> list[Content]:
    """Discs as discs, and below each whose it is."""
    glyphs, names = picture.glyphs, picture.names
    least = _DISC + 2 * big
    flips, to_go = _slots(picture, width // least)
    wide = max(min(width // max(len(flips) + to_go, 1), _WIDE_DISC), least)
    rows: list[list[Content]] = [[] for _ in range(discs.tall(big=big) + 1)]
    dots = [""] * len(rows)
    dots[discs.tall(big=big) // 2] = glyphs.no_point
    for flip in flips:
        drawn = discs.pile(glyphs, [flip.disc], {0: "back"} if flip.just_now else {}, big=big)
        under = Content(_short(glyphs, names[flip.owner], wide - 1))
        for row, line in zip(rows, [*drawn, under], strict=True):
            row.append(_in_middle(line, wide))
    for row, dot in zip(rows, dots, strict=True):
        row += [_in_middle(Content.styled(dot, paint.QUIET), wide)] * to_go
    return [Content.assemble(*row) for row in rows]


def _short(glyphs: Glyphs, name: str, width: int) -> str:
    return name if cell_len(name) <= width else paint.fit(glyphs, name, width)


def _on_one_line(picture: TrackPicture, count: Content, width: int) -> Content:
    """How many flowers, and each disc with the mark of whose it is."""
    marks = seat_marks(picture.names)
    flips, _ = _slots(picture, (width - count.cell_length) // 6)
    each = [
        Content.assemble(discs.labels(picture.glyphs, [flip.disc], {})[0], " ", marks[flip.owner])
        for flip in flips
    ]
    return Content("  ").join([count, *each])


def _line_of_discs(picture: TrackPicture, width: int) -> list[Content]:
    """Discs as letters, and below each the mark of whose it is."""
    glyphs = picture.glyphs
    marks = seat_marks(picture.names)
    flips, to_go = _slots(picture, (width + 1) // 4)
    above, below = [], []
    for flip in flips:
        face = discs.labels(glyphs, [flip.disc], {0: "back"} if flip.just_now else {})[0]
        wide = max(face.cell_length, 3)
        above.append(_in_middle(face, wide))
        below.append(_in_middle(Content(marks[flip.owner]), wide))
    above += [Content.styled(f" {glyphs.no_point} ", paint.QUIET)] * to_go
    below += [Content("   ")] * to_go
    return [Content(" ").join(above), Content(" ").join(below)]


def _in_middle(text: Content, width: int) -> Content:
    left = (width - text.cell_length) // 2
    return Content.assemble(" " * left, text, " " * (width - left - text.cell_length))


def _news(picture: TrackPicture, width: int, height: int) -> list[Content]:
    """What came of it, what ended a challenge or the game set off from the rest."""
    lines: list[Content] = []
    for news in picture.news:
        style = f"{paint.TURN} reverse" if news.loud else "bold"
        room = max(width - 2, 1)
        lines += [
            Content.styled(f" {part.plain} " if news.loud else part.plain, style)
            for part in Content(news.words).wrap(room)
        ]
    return lines[-height:] if height > 0 else []


def seat_marks(names: tuple[str, ...]) -> list[str]:
    """Short marks, at most two cells wide and all different, for names on the track."""
    marks: list[str] = []
    for seat, name in enumerate(names):
        words = name.split()
        short = words[0][0] + words[-1][0] if len(words) > 1 else name[:2]
        mark = short if short.isalnum() and cell_len(short) <= 2 else ""
        if not mark or mark in marks:
            mark = (name[0] if name[0].isalnum() and cell_len(name[0]) == 1 else "") + str(seat + 1)
        marks.append(mark)
    return marks
