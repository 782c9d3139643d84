"""The middle of the table: the bids and who stands where; in a challenge, the flowers flipped."""

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn, centred
from skull_client.wording import outcome_line, say
from skull_protocol.skull import SkullView

_LABEL = 9
_PITCH = 3
_ROOMY = 4
"""Lines from which on the track stands in the middle."""


@dataclass(frozen=True)
class TrackPicture:
    """Everything that the track shows."""

    glyphs: Glyphs
    view: SkullView
    names: tuple[str, ...]
    """What each seat is called here."""
    you: int | None
    """The reader's seat."""
    amount: int
    """The bid that is being chosen; 0: none."""
    range: tuple[int, int] | None
    """The bids that the reader may make now."""


class Track(Drawn[TrackPicture]):
    """Two lines: the numbers, and who bid them."""

    def lines(self, picture: TrackPicture, width: int, height: int) -> list[Content]:
        """Bids until somebody has to flip, then flowers; in the middle where there is room."""
        if picture.view.phase in ("initial", "turn", "bidding"):
            drawn = _bids(picture, width)
        else:
            drawn = _flowers(picture)
        if height < _ROOMY:
            return drawn
        return [Content("")] * ((height - len(drawn)) // 2) + centred(drawn, width)


def _bids(picture: TrackPicture, width: int) -> list[Content]:
    view = picture.view
    total = view.discs_on_mats
    if not total:
        return [
            Content.assemble((_label(say("Bids")), paint.QUIET), (say("none yet"), paint.QUIET)),
            Content(""),
        ]
    room = max((width - _LABEL) // _PITCH, 1)
    last = total
    first = max(1, min(total - room + 1, view.bid or 1))
    marks = seat_marks(picture.names)
    numbers: list[Content] = [Content.styled(_label(say("Bids")), paint.QUIET)]
    bidders: list[Content] = [Content(" " * _LABEL)]
    for number in range(first, last + 1):
        numbers.append(_number(picture, number))
        here = [s for s, seat in enumerate(view.seats) if seat.bid == number]
        text = marks[here[0]] if here else ""
        style = ""
        if here and view.seats[here[0]].passed:
            style = paint.QUIET
        elif here:
            style = "bold"
        bidders.append(Content.styled(set_cell_size(text.rjust(2), 2) + " ", style))
    if view.bidder is not None:
        summary = say("{name} bids {n}", name=picture.names[view.bidder], n=view.bid)
        numbers.append(Content.styled(f"  {summary}", "bold"))
    passed = [marks[s] for s, seat in enumerate(view.seats) if seat.passed]
    if passed:
        bidders.append(
            Content.styled(say("  passed: {marks}", marks=" ".join(passed)), paint.QUIET)
        )
    return [Content.assemble(*numbers), Content.assemble(*bidders)]


def _number(picture: TrackPicture, number: int) -> Content:
    if number == picture.view.bid:
        return Content.styled(f"{number:>2}{picture.glyphs.left}", "bold")
    if number == picture.amount:
        return Content.styled(f"{number:>2} ", paint.CHOSEN)
    reach = picture.range
    low = reach[0] if reach is not None else picture.view.bid + 1
    style = "" if number >= low else paint.QUIET
    return Content.styled(f"{number:>2} ", style)


def _flowers(picture: TrackPicture) -> list[Content]:
    view, glyphs = picture.view, picture.glyphs
    flipped = " ".join([glyphs.flower] * view.flowers)
    to_go = " ".join([glyphs.no_point] * max(view.bid - view.flowers, 0))
    who = picture.names[view.bidder] if view.bidder is not None else ""
    parts: list[Content] = [
        Content.styled(_label(say("Flowers")), paint.QUIET),
        Content.styled(flipped, "bold $flower"),
        Content(" " if flipped and to_go else ""),
        Content.styled(to_go, paint.QUIET),
        Content.styled(say("   {n} of {bid}", n=view.flowers, bid=view.bid), "bold"),
    ]
    if view.outcome is not None and view.outcome.skull is not None:
        owner = picture.names[view.outcome.skull]
        parts.append(
            Content.styled(
                say("   {mark} skull of {name}", mark=glyphs.skull, name=owner), "bold $skull"
            )
        )
    if view.outcome is None:
        below = Content.styled(say("challenger: {name}", name=who), paint.QUIET)
    else:
        below = Content(outcome_line(view.outcome, lambda s: picture.names[s], picture.you))
    return [Content.assemble(*parts), Content.assemble(" " * _LABEL, below)]


def _label(text: str) -> str:
    return set_cell_size(f" {text}", _LABEL)


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
