"""The pictures of the screens in other languages than English: nothing on them is English."""

import pytest
from tests.client.conftest import GOLDEN
from tests.languages.catalogues import TRANSLATED, english_words

OF_OTHERS = ("You will never find four flowers here, and you know it.", "[b]Aye, captain[/b]")
OF_OTHERS += ("I bought roses today.", "Look behind you.", "I never bluff", "Only watching")
"""What the players in the pictures say, whatever the language of who reads it."""


def english_in(language: str, page: str) -> list[str]:
    for said in OF_OTHERS:
        page = page.replace(said, "")
    return english_words(language).findall(page)


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_screen_holds_a_word_of_english(language: str) -> None:
    pages = sorted((GOLDEN / language).glob("*.txt"))
    found = {page.name: english_in(language, page.read_text("utf-8")) for page in pages}
    assert {name: words for name, words in found.items() if words} == {}
    assert len(pages) > 50


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_language_has_the_same_screens(language: str) -> None:
    names = {one: {page.name for page in (GOLDEN / one).iterdir()} for one in TRANSLATED}
    assert names[language] == names[TRANSLATED[0]]


def test_english_is_found() -> None:
    assert english_in("ro", " Enter do it  t vorbește") == ["do it"]
    assert english_in("sv", "Boris: Look behind you.") == []
