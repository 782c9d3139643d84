"""The game as it is drawn, now or when it is looked at again: the table, and what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from msgspec.structs import replace as changed
from textual.app import ComposeResult
from textual.containers import Container

from skull_client.glyphs import Glyphs
from skull_client.state import StoryItem
from skull_client.widgets.board import Board, BoardPicture
from skull_client.widgets.story import Story, StoryPicture
from skull_client.widgets.track import Flip, News
from skull_client.wording import event_line, outcome_line, say
from skull_protocol import skull
from skull_protocol.skull import SkullOwn, SkullView
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown

_NEWS = (
    skull.DiscLost,
    skull.Eliminated,
    skull.Forfeited,
    skull.LastChanceGiven,
    skull.GameWon,
    skull.PracticeOver,
)
"""What came of a challenge, besides how it ended. Who loses the last disc is out: that is told."""


class Scene(Struct, frozen=True):
    """The game at one moment: what all see, what the reader sees besides, and who sits where."""

    view: SkullView
    own: SkullOwn | None
    players: tuple[SeatInfo, ...]

    @property
    def you(self) -> int | None:
        """The reader's seat; None for a spectator."""
        return self.own.seat if self.own is not None else None

    def name(self, seat: int) -> str:
        """Who sits in a seat."""
        if seat < len(self.players):
            return shown(self.players[seat].name)
        return say("Seat {n}", n=seat + 1)

    def info(self, seat: int) -> SeatInfo:
        """Who sits in a seat, with the rest that is known of them."""
        if seat < len(self.players):
            info = self.players[seat]
            return changed(info, name=shown(info.name))
        return SeatInfo(None, self.name(seat), connected=True, answered=False)

    @property
    def names(self) -> tuple[str, ...]:
        """What each seat is called."""
        return tuple(self.name(seat) for seat in range(len(self.view.seats)))


def this_round(story: Sequence[StoryItem]) -> list[StoryItem]:
    """Return what happened since the round began, or was begun anew."""
    for start in range(len(story) - 1, -1, -1):
        if isinstance(story[start], skull.RoundStarted | skull.RoundAbandoned):
            return list(story[start:])
    return list(story)


def flips_of(view: SkullView, story: Sequence[StoryItem]) -> tuple[Flip, ...]:
    """Return the discs flipped in this challenge, in order.

    Who came later has not seen the order: then the challenger's come first, and the rest by seat.
    """
    if view.phase in ("initial", "turn", "bidding"):
        return ()
    seen = [
        Flip(item.owner, item.disc) for item in this_round(story) if isinstance(item, skull.Flipped)
    ]
    failed = view.outcome is not None and view.outcome.skull is not None
    if len(seen) == view.flowers + failed:
        return tuple(seen)
    order = sorted(range(len(view.seats)), key=lambda seat: (seat != view.bidder, seat))
    return tuple(
        Flip(seat, face)
        for seat in order
        for face in reversed(view.seats[seat].stack)
        if face is not None
    )


def news_of(scene: Scene, story: Sequence[StoryItem]) -> tuple[News, ...]:
    """Return what nobody is to miss: how the challenge of this round ended, and what came of it."""
    view, you = scene.view, scene.you
    news: list[News] = []
    if view.outcome is not None:
        news.append(News(outcome_line(view.outcome, scene.name, you), loud=True))
    news += [
        News(event_line(item, scene.name, you), loud=isinstance(item, skull.GameWon))
        for item in this_round(story)
        if isinstance(item, _NEWS) and not (isinstance(item, skull.DiscLost) and not item.left)
    ]
    return tuple(news)


def board_picture(
    glyphs: Glyphs,
    scene: Scene,
    story: Sequence[StoryItem],
    *,
    amount: int = 0,
    seconds: int | None = None,
    speech: Mapping[int, str] | None = None,
) -> BoardPicture:
    """Return what the table shows of a moment, after what happened up to it."""
    own = scene.own
    return BoardPicture(
        glyphs,
        scene.view,
        own,
        tuple(scene.info(seat) for seat in range(len(scene.view.seats))),
        flips_of(scene.view, story),
        news_of(scene, story),
        amount,
        own.choices.bid if own is not None else None,
        seconds,
        speech or {},
    )


class Felt(Container):
    """The table; beside it or in a drawer above it, what happened."""

    def compose(self) -> ComposeResult:
        """The table fills its place, whatever is there."""
        yield Board()
        with Container(id="aside"):
            yield Story(id="story")

    def __init__(self) -> None:
        super().__init__(id="table")

    def draw(
        self,
        glyphs: Glyphs,
        scene: Scene,
        story: Sequence[StoryItem],
        *,
        amount: int = 0,
        seconds: int | None = None,
        speech: Mapping[int, str] | None = None,
        motion: bool = False,
    ) -> None:
        """Draw a moment, and what happened up to it.

        `amount`: the bid that is being chosen; `seconds`: until the clock runs out; `speech`:
        what some have just said, by seat; `motion`: discs turn over.
        """
        picture = board_picture(glyphs, scene, story, amount=amount, seconds=seconds, speech=speech)
        self.query_one(Board).put(picture, motion=motion)
        self.query_one(Story).show(StoryPicture(glyphs, tuple(story), scene.names, scene.you))

    def tick(self, seconds: int | None) -> None:
        """Draw the clock anew, and nothing else."""
        board = self.query_one(Board)
        if board.still is not None:
            board.put(replace(board.still, seconds=seconds), motion=True)
