"""One opponent at the table: mat, stack, hand, bid, and whether the game waits for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message

from skull_client.glyphs import Glyphs
from skull_client.state import has_left
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.wording import say
from skull_protocol.skull import Disc, SkullSeat, SkullView
from skull_protocol.tables import SeatInfo


@dataclass(frozen=True)
class CardPicture:
    """Everything that a card shows."""

    glyphs: Glyphs
    view: SkullView
    seat: int
    info: SeatInfo


class SeatCard(Drawn[CardPicture]):
    """Draws one opponent on a few lines, within its width."""

    class Clicked(Message):
        """This opponent was clicked."""

        def __init__(self, seat: int) -> None:
            super().__init__()
            self.seat = seat

    def on_click(self, event: events.Click) -> None:
        """Tell the screen who was meant."""
        event.stop()
        if self.picture is not None:
            self.post_message(self.Clicked(self.picture.seat))

    def show(self, picture: CardPicture) -> None:
        """Draw this seat as it is now, framed if the game waits for it."""
        self.set_class(picture.seat in picture.view.to_act, "acting")
        super().show(picture)

    def lines(self, picture: CardPicture, width: int, height: int) -> list[Content]:
        """Leave a cell free beside the next card."""
        drawn = card_lines(picture, width - 1, roomy=height >= 7)
        return [paint.fit_content(picture.glyphs, line, width - 1) for line in drawn]


def card_lines(picture: CardPicture, width: int, *, roomy: bool) -> list[Content]:
    """The lines of a card for this many cells; roomy: with the stack drawn as discs."""
    glyphs, view = picture.glyphs, picture.view
    seat = view.seats[picture.seat]
    acts = picture.seat in view.to_act
    note = presence(picture.info)
    name = picture.info.name
    room = width - 2 - (cell_len(note) + 1 if note else 0)
    if cell_len(name) > room:
        name = paint.fit(glyphs, name, room)
    title = Content.styled(f"{glyphs.turn if acts else ' '} {name}", paint.TURN if acts else "bold")
    lines = [Content.assemble(title, (f" {note}", paint.QUIET) if note else "")]
    if seat.eliminated:
        out = _first_fit(width - 2, say("out of the game"), say("out"))
        return [*lines, Content.styled(f"  {out}", paint.QUIET), Content(""), Content("")]
    lines.append(
        Content.assemble("  ", paint.points(glyphs, seat.points), " ", mat_words(seat, width - 5))
    )
    hand = say("hand {n}", n=seat.hand)
    if roomy:
        lines += drawn_discs(glyphs, seat.stack, 1)
        stack = say("stack {n}", n=len(seat.stack))
        counts = [f"  {stack}  {hand}"] if width >= 18 else [f"  {stack}", f"  {hand}"]
        lines += [Content(line) for line in counts]
    elif seat.last_chance:
        lines.append(Content.assemble("  ", pile(glyphs, seat), " ", hand))
    else:
        lines += [Content.assemble("  ", pile(glyphs, seat)), Content(f"  {hand}")]
    if seat.last_chance:
        lines.append(Content.styled(say("  Last Chance"), "bold $flower"))
    lines.append(Content.assemble("  ", standing(view, picture.seat, width - 2)))
    return lines


def _first_fit(width: int, *texts: str) -> str:
    """The first of these texts that fits, else the last."""
    return next((text for text in texts if cell_len(text) <= width), texts[-1])


def drawn_discs(glyphs: Glyphs, discs: Sequence[Disc | None], inside: int) -> list[Content]:
    """Three lines: discs drawn as boxes side by side, this many cells wide inside."""
    if not discs:
        return [Content(""), Content.styled(say("  none"), paint.QUIET), Content("")]
    rows: tuple[list[Content], list[Content], list[Content]] = ([], [], [])
    for face in discs:
        style = paint.disc_style(face)
        label = glyphs.disc_label(face)
        room = max(inside, cell_len(label))
        label = label.center(room)
        edge = glyphs.horizontal * room
        rows[0].append(Content.styled(glyphs.top_left + edge + glyphs.top_right, style))
        rows[1].append(Content.styled(glyphs.vertical + label + glyphs.vertical, style))
        rows[2].append(Content.styled(glyphs.bottom_left + edge + glyphs.bottom_right, style))
    gap = " " if inside > 1 else ""
    return [Content.assemble(gap or " ", Content(gap).join(row)) for row in rows]


def presence(info: SeatInfo) -> str:
    """Tell in a word what is unusual about who sits here."""
    if has_left(info):
        return say("left")
    if info.player is None:
        return "" if info.name.startswith("Bot ") else say("bot")
    if info.bot_plays:
        return say("(bot)")
    return "" if info.connected else say("away")


def mat_words(seat: SkullSeat, width: int) -> Content:
    """Tell which side of the mat is up: a point turns it to the flower side."""
    if seat.points:
        return Content.styled(_first_fit(width, say("mat flower"), say("flower")), "$flower")
    return Content.styled(_first_fit(width, say("mat blank"), say("blank")), paint.QUIET)


def pile(glyphs: Glyphs, seat: SkullSeat) -> Content:
    """Draw a stack, bottom first, and its height."""
    if not seat.stack:
        return Content.styled(say("no disc"), paint.QUIET)
    discs = [paint.disc(glyphs, face) for face in seat.stack]
    gap = " " if any(cell_len(disc.plain) > 1 for disc in discs) else ""
    return Content.assemble(Content(gap).join(discs), f" {len(discs)}")


def standing(view: SkullView, seat_number: int, width: int) -> Content:
    """Tell where a seat stands in this round: bid, pass, challenge, ready."""
    seat = view.seats[seat_number]
    if view.winner == seat_number:
        return Content.styled(say("the winner"), paint.TURN)
    if view.phase == "round_over" and seat.ready:
        return Content(say("ready"))
    if seat.agrees:
        return Content.styled(say("take back?"), paint.PROBLEM)
    if view.bidder == seat_number and view.phase == "bidding":
        long, short = say("bid {n} highest", n=seat.bid), say("bid {n} top", n=seat.bid)
        return Content.styled(_first_fit(width, long, short), "bold")
    if view.bidder == seat_number:
        return Content.styled(_first_fit(width, say("challenger"), say("flips")), "bold")
    if seat.passed and seat.bid:
        words = _first_fit(width, say("bid {n}, passed", n=seat.bid), say("passed"))
        return Content.styled(words, paint.QUIET)
    if seat.passed:
        return Content.styled(say("passed"), paint.QUIET)
    if seat.bid:
        return Content(say("bid {n}", n=seat.bid))
    return Content.styled(say("starts") if view.starter == seat_number else "", paint.QUIET)
