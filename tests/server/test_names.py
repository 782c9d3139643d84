"""Names are unique under case folding and look-alikes, and none passes for a bot's."""

from typing import Any

import pytest

from skull_protocol.errors import Refusal
from skull_server.names import checked_name, looks


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ANN"),
        ("Ann", "ann"),
        ("Weiß", "WEISS"),
        ("Ann", "Аnn"),  # a Cyrillic A
        ("paypal", "рауpаl"),  # Cyrillic r, a, u
        ("Rosa", "Rοsa"),  # a Greek o
        ("Bob", "B0b"),
        ("Ill", "lIl"),
        ("Ill", "1l1"),
        ("Zoe", "Zoë"),
        ("Zoe", "Zoe\u0301"),
        ("Arne", "Ame"),
        ("Wim", "VVim"),
        ("ВАСЯ", "вася"),
        ("Вася", "Bacя"),  # Latin capitals and a, c
        ("ΣΟΦΙΑ", "σοφια"),
        ("Max", "Ｍax"),  # full width
        ("Max", "𝐌𝐚𝐱"),
        ("O'Hara", "O’Hara"),
    ],
)
def test_look_alikes_share_a_look(one: str, other: str) -> None:
    assert looks(one) & looks(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("Bob", "Rob"), ("Dora", "Cora"), ("李", "王"), ("Иван", "Олег"), ("a", "b")],
)
def test_different_names_differ(one: str, other: str) -> None:
    assert not looks(one) & looks(other)


@pytest.mark.parametrize("raw", ["", "   ", "\x1b[2J", "a\u202eb", "---", "x" * 17, "a\0b"])
def test_names_that_cannot_be_shown_are_refused(raw: str) -> None:
    with pytest.raises(Refusal) as refusal:
        checked_name(raw)
    assert refusal.value.code == "bad_name"


@pytest.mark.parametrize("raw", ["Bot Ana", "bot x", "B0t Ben", "Вot Eva"])
def test_nobody_passes_for_a_bot(raw: str) -> None:
    with pytest.raises(Refusal):
        checked_name(raw)


@pytest.mark.parametrize("name", ["Botond", "Bo", "Robot"])
def test_names_that_only_begin_like_a_bots_are_fine(name: str) -> None:
    assert checked_name(name) == name


def test_a_taken_name_is_refused_and_another_may_be_tried(world: Any) -> None:
    world.player("Olga")
    second = world.peer()
    answer = second.hello("0lga")
    assert answer.code == "name_taken"
    assert second.hello("Olga 2").id


def test_a_name_is_free_again_once_its_player_is_gone_for_good(world: Any) -> None:
    world.player("Olga").lose()
    world.time.advance(world.limits.absence - 1)
    assert world.peer().hello("olga").code == "name_taken"
    world.time.advance(2)
    world.player("olga")
