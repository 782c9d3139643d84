"""The table at every size: nothing about anybody is missing, and nobody's secret is shown."""

from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace
from tests.client.screens.test_table_looks import SCENES

from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.screens.felt import Scene, board_picture, flips_of, news_of
from skull_client.state import ClientState, arrived
from skull_client.widgets.board import BoardPicture, board_lines
from skull_client.widgets.track import Flip
from skull_protocol import skull
from skull_protocol.skull import Choices, Outcome

SIZES = [(60, 14), (80, 18), (100, 24), (86, 33), (144, 54)]
SIZES += [(width, height) for width in range(60, 200, 13) for height in range(13, 60, 9)]


def known(world: Any, name: str) -> ClientState:
    """What the client knows in a scene."""
    state = ClientState()
    for arrival in SCENES[name][0](world):
        state = arrived(state, arrival)
    return state


def picture_of(state: ClientState, glyphs: Glyphs = UNICODE) -> BoardPicture:
    """The table as it is drawn then, with a clock that runs."""
    assert state.game is not None
    scene = Scene(state.game.view, state.game.you, state.players)
    return board_picture(glyphs, scene, state.story, seconds=42)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("name", SCENES)
def test_nothing_about_anybody_is_missing_at_any_size(
    world: Any, name: str, glyphs: Glyphs
) -> None:
    """The name, the hand, the height of the stack; with a mark and the clock, whose turn it is."""
    picture = picture_of(known(world, name), glyphs)
    view, own = picture.view, picture.own
    for width, height in SIZES:
        lines = board_lines(picture, width, height)
        assert len(lines) == height
        assert {line.cell_length for line in lines} == {width}
        text = "\n".join(line.plain for line in lines)
        assert glyphs is UNICODE or text.isascii()
        for seat, stand in enumerate(view.seats):
            who = picture.people[seat].name
            marked = f"{glyphs.turn} {who}"
            assert who in text
            assert (marked in text) == (seat in view.to_act)
            assert ("(you)" in text) or own is None or width < 70
            if not stand.eliminated and (own is None or seat != own.seat):
                assert f"hand {stand.hand}" in text or f"h{stand.hand}" in text
                assert not stand.stack or f" {len(stand.stack)}" in text
        assert text.count("42 s") >= len(view.to_act)
        assert text.count("out of the game") >= sum(s.eliminated for s in view.seats)
        if view.phase == "bidding":
            assert f"({view.bid})" in text


@pytest.mark.parametrize("name", SCENES)
def test_presence_is_told_in_words(world: Any, name: str) -> None:
    picture = picture_of(known(world, name))
    people = [replace_info(info, connected=False) for info in picture.people]
    away = replace(picture, people=tuple(people))
    for width, height in SIZES:
        text = "\n".join(line.plain for line in board_lines(away, width, height))
        others = len(picture.others)
        assert text.count("away") + text.count("left") + text.count("bot") >= others


def replace_info(info: Any, *, connected: bool) -> Any:
    """The same person, here or away."""
    return structs.replace(info, connected=connected)


def test_a_table_that_somebody_watches_shows_nobodys_faces(world: Any) -> None:
    picture = picture_of(known(world, "watching"))
    for width, height in SIZES:
        text = "\n".join(line.plain for line in board_lines(picture, width, height))
        assert " F " not in text
        assert " S " not in text
        assert "│ F │" not in text


def test_the_discs_of_a_challenge_are_told_in_the_order_they_were_flipped(world: Any) -> None:
    seats = [world.seat(stack=("F",)), world.seat(stack=("F", "F")), world.seat(stack=("F",))]
    view = world.view(seats, phase="challenge", bid=5, bidder=1, flowers=4)
    events = [
        skull.RoundStarted(2, 0),
        skull.Flipped(1, 1, "F"),
        skull.Flipped(1, 1, "F"),
        skull.Flipped(1, 2, "F"),
        skull.Flipped(1, 0, "F"),
    ]
    in_order = [Flip(1, "F"), Flip(1, "F"), Flip(2, "F"), Flip(0, "F")]
    assert list(flips_of(view, events)) == in_order
    earlier = [skull.RoundStarted(1, 0), skull.Flipped(0, 2, "S")]
    assert list(flips_of(view, [*earlier, *events])) == in_order, "of this round alone"
    came_later = flips_of(view, events[3:])
    assert list(came_later) == [Flip(1, "F"), Flip(1, "F"), Flip(0, "F"), Flip(2, "F")]


def test_what_nobody_is_to_miss_is_told_in_whole_sentences(world: Any) -> None:
    seats = [world.seat(), world.seat(eliminated=True, discs=0), world.seat()]
    view = world.view(seats, phase="round_over", bid=2, bidder=1, outcome=Outcome(1, 2, 0))
    scene = Scene(view, world.own(Choices()), world.seats(3))
    story = [
        skull.RoundStarted(1, 0),
        skull.ChallengeLost(1, 0),
        skull.DiscLost(1, None, 0),
        skull.Eliminated(1),
    ]
    news = news_of(scene, story)
    assert [item.words for item in news] == [
        "Boris loses the challenge to your skull!",
        "Boris is out of the game.",
    ]
    assert [item.loud for item in news] == [True, False]
    assert news_of(scene, [*story, skull.DiscLost(1, None, 2)])[-1].words.endswith("2 left.")
