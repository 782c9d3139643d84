"""A game that is over, looked at again: the same table, by arrows and by jumps."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.client.finished import played, told
from tests.client.screens.test_rooms import looks_as_it_did

from skull_client import export
from skull_client.link import LinkStatus
from skull_client.moments import Mark
from skull_client.screens.history import History
from skull_client.screens.replay import Replay
from skull_client.widgets.board import Board, BoardPicture, board_lines
from skull_client.widgets.motion import flipped_between
from skull_client.wording import event_line, prompt
from skull_protocol import skull
from skull_protocol.pushes import Error, GameReview, Games, GameSteps
from skull_protocol.requests import GetGame, ReviewGame
from skull_protocol.skull import RoundStarted
from skull_protocol.tables import MissedChance

GAME, STEPS = told(played(3))
SHORT, SHORT_STEPS = told(played(30))
WITH_BOTS = replace(SHORT, names=("Ana", "Bot Ben", "Bot Cleo"))


def way_to(game: Any, steps: Any) -> list[Any]:
    """From the lobby to a game, at its beginning."""
    return ["h", Games((game,), more=False), "enter", GameSteps(game, 0, steps)]


async def look(p: Any, game: Any = GAME, steps: Any = STEPS) -> Any:
    """Go there."""
    await p.walk(*way_to(game, steps))
    replay = p.app.screen
    assert isinstance(replay, Replay)
    return replay


def steps_with(kind: type[Any]) -> list[int]:
    """The steps in which such a thing happens."""
    return [n for n, step in enumerate(STEPS) if any(isinstance(e, kind) for e in step.events)]


CHALLENGES = steps_with(skull.ChallengeStarted)
TURNS = [n for n in range(1, len(STEPS)) if flipped_between(STEPS[n - 1].view, STEPS[n].view)]
"""The steps in which a disc turns over that is still there behind them."""


# -- how it looks ----------------------------------------------------------------------------------


async def test_enter_looks_at_a_game_again(play: Any, world: Any, golden: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p)
        assert p.link.asked[1:] == [(GetGame, {"game": GAME.game, "first": 0})]
        keys = ["down", "down", *["right"] * 6]
        await p.press(*keys)
        await looks_as_it_did(p, golden, "replay", *way_to(GAME, STEPS), *keys)
        await p.press("escape")
        assert isinstance(p.app.screen, History)


async def test_a_marked_step_looks_as_it_did(play: Any, world: Any, golden: Any) -> None:
    async with play(*world.lobby()) as p:
        review = GameReview(SHORT.game, (MissedChance(20, skull.Pass(), 12),))
        steps = [*way_to(WITH_BOTS, SHORT_STEPS), review, "m", "o"]
        await p.walk(*steps)
        await looks_as_it_did(p, golden, "replay-marked", *steps)


def drawn(picture: BoardPicture, size: tuple[int, int]) -> list[Any]:
    """What the table looks like, styles included, apart from the bid that is being chosen."""
    lines = board_lines(replace(picture, amount=0), *size)
    return [(line.plain, line.spans) for line in lines]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
async def test_the_table_looks_step_by_step_as_it_did_in_the_game(
    play: Any, world: Any, size: tuple[int, int]
) -> None:
    seats = tuple(
        replace(info, name=name, answered=True)
        for info, name in zip(world.seats(3), SHORT.names, strict=True)
    )
    live = []
    async with play(world.welcome(), world.table(seats), world.online(), size=size) as p:
        for seq, step in enumerate(SHORT_STEPS):
            await p.arrive(world.update(step.view, step.you, *step.events, seq=seq))
            board = p.app.screen.query_one(Board)
            live.append((board.size, drawn(board.picture, board.size)))
    async with play(*world.lobby(), size=size) as p:
        await look(p, SHORT, SHORT_STEPS)
        for number, then in enumerate(live):
            board = p.app.screen.query_one(Board)
            assert (board.size, drawn(board.picture, board.size)) == then, number
            await p.press("right")


async def test_every_thing_that_happened_in_a_step_is_told(play: Any, world: Any) -> None:
    lost = steps_with(skull.ChallengeLost)[0]
    said = [event_line(event, lambda seat: GAME.names[seat], 0) for event in STEPS[lost].events]
    assert len(said) > 1
    async with play(*world.lobby(), size=(200, 60)) as p:
        replay = await look(p)
        await p.press(*["right"] * lost)
        assert replay.at == lost
        assert "  " + " ".join(said) in p.text()


async def test_every_step_shows_what_was_sent_then(play: Any, world: Any) -> None:
    async with play(*world.lobby(), size=(120, 40)) as p:
        await look(p)
        names = GAME.names
        for number, step in enumerate(STEPS[:15]):
            text = " ".join(p.text().split())
            assert f"Step {number + 1} of {len(STEPS)}" in text
            assert prompt(step.view, step.you, lambda seat: names[seat], 0) in text
            await p.press("right")
        await p.press("end", "right")
        assert f"Step {len(STEPS)} of {len(STEPS)}" in p.text()


async def test_arrows_go_by_steps_and_by_rounds(play: Any, world: Any) -> None:
    begins = [
        number
        for number, step in enumerate(STEPS)
        if any(isinstance(event, RoundStarted) for event in step.events)
    ]
    async with play(*world.lobby()) as p:
        await look(p)
        replay = p.app.screen
        for keys, at in [
            (["left"], 0),
            (["right", "right"], 2),
            (["left"], 1),
            (["down"], begins[1]),
            (["down", "right"], begins[2] + 1),
            (["up"], begins[2]),
            (["up"], begins[1]),
            (["end"], len(STEPS) - 1),
            (["down"], len(STEPS) - 1),
            (["home"], 0),
        ]:
            await p.press(*keys)
            assert replay.at == at, keys


async def test_the_rest_of_a_long_game_is_fetched(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((GAME,), more=False))
        waiting = p.link
        await p.press("enter")
        await p.arrive(GameSteps(GAME, 0, STEPS[:10]))
        assert waiting.asked[-1] == (GetGame, {"game": GAME.game, "first": 10})
        await p.press("end")
        assert p.app.screen.at == 9
        await p.press("e")
        assert "Not all of the game is here yet" in p.text()
        await p.arrive(GameSteps(GAME, 10, STEPS[10:]))
        await p.press("end")
        assert p.app.screen.at == len(STEPS) - 1


async def test_a_refusal_is_told_and_not_asked_again_and_again(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((GAME,), more=False))
        p.link.refusal = Error(1, "no_such_game", "That game was played by older rules.")
        await p.press("enter")
        await p.settle()
        assert "That game was played by older rules." in p.text()
        assert len(p.link.asked) == 2
        await p.press("right", "end", "e", "up", "down", "home")
        assert isinstance(p.app.screen, Replay)


async def test_e_writes_the_story_to_a_file(play: Any, world: Any, home: Path) -> None:
    async with play(*world.lobby(), size=(200, 40)) as p:
        await look(p)
        await p.press("e")
        path = home / "games" / export.file_name(GAME)
        assert path.read_text(encoding="utf-8") == export.game_text(GAME, STEPS)
        assert f"Written to {path}" in " ".join(p.text().split())


async def test_a_folder_that_cannot_be_written_is_told(play: Any, world: Any, home: Path) -> None:
    (home / "games").write_text("in the way")
    async with play(*world.lobby()) as p:
        await look(p)
        await p.press("e")
        assert "Cannot write to" in p.text()


async def test_a_table_that_one_comes_to_is_shown_at_once(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p)
        await p.arrive(world.table(world.seats(3), "waiting", game=0))
        assert p.app.screen is p.app.room


async def test_a_connection_that_is_lost_and_back_asks_for_the_rest(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((GAME,), more=False), LinkStatus("lost", "Gone."))
        await p.press("enter")
        assert len(p.link.asked) == 1
        await p.arrive(LinkStatus("online"))
        assert p.link.asked[1:] == [(GetGame, {"game": GAME.game, "first": 0})]


async def test_a_seat_that_the_server_did_not_name_has_a_number(play: Any, world: Any) -> None:
    game = replace(GAME, names=("Ana",), winner=2)
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((game,), more=False))
        assert "Seat 3" in p.text()
        await p.press("enter")
        await p.arrive(GameSteps(game, 0, STEPS))
        await p.press("end")
        assert "Seat 2" in p.text()


# -- jumps -----------------------------------------------------------------------------------------


async def test_c_and_x_go_from_challenge_to_challenge(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        replay = await look(p)
        for keys, at in [
            (["c"], CHALLENGES[0]),
            (["c"], CHALLENGES[1]),
            (["pagedown", "right"], CHALLENGES[2] + 1),
            (["x"], CHALLENGES[2]),
            (["pageup"], CHALLENGES[1]),
        ]:
            await p.press(*keys)
            assert replay.at == at, keys
        await p.press("home", "x")
        assert replay.at == 0
        assert "no challenge before this" in p.text()
        await p.press("end", "c")
        assert replay.at == len(STEPS) - 1
        assert "no challenge after this" in p.text()
        await p.press("left")
        assert "no challenge" not in p.text()


async def test_the_coach_marks_what_cost_most_in_a_game_with_bots(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        replay = await look(p, WITH_BOTS, SHORT_STEPS)
        assert (ReviewGame, {"game": SHORT.game}) in p.link.asked
        missed = (MissedChance(9, skull.Pass(), 31), MissedChance(4, skull.Bid(2), 44))
        await p.arrive(GameReview(SHORT.game + 1, missed))
        assert replay.marks == (), "it is about another game"
        await p.arrive(GameReview(SHORT.game, missed))
        await p.press("m")
        assert replay.at == 4
        assert "44 %" in p.text()
        await p.press("m")
        assert replay.at == 9
        assert "31 %" in p.text()


async def test_a_game_with_people_is_not_reviewed(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p, SHORT, SHORT_STEPS)
        assert ReviewGame not in [request for request, _ in p.link.asked]


async def test_m_goes_from_mark_to_mark_and_begins_anew(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        replay = await look(p)
        await p.press("m")
        assert replay.at == 0
        assert "m mark" not in p.text()
        replay.marks = (
            Mark(4, "Better: \x1b[2Jpass."),
            Mark(9, "Better: bid 3. It cost 7 %."),
            Mark(10**6, "Never."),
            Mark(-1, "Never."),
        )
        await p.press("m")
        assert replay.at == 4
        assert "Better: [2Jpass." in p.text()
        assert "m mark" in p.text()
        await p.press("m")
        assert replay.at == 9
        assert "It cost 7 %." in p.text()
        assert "Better: [2Jpass." not in p.text()
        await p.press("m")
        assert replay.at == 4
        await p.press("right")
        assert "Better" not in p.text()


async def test_a_server_that_begins_anew_with_less_breaks_nothing(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        replay = await look(p)
        await p.press("end")
        await p.arrive(GameSteps(GAME, 0, STEPS[:5]))
        assert replay.at == 4
        await p.arrive(GameSteps(GAME, 0, ()))
        await p.press("right", "c", "p", "end")


async def test_o_opens_what_happened_where_there_is_no_room_beside(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p)
        await p.press("right", "o")
        assert "Round 1: " in p.text()
        await p.press("escape")
        assert "Round 1: " not in p.text()
        assert isinstance(p.app.screen, Replay)
