"""What was set once and for all is used at the start, and goes behind the command line."""

import asyncio
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from skull_client.chosen import Chosen
from skull_client.cli import _glyphs, read_wish
from skull_client.glyphs import ASCII, UNICODE
from skull_client.settings import Settings, load, save

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
    ran = run(tmp_path, "--plain", "--here", "--name", "Bob", LANG=locale)
    assert ran.returncode == 0
    assert "Bob" in ran.stdout
    assert ran.stderr.count("\n") == 1
    assert hint in ran.stderr
    assert path.read_text(encoding="utf-8") == 'name = "Ana"\nbell = \n'


def test_a_setting_that_cannot_be_is_said_and_the_others_are_used(tmp_path: Path) -> None:
    set_to(tmp_path, 'bell = "loud"\nname = "Ana"\n')
    ran = run(tmp_path, "--plain", "--here")
    assert "You are Ana" in ran.stdout
    assert "line 1: bell can be off, turn" in ran.stderr


def test_plain_mistakes_are_said_in_the_readers_language(tmp_path: Path) -> None:
    ran = run(tmp_path, "--bots", "9", LANG="sv_SE.UTF-8")
    assert ran.returncode == 2
    assert "Ett bord har plats för dig" in ran.stderr
    named = run(tmp_path, "--name", "...", LANG="sv_SE.UTF-8")
    assert "Ett namn behöver en bokstav" in named.stderr


class SlowDisk:
    """Stands in for the writing of settings: it waits until it may, and notes what it wrote."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.wrote: list[Settings] = []
        self.fault: OSError | None = None

    def save(self, now: Settings, path: Path) -> None:
        assert self.may.wait(30)
        if self.fault is not None:
            raise self.fault
        save(now, path)
        self.wrote.append(now)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> SlowDisk:
    made = SlowDisk()
    monkeypatch.setattr("skull_client.settings.save", made.save)
    return made


async def test_a_slow_disk_holds_up_nothing_and_everything_is_kept_in_order(
    disk: SlowDisk, tmp_path: Path
) -> None:
    chosen = Chosen(Settings(), tmp_path / "settings.toml")
    told: list[str] = []
    chosen.heard = told.append
    for theme in ("dark", "light", "safe"):
        chosen.change(theme=theme)
    chosen.note_server("box:7585")
    await asyncio.sleep(0)
    assert (chosen.now.theme, chosen.now.servers) == ("safe", ("box:7585",))
    assert (disk.wrote, told) == ([], [])
    disk.may.set()
    await chosen.written()
    assert [now.theme for now in disk.wrote] == ["dark", "light", "safe", "safe"]
    assert told == ["", "", ""]
    kept = load(tmp_path / "settings.toml").settings
    assert (kept.theme, kept.servers) == ("safe", ("box:7585",))


async def test_what_cannot_be_written_is_told_in_one_sentence_and_the_next_is_tried(
    disk: SlowDisk, tmp_path: Path
) -> None:
    disk.may.set()
    disk.fault = OSError(28, "No space left on device")
    chosen = Chosen(Settings(), tmp_path / "settings.toml")
    told: list[str] = []
    chosen.heard = told.append
    chosen.change(bell="turn")
    await chosen.written()
    assert told == ["This holds for now, but cannot be kept (No space left on device)."]
    disk.fault = None
    chosen.change(theme="light")
    await chosen.written()
    assert told[1:] == [""]
    assert [now.theme for now in disk.wrote] == ["light"]


def test_the_last_change_before_the_end_is_kept(tmp_path: Path) -> None:
    ran = run(tmp_path, "--plain", typed="settings name=Zoe\nsettings language=sv\nquit\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    kept = load(tmp_path / ".config" / "skull-client" / "settings.toml").settings
    assert (kept.name, kept.language) == ("Zoe", "sv")
    assert "> Var vill du spela?" in ran.stdout


@pytest.mark.parametrize("again", ["box:7585 --tls", "box:7585 --tls --tls-ca /new.pem"])
def test_the_same_server_is_kept_once_whomever_one_trusts_there(again: str) -> None:
    before = Settings(servers=("old:1", "box:7585", "box:7585 --tls --tls-ca /old.pem"))
    assert before.with_server(again).servers == (again, "old:1", "box:7585")


@pytest.mark.parametrize("unfit", ["box --tls --tls-ca /\u202e.pem", "box --tls " + "x" * 400])
def test_a_server_that_the_file_cannot_hold_does_not_spoil_it(unfit: str) -> None:
    assert Settings(servers=("old:1",)).with_server(unfit).servers == ("old:1",)
