"""What the screens offer, lines offer too: each key, menu and request has its word, or a reason."""

import ast
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.client.plain.test_commands import places

import skull_client
from skull_client.app import SkullApp
from skull_client.bindings import Keys, kinds_of
from skull_client.plain.commands import commands
from skull_client.screens.room import Room
from skull_client.screens.window import Window
from skull_protocol import requests

FOLDER = Path(skull_client.__file__).parent


class Not(str):
    """Why lines have no word for something."""

    __slots__ = ()


DRAWN = Not("it is about how things are drawn, and lines are not")
TOLD = Not("what happened has been told, and stays where it was written")
IN_FILE = Not("what lists hold is edited in the file, whose place `settings` tells")
MOVES = Not("nothing moves by itself: `step` is typed as fast as one reads")
NO_QUESTION = Not("an answer to a question that lines do not ask: they want it typed in full")

KEYS: Mapping[str, str] = {
    "everywhere.settings": "settings",
    "everywhere.code": "code",
    "everywhere.colours": DRAWN,
    "everywhere.colours_too": DRAWN,
    "everywhere.plain": DRAWN,
    "everywhere.redraw": DRAWN,
    "everywhere.help": "help",
    "everywhere.quit": "quit",
    "start.look": "servers",
    "lobby.watch": "watch",
    "lobby.new": "new",
    "lobby.code": "join",
    "lobby.history": "games",
    "lobby.records": "records",
    "lobby.statistics": "statistics",
    "lobby.home": "home",
    "waiting.add_bot": "bot",
    "waiting.remove_bot": "drop",
    "waiting.options": "set",
    "table.talk": "say",
    "table.phrases": "phrase",
    "table.people": "look",
    "table.log": TOLD,
    "table.coach": "coach",
    "table.take_back": "abandon",
    "table.leave": "leave",
    "replay.play": MOVES,
    "replay.faster": MOVES,
    "replay.slower": MOVES,
    "replay.challenge": "next",
    "replay.challenge_before": "previous",
    "replay.mark": "next",
    "replay.export": "export",
    "lesson.next_step": "next",
    "lesson.leave": "leave",
    "settings.add": IN_FILE,
    "settings.drop": IN_FILE,
    "settings.up": IN_FILE,
    "settings.usual": IN_FILE,
    "settings.usual_key": IN_FILE,
    "settings.all_usual": IN_FILE,
}
ITEMS: Mapping[str, str] = {
    "start here": "here",
    "start lesson": "learn",
    "start server": "connect",
    "start other": "connect",
    "start watch": "watch",
    "start games": "games",
    "start settings": "settings",
    "start quit": "quit",
    "choices bid": "bid",
    "lesson on": "play",
    "lesson back": "leave",
    "people hear": "hear",
    "people mute": "mute",
    "people bot": "replace",
    "people remove": "remove",
    "people leave be": NO_QUESTION,
    "result again": "start",
    "result seats": "look",
    "result table": "look",
    "result leave": "leave",
    "table result": "result",
    "table take back": "back",
    "waiting seat": "seat",
    "waiting start": "start",
    "waiting flowers": "flowers",
    "waiting bot": "bot",
    "waiting remove": "drop",
    "waiting options": "set",
    "waiting password": "password",
    "waiting result": "result",
    "waiting leave": "leave",
    "phrases own words": IN_FILE,
}
"""By the screen and what an entry of its menu is called there."""


def words() -> set[str]:
    return {command.word for place in places() for command in commands(place)}


def test_every_key_has_its_word_or_a_reason() -> None:
    bound = Keys(SkullApp, kinds_of(Room), kinds_of(Window)).bound
    assert set(KEYS) == set(bound)
    assert {word for word in KEYS.values() if not isinstance(word, Not)} <= words()


def test_every_entry_of_a_menu_has_its_word_or_a_reason() -> None:
    found = {
        f"{path.stem} {entry}"
        for path in sorted((FOLDER / "screens").glob("*.py"))
        for entry in entries(path)
    }
    assert set(ITEMS) == found
    assert {word for word in ITEMS.values() if not isinstance(word, Not)} <= words()


def entries(path: Path) -> Iterator[str]:
    """What the entries of the menus of a screen are called, where that stands in its source."""
    module = importlib.import_module(f"skull_client.screens.{path.stem}")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        made = node.func
        name = made.id if isinstance(made, ast.Name) else getattr(made, "attr", "")
        if name not in ("Item", "_item"):
            continue
        first = node.args[0]
        if isinstance(first, ast.Tuple):
            first = first.elts[0]
        known = getattr(module, first.id, None) if isinstance(first, ast.Name) else None
        called = first.value if isinstance(first, ast.Constant) else known
        if isinstance(called, str):
            yield called


def test_every_request_that_screens_make_can_be_made_by_lines() -> None:
    asked = made_in("screens/*.py", "widgets/*.py", "app.py", "client.py")
    assert {"Act", "ListGames", "AskStatistics", "ReviewGame"} <= asked
    assert asked <= made_in("plain/*.py")


def made_in(*patterns: str) -> set[str]:
    """The requests that files of the client name."""
    kinds = {kind.__name__ for kind in requests.Request.__subclasses__()}
    return {
        alias.name
        for pattern in patterns
        for path in FOLDER.glob(pattern)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "skull_protocol.requests"
        for alias in node.names
        if alias.name in kinds
    }
