"""What was set once and for all is used at the start, and goes behind the command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from skull_client.cli import _glyphs, read_wish
from skull_client.glyphs import ASCII, UNICODE
from skull_client.settings import Settings

PROGRAM = str(Path(sys.executable).with_name("skull-client"))


def run(
    home: Path, *arguments: str, typed: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *arguments],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **environment},
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def set_to(home: Path, text: str) -> Path:
    path = home / ".config" / "skull-client" / "settings.toml"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_command_line_goes_first() -> None:
    chosen = Settings(name="Set", glyphs="ascii")
    assert read_wish([], chosen).name == "Set"
    assert read_wish(["--name", "Typed"], chosen).name == "Typed"
    assert read_wish(["box"], chosen).settings == chosen


def test_who_chose_their_symbols_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("skull_client.terminal.shows_utf8", lambda _environment: False)
    assert _glyphs(read_wish([], Settings(glyphs="unicode"))) is UNICODE
    assert _glyphs(read_wish([], Settings())) is ASCII
    monkeypatch.setattr("skull_client.terminal.shows_utf8", lambda _environment: True)
    assert _glyphs(read_wish([], Settings())) is UNICODE
    assert _glyphs(read_wish([], Settings(glyphs="ascii"))) is ASCII
    assert _glyphs(read_wish(["--ascii"], Settings(glyphs="unicode"))) is ASCII


def test_name_language_and_phrases_are_used(tmp_path: Path) -> None:
    set_to(tmp_path, 'name = "Åsa"\nlanguage = "sv"\nphrases = ["ouch"]\n')
    ran = run(
        tmp_path, "--plain", "--bots", "2", typed="wait\nphrase 1\nlook\n", LANG="ro_RO.UTF-8"
    )
    assert "Du är Åsa, på den här datorn." in ran.stdout
    assert "> Lägg din första bricka" in ran.stdout
    assert "Åsa: Aj!" in ran.stdout
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(
    ("locale", "hint"),
    [("C.UTF-8", "line 2 is no TOML"), ("ro_RO.UTF-8", "linia 2 nu e TOML")],
)
def test_a_broken_file_is_said_and_the_game_starts(tmp_path: Path, locale: str, hint: str) -> None:
    path = set_to(tmp_path, 'name = "Ana"\nbell = \n')
    ran = run(tmp_path, "--plain", "--name", "Bob", LANG=locale)
    assert ran.returncode == 0
    assert "Bob" in ran.stdout
    assert ran.stderr.count("\n") == 1
    assert hint in ran.stderr
    assert path.read_text(encoding="utf-8") == 'name = "Ana"\nbell = \n'


def test_a_setting_that_cannot_be_is_said_and_the_others_are_used(tmp_path: Path) -> None:
    set_to(tmp_path, 'bell = "loud"\nname = "Ana"\n')
    ran = run(tmp_path, "--plain")
    assert "You are Ana" in ran.stdout
    assert "line 1: bell can be off, turn" in ran.stderr


def test_plain_mistakes_are_said_in_the_readers_language(tmp_path: Path) -> None:
    ran = run(tmp_path, "--bots", "9", LANG="sv_SE.UTF-8")
    assert ran.returncode == 2
    assert "Ett bord har plats för dig" in ran.stderr
    named = run(tmp_path, "--name", "...", LANG="sv_SE.UTF-8")
    assert "Ett namn behöver en bokstav" in named.stderr
