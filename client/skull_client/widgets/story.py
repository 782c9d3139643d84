"""What just happened at the table, and what was said: the last lines, or those before them."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.state import StoryItem
from skull_client.talk_wording import said
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.wording import Names, event_line, say
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.text import shown

_LOUD = (
    skull.ChallengeWon,
    skull.ChallengeLost,
    skull.Eliminated,
    skull.Forfeited,
    skull.GameWon,
    skull.RoundAbandoned,
)


class StoryPicture(Struct, frozen=True):
    """Everything that the story shows."""

    glyphs: Glyphs
    items: tuple[StoryItem, ...]
    names: tuple[str, ...]
    """What each seat is called."""
    you: int | None
    """The reader's seat; None for a spectator."""
    newer: int = 0
    """How many of the newest are not shown: the reader has gone back."""

    @property
    def told(self) -> list[StoryItem]:
        """What is shown of it."""
        return [item for item in self.items if not isinstance(item, skull.PressedOn)]


class Story(Drawn[StoryPicture]):
    """The end of the story, wrapped to the width and cut to the height; all else is a key away.

    Who is ready for the next round stands beside the names, and would only push the story out.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self._last: StoryItem | None = None
        """The last that is shown to a reader who has gone back; None: the newest."""

    def show(self, picture: StoryPicture) -> None:
        """Draw this; where the reader was stays, as long as it is remembered."""
        if self._last is not None:
            since = [item is self._last for item in reversed(picture.told)]
            picture = replace(picture, newer=since.index(True) if True in since else 0)
        super().show(picture)

    def read(self, pages: int) -> None:
        """Go back in the story by so many pages, if negative, or on to what is newer."""
        picture, (width, height) = self.picture, self.size
        if picture is None or not width or height < 2:
            return
        told = picture.told
        oldest = len(told) - _fitting(picture, told, width, height - 1)
        if _fitting(picture, told, width, height) == len(told):
            oldest = 0
        page = _fitting(picture, told[: len(told) - picture.newer][::-1], width, height - 1)
        newer = max(0, min(picture.newer - pages * page, oldest))
        self._last = told[-1 - newer] if newer else None
        self.show(replace(picture, newer=0))

    def on_mouse_scroll_up(self) -> None:
        """Go back."""
        self.read(-1)

    def on_mouse_scroll_down(self) -> None:
        """Go on."""
        self.read(1)

    def lines(self, picture: StoryPicture, width: int, height: int) -> list[Content]:
        """The lines that fit, the newest at the bottom."""
        drawn: list[Content] = []
        told = picture.told
        room = max(height - bool(picture.newer), 1)
        for item in reversed(told[: len(told) - picture.newer][-room:]):
            drawn = _wrapped(picture, item, width) + drawn
        drawn = drawn[-room:]
        if picture.newer:
            more = say("{n} newer: PgDn", n=picture.newer)
            drawn += [Content("")] * (room - len(drawn))
            drawn.append(Content.styled(f" {more}", paint.QUIET))
        return drawn


def _wrapped(picture: StoryPicture, item: StoryItem, width: int) -> list[Content]:
    line = story_line(item, lambda seat: picture.names[seat], picture.you)
    return [Content.assemble(" ", part) for part in line.wrap(max(width - 2, 1))]


def _fitting(picture: StoryPicture, items: Sequence[StoryItem], width: int, height: int) -> int:
    """How many items, from the first on, have room in so many rows; at least one."""
    for count, item in enumerate(items):
        height -= len(_wrapped(picture, item, width))
        if height < 0:
            return max(count, 1)
    return len(items)


def story_line(item: StoryItem, names: Names, you: int | None) -> Content:
    """One thing that happened, or was said, as a line."""
    if isinstance(item, Chat):
        return Content.assemble((f"{shown(item.name)}: ", "bold $talk"), shown(said(item)))
    line = Content(event_line(item, names, you))
    if isinstance(item, skull.Flipped):
        return line.stylize(paint.disc_style(item.disc))
    if isinstance(item, skull.RoundStarted):
        return line.stylize(paint.QUIET)
    return line.stylize("bold") if isinstance(item, _LOUD) else line
