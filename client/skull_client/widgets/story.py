"""What just happened at the table, and what was said: the last lines, as many as there is room."""

from dataclasses import dataclass

from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.state import StoryItem
from skull_client.talk_wording import said
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.wording import Names, event_line
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


@dataclass(frozen=True)
class StoryPicture:
    """Everything that the story shows."""

    glyphs: Glyphs
    items: tuple[StoryItem, ...]
    names: tuple[str, ...]
    """What each seat is called."""
    you: int | None
    """The reader's seat; None for a spectator."""


class Story(Drawn[StoryPicture]):
    """The end of the story, wrapped to the width and cut to the height.

    Who is ready for the next round stands beside the names, and would only push the story out.
    """

    def lines(self, picture: StoryPicture, width: int, height: int) -> list[Content]:
        """The lines that fit, the newest at the bottom."""
        drawn: list[Content] = []
        told = [item for item in picture.items if not isinstance(item, skull.PressedOn)]
        for item in reversed(told[-height:]):
            line = story_line(item, lambda seat: picture.names[seat], picture.you)
            wrapped = line.wrap(max(width - 2, 1))
            drawn = [Content.assemble(" ", part) for part in wrapped] + drawn
        return drawn[-height:]


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
