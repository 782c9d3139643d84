"""Below the table: what has just happened, and what to do now."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.widgets.sheet import BLANK, spread
from skull_client.wording import say_count


class NowPicture(Struct, frozen=True):
    """Everything that these lines show."""

    glyphs: Glyphs
    prompt: str
    """What is asked of the reader, or whom the game waits for."""
    acts: bool
    """Whether it is the reader who may do something."""
    last: Content = BLANK
    """What happened last, where there is no log beside the table."""
    unread: int = 0
    """How much was said that the reader has not seen in the log."""
    log_key: str = ""


class NowLines(Drawn[NowPicture]):
    """Two lines. A long prompt takes both."""

    def lines(self, picture: NowPicture, width: int, height: int) -> list[Content]:
        """What is asked for comes last, beside what can be done."""
        return now_lines(picture, width, height)


def now_lines(picture: NowPicture, width: int, height: int) -> list[Content]:
    """The lines for this many cells and rows."""
    mark = picture.glyphs.turn if picture.acts else " "
    style = paint.TURN if picture.acts else ""
    words = Content(picture.prompt).wrap(max(width - 3, 1))[:height]
    asked = [
        Content.styled(f"{mark if number == 0 else ' '} {line.plain}", style)
        for number, line in enumerate(words)
    ]
    if len(asked) >= height:
        return asked
    unread = BLANK
    if picture.unread:
        said = say_count(
            picture.unread, "{n} unread: {key} ", "{n} unread: {key} ", key=picture.log_key
        )
        unread = Content.styled(said, "bold $talk")
    last = Content.assemble("  ", picture.last)
    room = [BLANK] * (height - len(asked) - 1)
    return [*room, spread(picture.glyphs, width, last, unread), *asked]
