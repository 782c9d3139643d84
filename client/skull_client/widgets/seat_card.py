"""One player at the table: mat, stack, hand, bid, clock, and whether the game waits for them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field
from rich.cells import cell_len
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.state import has_left
from skull_client.widgets import discs, paint
from skull_client.widgets.discs import Turning
from skull_client.widgets.seating import Size
from skull_client.widgets.sheet import BLANK, frame, spread
from skull_client.wording import say
from skull_protocol.skull import SkullSeat, SkullView
from skull_protocol.tables import SeatInfo


class CardPicture(Struct, frozen=True):
    """Everything that a card shows."""

    glyphs: Glyphs
    view: SkullView
    seat: int
    info: SeatInfo
    seconds: int | None = None
    """Until the clock of those to act runs out."""
    turning: Turning = field(default_factory=dict)
    speech: str = ""
    """What this player has just said; empty: nothing."""

    @property
    def acts(self) -> bool:
        """Whether the game waits for this player."""
        return self.seat in self.view.to_act

    @property
    def stand(self) -> SkullSeat:
        """What everybody sees of this player."""
        return self.view.seats[self.seat]


def card_lines(picture: CardPicture, width: int, height: int, size: Size) -> list[Content]:
    """The lines of a card for this many cells and rows."""
    if size == "bare":
        return _bare(picture, width, height)
    return _mat(picture, width, big=size == "big")


def title(picture: CardPicture, width: int, more: str = "", *, framed: bool = False) -> Content:
    """Who it is, marked and set off when the game waits for them; `more` goes behind the name."""
    glyphs, acts = picture.glyphs, picture.acts
    name = picture.info.name
    room = max(width - (3 if acts else 0 if framed else 2), 1)
    if cell_len(name) + cell_len(more) > room:
        more = ""
    if cell_len(name) > room:
        name = paint.fit(glyphs, name, room)
    if acts:
        return Content.styled(f"{glyphs.turn} {name}{more} ", f"{paint.TURN} reverse")
    style = paint.QUIET if picture.stand.eliminated else "bold"
    return Content.styled(f"{'' if framed else '  '}{name}{more}", style)


def notes(picture: CardPicture) -> list[Content]:
    """What stands at the right: what is unusual about who sits here, and the clock."""
    word = Content.styled(presence(picture.info), paint.QUIET)
    return [note for note in (word, clock_words(picture)) if note]


def put_at_right(
    glyphs: Glyphs, lines: list[Content], notes: Sequence[Content], width: int
) -> None:
    """Put each note at the right of the first line that has room for it."""
    for note in notes:
        for at, line in enumerate(lines):
            if line.cell_length + note.cell_length < width:
                lines[at] = spread(glyphs, width, line, note)
                break


def clock_words(picture: CardPicture) -> Content:
    """The time left for this player; empty without a clock or when it is not their turn."""
    if picture.seconds is None or not picture.acts:
        return BLANK
    style = paint.PROBLEM if picture.seconds <= LATE else paint.TURN
    return Content.styled(say("{n} s", n=picture.seconds), style)


LATE = 10
"""Seconds before the clock runs out from which on it warns."""


def _bare(picture: CardPicture, width: int, height: int) -> list[Content]:
    """Four lines or five, without a frame."""
    glyphs, stand = picture.glyphs, picture.stand
    room = width - 1
    lines = [title(picture, room)]
    if stand.eliminated:
        lines.append(Content.assemble("  ", out_words(picture, room - 2)))
        put_at_right(glyphs, lines, notes(picture), room)
        return lines
    mat = mat_words(picture, room - 5)
    lines.append(Content.assemble("  ", paint.points(glyphs, stand.points), " ", mat))
    hand = hand_words(stand, room - 2)
    pile = stack_words(picture)
    if height < 5:
        short = Content.assemble(pile, " ", say("h{n}", n=stand.hand))
        both = Content.assemble(pile, " ", hand)
        fits = both.cell_length <= room - 2
        lines.append(Content.assemble("  ", both if fits else short))
    else:
        lines += [Content.assemble("  ", pile), Content.assemble("  ", hand)]
    lines.append(Content.assemble("  ", standing(picture, room - 2)))
    put_at_right(glyphs, lines, notes(picture), room)
    return lines


def _mat(picture: CardPicture, width: int, *, big: bool) -> list[Content]:
    """Seven lines, or nine: the mat as a frame, the stack on it drawn as discs."""
    glyphs, stand = picture.glyphs, picture.stand
    inside = width - 4
    who = title(picture, width - 6, framed=True)
    word = Content.styled(presence(picture.info), paint.QUIET)
    top = word if who.cell_length + word.cell_length + 8 <= width else BLANK
    if stand.eliminated:
        lines = [BLANK] * (discs.tall(big=big) + 2)
        lines[len(lines) // 2] = Content.assemble(" ", out_words(picture, inside - 1))
        return frame(glyphs, width, lines, "$line", top=(who, top))
    drawn = discs.pile(glyphs, stand.stack, picture.turning, big=big)
    middle = len(drawn) // 2
    if not stand.stack:
        drawn[middle] = Content.styled(say("no disc"), paint.QUIET)
    counts = say("stack {s} {dot} hand {h}", s=len(stand.stack), h=stand.hand, dot=glyphs.separator)
    lines = [Content.assemble(" ", line) for line in drawn]
    lines += [Content(f" {counts}"), Content.assemble(" ", standing(picture, inside - 1))]
    if stand.last_chance:
        chance = Content.styled(say("Last Chance"), "bold $flower")
        lines[middle] = spread(glyphs, inside, lines[middle], chance)
    if word and not top:
        put_at_right(glyphs, lines, [word], inside)
    clock = clock_words(picture)
    mat = Content.assemble(
        paint.points(glyphs, stand.points), " ", mat_words(picture, inside - 7 - clock.cell_length)
    )
    return frame(glyphs, width, lines, mat_style(picture), top=(who, top), bottom=(mat, clock))


def mat_style(picture: CardPicture) -> str:
    """The style of a mat's frame: the turn first, then the side that is up."""
    if picture.acts:
        return paint.TURN
    return "$flower" if picture.stand.points else "$line"


def _first_fit(width: int, *texts: str) -> str:
    """The first of these texts that fits, else the last."""
    return next((text for text in texts if cell_len(text) <= width), texts[-1])


def out_words(picture: CardPicture, width: int) -> Content:
    """Say that somebody is out; or what they say, for a moment."""
    if picture.speech:
        return speech_words(picture, width)
    return Content.styled(_first_fit(width, say("out of the game"), say("out")), paint.QUIET)


def speech_words(picture: CardPicture, width: int) -> Content:
    """Quote what somebody has just said, as much of it as there is room for."""
    words = picture.speech
    if cell_len(words) > width - 2:
        words = paint.fit(picture.glyphs, words, max(width - 2, 1))
    return Content.styled(f'"{words}"', "bold $talk")


def presence(info: SeatInfo) -> str:
    """Tell in a word what is unusual about who sits here."""
    if has_left(info):
        return say("left")
    if info.player is None:
        return "" if info.name.startswith("Bot ") else say("bot")
    if info.bot_plays:
        return say("(bot)")
    return "" if info.connected else say("away")


def mat_words(picture: CardPicture, width: int) -> Content:
    """Tell which side of the mat is up: a point turns it to the flower side.

    For a moment, what was just said stands here instead: the points beside it say the same.
    """
    if picture.speech:
        return speech_words(picture, width)
    if picture.stand.points:
        words = _first_fit(width, say("flower side"), say("flower"))
        return Content.styled(words, "$flower")
    return Content.styled(_first_fit(width, say("blank side"), say("blank")), paint.QUIET)


def hand_words(seat: SkullSeat, width: int) -> Content:
    """Tell how many discs are in hand, and whether one is the Last Chance flower."""
    hand = say("hand {n}", n=seat.hand)
    if not seat.last_chance:
        return Content(hand)
    chance = _first_fit(width - cell_len(hand) - 1, say("Last Chance"), say("+chance"))
    return Content.assemble(hand, " ", (chance, "bold $flower"))


def stack_words(picture: CardPicture) -> Content:
    """Draw a stack on one line, bottom first, and its height."""
    stack = picture.stand.stack
    if not stack:
        return Content.styled(say("no disc"), paint.QUIET)
    return Content.assemble(discs.row(picture.glyphs, stack, picture.turning), f" {len(stack)}")


def standing(picture: CardPicture, width: int) -> Content:
    """Tell where a seat stands in this round: to act, bid, pass, challenge, ready."""
    view, seat_number, seat = picture.view, picture.seat, picture.stand
    if view.winner == seat_number:
        return Content.styled(say("the winner"), paint.TURN)
    if view.phase == "round_over":
        waits = picture.acts and not seat.ready
        return Content.styled(say("not ready yet"), paint.QUIET) if waits else Content(say("ready"))
    if seat.agrees:
        return Content.styled(say("take back?"), paint.PROBLEM)
    if picture.acts:
        return Content.styled(_acting(picture, width), paint.TURN)
    if view.bidder == seat_number and view.phase == "bidding":
        long, short = say("bid {n}, the highest", n=seat.bid), say("bid {n} top", n=seat.bid)
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
    if view.phase == "game_over":
        return BLANK
    return Content.styled(say("starts") if view.starter == seat_number else "", paint.QUIET)


def _acting(picture: CardPicture, width: int) -> str:
    """Say in a word or two what the game waits for."""
    seat = picture.stand
    match picture.view.phase:
        case "initial":
            return say("to place")
        case "turn":
            return _first_fit(width, say("to place or to bid"), say("to move"))
        case "bidding":
            if seat.bid:
                return _first_fit(
                    width,
                    say("to raise, has bid {n}", n=seat.bid),
                    say("bid {n}, to act", n=seat.bid),
                )
            return _first_fit(width, say("to raise or to pass"), say("to raise"))
        case "challenge":
            return say("to flip")
        case "pick":
            return _first_fit(width, say("to take a disc"), say("to take"))
        case "lose":
            return _first_fit(width, say("to give up a disc"), say("to lose"))
        case "name_starter":
            return _first_fit(width, say("to say who starts"), say("to choose"))
        case _:
            return ""
