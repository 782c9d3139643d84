"""A whole game by keys only in each language: a real server, bots, and a pseudo-terminal."""

from __future__ import annotations

import gettext
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.end_to_end.by_keys import offered, selected, told
from tests.end_to_end.conftest import ServerProcess, Terminal
from tests.languages.catalogues import english_words

from skull_client.languages import DOMAIN, FOLDER, LANGUAGES, SOURCE


class Reader:
    """Somebody at a terminal who reads one language, and notices every word of English."""

    def __init__(self, terminal: Terminal, language: str) -> None:
        self.terminal, self.language = terminal, language
        self._catalogue = (
            gettext.NullTranslations()
            if language == SOURCE
            else gettext.translation(DOMAIN, FOLDER, [language])
        )
        self.english: set[str] = set()

    def words(self, sentence: str) -> str:
        """A sentence as this reader is told it, up to its first blank."""
        return self._catalogue.gettext(sentence).partition("{")[0].strip()

    def sees(self, *sentences: str) -> None:
        """Wait until all of these are on the screen."""
        self.terminal.wait_for(*[re.escape(self.words(sentence)) for sentence in sentences])
        self.look()

    def look(self) -> None:
        if self.language != SOURCE:
            self.english.update(english_words(self.language).findall(self.terminal.text()))

    def selects(self, sentence: str, key: str) -> None:
        """Press an arrow until the item with these words is marked."""
        for _ in range(20):
            if (before := self._marked()) == [self.words(sentence)]:
                return
            self.terminal.press(key)
            self.terminal.wait(
                lambda _, before=before: self._marked() not in ([], before),  # type: ignore[misc]
                "the mark move",
            )
        raise AssertionError(f"never at {sentence!r}:\n{self.terminal.text()}")

    def _marked(self) -> list[str]:
        return [words.strip() for words in re.findall("▸ ([^│]+)│", self.terminal.text())]


def choose_language(reader: Reader, name: str) -> None:
    """In the settings, where everything is English before."""
    terminal = reader.terminal
    terminal.wait_for("No table here yet")
    terminal.press(",")
    terminal.wait_for("Settings", "▸ Name")
    terminal.press("down")
    terminal.wait_for("▸ Language")
    for other in LANGUAGES.values():
        terminal.press("right")
        terminal.wait_for(f"← {other} +→")
        if other == name:
            break
    reader.sees("Language", "Colours")
    terminal.press("escape")


def set_up(reader: Reader) -> None:
    """A table, two bots, and the start of the game."""
    terminal = reader.terminal
    reader.sees("No table here yet.")
    terminal.press("n")
    reader.sees("Set up a table", "Players needed")
    terminal.press("enter")
    reader.sees("waiting to start", "What to do")
    for seat in (2, 3):
        terminal.press("b")
        reader.sees("Add a bot", "easy", "hard")
        terminal.press("enter")
        terminal.wait_for(f"{seat} +Bot")
    reader.selects("Start the game", "up")
    terminal.press("enter")
    reader.sees("Place your first disc, face down.")


def choose(terminal: Terminal, choices: list[str], wish: str) -> None:
    """Select a choice and do it, unless the game goes on meanwhile and others are offered."""

    def now() -> tuple[list[str], list[str]]:
        return offered(terminal), told(terminal)

    begun = now()
    while begun == now() and begun[0] == choices:
        before = selected(terminal)

        def led_on(_text: str, before: str | None = before) -> bool:
            return selected(terminal) != before or now() != begun

        if before == wish:
            terminal.press("enter")
            terminal.wait(led_on, f"what {wish!r} led to")
            return
        terminal.press("right")
        for _ in range(10):  # an arrow from before may still come: then the mark is here again
            if led_on(terminal.text()):
                break
            terminal.read(0.1)


def play(reader: Reader, dice: random.Random) -> int:
    """Choose among what is offered until the game is over; return how often."""
    terminal, result = reader.terminal, reader.words("See the result")
    for moves in range(300):
        terminal.wait(lambda _: offered(terminal), "choices")
        reader.look()
        choices = offered(terminal)
        if choices == [result]:
            return moves
        choose(terminal, choices, dice.choice(choices))
    raise AssertionError(f"the game never ends:\n{terminal.text()}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_in_each_language(
    open_client: Callable[..., Terminal], tmp_path: Path, language: str
) -> None:
    """Romanian comes from the environment, Swedish is chosen in the settings."""
    server = ServerProcess(tmp_path / "server", "--bot-delay", "0.05")
    try:
        locale = "ro_RO.UTF-8" if language == "ro" else "C.UTF-8"
        reader = Reader(open_client(server.address, "--name", "Ana", LANG=locale), language)
        if language == "sv":
            choose_language(reader, LANGUAGES[language])
        set_up(reader)
        assert play(reader, random.Random(5)) > 3
        terminal = reader.terminal
        result = reader.words("See the result")
        terminal.wait(lambda _: selected(terminal) == result, "the result selected")
        terminal.press("enter")
        reader.sees("Play again", "The challenges", "Leave the table")
        text = terminal.text()
        assert reader.words("You won the game!") in text or re.search(r"[✿*] Bot \w+ ", text)
        terminal.press("q")
        assert terminal.finish() == 0
        assert reader.english == set()
    finally:
        assert server.stop() == 0
