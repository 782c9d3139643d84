"""The command line: what it means, and every sentence that comes before the screen."""

import asyncio
import socket
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from skull_client import cli, lesson, terminal
from skull_client.address import Address
from skull_client.chosen import Chosen
from skull_client.cli import Mistake, default_name, main, read_wish
from skull_client.glyphs import ASCII, UNICODE, Glyphs
from skull_client.link import NOWHERE, Link
from skull_client.opening import Opening
from skull_client.setting_out import Ways
from skull_client.terminal_title import TerminalTitle
from skull_protocol import codec
from skull_protocol.codec import FrameSplitter
from skull_protocol.errors import ErrorCode
from skull_protocol.pushes import Error, Ok, Welcome
from skull_protocol.requests import REQUESTS, Hello
from skull_protocol.tables import TableOptions
from skull_protocol.text import clean_name

# -- what is asked for ---------------------------------------------------------------------------


def test_without_a_host_the_start_screen_opens() -> None:
    assert read_wish([]).starts
    assert read_wish(["--plain"]).starts
    assert not read_wish(["box"]).starts


@pytest.mark.parametrize("arguments", [["--here"], ["--bots", "3"], ["--plain", "--here"]])
def test_who_says_what_to_play_here_plays_at_once(arguments: list[str]) -> None:
    wish = read_wish(arguments)
    assert (wish.starts, wish.address) == (False, None)
    assert (wish.opening.bots, wish.opening.start_now, wish.opening.table) == (3, True, None)


def test_with_a_host_the_lobby() -> None:
    wish = read_wish(["Box:80", "--name", " Ana  Lu "])
    assert wish.address == Address("box", 80)
    assert wish.name == "Ana Lu"
    assert wish.opening == Opening(server_label="box:80")


def test_a_table_code_in_any_case() -> None:
    assert read_wish(["box", "--table", "bcDf"]).opening.table == "BCDF"


def test_a_code_of_another_terminal() -> None:
    assert read_wish(["box", "--code", " abcd-1 "]).code == "abcd-1"
    assert read_wish(["box"]).code is None


def test_bots_at_a_server_wait_for_friends() -> None:
    opening = read_wish(["box", "--bots", "2"]).opening
    assert (opening.bots, opening.start_now) == (2, False)


def test_bots_are_as_good_as_asked_for() -> None:
    assert read_wish([]).opening.level == "normal"
    assert read_wish(["--level", "hard"]).opening.level == "hard"
    opening = read_wish(["box", "--bots", "2", "--level", "easy"]).opening
    assert [step.fields for step in opening.steps(at_table=False)[1:]] == [{"level": "easy"}] * 2


def test_there_is_a_coach_only_by_wish() -> None:
    for here, wish in (([], True), (["box", "--bots", "1"], True), ([], False)):
        opening = read_wish([*here, *(["--coach"] if wish else [])]).opening
        options = opening.steps(at_table=False)[0].fields["options"]
        assert isinstance(options, TableOptions)
        assert options.coach == wish


def test_the_lesson_is_a_game_of_its_own() -> None:
    opening = read_wish(["--learn"]).opening
    assert opening.learning
    assert opening.is_here
    made = opening.steps(at_table=False)
    assert made[0].fields == {"options": lesson.OPTIONS}
    assert len(made) == 2 + lesson.BOTS


def test_bots_here_are_as_many_as_asked_for() -> None:
    assert read_wish(["--bots", "5"]).opening.bots == 5


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["box:99999"], "port"),
        (["ho st"], "HOST"),
        (["box", "--table", "ABCD"], "four consonants"),
        (["box", "--table", "BCD"], "four consonants"),
        (["box", "--table", ""], "four consonants"),
        (["--table", "BCDF"], "add its HOST"),
        (["--code", "ABCD1"], "add its HOST"),
        (["box", "--code", " "], "other terminal"),
        (["box", "--code", "x" * 21], "other terminal"),
        (["--bots", "0"], "at least one bot"),
        (["--bots", "6"], "0 to 5"),
        (["box", "--here"], "Either"),
        (["box", "--bots", "-1"], "0 to 5"),
        (["box", "--bots", "x"], "--help"),
        (["box", "--table", "BCDF", "--bots", "2"], "Either"),
        (["--name", ""], "name"),
        (["--name", "\x1b[2J"], "name"),
        (["--name", "x" * 17], "name"),
        (["--nonsense"], "--help"),
        (["a", "b"], "--help"),
        (["--level", "nasty"], "--help"),
        (["box", "--level", "hard"], "add --bots"),
        (["box", "--coach"], "add --bots"),
        (["box", "--learn"], "--learn alone"),
        (["--learn", "--bots", "2"], "--learn alone"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_exit_2(
    arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Mistake):
        read_wish(arguments)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert hint.lower() in err.lower()
    assert err.count("\n") == 1
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("ana", "ana"),
        ("a_very_long_login_name", "a_very_long_logi"),
        ("---", "Player"),
        ("", "Player"),
        ("user@domain", "user"),
    ],
)
def test_the_login_name_is_made_fit(monkeypatch: pytest.MonkeyPatch, login: str, name: str) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: login)
    assert default_name() == name == clean_name(name)


@pytest.mark.parametrize("fault", [OSError("no user"), KeyError("uid not found")])
def test_a_user_without_a_name_is_player(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def getuser() -> str:
        raise fault

    monkeypatch.setattr("getpass.getuser", getuser)
    assert default_name() == "Player"


# -- as a process --------------------------------------------------------------------------------


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_loads_neither_the_screen_nor_the_server() -> None:
    done = run(
        "import sys\n"
        "from skull_client.cli import main\n"
        "try:\n    main(['--help'])\n"
        "finally:\n    print(sorted({'textual', 'skull_server'} & set(sys.modules)))\n"
    )
    assert done.returncode == 0
    assert done.stdout.startswith("usage: skull-client")
    assert done.stdout.splitlines()[-1] == "[]"


def test_version() -> None:
    done = run("from skull_client.cli import main; main(['--version'])")
    assert done.returncode == 0
    assert done.stdout.startswith("skull-client ")


def test_without_a_terminal_one_sentence_and_exit_2() -> None:
    done = run("from skull_client.cli import main; raise SystemExit(main([]))")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "needs a terminal" in done.stderr


# -- before the screen opens ---------------------------------------------------------------------


class FakeApp:
    """Stands in for the screen, and notes what it was given."""

    made: "list[FakeApp]" = []  # noqa: RUF012 - emptied by the fixture

    def __init__(
        self,
        link: Link,
        opening: Opening,
        glyphs: Glyphs,
        *,
        theme: str,
        chosen: Chosen,
        ways: Ways,
    ) -> None:
        self.link, self.opening, self.glyphs, self.theme = link, opening, glyphs, theme
        self.chosen, self.ways = chosen, ways
        self.terminal_title = TerminalTitle(lambda codes: None)
        self.motion = True
        self.return_code: int | None = None
        self.arrivals: list[str] = []
        FakeApp.made.append(self)

    def leave(self, status: int) -> None:
        raise NotImplementedError

    async def run_async(self, *, mouse: bool) -> None:
        self.mouse = mouse
        self.link.start(lambda arrival: self.arrivals.append(type(arrival).__name__))
        self.return_code = 0


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A good terminal, a state directory of its own, and no real screen."""
    monkeypatch.setattr(terminal, "prepare", lambda environment: None)
    monkeypatch.setattr(terminal, "shows_utf8", lambda environment: True)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    module = types.ModuleType("skull_client.app")
    module.SkullApp = FakeApp  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "skull_client.app", module)
    FakeApp.made = []


class FakeLeaving:
    """Stands in for what takes over the signals of a process, and watches its terminal."""

    def __init__(self, keyboard: int, screen: int) -> None:
        self.politely: Callable[[int], object] | None = None
        self.status = 0

    def begin(self) -> None:
        """Take over nothing."""


@pytest.fixture
def good_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "problem_here", lambda: None)
    monkeypatch.setattr(terminal, "mouse_is_safe", lambda environment: True)
    monkeypatch.setattr(cli, "Leaving", FakeLeaving)


Answer = Callable[[Hello], bytes]


async def client_against(answer: Answer, *arguments: str) -> int:
    """Run the client, in a thread, against a server that answers `hello` in one way."""

    class There(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport, self.splitter = transport, FrameSplitter(codec.MAX_REQUEST)

        def data_received(self, data: bytes) -> None:
            for body in self.splitter.feed(data):
                hello = REQUESTS.parse(body)
                assert isinstance(hello, Hello)
                self.transport.write(answer(hello))

    server = await asyncio.get_running_loop().create_server(There, "127.0.0.1", 0)
    host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        return await asyncio.to_thread(main, [host, "--name", "Ana", *arguments])
    finally:
        server.close()


def refusing(code: ErrorCode, sentence: str) -> Answer:
    return lambda hello: codec.encode(Error(hello.id, code, sentence))


def welcome(hello: Hello) -> bytes:
    return codec.encode(Welcome(7, "Ana", "t", "0.1.0", False)) + codec.encode(Ok(hello.id))


@pytest.mark.usefixtures("good_terminal")
def test_a_wrong_host_is_one_sentence_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        assert main([host]) == 1
    _, err = capsys.readouterr()
    assert err == f"skull-client: Nothing answers at {host}. Is skull-server running there?\n"
    assert FakeApp.made == []


@pytest.mark.usefixtures("good_terminal")
async def test_another_version_is_one_sentence_and_exit_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = refusing("version_mismatch", "Please upgrade skull-client.")
    assert await client_against(answer) == 1
    assert capsys.readouterr().err == "skull-client: Please upgrade skull-client.\n"


@pytest.mark.usefixtures("good_terminal")
async def test_a_web_server_is_one_sentence_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert await client_against(lambda hello: b"HTTP/1.1 400 Bad Request\r\n\r\n") == 1
    assert "no Skull server" in capsys.readouterr().err


@pytest.mark.usefixtures("good_terminal")
@pytest.mark.parametrize("code", ["name_taken", "bad_name", "bad_code", "too_many_tries"])
async def test_who_somebody_is_is_left_to_the_screen(code: ErrorCode) -> None:
    assert await client_against(refusing(code, "Taken.")) == 0
    (app,) = FakeApp.made
    assert app.arrivals[0] == "LinkStatus"


@pytest.mark.usefixtures("good_terminal")
async def test_let_in_the_screen_opens_with_all_that_arrived() -> None:
    assert await client_against(welcome, "--table", "bcdf") == 0
    (app,) = FakeApp.made
    assert app.arrivals[:2] == ["Welcome", "LinkStatus"]
    assert app.opening.table == "BCDF"
    assert app.glyphs is UNICODE


@pytest.mark.usefixtures("good_terminal")
def test_without_a_host_nothing_is_connected_to() -> None:
    assert main(["--name", "Ana", "--theme", "light"]) == 0
    (app,) = FakeApp.made
    assert app.link is NOWHERE
    assert (app.chosen.now.name, app.theme) == ("Ana", "light")


@pytest.mark.usefixtures("good_terminal")
async def test_without_a_mouse_by_wish_and_where_it_costs_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await client_against(welcome)
    await client_against(welcome, "--no-mouse")
    monkeypatch.setattr(terminal, "mouse_is_safe", lambda environment: False)
    await client_against(welcome)
    assert [app.mouse for app in FakeApp.made] == [True, False, False]


@pytest.mark.usefixtures("good_terminal")
async def test_ascii_by_wish_and_where_the_terminal_has_no_utf8(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await client_against(welcome, "--ascii")
    monkeypatch.setattr(terminal, "shows_utf8", lambda environment: False)
    await client_against(welcome)
    assert [app.glyphs for app in FakeApp.made] == [ASCII, ASCII]


def test_a_terminal_that_is_too_small_is_one_sentence_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "problem_here", lambda: "This terminal is 10x10.")
    assert main([]) == 2
    assert capsys.readouterr().err == "skull-client: This terminal is 10x10.\n"
