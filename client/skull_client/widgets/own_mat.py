"""The reader's own side of the table: stack and hand with their faces, points, lost discs."""

from dataclasses import dataclass

from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint, seat_card
from skull_client.widgets.drawn import Drawn, centred
from skull_client.wording import say, say_count
from skull_protocol.skull import Disc, SkullOwn, SkullView
from skull_protocol.tables import SeatInfo

_ROOMY = 8
"""Lines from which on discs are drawn as discs."""


@dataclass(frozen=True)
class OwnPicture:
    """Everything that the own mat shows."""

    glyphs: Glyphs
    view: SkullView
    own: SkullOwn | None
    info: SeatInfo | None


class OwnMat(Drawn[OwnPicture]):
    """Three lines, or with discs drawn as discs where there is room."""

    def lines(self, picture: OwnPicture, width: int, height: int) -> list[Content]:
        """Discs as letters, or as discs where there is room."""
        if picture.own is None or picture.info is None:
            return [Content(say(" You are watching: what is secret stays secret."))]
        if height >= _ROOMY:
            return centred(_roomy(picture, picture.own, picture.info), width)
        return _short(picture, picture.own, picture.info)


def _title(picture: OwnPicture, own: SkullOwn, info: SeatInfo) -> Content:
    glyphs, seat = picture.glyphs, picture.view.seats[own.seat]
    acts = own.seat in picture.view.to_act
    name = Content.assemble(glyphs.turn if acts else " ", " ", info.name).stylize(
        paint.TURN if acts else "bold"
    )
    parts: list[Content | str] = [name, (" (you)")]
    if seat.eliminated:
        parts.append(say("   out of the game"))
        return Content.assemble(*parts)
    parts += ["   ", paint.points(glyphs, seat.points), " ", seat_card.mat_words(seat, 20)]
    parts.append("   ")
    parts.append(say_count(seat.discs, "{n} disc left", "{n} discs left"))
    if seat.last_chance:
        parts.append(Content.styled(say("   +Last Chance"), "bold $flower"))
    stand = seat_card.standing(picture.view, own.seat, 30)
    if stand:
        parts += ["   ", stand]
    if info.bot_plays:
        parts.append(Content.styled(say("   (bot)"), paint.QUIET))
    return Content.assemble(*parts)


def _lost(picture: OwnPicture, own: SkullOwn) -> Content:
    if not own.lost:
        return Content("")
    row = _row(picture.glyphs, own.lost)
    return Content.assemble((say("     Lost  "), paint.QUIET), row)


def _row(glyphs: Glyphs, discs: tuple[Disc, ...]) -> Content:
    return Content("  ").join([paint.disc(glyphs, disc) for disc in discs])


def _faces(picture: OwnPicture, own: SkullOwn) -> list[Content]:
    """The stack, each disc with its face, and whether all can see it."""
    shown = picture.view.seats[own.seat].stack
    faces = []
    for position, face in enumerate(own.stack):
        public = position < len(shown) and shown[position] is not None
        disc = paint.disc(picture.glyphs, face)
        faces.append(Content.assemble("(", disc, ")") if public else disc)
    return faces


def _short(picture: OwnPicture, own: SkullOwn, info: SeatInfo) -> list[Content]:
    quiet = paint.QUIET
    if own.stack:
        stack = Content.assemble(
            Content("  ").join(_faces(picture, own)),
            (say("  {mark} top", mark=picture.glyphs.left), quiet),
        )
        if any(picture.view.seats[own.seat].stack):
            stack = Content.assemble(stack, (say("   ( ) seen by all"), quiet))
    else:
        stack = Content.styled(say("no disc"), quiet)
    hand = _row(picture.glyphs, own.hand) if own.hand else Content.styled(say("empty"), quiet)
    return [
        _title(picture, own, info),
        Content.assemble((say(" {label:<8}", label=say("Mat")), quiet), stack),
        Content.assemble((say(" {label:<8}", label=say("Hand")), quiet), hand, _lost(picture, own)),
    ]


def _roomy(picture: OwnPicture, own: SkullOwn, info: SeatInfo) -> list[Content]:
    glyphs = picture.glyphs
    stack = seat_card.drawn_discs(glyphs, own.stack, 3)
    hand = seat_card.drawn_discs(glyphs, own.hand, 3)
    width = max(*(row.cell_length for row in stack), 26)
    heads = Content.assemble(
        (paint.fit(glyphs, say("  Mat (top at the right)"), width + 4), paint.QUIET),
        (say("  Hand"), paint.QUIET),
        _lost(picture, own),
    )
    lines = [_title(picture, own, info), Content(""), heads]
    for left, right in zip(stack, hand, strict=True):
        lines.append(Content.assemble(" ", paint.fit_content(glyphs, left, width), "    ", right))
    shown = picture.view.seats[own.seat].stack
    public = " ".join(
        paint.fit(glyphs, say("seen") if face is not None else "", 5) for face in shown
    )
    return [*lines, Content.styled(f"  {public}", paint.QUIET)]
