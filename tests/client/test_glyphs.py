"""Symbols that every terminal can show."""

import pytest
from wcwidth import wcwidth

from skull_client.glyphs import ASCII, UNICODE, Glyphs


def symbols(glyphs: Glyphs) -> dict[str, str]:
    found = {
        field: getattr(glyphs, field)
        for field in glyphs.__struct_fields__
        if field not in ("name", "suits")
    }
    return found | {f"suit {letter}": sign for letter, sign in glyphs.suits.items()}


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=lambda glyphs: glyphs.name)
def test_every_symbol_is_one_cell_and_no_emoji(glyphs: Glyphs) -> None:
    for name, symbol in symbols(glyphs).items():
        assert len(symbol) == 1, name
        assert wcwidth(symbol) == 1, name
        assert ord(symbol) < 0x1F000, name
        assert symbol not in "\ufe0f☰▔▁▏▊", name
        assert symbol.isprintable(), name


def test_ascii_is_ascii() -> None:
    assert all(symbol.isascii() for symbol in symbols(ASCII).values())


def test_discs_are_letters_and_cards_keep_their_rank() -> None:
    for glyphs in (UNICODE, ASCII):
        assert glyphs.disc_label("F") == "F"
        assert glyphs.disc_label("S") == "S"
    assert UNICODE.disc_label(None) == "■"
    assert ASCII.disc_label(None) == "#"
    assert UNICODE.disc_label("7h") == "7♥"
    assert UNICODE.disc_label("10s") == "10♠"
    assert ASCII.disc_label("7h") == "7h"
    assert ASCII.disc_label("Kc") == "Kc"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=lambda glyphs: glyphs.name)
def test_no_two_faces_look_alike(glyphs: Glyphs) -> None:
    cards = [f"{rank}{suit}" for rank in (*range(2, 11), *"JQK") for suit in "cdhs"]
    labels = [glyphs.disc_label(disc) for disc in (None, "F", "S", *cards)]
    assert len(set(labels)) == len(labels)
