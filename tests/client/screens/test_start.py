"""The start screen: where one can go, how it stands there, and the way back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.client.conftest import FakeWays, in_the_other_languages

from skull_client.address import Address
from skull_client.chosen import Chosen
from skull_client.link import NOWHERE, LinkStatus
from skull_client.screens.connecting import Connecting
from skull_client.screens.history import History
from skull_client.screens.lobby import Lobby
from skull_client.screens.settings import SettingsRoom
from skull_client.screens.start import Start
from skull_client.setting_out import Destination, Seen, here, parse_destination, to_learn
from skull_client.settings import Settings, load
from skull_protocol import PROTOCOL_VERSION
from skull_protocol.pushes import Glimpse
from skull_protocol.requests import Hello, WatchTable
from skull_protocol.tables import TableOptions

SERVERS = ("box:7585", "far.example:80 --tls", "old:7585", "gone:7585", "slow:7585", "new:7585")


def glimpse(tables: int, players: int) -> Seen:
    return Seen("open", Glimpse(PROTOCOL_VERSION, "0.1.0", tables, players))


def ways() -> FakeWays:
    return FakeWays(
        {
            "box:7585": glimpse(1, 12),
            "far.example:80 --tls": glimpse(0, 1),
            "old:7585": Seen("there"),
            "gone:7585": Seen("silent"),
            "new:7585": Seen("unfit", Glimpse(PROTOCOL_VERSION + 1, "9.9", 1, 1)),
        }
    )


def known(*servers: str, **more: Any) -> Chosen:
    return Chosen(Settings(name="Ana", servers=servers, **more))


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_it_looks_as_it_did(
    play: Any, golden: Callable[[str, str], None], size: tuple[int, int]
) -> None:
    pages = []
    async with play(ways=ways(), chosen=known(*SERVERS), size=size) as p:
        pages.append(p.text())
        await p.press("down", "f2")
        assert p.text().isascii()
        pages.append(p.text())
        await p.press("f2", "l")
        pages.append(p.text())
        if size == (80, 24):
            await in_the_other_languages(p, golden, "start")
            await in_the_other_languages(p, golden, "start-another-server", "a", "enter")
    golden(f"start-{size[0]}x{size[1]}", "\n".join(pages))


async def test_enter_alone_begins_a_game_here(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known()) as p:
        await p.press("enter")
        assert (there.went, there.names) == ([here(3)], ["Ana"])
        assert isinstance(p.app.screen, Connecting)


async def test_left_and_right_say_against_how_many(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known()) as p:
        await p.press("right", "right", "right")
        assert "against 1 bot " in p.text()
        await p.press("left", "enter")
        assert there.went == [here(5)]


async def test_servers_are_asked_at_once_and_none_holds_up_the_keys(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known(*SERVERS)) as p:
        assert there.looked == list(SERVERS)
        assert "asking" in line(p, "slow:7585")
        assert "1 table, 12 players" in line(p, "box:7585")
        assert "does not answer" in line(p, "gone:7585")
        there.seen["slow:7585"] = glimpse(2, 2)
        await p.press("r")
        assert "2 tables, 2 players" in line(p, "slow:7585")
        assert there.links == []


async def test_a_server_is_gone_to_and_kept_as_the_latest(play: Any, world: Any) -> None:
    there, chosen = ways(), known("box:7585", "far.example:80 --tls")
    async with play(ways=there, chosen=chosen) as p:
        await p.press("2", "enter")
        assert there.went == [parse_destination("far.example:80 --tls")]
        for arrival in world.lobby(world.summary("BCDF")):
            there.links[0].deliver(arrival)
        await p.settle()
        assert isinstance(p.app.screen, Lobby)
        assert chosen.now.servers[0] == "far.example:80 --tls"


async def test_an_address_is_typed_and_a_bad_one_said(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known()) as p:
        await p.press("a", "enter", *"box:99999", "enter")
        assert "port" in p.text()
        assert there.went == []
        await p.press(*["backspace"] * 5, *"80 --tls", "enter")
        assert there.went == [parse_destination("box:80 --tls")]


async def test_what_fails_is_said_here_and_one_stays(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known("gone:7585")) as p:
        await p.press("1", "enter")
        there.links[0].deliver(LinkStatus("refused", "Nothing answers at gone:7585."))
        await p.settle()
        await p.settle()
        assert isinstance(p.app.screen, Start)
        assert "Nothing answers at gone:7585." in p.text()
        assert there.links[0].closed


async def test_the_lobby_leads_back_and_nothing_of_it_stays(play: Any, world: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known("box:7585")) as p:
        await p.press("1", "enter")
        for arrival in world.lobby(world.summary("BCDF")):
            there.links[0].deliver(arrival)
        await p.settle()
        await p.press("b")
        assert isinstance(p.app.screen, Start)
        assert p.app.link is NOWHERE
        assert there.links[0].closed
        there.links[0].deliver(world.welcome())  # too late
        await p.settle()
        assert isinstance(p.app.screen, Start)
        assert p.app.known.me is None


async def test_escape_gives_up_connecting(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known()) as p:
        await p.press("enter", "escape")
        assert isinstance(p.app.screen, Start)
        assert there.links[0].closed


async def test_games_of_the_latest_server_are_looked_at(play: Any, world: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known("box:7585")) as p:
        await p.press("g", "enter")
        for arrival in world.lobby():
            there.links[0].deliver(arrival)
        await p.settle()
        await p.settle()
        assert isinstance(p.app.screen, History)
        assert Hello not in [request for request, _ in there.links[0].asked]


async def test_a_game_to_watch_is_looked_for_where_most_is_going_on(play: Any, world: Any) -> None:
    there = ways()
    there.seen["far.example:80 --tls"] = glimpse(3, 9)
    async with play(ways=there, chosen=known("box:7585", "far.example:80 --tls")) as p:
        assert "on far.example:80 --tls" in line(p, "Watch a game")
        await p.press("w", "enter")
        assert there.went == [parse_destination("far.example:80 --tls")]
        private = TableOptions(watching=False)
        tables = (
            world.summary("BCDF"),
            world.summary("GHJK", stage="playing", options=private),
            world.summary("KRTW", stage="playing"),
        )
        for arrival in world.lobby(*tables):
            there.links[0].deliver(arrival)
        await p.settle()
        assert isinstance(p.app.screen, Lobby)
        assert "1 game to watch" in p.text()
        await p.press("enter")
        assert there.links[0].asked == [(WatchTable, {"code": "KRTW"})]


async def test_whom_to_trust_is_kept_with_a_server_and_not_shown(play: Any, world: Any) -> None:
    typed = "far.example:80 --tls --tls-ca '/home/ana/our certificate.pem'"
    there, chosen = ways(), known(typed)
    async with play(ways=there, chosen=chosen) as p:
        assert "certificate" not in p.text()
        await p.press("1", "enter")
        assert there.went == [
            Destination(Address("far.example", 80), True, Path("/home/ana/our certificate.pem"))
        ]
        for arrival in world.lobby():
            there.links[0].deliver(arrival)
        await p.settle()
        assert chosen.now.servers == (typed,)


async def test_the_lesson_begins_and_is_left_for_the_start_screen(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known()) as p:
        await p.press("l", "enter")
        assert there.went == [to_learn()]
        assert p.app.learning
        p.app.leave_lesson()
        await p.settle()
        await p.settle()
        assert isinstance(p.app.screen, Start)
        assert not p.app.learning


async def test_a_name_that_is_taken_is_asked_anew_and_escape_leads_back(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known("box:7585")) as p:
        await p.press("1", "enter")
        there.links[0].deliver(LinkStatus("refused", "Ana is taken.", "name_taken"))
        await p.settle()
        assert "Ana is taken." in p.text()
        assert "Esc back" in p.text()
        await p.press("escape")
        assert isinstance(p.app.screen, Start)


async def test_settings_and_quit(play: Any) -> None:
    async with play(ways=ways(), chosen=known()) as p:
        await p.press("s", "enter")
        assert isinstance(p.app.screen, SettingsRoom)
        await p.press("escape", "comma")
        assert isinstance(p.app.screen, SettingsRoom)
        await p.press("escape", "q")
        assert p.app.return_code == 0


async def test_servers_that_make_no_sense_are_left_out(play: Any) -> None:
    there = ways()
    async with play(ways=there, chosen=known("ho st", "box:0", "box:7585")) as p:
        assert there.looked == ["box:7585"]
        assert "ho st" not in p.text()


async def test_a_connection_by_command_line_ends_the_program_as_before(play: Any) -> None:
    async with play() as p:
        await p.arrive(LinkStatus("refused", "Nothing answers."))
        assert p.app.return_code == 1


def line(p: Any, words: str) -> str:
    """The line of the screen with these words in it."""
    return next(line for line in str(p.text()).splitlines() if words in line)


async def test_a_server_that_is_kept_in_a_faulty_file_is_not(tmp_path: Any) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('bell = "loud"\n', encoding="utf-8")
    chosen = Chosen(load(path).settings, path)
    chosen.note_server("box:7585")
    await chosen.written()
    assert path.read_text(encoding="utf-8") == 'bell = "loud"\n'
    path.unlink()
    chosen = Chosen(Settings(), path)
    chosen.note_server("box:7585")
    await chosen.written()
    assert load(path).settings.servers == ("box:7585",)
