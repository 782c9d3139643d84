"""Everything that players read is translated, in the forms of each language, and up to date."""

import gettext
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog
from tests.languages import catalogues
from tests.languages.catalogues import ROOT, SOURCES, TRANSLATED

from skull_client import languages, server_wording, talk_wording, wording
from skull_client.option_wording import unusual_options
from skull_protocol.errors import Refusal
from skull_protocol.phrases import PHRASES
from skull_protocol.pushes import Blank, Chat, Error, refused
from skull_protocol.tables import TableOptions


@pytest.fixture(scope="module")
def sources() -> Catalog:
    return catalogues.extracted()


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    languages.use("en")


@pytest.mark.parametrize("language", TRANSLATED)
def test_everything_is_translated_and_nothing_else(language: str, sources: Catalog) -> None:
    found = list(catalogues.problems(language, sources, catalogues.read(language)))
    assert not found, "\n".join(
        [*found[:20], f"{len(found)} in all: translate, then make messages"]
    )


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_read_is_what_was_translated(language: str) -> None:
    written = catalogues.po_file(language).with_suffix(".mo").read_bytes()
    assert written == catalogues.compiled(catalogues.read(language)), "run: make messages"


def test_sentences_are_found_wherever_they_stand(sources: Catalog) -> None:
    for sentence in (
        "Place your first disc, face down.",  # a screen's
        "Nice bluff!",  # said later
        "{n} point",  # of several forms
        "The game has moved on: look again, then choose.",  # the server's
        "A name cannot be empty: please type something.",  # the protocol's
    ):
        assert sentence in sources


def test_nothing_is_said_while_modules_are_imported() -> None:
    found = [
        f"{path.name}:{line}"
        for folder in SOURCES
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in catalogues.said_on_import(path)
    ]
    assert not found, "what is said then stays in one language: mark it by msg, and say it later"


def test_every_sentence_can_be_found() -> None:
    found = [
        f"{path.name}:{line}"
        for folder in SOURCES
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in catalogues.never_found(path)
    ]
    assert not found, "say it outside the f-string, and with blanks instead of one"


def faulty(*messages: tuple[str | tuple[str, str], str | tuple[str, ...]]) -> list[str]:
    """What is found wrong with these translations into Romanian."""
    sources, catalogue = Catalog(), Catalog(locale="ro")
    for sentence, translation in messages:
        sources.add(sentence)
        catalogue.add(sentence, translation)
    return list(catalogues.problems("ro", sources, catalogue))


def test_each_kind_of_fault_is_found() -> None:
    assert faulty(("You bid {n}.", "Licitezi {n}.")) == []
    assert "not translated" in faulty(("You pass.", ""))[0]
    assert "other blanks" in faulty(("You bid {n}.", "Licitezi {m}."))[0]
    assert "other blanks" in faulty(("You bid {n}.", "Licitezi."))[0]
    assert "no plain" in faulty(("You bid {n}.", "Licitezi {n.real}."))[0]
    assert "spaces" in faulty((" Rules:", "Reguli:"))[0]
    points = ("{n} point", "{n} points")
    assert faulty((points, ("un punct", "{n} puncte", "{n} de puncte"))) == []
    assert "not translated" in faulty((points, ("un punct", "{n} puncte", "")))[0]
    assert "other blanks" in faulty((points, ("{n} punct", "puncte", "{n} de puncte {x}")))[0]
    sources, catalogue = Catalog(), Catalog(locale="ro")
    catalogue.add("Gone.", "Dus.")
    assert "unused" in next(catalogues.problems("ro", sources, catalogue))
    sources.add("Gone.")
    catalogue["Gone."].flags.add("fuzzy")
    assert "fuzzy" in next(catalogues.problems("ro", sources, catalogue))


# -- which language ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "environment", "language"),
    [
        ("sv", {"LANG": "ro_RO.UTF-8"}, "sv"),
        ("auto", {"LANG": "ro_RO.UTF-8"}, "ro"),
        (None, {"LANG": "sv_SE"}, "sv"),
        ("auto", {"LC_ALL": "sv_FI.UTF-8@euro", "LANG": "ro_RO"}, "sv"),
        ("auto", {"LC_ALL": "", "LC_MESSAGES": "ro", "LANG": "sv_SE"}, "ro"),
        ("auto", {"LC_ALL": "C.UTF-8", "LANG": "sv_SE"}, "en"),
        ("auto", {"LANGUAGE": "fi:ro:sv", "LC_ALL": "sv_SE"}, "ro"),
        ("auto", {"LANG": "de_DE.UTF-8"}, "en"),
        ("klingon", {}, "en"),
        ("auto", {}, "en"),
    ],
)
def test_the_setting_decides_then_the_environment(
    setting: str | None, environment: dict[str, str], language: str
) -> None:
    assert languages.wanted(setting, environment) == language


def test_a_language_is_changed_while_the_program_runs() -> None:
    english = talk_wording.phrase_words("thanks"), unusual_options(TableOptions(turn_seconds=0))
    seen = {english}
    for language in TRANSLATED:
        languages.use(language)
        assert languages.language() == language
        seen.add(
            (talk_wording.phrase_words("thanks"), unusual_options(TableOptions(turn_seconds=0)))
        )
    assert len(seen) == 3
    languages.use("en")
    assert talk_wording.phrase_words("thanks") == english[0]
    with pytest.raises(KeyError):
        languages.use("tlh")


def test_each_number_has_the_form_that_goes_with_it() -> None:
    def points(number: int) -> str:
        return wording.say_count(number, "{n} point", "{n} points")

    languages.use("ro")
    assert [points(n) for n in (1, 2, 19, 20, 101, 120)] == [
        "1 punct",
        "2 puncte",
        "19 puncte",
        "20 de puncte",
        "101 puncte",
        "120 de puncte",
    ]
    languages.use("sv")
    assert [points(n) for n in (1, 2)] == ["1 poäng", "2 poäng"]


# -- what others word ------------------------------------------------------------------------------


def test_a_refusal_is_read_in_the_readers_language() -> None:
    told = refused(7, Refusal("not_host", "Only the host may do that: ask {host}.", host="{n} Ana"))
    assert told.message == "Only the host may do that: ask {n} Ana."
    assert server_wording.refusal_words(told) == told.message
    languages.use("sv")
    words = server_wording.refusal_words(told)
    assert words.endswith("{n} Ana.")
    assert words != told.message
    plain = Error(7, "stale", "The game has moved on: look again, then choose.")
    assert server_wording.refusal_words(plain) not in ("", plain.message)


def test_what_a_server_sends_is_never_a_format() -> None:
    evil = Error(1, "internal", "x", "{a.__class__} {b} {0} {", (Blank("b", "{a}"),))
    for language in ("en", *TRANSLATED):
        languages.use(language)
        assert server_wording.refusal_words(evil) == "{a.__class__} {a} {0} {"
        assert server_wording.refusal_words(Error(1, "internal", "")) == ""
        assert server_wording.goodbye_words("{nothing} known") == "{nothing} known"


def test_everybody_reads_a_phrase_in_their_own_language() -> None:
    for phrase in PHRASES:
        words = set()
        for language in languages.LANGUAGES:
            languages.use(language)
            words.add(talk_wording.said(Chat(1, "Ana", "", phrase)))
        assert len(words) == 3, phrase
    assert talk_wording.said(Chat(1, "Ana", "Thanks!")) == "Thanks!"


def test_own_phrases_are_as_they_were_typed() -> None:
    languages.use("sv")
    assert talk_wording.phrase_text("Thanks!") == "Thanks!"
    assert talk_wording.phrase_text("thanks") == talk_wording.phrase_words("thanks")


def test_catalogues_come_with_the_program() -> None:
    for language in TRANSLATED:
        assert gettext.find(languages.DOMAIN, languages.FOLDER, [language])
