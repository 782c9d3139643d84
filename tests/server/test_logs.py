"""What is logged: events with fields, one line each, and nothing that is anybody's secret."""

import ast
import asyncio
import io
import json
import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import skull_server
from skull_protocol.pushes import Ok, Table, Update
from skull_protocol.requests import AskResumeCode, CreateTable, JoinTable, Say, StartGame
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions
from skull_server import log_lines, logs
from skull_server.chance import Chance

Lines = Callable[[], list[str]]


@pytest.fixture(params=[log_lines.TextLines, log_lines.JsonLines])
def lines(request: pytest.FixtureRequest) -> Iterator[Lines]:
    """Every line that is logged at the most talkative level, in one of the formats."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(request.param())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lambda: stream.getvalue().splitlines()
    root.setLevel(level)
    root.removeHandler(handler)


@pytest.fixture
def given_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every token, code and seed that a server makes, as it makes them."""
    seen: list[str] = []

    def spied(make: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*args: Any) -> Any:
            made = make(*args)
            seen.append(str(made))
            return made

        return noted

    for name in ("token", "code", "seed"):
        monkeypatch.setattr(Chance, name, spied(getattr(Chance, name)))
    return seen


def log() -> logs.EventLog:
    return logs.get("skull_server.somewhere")


def test_a_text_line_is_time_level_logger_event_and_fields() -> None:
    record = logging.makeLogRecord(
        {
            "name": "skull_server.server",
            "levelname": "INFO",
            "msg": "player_in",
            "created": 1_700_000_000.25,
            "event_fields": {"player": 7, "resumed": False, "why": "out of time", "from": None},
        }
    )
    assert log_lines.TextLines().format(record) == (
        "2023-11-14T22:13:20.250Z INFO skull_server.server player_in "
        'player=7 resumed=false why="out of time" from=null'
    )
    assert json.loads(log_lines.JsonLines().format(record)) == {
        "time": "2023-11-14T22:13:20.250Z",
        "level": "INFO",
        "logger": "skull_server.server",
        "event": "player_in",
        "player": 7,
        "resumed": False,
        "why": "out of time",
        "from": None,
    }


FORGERIES = [
    "Ann\n2026-01-01T00:00:00.000Z ERROR skull_server.server all_lost",
    "Ann\r\x1b[2J\x9b2J",
    "Ann\u2028\u2029\x85\x0b\x0c",
    "Ann\u202e\u200b",
    'Ann" resumed=true x="',
    "Ann event=x",
]


@pytest.mark.parametrize("form", [log_lines.TextLines, log_lines.JsonLines])
def test_half_a_character_is_escaped(form: type[logging.Formatter]) -> None:
    about = {"name": "x", "msg": "\ud800", "event_fields": {"x": "\udfff"}}
    line = form().format(logging.makeLogRecord(about))
    assert line.isascii()


@pytest.mark.parametrize("forged", FORGERIES, ids=ascii)
def test_nothing_typed_can_forge_a_line_or_reach_a_terminal(lines: Lines, forged: str) -> None:
    log().info("player_in", name=forged)
    log().info(forged)
    logging.getLogger("elsewhere").warning("said %s", forged)
    got = lines()
    assert len(got) == 3
    for line in got:
        assert line.isprintable()
    if got[0].startswith("{"):
        assert json.loads(got[0])["name"] == forged
        assert json.loads(got[1])["event"] == forged
    else:
        assert len(re.findall(r"(?:^| )\w+=", got[0].replace(json.dumps(forged), "NAME"))) == 1


def test_a_field_cannot_pass_for_the_time_the_level_or_the_event(lines: Lines) -> None:
    log().info("player_in", time="never", level="ERROR")
    line = lines()[0]
    if line.startswith("{"):
        assert json.loads(line)["level"] == "INFO"
        assert json.loads(line)["time"] != "never"


def test_a_fault_is_one_line_with_places_and_without_its_text(lines: Lines) -> None:
    try:
        try:
            raise KeyError("s3cret")
        except KeyError as cause:
            raise ValueError("s3cret too") from cause
    except ValueError:
        log().exception("request_failed", player=7)
    (line,) = lines()
    assert "s3cret" not in line
    assert "ValueError" in line
    assert "KeyError" in line
    assert "test_logs.py:" in line
    assert "Traceback" not in line


def test_of_a_fault_of_the_system_it_is_told_which(lines: Lines) -> None:
    log().error("cannot_commit", OSError(28, "No space left on s3cret"))
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("SELECT s3cret")
    connection.close()
    log().error("cannot_commit", caught.value)
    got = lines()
    assert "OSError:ENOSPC" in got[0]
    assert "OperationalError:SQLITE_ERROR" in got[1]
    assert "s3cret" not in "".join(got)


async def test_a_fault_of_the_loop_is_logged_without_what_was_being_said(lines: Lines) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.loop_fault)

    def fail(said: str) -> None:
        raise ValueError(said)

    loop.call_soon(fail, "s3cret")
    await asyncio.sleep(0)
    (line,) = [line for line in lines() if "loop_fault" in line]
    assert "ValueError" in line
    assert "s3cret" not in "".join(lines())


SAFE_FIELDS = {"address", "game", "host", "outcome", "player", "port", "reason", "request"}
SAFE_FIELDS |= {"resumed", "rules"}
"""What an event may tell: numbers, kinds and places. Think twice before you add to it."""


def test_every_event_in_the_server_tells_only_what_is_nobodys_secret() -> None:
    (folder,) = skull_server.__path__
    found = 0
    for path in Path(folder).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert path.name == "logs.py" or "getLogger" not in ast.dump(tree), path
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if ast.unparse(call.func).startswith("log."):
                found += 1
                event, *faults = call.args
                assert isinstance(event, ast.Constant), ast.unparse(call)
                assert all(isinstance(fault, ast.Name) for fault in faults), ast.unparse(call)
                assert {field.arg for field in call.keywords} <= SAFE_FIELDS, ast.unparse(call)
    assert found > 10


def test_a_whole_game_with_chat_logs_no_secret(
    lines: Lines, world: Any, given_out: list[str]
) -> None:
    options = TableOptions(min_seats=2, turn_seconds=0, rules=SkullOptions(first_player=0))
    ann, bob = world.player("Annabell"), world.player("Bobbieboy")
    ann.do(CreateTable, options=options, password="hunter2hunter2")
    code = ann.last(Table).code
    bob.ask(JoinTable, code=code, password="letmein-letmein")
    bob.ask(JoinTable, code=code, password="hunter2hunter2")
    ann.do(StartGame)
    ann.do(Say, text="my-chat-words")
    bob.send_body(b"my-broken-bytes")
    bob = world.player("Nobody", bob.token)
    bob.do(AskResumeCode)
    people = [ann, bob]
    while ann.last(Update).view.winner is None:
        mover = people[next(iter(ann.last(Update).view.to_act))]
        choice = next(iter(mover.last(Update).you.choices.actions()))
        assert isinstance(mover.act(choice), Ok)
    text = "\n".join(lines())
    assert "player_in" in text
    assert text.count("answered") > 20
    assert len(given_out) >= 6
    told = ["Annabell", "Bobbieboy", "hunter2", "letmein", "my-chat-words", "my-broken-bytes"]
    for secret in [*given_out, *told]:
        assert secret not in text
    assert not re.search(r"disc|flower|hand=|\b[FS]\b", text)
