"""Whatever the connection does is seen, and nothing goes wrong in silence."""

from typing import Any

import pytest
from tests.client.conftest import FakeLink, in_the_other_languages

from skull_client.link import LinkStatus
from skull_client.opening import Opening
from skull_client.screens.connecting import Connecting
from skull_client.screens.lobby import Lobby as LobbyScreen
from skull_client.screens.table import TableRoom
from skull_protocol import skull
from skull_protocol.pushes import Error, Goodbye, LeftTable, Lobby
from skull_protocol.requests import AddBot, CreateTable, JoinTable, StartGame, WatchTable
from skull_protocol.skull import Choices

LOST = LinkStatus("lost", "Connection lost: trying again in 3 s. Your seat is held.")


def screens(world: Any) -> dict[str, list[Any]]:
    own = world.own(Choices(place=("F", "S")))
    playing = world.at_table(world.update(world.view([world.seat()] * 3), own))
    over = world.view([world.seat()] * 3, phase="game_over", winner=0, to_act=())
    return {
        "lobby": world.lobby(world.summary("BCDF")),
        "waiting": [world.welcome(), world.table(world.seats(3), "waiting"), world.online()],
        "nowhere": [],
        "table": playing,
        "over": [
            *world.at_table(world.update(over, own)),
            world.table(world.seats(3), "finished"),
        ],
    }


@pytest.mark.parametrize("screen", ["lobby", "waiting", "table", "over"])
async def test_a_lost_connection_is_a_banner_on_every_screen(
    play: Any, world: Any, screen: str
) -> None:
    async with play(*screens(world)[screen]) as p:
        before = p.text()
        await p.arrive(LOST)
        assert LOST.detail in p.text()
        await p.arrive(world.online())
        assert p.text() == before


@pytest.mark.parametrize("screen", ["lobby", "waiting", "table", "over"])
async def test_the_first_picture_is_of_what_is_known_by_then(
    play: Any, world: Any, monkeypatch: pytest.MonkeyPatch, screen: str
) -> None:
    async with play(*screens(world)[screen]) as p:
        then = p.text()
    monkeypatch.setattr(Connecting, "furnish", never)
    async with play(link=FakeLink(held_back=screens(world)[screen])) as p:
        await p.settle()
        assert p.text() == then


async def test_playing_here_begins_with_the_table(
    play: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connecting, "furnish", never)
    link = FakeLink(
        held_back=world.lobby(),
        led_to={StartGame: screens(world)["table"][1:]},
    )
    async with play(link=link, opening=Opening(bots=2, start_now=True)) as p:
        await p.settle()
        assert isinstance(p.app.room, TableRoom)
        assert [request for request, _ in link.asked] == [CreateTable, AddBot, AddBot, StartGame]


async def test_playing_here_says_what_was_refused(play: Any, world: Any) -> None:
    refusal = Error(7, "server_full", "There are too many tables: join one.")
    link = FakeLink(held_back=world.lobby(), refusal=refusal)
    async with play(link=link, opening=Opening(bots=2, start_now=True)) as p:
        await p.settle()
        assert "There are too many tables: join one." in p.text()


def never(_screen: object) -> Any:
    raise AssertionError("there is nothing to wait for")


async def test_without_a_connection_a_move_is_not_made_and_that_is_told(
    play: Any, world: Any
) -> None:
    async with play(*screens(world)["table"], LOST) as p:
        await p.press("f", "enter")
        assert p.link.asked == []
        assert "Not now: there is no connection." in p.text()
        await p.arrive(world.online())
        await p.press("f", "enter")
        assert p.link.actions == [skull.Place("F")]


MOMENTS: dict[str, tuple[str, list[Any]]] = {
    "connection-lost": ("table", [LinkStatus("lost"), "f", "enter"]),
    "who-are-you": ("nowhere", [LinkStatus("refused", "", "name_taken")]),
}
"""Where one is, and what happens there."""


@pytest.mark.parametrize("name", MOMENTS)
async def test_it_looks_as_it_did(play: Any, world: Any, golden: Any, name: str) -> None:
    """In every language."""
    place, steps = MOMENTS[name]
    async with play(*screens(world)[place]) as p:
        await p.walk(*steps)
        golden(f"{name}-80x24", p.text())
        await in_the_other_languages(p, golden, name, *steps)


async def test_typed_words_survive_a_lost_connection(play: Any, world: Any) -> None:
    async with play(*screens(world)["table"]) as p:
        await p.press("t", *"hello")
        await p.arrive(LOST)
        await p.press("enter")
        assert "hello" in p.text()
        assert p.link.asked == []


async def test_the_server_says_why_it_goes(play: Any, world: Any) -> None:
    async with play(*screens(world)["lobby"]) as p:
        await p.arrive(Goodbye("The server restarts.", True), LOST)
        assert "The server restarts." in p.text()


@pytest.mark.parametrize("code", ["name_taken", "bad_name"])
async def test_a_refused_name_asks_for_another(play: Any, world: Any, code: str) -> None:
    async with play() as p:
        assert isinstance(p.app.screen, Connecting)
        await p.arrive(LinkStatus("refused", "Somebody here is called Ana.", code))
        assert "Somebody here is called Ana." in p.text()
        assert "Esc quit" in p.text()
        await p.press(*"Eva", "enter")
        assert p.link.names == ["Eva"]
        await p.arrive(*world.lobby())
        assert isinstance(p.app.screen, LobbyScreen)


@pytest.mark.parametrize("code", ["name_taken", "bad_code", "too_many_tries"])
async def test_a_code_of_another_terminal_lets_one_in(play: Any, world: Any, code: str) -> None:
    async with play(LinkStatus("refused", "That did not work.", code)) as p:
        assert "That did not work." in p.text()
        if code == "name_taken":
            assert "Is it you elsewhere?" in p.text()
            await p.press("tab")
        assert "The code that your other terminal shows" in p.text()
        await p.press(*" ABCD1 ", "enter")
        assert (p.link.names, p.link.codes) == ([], ["ABCD1"])


async def test_after_a_bad_code_one_can_be_somebody_new(play: Any, world: Any) -> None:
    async with play(LinkStatus("refused", "That code is used up.", "bad_code")) as p:
        await p.press("tab", *"Eva", "enter")
        assert (p.link.names, p.link.codes) == (["Eva"], [])


async def test_what_the_server_says_unasked_is_seen_until_something_is_asked(
    play: Any, world: Any
) -> None:
    """Being removed: the sentence is read in the lobby, whichever of the two comes first."""
    removed = Error(None, "removed", "The host sent you away from this table.")
    lobby = [LeftTable(), Lobby((world.summary("BCDF"),))]
    for arrivals in ([removed, *lobby], [*lobby, removed]):
        async with play(*screens(world)["table"]) as p:
            for arrival in arrivals:
                await p.arrive(arrival)
            assert isinstance(p.app.screen, LobbyScreen)
            assert "The host sent you away from this table." in p.text()
            await p.press("enter")
            assert "The host sent you away" not in p.text()


async def test_a_server_that_cannot_save_is_a_banner_until_it_can(play: Any, world: Any) -> None:
    async with play(*screens(world)["table"]) as p:
        before = p.text()
        await p.arrive(world.table(world.seats(3), saving=False))
        assert "The server cannot save right now: the game waits, nothing is lost." in p.text()
        p.link.refusal = Error(5, "cannot_save", "Not saved: please try again in a while.")
        await p.press("f", "enter")
        assert "Not saved: please try again in a while." in p.text()
        await p.arrive(LOST)
        assert LOST.detail in p.text()
        p.link.refusal = None
        await p.arrive(world.online(), world.table(world.seats(3)))
        await p.press("s", "enter")
        await p.press("escape")
        assert "cannot save" not in p.text()
        assert p.text().splitlines()[:3] == before.splitlines()[:3]


async def test_a_name_refused_twice_asks_twice(play: Any, world: Any) -> None:
    async with play(LinkStatus("refused", "No Ana.", "name_taken")) as p:
        await p.press(*"Eva", "enter")
        await p.arrive(LinkStatus("refused", "No Eva.", "name_taken"))
        assert "No Eva." in p.text()
        await p.press(*"Ida", "enter")
        assert p.link.names == ["Eva", "Ida"]


@pytest.mark.parametrize("state", ["refused", "closed"])
async def test_what_is_for_good_ends_with_a_sentence(play: Any, world: Any, state: Any) -> None:
    async with play() as p:
        await p.arrive(LinkStatus(state, "Please upgrade the client.", "version_mismatch"))
        assert p.app.return_code == 1
        assert "Please upgrade the client." in str(p.app._exit_renderables)


async def test_a_request_that_breaks_is_seen(play: Any, world: Any) -> None:
    async with play(*screens(world)["lobby"]) as p:

        async def broken(request: object, **fields: object) -> Error | None:
            raise RuntimeError("wires crossed")

        p.link.ask = broken
        await p.press("enter")
        assert "Something broke in this program" in p.text()
        assert "wires crossed" in p.text()


async def test_a_game_goes_on_after_a_request_that_broke(play: Any, world: Any) -> None:
    async with play(*screens(world)["table"]) as p:
        works = p.link.ask

        async def broken(request: object, **fields: object) -> Error | None:
            raise RuntimeError("wires crossed")

        p.link.ask = broken
        await p.press("f", "enter")
        assert "wires crossed" in p.text()
        p.link.ask = works
        await p.press("s", "enter")
        assert p.link.actions == [skull.Place("S")]


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (1, 1)])
async def test_too_small_says_what_is_needed(play: Any, world: Any, size: tuple[int, int]) -> None:
    async with play(*screens(world)["table"], size=size) as p:
        if size[0] > 40:
            assert "Skull needs 60x20" in p.text()
        assert "Ana" not in p.text()
        await p.pilot.resize_terminal(80, 24)
        await p.settle()
        assert "Skull needs" not in p.text()
        assert "Ana" in p.text()


async def test_windows_close_when_the_stage_changes(play: Any, world: Any) -> None:
    async with play(*screens(world)["waiting"]) as p:
        await p.press("o")
        await p.arrive(world.table(world.seats(3), "playing", game=2))
        assert isinstance(p.app.screen, TableRoom)
        await p.press("question_mark")
        await p.arrive(LeftTable())
        assert isinstance(p.app.screen, LobbyScreen)


async def test_the_opening_is_carried_out_once(play: Any, world: Any) -> None:
    async with play(*world.lobby(), opening=Opening(table="BCDF")) as p:
        await p.arrive(LOST, world.online())
        assert p.link.asked == [(JoinTable, {"code": "BCDF"})]


async def test_an_opening_that_is_refused_is_told(play: Any, world: Any) -> None:
    async with play(opening=Opening(table="BCDF")) as p:
        p.link.refusal = Error(1, "game_running", "That game is on.")
        await p.arrive(*world.lobby())
        assert [request for request, _ in p.link.asked] == [JoinTable, WatchTable]
        assert "That game is on." in p.text()


async def test_a_screen_that_is_gone_is_drawn_no_more(play: Any, world: Any) -> None:
    async with play() as p:
        gone = p.app.room
        await p.arrive(*screens(world)["table"])
        assert p.app.room is not gone
        gone.show(p.app.known)
