"""How a game ended: how everybody stands, and the story of its challenges."""

from msgspec import Struct
from msgspec.structs import replace
from textual.content import Content

from skull_client.chronicle import Challenge, Tally
from skull_client.chronicle_wording import challenge_line
from skull_client.glyphs import Glyphs
from skull_client.widgets import paint
from skull_client.widgets.columns import in_columns
from skull_client.widgets.drawn import Drawn
from skull_client.wording import say, say_count
from skull_protocol.skull import FLOWER, SKULL

_ROOMY = 73
"""Cells from which on it is told what everybody did."""
_DID = range(3, 7)
"""The columns that tell it: they hold numbers."""


class Stand(Struct, frozen=True):
    """One player at the end."""

    name: str
    won: bool
    points: int
    discs: int
    """0: out of the game."""
    presence: str
    tally: Tally


class StandingPicture(Struct, frozen=True):
    """Everybody, the winner first."""

    glyphs: Glyphs
    stands: tuple[Stand, ...]


class Standing(Drawn[StandingPicture]):
    """A line for each player."""

    def lines(self, picture: StandingPicture, width: int, height: int) -> list[Content]:
        """Points and discs; where there is room, won and lost challenges, bluffs and traps."""
        glyphs, roomy = picture.glyphs, width >= _ROOMY
        did = [say("Won"), say("Lost"), say("Caught"), say("Traps")]
        head = [say("Player"), say("Points"), say("Discs"), *(did if roomy else ()), ""]
        rows = [_cells(glyphs, stand, roomy=roomy) for stand in picture.stands]
        numbers = _DID if roomy else range(0)
        top, *below = in_columns(glyphs, [head, *rows], width - 2, numbers=numbers)
        return [
            Content.styled(f"  {top}", paint.QUIET),
            *[
                Content.styled(
                    f"{glyphs.turn if stand.won else ' '} {line}", paint.TURN if stand.won else ""
                )
                for stand, line in zip(picture.stands, below, strict=True)
            ],
        ]


def _cells(glyphs: Glyphs, stand: Stand, *, roomy: bool) -> list[str]:
    discs = say_count(stand.discs, "{n} disc left", "{n} discs left")
    points = glyphs.point * stand.points + glyphs.no_point * (2 - stand.points)
    cells = [stand.name, points, discs if stand.discs else say("out of the game")]
    if roomy:
        did = stand.tally
        cells += [str(did.won), str(did.lost), str(did.caught), str(did.traps)]
    return [*cells, stand.presence]


class ChroniclePicture(Struct, frozen=True):
    """Everything that is told of a game."""

    glyphs: Glyphs
    told: tuple[Challenge, ...]
    names: tuple[str, ...]
    you: int | None
    whole: bool
    """False: what happened before the reader came is not known."""
    top: int = 0
    """The first line that is shown."""


class Chronicle(Drawn[ChroniclePicture]):
    """Each challenge in a line, wrapped to the width; what does not fit is a key away."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self._rest = 0

    def show(self, picture: ChroniclePicture) -> None:
        """Draw this; where the reader was stays."""
        top = 0 if self.picture is None else self.picture.top
        super().show(replace(picture, top=top))

    def read(self, pages: int) -> None:
        """Go on, or back, by so many pages."""
        if self.picture is None:
            return
        page = max(self.size.height - 1, 1)
        top = self.picture.top + pages * page
        super().show(replace(self.picture, top=max(0, min(top, self.picture.top + self._rest))))

    def lines(self, picture: ChroniclePicture, width: int, height: int) -> list[Content]:
        """Draw what fits, from where the reader is."""
        every = _story(picture, width)[picture.top :]
        self._rest = max(len(every) - height, 0)
        if not self._rest:
            return every
        kept = every[: height - 1]
        left = len(every) - len(kept)
        more = say_count(left, "{n} more line: PgDn", "{n} more lines: PgDn")
        return [*kept, Content.styled(f"     {more}", paint.QUIET)]


def _story(picture: ChroniclePicture, width: int) -> list[Content]:
    glyphs = picture.glyphs
    lines = []
    if not picture.whole:
        lines.append(
            Content.styled(say("What happened before you came is not known."), paint.QUIET)
        )
    for challenge in picture.told:
        words = challenge_line(challenge, lambda seat: picture.names[seat], picture.you)
        sign = paint.disc(glyphs, FLOWER if challenge.skull is None else SKULL)
        number = str(challenge.round) if challenge.round else say("P")
        first = Content.assemble((f"{number:>2}", paint.QUIET), " ", sign, " ")
        style = "bold" if challenge.caught or challenge.out else ""
        for row, line in enumerate(Content.styled(words, style).wrap(max(width - 5, 10))):
            lines.append(Content.assemble("     " if row else first, line))
    if not picture.told:
        lines.append(Content.styled(say("No challenge was decided."), paint.QUIET))
    return lines
