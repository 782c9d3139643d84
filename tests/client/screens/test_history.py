"""Games that are over, looked at again; and the records of the players."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.client.finished import NAMES, played, told

from skull_client import export
from skull_client.opening import Opening
from skull_client.screens.history import History
from skull_client.screens.lobby import Lobby
from skull_client.screens.records import Records
from skull_client.screens.replay import Replay
from skull_client.wording import prompt
from skull_protocol import pushes
from skull_protocol.pushes import Error, Games, GameSteps
from skull_protocol.requests import GetGame, ListGames, ListRecords
from skull_protocol.skull import RoundStarted
from skull_protocol.tables import PlayerRecord

GAME, STEPS = told(played(3))


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(export, "folder", lambda: tmp_path / "games")
    return tmp_path


async def look(p: Any, *games: Any) -> None:
    """From the lobby to the first of these games, at its beginning."""
    await p.press("h")
    await p.arrive(Games(games or (GAME,), more=False))
    await p.press("enter")
    await p.arrive(GameSteps(GAME, 0, STEPS))


async def test_h_lists_own_games(play: Any, world: Any, golden: Any) -> None:
    other = replace(GAME, game=2, winner=0, names=NAMES[:4], table="BCDF", ended=1_700_000_000)
    left = replace(GAME, game=1, left=(0,), winner=0, ended=1_600_000_000)
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        await p.press("h")
        assert p.link.asked == [(ListGames, {"before": None})]
        assert "asking the server" in p.text()
        await p.arrive(Games((GAME, other, left), more=False))
        golden("history-80x24-unicode", p.text())
        await p.press("escape")
        assert isinstance(p.app.screen, Lobby)


async def test_at_the_end_of_the_list_older_games_are_asked_for(play: Any, world: Any) -> None:
    games = tuple(replace(GAME, game=number) for number in (9, 8, 7))
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games(games[:2], more=True))
        assert len(p.link.asked) == 1
        await p.press("end")
        assert p.link.asked[1:] == [(ListGames, {"before": 8})]
        await p.arrive(Games(games[2:], more=False))
        assert [game.game for game in p.app.known.games.games] == [9, 8, 7]
        await p.press("end")
        assert len(p.link.asked) == 2


async def test_without_games_it_says_so(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((), more=False))
        assert "No game of yours has ended here yet" in p.text()
        await p.press("enter", "end", "down")
        assert isinstance(p.app.screen, History)


async def test_playing_here_it_says_that_nothing_is_kept(play: Any, world: Any) -> None:
    here = Opening(server_label="here", start_now=True)
    async with play(*world.lobby(), opening=here) as p:
        await p.press("h")
        await p.arrive(Games((), more=False))
        assert "Games against bots on this machine are not kept." in p.text()
        await p.press("escape", "r")
        await p.arrive(pushes.Records(()))
        assert "are not counted" in p.text()


async def test_enter_looks_at_a_game_again(play: Any, world: Any, golden: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p)
        assert p.link.asked[1:] == [(GetGame, {"game": GAME.game, "first": 0})]
        assert isinstance(p.app.screen, Replay)
        await p.press("down", "down", *["right"] * 6)
        golden("replay-80x24-unicode", p.text())
        await p.press("f2")
        golden("replay-80x24-ascii", p.text())
        assert p.text().isascii()
        await p.press("f2", "escape")
        assert isinstance(p.app.screen, History)


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


async def test_r_shows_the_records(play: Any, world: Any, golden: Any) -> None:
    records = (
        PlayerRecord("Ana", 12, 7, 15, 9, 4, 6),
        PlayerRecord("Carla-Maria Lang", 12, 3, 8, 11, 7, 2),
        PlayerRecord("Bo\x1b[2Jris", 1, 0, 0, 1, 0, 0),
    )
    async with play(*world.lobby()) as p:
        await p.press("r")
        assert p.link.asked == [(ListRecords, {})]
        await p.arrive(pushes.Records(records))
        golden("records-80x24-unicode", p.text())
        assert "\x1b" not in p.text()
        await p.press("down", "enter", "escape")
        assert isinstance(p.app.screen, Lobby)
        assert not isinstance(p.app.screen, Records)


async def test_a_table_that_one_comes_to_is_shown_at_once(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await look(p)
        await p.arrive(world.table(world.seats(3), "waiting", game=0))
        assert p.app.screen is p.app.room


async def test_a_connection_that_is_lost_and_back_asks_for_the_rest(play: Any, world: Any) -> None:
    from skull_client.link import LinkStatus

    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((GAME,), more=False), LinkStatus("lost", "Gone."))
        await p.press("enter")
        assert len(p.link.asked) == 1
        await p.arrive(LinkStatus("online"))
        assert p.link.asked[1:] == [(GetGame, {"game": GAME.game, "first": 0})]


async def test_names_of_others_are_shown_as_text_and_nothing_else(play: Any, world: Any) -> None:
    game = replace(GAME, names=("Ana", "B\x1b[2Jo", "[b]x[/]"))
    async with play(*world.lobby()) as p:
        await p.press("h")
        await p.arrive(Games((game,), more=False))
        assert "\x1b" not in p.text()
        assert "[b]x[/]" in p.text()
        await p.press("enter")
        await p.arrive(GameSteps(game, 0, STEPS))
        await p.press("end")
        assert "\x1b" not in p.text()
        assert "[b]x[/]" in p.text()


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
