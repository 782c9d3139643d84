"""The list of games that are over, and the records of the players."""

from typing import Any

from msgspec.structs import replace
from tests.client.finished import NAMES, played, told
from tests.client.screens.test_rooms import looks_as_it_did

from skull_client.opening import Opening
from skull_client.screens.history import History
from skull_client.screens.lobby import Lobby
from skull_client.screens.records import Records
from skull_protocol import pushes
from skull_protocol.pushes import Games, GameSteps
from skull_protocol.requests import ListGames, ListRecords
from skull_protocol.tables import PlayerRecord

GAME, STEPS = told(played(3))


async def test_h_lists_own_games(play: Any, world: Any, golden: Any) -> None:
    other = replace(GAME, game=2, winner=0, names=NAMES[:4], table="BCDF", ended=1_700_000_000)
    left = replace(GAME, game=1, left=(0,), winner=0, ended=1_600_000_000)
    async with play(*world.lobby(world.summary("BCDF"))) as p:
        await p.press("h")
        assert p.link.asked == [(ListGames, {"before": None})]
        assert "asking the server" in p.text()
        games = Games((GAME, other, left), more=False)
        await p.arrive(games)
        await looks_as_it_did(p, golden, "history", "h", games)
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
        await looks_as_it_did(p, golden, "records", "r", pushes.Records(records))
        assert "\x1b" not in p.text()
        await p.press("down", "enter", "escape")
        assert isinstance(p.app.screen, Lobby)
        assert not isinstance(p.app.screen, Records)


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
