"""The catalogues of translations: what the sources say, and whether all of it is translated.

`make messages` runs this: it brings every catalogue up to date with the sources, compiles it, and
tells what is still to be translated, with exit status 1 while there is anything.
"""

import ast
import io
import re
import string
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from skull_client.languages import DOMAIN, FOLDER, LANGUAGES, SOURCE

ROOT = Path(__file__).parents[2]
SOURCES = ("client/skull_client", "protocol/skull_protocol", "server/skull_server")
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "say": None,
    "say_count": (2, 3),
    "msg": None,
    "Binding": (3,),  # the key line says it
    # What a server tells people travels as these sentences, and is translated by the client.
    "Refusal": (2,),
    "refuse": (2,),
    "Error": (3,),
    "Goodbye": None,
    "UnfitText": None,
    "Unreachable": None,
}
"""What takes a sentence to be translated, and which of its arguments it is."""
TRANSLATED = tuple(language for language in LANGUAGES if language != SOURCE)
_NEVER = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in every catalogue: git knows the real one, and a catalogue changes with its words."""


def extracted() -> Catalog:
    """Return every sentence in the sources."""
    found = Catalog(fuzzy=False)
    for folder in SOURCES:
        for _file, _line, sentence, comments, context in extract_from_dir(
            ROOT / folder, [("**.py", "python")], keywords=KEYWORDS, comment_tags=("L10N:",)
        ):
            found.add(sentence, None, auto_comments=comments, context=context)
    return found


def po_file(language: str) -> Path:
    """Where the translations of a language are."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """Return the translations of a language, as its file holds them."""
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def compiled(catalogue: Catalog) -> bytes:
    """Return what gettext reads."""
    written = io.BytesIO()
    write_mo(written, catalogue)
    return written.getvalue()


def problems(language: str, sources: Catalog, catalogue: Catalog) -> Iterator[str]:
    """Tell what is wrong with the translations of a language, a line each."""
    for message in sources:
        if not message.id:
            continue
        known = catalogue.get(message.id if isinstance(message.id, str) else message.id[0])
        if known is None or not _translated(known, catalogue.num_plurals):
            yield f"{language}: not translated: {message.id!r}"
        elif known.fuzzy:
            yield f"{language}: fuzzy: {message.id!r}"
        elif known.id != message.id:
            yield f"{language}: another plural: {message.id!r}"
        else:
            yield from _bad_blanks(language, known)
    for message in catalogue:
        if message.id and message.id not in sources:
            yield f"{language}: unused: {message.id!r}"
    for unused in catalogue.obsolete.values():
        yield f"{language}: unused: {unused.id!r}"


def _translated(message: Message, plurals: int) -> bool:
    if isinstance(message.id, str):
        return bool(message.string)
    return len(message.string) == plurals and all(message.string)


def _bad_blanks(language: str, message: Message) -> Iterator[str]:
    """Whether each translation has the blanks of its sentence, and no other."""
    several = not isinstance(message.id, str)
    ids = message.id if several else (message.id,)
    strings = message.string if several else (message.string,)
    wanted = blanks(ids[-1])
    for translation in strings:
        try:
            found = blanks(translation)
        except ValueError as fault:
            yield f"{language}: {fault}: {translation!r}"
            continue
        # In the form for one, the number may be left out.
        if found != wanted and not (several and wanted - found == {"n"} and found <= wanted):
            yield f"{language}: other blanks than in {ids[-1]!r}: {translation!r}"
        if _edges(translation) != _edges(ids[-1]):
            yield f"{language}: other spaces at the edges than in {ids[-1]!r}: {translation!r}"


def _edges(sentence: str) -> tuple[int, int]:
    """How much space there is before and behind: with it, sentences are put together."""
    return len(sentence) - len(sentence.lstrip()), len(sentence) - len(sentence.rstrip())


def blanks(sentence: str) -> set[str]:
    """Return the blanks of a sentence. Raises `ValueError` where it is badly made."""
    found = set()
    for _text, name, form, conversion in string.Formatter().parse(sentence):
        if name is None:
            continue
        if not name.isidentifier():
            raise ValueError("a blank that is no plain {name}")
        found.add(name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else ""))
    return found


@cache
def set_phrases(language: str) -> re.Pattern[str]:
    """Return what matches every translation that holds no words of others: numbers at most."""
    found = []
    for message in read(language):
        for translation in [message.string] if isinstance(message.id, str) else message.string:
            if message.id and blanks(translation) <= {"n", "left", "seconds"}:
                found.append(re.sub(r"\\{\w+\\}", r"\\d+", re.escape(translation.strip())))
    return re.compile("|".join(found))


@cache
def english_words(language: str) -> re.Pattern[str]:
    """Return what matches the English of whatever is called otherwise in a language."""
    catalogue = read(language)
    translations = [
        translation
        for message in catalogue
        for translation in ([message.string] if isinstance(message.id, str) else message.string)
    ]
    every = " ".join(translations).lower()
    found = [
        re.escape(message.id)
        for message in catalogue
        if isinstance(message.id, str)
        and len(message.id) >= 4
        and not blanks(message.id)
        and message.id.lower() not in every
    ]
    return re.compile(rf"(?<![\w-])({'|'.join(found)})(?![\w-])")


def update(language: str, sources: Catalog) -> Catalog:
    """Return the translations with every sentence of the sources, and no other."""
    path = po_file(language)
    catalogue = read(language) if path.exists() else Catalog(locale=language, domain=DOMAIN)
    catalogue.update(sources, no_fuzzy_matching=True, update_header_comment=False)
    catalogue.obsolete.clear()
    catalogue.creation_date = catalogue.revision_date = _NEVER
    catalogue.project, catalogue.version = "skull-terminal", "1"
    catalogue.fuzzy = False
    catalogue.last_translator = catalogue.language_team = catalogue.msgid_bugs_address = ""
    catalogue.header_comment = f"# Skull in {LANGUAGES[language]}: see docs/translating.md."
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, no_location=True, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(read(language)))
    return catalogue


def said_on_import(path: Path) -> Iterator[int]:
    """Yield the lines of a file in which something is said while it is imported."""

    def look(node: ast.AST) -> Iterator[int]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
            for outside in (*node.decorator_list, *defaults):
                yield from look(outside)
            return
        if isinstance(node, ast.Lambda):
            return
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("say", "say_count")
        ):
            yield node.lineno
        for child in ast.iter_child_nodes(node):
            yield from look(child)

    yield from look(ast.parse(path.read_text(encoding="utf-8")))


def never_found(path: Path) -> Iterator[int]:
    """Yield the lines of a file in which a sentence is made where extraction cannot find it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unmarked = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (call.lineno for call in ast.walk(node) if _says(call))
        elif isinstance(node, ast.Call) and _says(node) and node.args:
            first = node.args[0]
            named = isinstance(first, ast.Name) and first.id in unmarked
            if named or isinstance(first, ast.JoinedStr | ast.BinOp):
                yield node.lineno


def _says(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("say", "say_count", "msg")
    )


def main() -> int:
    """Bring all up to date; return 1 while something is to be translated."""
    sources = extracted()
    found = [
        problem
        for language in TRANSLATED
        for problem in problems(language, sources, update(language, sources))
    ]
    print("\n".join([*found, f"{len(sources)} sentences, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
