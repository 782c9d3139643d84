"""The settings: whatever a file holds, the client starts, and says what it could not use."""

import stat
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skull_client.settings import Loaded, Settings, clashes, load, read, save
from skull_protocol.phrases import PHRASES

ALL = """\
# mine
name = "Ana Lu"   # as at school
language = "sv"
theme = "light"
glyphs = "ascii"
motion = "none"
bell = "turn"
phrases = ["nice_bluff", "Aye, captain"]
servers = ["box", "other:80"]

[keys]
"table.talk" = "y"
"table.leave" = "f10"
"""


def test_everything_that_can_be_set() -> None:
    chosen = Settings(
        name="Ana Lu",
        language="sv",
        theme="light",
        glyphs="ascii",
        motion="none",
        bell="turn",
        phrases=("nice_bluff", "Aye, captain"),
        servers=("box", "other:80"),
        keys={"table.talk": "y", "table.leave": "f10"},
    )
    assert read(ALL.encode()) == Loaded(chosen)
    assert read(b"\xef\xbb\xbf" + ALL.encode()).settings == chosen


def test_without_a_file_all_is_as_usual(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == Loaded()
    assert Settings().phrases == PHRASES


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("name = 5", r"line 1: name has to stand in quotes"),
        ('\n\nname = "\\u202e"', r"line 3: name cannot be shown"),
        ('bell = "loud"', r"line 1: bell can be off, turn"),
        ('# x\nglyphs = "emoji"', r"line 2: glyphs can be auto, unicode, ascii"),
        ('language = "tlh"', r"line 1: language can be auto, en, ro, sv"),
        (
            'theme = "paper"',
            r"line 1: theme can be auto, dark, light, contrast, safe",
        ),
        ("phrases = 'hello'", r"line 1: phrases has to be a list of 24"),
        ("phrases = [1]", r"line 1: phrases has to stand in quotes"),
        ("keys = 3", r"line 1: keys has to be a table"),
        ("a = 1\n[keys]\nx = 1", r"line 2: keys has to stand in quotes"),
        ("servers = [['box']]", r"line 1: servers has to stand in quotes"),
        ('langauge = "sv"', r"line 1: there is no setting called langauge"),
        ('[keys]\n"table.a" = "x"\n"table.b" = "x"', r"line 1: The key x is given to both table.a"),
    ],
)
def test_one_bad_value_is_named_and_the_rest_is_used(text: str, hint: str) -> None:
    loaded = read(f"{text}\n[servers_of_another_version]\nx = 1\n".encode())
    assert loaded.usable
    assert any(hint in problem for problem in loaded.problems), loaded.problems
    good = read(f'motion = "none"\n{text}'.encode())
    assert good.settings.motion == "none"
    assert good.settings.name == ""


def test_keys_of_different_screens_do_not_clash() -> None:
    assert not read(b'[keys]\n"table.a" = "x"\n"lobby.a" = "x"').problems
    assert len(clashes({"a": "x", "b": "x", "c": "x", "d": "y"})) == 2


@pytest.mark.parametrize(
    ("raw", "hint"),
    [
        (b'name = "Ana"\nbell = \n', "line 2 is no TOML"),
        (b'name = "Ana"\nname = "Bob"', "line 2 is no TOML"),
        (b'name = "Ana"\n\nphrases = [', "line 3 is no TOML"),
        (b'name = "Ana"\n# \xff', "line 2 is not UTF-8"),
        (b"#" * 300_000, "too large"),
    ],
)
def test_a_broken_file_is_left_alone(raw: bytes, hint: str, tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(raw)
    loaded = load(path)
    (problem,) = loaded.problems
    assert hint in problem
    assert loaded.settings == Settings()
    assert not loaded.usable
    assert path.read_bytes() == raw


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    assert "cannot be read" in load(tmp_path).problems[0]


@given(raw=st.binary(max_size=400))
@example(raw=b"x = " + b"[" * 5000)
@example(raw=b"[" * 4000)
@example(raw=b"x = 99999-99-99")
@example(raw=b"keys.a.b = 1")
@example(raw=b"x = 1" + b"0" * 5000)
def test_no_file_stops_the_client(raw: bytes) -> None:
    check(read(raw))


VALUES = st.recursive(
    st.sampled_from(
        ["true", "1", "-inf", "2026-01-01", '"x"', "''", '"\\u202e"', '"' + "x" * 300 + '"']
    ),
    lambda some: st.lists(some, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=6,
)
NAMES = st.sampled_from(
    [
        "name",
        "language",
        "theme",
        "glyphs",
        "motion",
        "bell",
        "phrases",
        "keys",
        "servers",
        "x",
        '"a b"',
    ]
)


@given(st.lists(st.tuples(NAMES, VALUES), max_size=6))
def test_no_values_stop_the_client(pairs: list[tuple[str, str]]) -> None:
    check(read("\n".join(f"{name} = {value}" for name, value in pairs).encode()))


def check(loaded: Loaded) -> None:
    assert all("\n" not in problem and problem.endswith(".") for problem in loaded.problems)
    assert isinstance(hash(loaded.settings.phrases), int)


# -- writing -------------------------------------------------------------------------------------


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "settings.toml"
    chosen = read(ALL.encode()).settings
    save(chosen, path)
    assert load(path) == Loaded(chosen)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_comments_order_and_foreign_values_stay(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    text = ALL + "\n[theirs]\nx = 1 # kept\n"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    save(loaded.settings, path)
    assert path.read_text(encoding="utf-8") == text
    changed = replace(loaded.settings, bell="off", keys={"table.talk": "z"})
    save(changed, path)
    expected = text.replace('bell = "turn"', 'bell = "off"').replace('= "y"', '= "z"')
    assert path.read_text(encoding="utf-8") == expected.replace('"table.leave" = "f10"\n', "")


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    save(Settings(bell="turn"), path)
    assert path.read_text(encoding="utf-8") == 'bell = "turn"\n'
    save(Settings(), path)
    assert load(path) == Loaded()


def test_a_broken_file_is_set_aside_when_something_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"name = ")
    save(Settings(name="Ana"), path)
    assert load(path).settings.name == "Ana"
    assert path.with_name("settings.toml.broken").read_bytes() == b"name = "


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.toml"
    save(Settings(name="Ana"), path)

    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(Settings(name="Bob"), path)
    assert load(path).settings.name == "Ana"
    assert [item.name for item in tmp_path.iterdir()] == ["settings.toml"]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("", encoding="utf-8")
    path = tmp_path / "settings.toml"
    path.symlink_to(kept)
    save(Settings(name="Ana"), path)
    assert path.is_symlink()
    assert load(kept).settings.name == "Ana"


@settings(max_examples=50)
@given(raw=st.binary(max_size=200))
def test_saving_over_anything_leaves_a_file_that_can_be_read(
    raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    path.write_bytes(raw)
    save(Settings(name="Ana"), path)
    assert load(path).settings.name == "Ana"


def test_the_latest_server_is_first_and_few_are_kept() -> None:
    chosen = Settings()
    for number in range(12):
        chosen = chosen.with_server(f"box{number}")
    chosen = chosen.with_server("box9")
    assert chosen.servers[:3] == ("box9", "box11", "box10")
    assert len(chosen.servers) == 8
