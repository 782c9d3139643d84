"""What there is to know about a finished game before it is looked at again."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.history_wording import seat_name
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.wording import say, say_count
from skull_protocol.tables import GameSummary


class PastGamePicture(Struct, frozen=True):
    """The game that is told about."""

    glyphs: Glyphs
    game: GameSummary


class PastGame(Drawn[PastGamePicture]):
    """How it ended, how long it was, who sat where."""

    def lines(self, picture: PastGamePicture, width: int, height: int) -> list[Content]:
        """One below the other where there is room, else in two columns."""
        glyphs, game = picture.glyphs, picture.game
        facts = [
            say_count(game.rounds, "{n} round", "{n} rounds"),
            say_count(game.steps, "{n} step", "{n} steps"),
        ]
        head = [
            Content.styled(_ending(game), "bold"),
            Content.styled(f" {glyphs.separator} ".join(facts), paint.QUIET),
        ]
        seats = [_seat(glyphs, game, seat) for seat in range(len(game.names))]
        room = height - len(head)
        if len(seats) < room:
            return [*head, Content(""), *seats]
        if len(seats) == room:
            return [*head, *seats]
        half = (len(seats) + 1) // 2
        left = [paint.fit_content(glyphs, line, width // 2 - 1) for line in seats[:half]]
        right = [*seats[half:], Content("")]
        return [
            *head,
            *(Content.assemble(a, " ", b) for a, b in zip(left, right, strict=False)),
        ]


def _ending(game: GameSummary) -> str:
    if game.winner in game.left:
        return say("A bot won the game for {name}.", name=seat_name(game, game.winner))
    if game.winner == game.seat:
        return say("You won the game!")
    return say("{name} won the game.", name=seat_name(game, game.winner))


def _seat(glyphs: Glyphs, game: GameSummary, seat: int) -> Content:
    name = seat_name(game, seat)
    if seat == game.seat:
        name = say("{name} (you)", name=name)
    sign = Content.styled(glyphs.chosen, "bold $point") if seat == game.winner else Content(" ")
    left = Content.styled(say("left"), paint.QUIET) if seat in game.left else Content("")
    return Content.assemble(sign, " ", name, "  ", left)
