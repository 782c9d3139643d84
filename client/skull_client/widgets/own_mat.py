"""The reader's own side of the table: stack and hand with their faces, points, lost discs."""

from __future__ import annotations

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from skull_client.widgets import discs, paint, seat_card
from skull_client.widgets.seat_card import CardPicture
from skull_client.widgets.seating import Size
from skull_client.widgets.sheet import BLANK, frame, spread
from skull_client.wording import say, say_count
from skull_protocol.skull import SkullOwn

_LABEL = 6


class OwnPicture(Struct, frozen=True):
    """Everything that the own mat shows."""

    card: CardPicture
    own: SkullOwn


def own_lines(picture: OwnPicture, width: int, height: int, size: Size) -> list[Content]:
    """The lines for this many cells: discs as letters, or as discs on a framed mat."""
    if size == "bare":
        return _bare(picture, width, height)
    return _mat(picture, width, big=size == "big")


def _right(picture: OwnPicture) -> Content:
    """What stands at the right of the name."""
    card = picture.card
    turn = [Content.styled(say("your turn"), paint.TURN)] if card.acts else []
    return Content(" ").join([*turn, *seat_card.notes(card)])


def _lost(picture: OwnPicture) -> Content:
    if not picture.own.lost:
        return BLANK
    row = _faces(picture, picture.own.lost)
    return Content.assemble((say("lost "), paint.QUIET), row)


def _faces(picture: OwnPicture, some: tuple[str, ...]) -> Content:
    return Content(" ").join(discs.labels(picture.card.glyphs, some, {}))


def _seen(picture: OwnPicture) -> list[bool]:
    """Which discs of the stack all can see."""
    shown = picture.card.stand.stack
    return [at < len(shown) and shown[at] is not None for at in range(len(picture.own.stack))]


def _bare(picture: OwnPicture, width: int, height: int) -> list[Content]:
    card, own = picture.card, picture.own
    glyphs, stand, quiet = card.glyphs, card.stand, paint.QUIET
    right = _right(picture)
    if right.cell_length + cell_len(card.info.name) + 4 > width:
        right = seat_card.clock_words(card)
    room = width - (right.cell_length + 1 if right else 0)
    lines = [spread(glyphs, width, seat_card.title(card, room, say(" (you)")), right)]
    if stand.eliminated:
        return [*lines, Content.assemble("  ", seat_card.out_words(card, width - 2))]
    left = say_count(stand.discs, "{n} disc left", "{n} discs left") if not card.speech else ""
    words = seat_card.mat_words(card, width - 6 - cell_len(left))
    mat = Content.assemble("  ", paint.points(glyphs, stand.points), " ", words)
    lines.append(spread(glyphs, width, mat, Content.styled(left, quiet)))
    if own.stack:
        drawn = discs.labels(glyphs, own.stack, card.turning)
        faces = [
            Content.assemble("(", face, ")") if seen else face
            for face, seen in zip(drawn, _seen(picture), strict=True)
        ]
        top = say("top")
        stack = Content.assemble(Content(" ").join(faces), (f" {glyphs.left} {top}", quiet))
        note = Content.styled(say("( ) seen"), quiet) if any(_seen(picture)) else BLANK
        if stack.cell_length + note.cell_length + _LABEL + 3 > width:
            note = BLANK
    else:
        stack, note = Content.styled(say("no disc"), quiet), BLANK
    hand = _faces(picture, own.hand) if own.hand else Content.styled(say("empty"), quiet)
    if stand.last_chance:
        hand = Content.assemble(hand, " ", (say("+Last Chance"), "bold $flower"))
    lines += [
        spread(glyphs, width, Content.assemble((_label(say("Mat")), quiet), stack), note),
        spread(glyphs, width, Content.assemble((_label(say("Hand")), quiet), hand), _lost(picture)),
    ]
    if height > len(lines):
        lines.append(Content.assemble("  ", seat_card.standing(card, width - 2)))
    return lines


def _label(word: str) -> str:
    return f"  {word}".ljust(_LABEL + 1)


def _mat(picture: OwnPicture, width: int, *, big: bool) -> list[Content]:
    card, own = picture.card, picture.own
    glyphs, stand, quiet = card.glyphs, card.stand, paint.QUIET
    inside = width - 4
    right = _right(picture)
    room = width - 6 - (right.cell_length + 3 if right else 0)
    who = seat_card.title(card, room, say(" (you)"), framed=True)
    if stand.eliminated:
        lines = [BLANK] * (discs.tall(big=big) + 3)
        lines[len(lines) // 2] = Content.assemble(" ", seat_card.out_words(card, inside - 1))
        return frame(glyphs, width, lines, "$line", top=(who, right))
    stack = discs.pile(glyphs, own.stack, card.turning, big=big)
    if not own.stack:
        stack[len(stack) // 2] = Content.styled(say("no disc"), quiet)
    hand = discs.apart(glyphs, own.hand, {}, big=big)
    if not own.hand:
        hand[len(hand) // 2] = Content.styled(say("empty"), quiet)
    middle = max(stack[0].cell_length + 3, min(inside // 3, 18))
    head = Content.assemble(
        (paint.fit(glyphs, say(" On the mat"), middle + 1), quiet), (say("Hand"), quiet)
    )
    if stand.last_chance:
        head = Content.assemble(head, "  ", (say("+Last Chance"), "bold $flower"))
    lines = [spread(glyphs, inside, head, _lost(picture))]
    lines += [
        Content.assemble(" ", paint.fit_content(glyphs, on_mat, middle), in_hand)
        for on_mat, in_hand in zip(stack, hand, strict=True)
    ]
    lines.append(_under(picture, big=big))
    lines.append(Content.assemble(" ", seat_card.standing(card, inside - 1)))
    left = say_count(stand.discs, "{n} disc left", "{n} discs left")
    room = inside - 8 - cell_len(left)
    mat = Content.assemble(paint.points(glyphs, stand.points), " ", seat_card.mat_words(card, room))
    under = (mat, Content.styled(left, quiet))
    return frame(glyphs, width, lines, seat_card.mat_style(card), top=(who, right), bottom=under)


def _under(picture: OwnPicture, *, big: bool) -> Content:
    """Below the pile: which of its discs all can see."""
    glyphs = picture.card.glyphs
    seen = _seen(picture)
    if not any(seen):
        return BLANK
    marks = " "
    for at, face in enumerate(picture.own.stack):
        label = cell_len(glyphs.disc_label(face))
        before = (2 if big else 1) + (at == len(seen) - 1)
        marks += " " * before + (glyphs.up if seen[at] else " ").ljust(label)
    words = say("seen by all")
    return Content.styled(f"{marks}   {words}", paint.QUIET)
