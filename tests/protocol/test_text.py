"""Names and chat are other people's text: what is let through, and what is not."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from skull_protocol.text import (
    MAX_CHAT_CELLS,
    MAX_NAME_CELLS,
    UnfitText,
    clean_chat,
    clean_name,
    shown,
)

Clean = Callable[[str], str]
both = pytest.mark.parametrize("clean", [clean_name, clean_chat])

HOSTILE = {
    "escape": "\x1b",
    "nul": "\0",
    "bell": "\a",
    "backspace": "\b",
    "delete": "\x7f",
    "C1 CSI": "\x9b",
    "C1 OSC": "\x9d",
    "C1 string terminator": "\x9c",
    "right-to-left override": "\u202e",
    "left-to-right embedding": "\u202a",
    "isolate": "\u2066",
    "right-to-left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "zero-width non-joiner": "\u200c",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "soft hyphen": "\xad",
    "Mongolian vowel separator": "\u180e",
    "grapheme joiner": "\u034f",
    "Khmer inherent vowel": "\u17b4",
    "variation selector 16": "\ufe0f",
    "variation selector 1": "\ufe00",
    "variation selector 17": "\U000e0100",
    "Mongolian variation selector": "\u180b",
    "Hangul filler": "\u3164",
    "Hangul choseong filler": "\u115f",
    "Hangul jungseong filler": "\u1160",
    "halfwidth Hangul filler": "\uffa0",
    "Braille blank": "\u2800",
    "tag letter": "\U000e0041",
    "interlinear annotation": "\ufff9",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "noncharacter": "\uffff",
    "lone surrogate": "\ud800",
}


@both
@pytest.mark.parametrize("character", HOSTILE.values(), ids=HOSTILE)
def test_what_could_harm_or_hide_is_refused(clean: Clean, character: str) -> None:
    for text in (f"a{character}b", f"{character}ab", f"ab{character}", character):
        with pytest.raises(UnfitText):
            clean(text)


@pytest.mark.parametrize("character", HOSTILE.values(), ids=HOSTILE)
def test_what_could_harm_or_hide_is_never_shown(character: str) -> None:
    assert shown(f"a{character}b") == "ab"


@both
@pytest.mark.parametrize("space", ["\n", "\r\n", "\t", "\x85", "\u2028", "\xa0", "   ", " \u3000 "])
def test_space_of_any_kind_becomes_one_space(clean: Clean, space: str) -> None:
    assert clean(f"{space}Ann{space}Lee{space}") == "Ann Lee"


@both
@pytest.mark.parametrize("nothing", ["", " ", "\n\t", "\u3000"])
def test_nothing_is_refused(clean: Clean, nothing: str) -> None:
    with pytest.raises(UnfitText, match="empty"):
        clean(nothing)


@both
def test_letters_and_their_accents_are_composed(clean: Clean) -> None:
    assert clean("Zoe\u0308") == "Zo\xeb"
    assert clean("\u1112\u1161\u11ab") == "\ud55c"


@both
@pytest.mark.parametrize(
    "flood",
    [
        "x" + "\u0301\u0302\u0303" * 10,
        "Z" + "\u0489" * 3,
        "a" + "\u20dd" * 3,
        "\u1161" * 50,  # vowels that join the syllable before them, and so have no width
        "ab" + "\u1161" * 50,
        "\u0301abc",
        "\u20e3abc",
    ],
    ids=ascii,
)
def test_marks_cannot_pile_up_or_stand_alone(clean: Clean, flood: str) -> None:
    with pytest.raises(UnfitText):
        clean(flood)
    assert len(shown(flood)) <= len("abc") + 2


def test_marks_without_a_letter_to_go_onto_are_not_shown() -> None:
    assert shown("\u0301abc") == "abc"
    assert shown("\u1161" * 50) == ""


def test_whatever_has_no_width_of_its_own_is_a_mark() -> None:
    """Every character that can be seen, but for the thousands of Chinese and Hangul syllables."""
    for code in (*range(0x80, 0x3400), *range(0xA000, 0xAC00), *range(0xD7A4, 0x18000)):
        character = chr(code)
        if len(shown("a" + character)) == 2:
            marks = unicodedata.category(character)[0] == "M" or wcswidth(character) == 0
            assert len(shown("a" + character * 4)) == (3 if marks else 5), hex(code)


@both
@pytest.mark.parametrize(
    "name", ["Ann", "Ægir", "Zoë", "李小龍", "Иван", "Δημήτρης", "สมชาย", "प्रिया", "7of9", "x"]
)
def test_names_of_the_world_are_let_through(clean: Clean, name: str) -> None:
    assert clean(name) == unicodedata.normalize("NFC", name)
    assert shown(name) == name


@pytest.mark.parametrize("name", ["O'Brien", "Anne-Marie", "J. R.", "under_score", "d’Arc"])
def test_a_little_punctuation_is_part_of_names(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["[b]x", "[@click=quit]", "[/", "a<b", "a&b", "a/b", "a:b", "$x", "☠", "😀", "...", "--"],
)
def test_other_signs_are_not(name: str) -> None:
    with pytest.raises(UnfitText):
        clean_name(name)


@pytest.mark.parametrize(
    "line", ["[b]bold[/b]", "[b", "[/", "[@click=app.quit]x", "$name {x} %s \\n", "☠ ✿ 😀", "<&>"]
)
def test_chat_that_looks_like_markup_is_plain_text(line: str) -> None:
    assert clean_chat(line) == line
    assert shown(line) == line


@pytest.mark.parametrize(("clean", "cells"), [(clean_name, MAX_NAME_CELLS), (clean_chat, 200)])
def test_width_is_counted_in_terminal_cells(clean: Clean, cells: int) -> None:
    assert MAX_CHAT_CELLS == 200
    for widest in ("x" * cells, "龍" * (cells // 2), "e\u0323\u0301" * cells):
        assert clean(widest)
        with pytest.raises(UnfitText, match=f"{cells} columns"):
            clean(widest + "x")


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=30))
def test_what_is_let_through_is_clean_and_stays_so(raw: str) -> None:
    for clean, cells in ((clean_name, MAX_NAME_CELLS), (clean_chat, MAX_CHAT_CELLS)):
        try:
            text = clean(raw)
        except UnfitText:
            continue
        assert clean(text) == text
        assert shown(text) == text
        assert text == unicodedata.normalize("NFC", text)
        assert 0 < wcswidth(text) <= cells
        assert not any(unicodedata.category(c)[0] == "C" for c in text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=30))
def test_what_is_shown_is_safe_and_showing_it_again_changes_nothing(raw: str) -> None:
    text = shown(raw)
    assert shown(text) == text
    assert not any(unicodedata.category(c)[0] == "C" for c in text)
