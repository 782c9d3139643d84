"""Keys: every binding can be given another one, and no screen has one key for two things."""

import importlib
import pkgutil
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.binding import Binding

import skull_client.screens
import skull_client.widgets
from skull_client.app import SkullApp
from skull_client.bindings import FIXED, PLACES, Keys, key_words, kinds_of, long_key
from skull_client.screens.room import Room
from skull_client.screens.window import Window


def keys() -> Keys:
    return Keys(SkullApp, kinds_of(Room), kinds_of(Window))


def own_bindings() -> list[tuple[str, Binding]]:
    """Every binding that the client declares, and where."""
    found = []
    for package in (skull_client.screens, skull_client.widgets):
        for module in pkgutil.iter_modules(package.__path__):
            named = importlib.import_module(f"{package.__name__}.{module.name}")
            for kind in vars(named).values():
                if isinstance(kind, type) and kind.__module__ == named.__name__:
                    some = Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))
                    found += [(kind.__name__, binding) for binding in some]
    some = Binding.make_bindings(SkullApp.__dict__["BINDINGS"])
    return [*found, *(("SkullApp", binding) for binding in some)]


def test_every_binding_has_an_id_but_those_that_are_the_same_everywhere() -> None:
    found = own_bindings()
    assert len(found) > 40
    missing = [
        f"{where}: {binding.key}"
        for where, binding in found
        if binding.id is None and binding.key not in FIXED
    ]
    assert not missing
    assert {str(b.id).partition(".")[0] for _, b in found if b.id is not None} <= set(PLACES)


def test_every_screen_is_known() -> None:
    """Screens are made by name: one that is in no list has no keys to be looked at."""
    names = {kind.__name__ for kind in [*kinds_of(Room), *kinds_of(Window)]}
    assert {"Start", "Lobby", "Waiting", "TableRoom", "Result", "Replay", "SettingsRoom"} <= names


def test_no_key_does_two_things_on_any_screen() -> None:
    assert keys().clash({}) is None


def test_everything_that_can_be_remapped_is_worded() -> None:
    assert all(bound.words for bound in keys().bound.values())


def test_a_key_that_is_taken_on_the_same_screen_is_said() -> None:
    some = keys()
    assert some.refusal({"table.talk": "w"}) == "The key w would do both: talk, and who."
    assert "selects something" in some.refusal({"table.talk": "b"})
    assert some.refusal({"lobby.new": "x"}) == ""  # x drops bots, but in another room
    assert some.refusal({"table.talk": "w", "table.people": "t"}) == ""  # exchanged


@pytest.mark.parametrize(
    ("name", "key", "fits"),
    [
        ("table.talk", "z", True),
        ("table.talk", "f7", True),
        ("table.talk", "comma", True),
        ("table.talk", "enter", False),
        ("table.talk", "escape", False),
        ("table.talk", "Z", False),
        ("table.talk", "7", False),
        ("table.talk", "é", False),
        ("table.talk", "ctrl+a", False),
        ("table.talk", "", False),
        ("everywhere.plain", "z", False),
        ("everywhere.plain", "f9", True),
    ],
)
def test_which_keys_can_be_given_to_what(name: str, key: str, fits: bool) -> None:
    assert (keys().unfit(name, key) == "") is fits


def test_what_cannot_be_used_of_a_file_is_said_and_the_rest_is_used() -> None:
    used, problems = keys().usable(
        {"table.talk": "z", "table.dance": "d", "table.leave": "enter", "table.people": "o"}
    )
    assert used == {"table.talk": "z"}
    assert len(problems) == 3


@given(
    st.dictionaries(
        st.one_of(st.sampled_from(sorted(keys().bound)), st.text(max_size=8)),
        st.one_of(
            st.sampled_from(
                [*"abcdefghijklmnopqrstuvwxyz,?", "f1", "f2", "enter", "a,b", "ctrl+x"]
            ),
            st.text(max_size=3),
        ),
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_whatever_a_file_says_no_key_does_two_things(chosen: dict[str, str]) -> None:
    some = keys()
    used, problems = some.usable(MappingProxyType(chosen))
    assert some.clash(used) is None
    assert bool(problems) == (len(used) < len(chosen))


def test_keys_are_called_as_people_call_them() -> None:
    assert [key_words(long_key(typed)) for typed in (",", "?", "a", "f3", "+", " ")] == [
        ",",
        "?",
        "a",
        "F3",
        "+",
        "Space",
    ]


def test_this_test_sees_every_file_of_screens() -> None:
    (folder,) = skull_client.screens.__path__
    assert {path.stem for path in Path(folder).glob("*.py")} >= {"keys", "phrases", "start"}
