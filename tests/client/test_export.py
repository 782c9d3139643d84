"""The text of a finished game: what this player knew, told to the end, and nothing more."""

import os
import stat
from pathlib import Path

import pytest
from tests.client.finished import played, told, with_another_loss

from skull_client import export
from skull_protocol.skull import DiscLost, Lose, Placed

SEEDS = range(1, 40)


def test_the_story_says_who_played_what_happened_and_who_won() -> None:
    game, steps = told(played(3))
    text = export.game_text(game, steps)
    assert text.startswith("Skull, table KRTW, ")
    assert "Ana (you), Boris and Carla-Maria Lang" in text
    assert text.count("\nRound ") == game.rounds
    winner = "You won the game!" if game.winner == 0 else "won the game."
    assert text.rstrip().endswith(winner)
    assert "ready for the next round" not in text


def test_own_discs_are_told_and_those_of_others_are_not() -> None:
    for seed in SEEDS:
        game, steps = told(played(seed))
        text = export.game_text(game, steps)
        for step in steps:
            for event in step.events:
                if isinstance(event, Placed | DiscLost):
                    assert (event.disc is not None) == (event.seat == game.seat)
        hidden = [
            line
            for line in text.splitlines()
            if (" places " in line or " loses " in line) and "challenge" not in line
        ]
        assert hidden
        assert not any("flower" in line or "skull" in line for line in hidden)


def test_a_disc_lost_by_one_is_in_no_letter_of_anybody_elses_text() -> None:
    compared = 0
    for seed in SEEDS:
        record = played(seed)
        if not any(isinstance(action, Lose) for _, action in record.inputs):
            continue
        loser, here, there = with_another_loss(record)
        for seat in range(3):
            one, other = (export.game_text(*told(some, seat)) for some in (here, there))
            assert (one == other) == (seat != loser)
            compared += 1
    assert compared > 30


def test_who_left_for_good_reads_from_there_on_what_everybody_saw() -> None:
    game, steps = told(played(3, leaves=(0, 9)))
    text = export.game_text(game, steps)
    before, after = text.split("Here you left for good.")
    assert "You place a flower." in before or "You place the skull." in before
    assert "You " not in after
    assert "Ana left the game for good" in after


def test_no_control_character_of_a_name_reaches_the_file() -> None:
    from msgspec.structs import replace

    game, steps = told(played(3))
    game = replace(game, names=("Ana", "Bo\x1b[31mris\n", "Cy\u202e"))
    text = export.game_text(game, steps)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "Bo[31mris" in text


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_it_goes_to_the_documents_where_there_are_any(home: Path) -> None:
    (home / "Documents").mkdir()
    path = export.save("story", "skull-1.txt")
    assert path == home / "Documents" / "skull-1.txt"
    assert path.read_text(encoding="utf-8") == "story"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_else_it_goes_to_our_own_folder(home: Path) -> None:
    path = export.save("story", "skull-1.txt")
    assert path == home / ".local" / "state" / "skull-client" / "games" / "skull-1.txt"
    assert export.save("longer", "skull-1.txt") == path
    assert path.read_text(encoding="utf-8") == "longer"


def test_a_path_is_told_as_people_write_it(home: Path) -> None:
    assert export.path_words(home / "a" / "b.txt") == "~/a/b.txt"
    assert export.path_words(Path("/elsewhere/b.txt")) == "/elsewhere/b.txt"


def test_each_game_has_a_file_of_its_own() -> None:
    names = {export.file_name(told(played(seed))[0]) for seed in SEEDS}
    assert len(names) == len(SEEDS)
    assert all("/" not in name for name in names)
