"""What the player has set, in a TOML file of their own that they may edit.

Reading never fails: what cannot be used is said in one sentence each, and the rest is used.
Writing keeps the player's comments, and whatever is not ours.
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

import platformdirs
from msgspec import Struct, field
from msgspec.structs import replace

from skull_client.languages import LANGUAGES
from skull_client.themes import THEMES
from skull_client.whole_file import write_whole
from skull_client.wording import reason, say
from skull_protocol.phrases import PHRASES
from skull_protocol.text import UnfitText, clean_chat, clean_name, shown

FILE = "settings.toml"
MAX_BYTES = 256 * 1024
"""A larger file is not ours."""
MAX_PHRASES, MAX_SERVERS = 24, 8
LONGEST_SERVER = 400
"""Characters of a server as typed: behind its address there may be a path."""

AUTO = "auto"
"""The choice of what fits the terminal, or the environment."""
GlyphChoice = Literal["auto", "unicode", "ascii"]
Motion = Literal["full", "none"]
Bell = Literal["off", "turn"]
LanguageChoice = Literal["auto", "en", "ro", "sv"]
assert get_args(LanguageChoice) == ("auto", *LANGUAGES)

Keys = Mapping[str, str]
"""The key of each binding that was given another one, by the binding's id."""


def _no_keys() -> Keys:
    return MappingProxyType({})


class Settings(Struct, frozen=True):
    """Everything that can be set, as it is used. Each default is what a new player gets."""

    name: str = ""
    """The name at the table; empty: the login name."""
    language: LanguageChoice = "auto"
    """What the player reads; `auto`: what the environment says."""
    theme: str = AUTO
    """The colours, by the name of a theme; `auto`: what fits the terminal."""
    glyphs: GlyphChoice = "auto"
    """The symbols that are drawn; `auto`: what the terminal can show."""
    motion: Motion = "full"
    """Whether discs are seen to turn over; over SSH they never are."""
    bell: Bell = "off"
    """Whether the terminal's bell rings when it becomes this player's turn."""
    phrases: tuple[str, ...] = PHRASES
    """The quick phrases, in the order of their numbers: a code of the usual ones, or own words."""
    keys: Keys = field(default_factory=_no_keys)
    servers: tuple[str, ...] = ()
    """The servers that were played on, the latest first, as typed: `box:7585`, `box --tls`."""

    def with_server(self, server: str) -> "Settings":
        """Return the settings with this server as the latest, in the place of the same one.

        One that the file could not hold is left out.
        """
        if not _fits(server, LONGEST_SERVER):
            return self
        others = tuple(known for known in self.servers if _place(known) != _place(server))
        return replace(self, servers=(server, *others)[:MAX_SERVERS])


class Loaded(Struct, frozen=True):
    """What a file holds, and what in it could not be used, in a sentence each."""

    settings: Settings = Settings()
    problems: tuple[str, ...] = ()
    usable: bool = True
    """Whether the file could be made sense of as a whole; else it is not written to by itself."""


def settings_file() -> Path:
    """Where this user's settings are; the file may not exist yet."""
    return platformdirs.user_config_path("skull-client", appauthor=False) / FILE


def load(path: Path | None = None) -> Loaded:
    """Read the settings. Never raises, and never changes the file."""
    path = path or settings_file()
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return Loaded()
    except OSError as fault:
        return _all_unused(say("it cannot be read ({reason})", reason=reason(fault)))
    return read(raw)


def read(raw: bytes) -> Loaded:
    """Make sense of what a file holds. Never raises."""
    if len(raw) > MAX_BYTES:
        return _all_unused(say("it is too large"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        return _all_unused(say("line {line} is not UTF-8", line=line))
    try:
        known = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as fault:
        return _all_unused(_syntax(text, fault))
    return _taken(known, text)


def save(settings: Settings, path: Path | None = None) -> None:
    """Write the settings, all or nothing; what else the file holds, comments too, stays.

    A file that is no TOML is set aside beside the new one, with `.broken` behind its name.
    Raises `OSError`.
    """
    import tomlkit  # only those who change something need it
    from tomlkit.exceptions import TOMLKitError

    path = path or settings_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = tomlkit.document()
    if path.exists():
        try:
            document = tomlkit.parse(path.read_bytes().decode("utf-8-sig"))
        except (TOMLKitError, UnicodeDecodeError, RecursionError):
            os.replace(path, path.with_name(f"{path.name}.broken"))
    usual = Settings()
    for name in Settings.__struct_fields__:
        value: Any = getattr(settings, name)
        if name == "keys":
            _write_keys(document, value)
        elif name in document or value != getattr(usual, name):
            plain = list(value) if isinstance(value, tuple) else value
            if document.get(name) != plain:
                document[name] = plain
    write_whole(path, tomlkit.dumps(document))


def clashes(keys_by_binding: Mapping[str, str]) -> list[str]:
    """Say which bindings of one screen have the same key, in a sentence each.

    `keys_by_binding`: the key of every binding there, those that were not remapped included.
    """
    first: dict[str, str] = {}
    found = []
    for binding, key in keys_by_binding.items():
        if key in first:
            found.append(
                say(
                    "The key {key} is given to both {one} and {other}: change one of them.",
                    key=key,
                    one=first[key],
                    other=binding,
                )
            )
        else:
            first[key] = binding
    return found


# -- reading ---------------------------------------------------------------------------------------


class _Unfit(Exception):  # noqa: N818 - says what the value is
    """A value cannot be used; the message says what it may be."""


def _taken(known: Mapping[str, Any], text: str) -> Loaded:
    settings, problems = Settings(), []
    for name, value in known.items():
        take = _TAKES.get(name)
        if take is None:  # a slip, or another version's
            line = _line_of(text, name)
            words = say(
                "Settings, line {line}: there is no setting called {name}; it is left alone.",
                line=line,
                name=shown(name)[:40],
            )
            problems.append(words)
            continue
        try:
            settings = replace(settings, **{name: take(value)})
        except _Unfit as unfit:
            line = _line_of(text, name)
            problems.append(
                say(
                    "Settings, line {line}: {name} {problem}; the usual is used instead.",
                    line=line,
                    name=name,
                    problem=unfit,
                )
            )
    for bindings in _by_screen(settings.keys):
        for clash in clashes(bindings):
            line = _line_of(text, "keys")
            problems.append(say("Settings, line {line}: {clash}", line=line, clash=clash))
    return Loaded(settings, tuple(problems))


def _by_screen(keys: Keys) -> list[dict[str, str]]:
    """Sort bindings by what stands before the last dot of their id: the screen they are on."""
    screens: dict[str, dict[str, str]] = {}
    for binding, key in keys.items():
        screens.setdefault(binding.rpartition(".")[0], {})[binding] = key
    return list(screens.values())


def _all_unused(problem: str) -> Loaded:
    words = say(
        "The settings are not used, the usual ones are: {problem}. The file stays as it is.",
        problem=problem,
    )
    return Loaded(problems=(words,), usable=False)


def _syntax(text: str, fault: Exception) -> str:
    """Say where the file stops being TOML."""
    found = re.search(r"\(at line (\d+), column \d+\)", str(fault))
    if found is not None:
        return say("line {line} is no TOML", line=found[1])
    if "end of document" in str(fault):
        return say("line {line} is no TOML", line=text.count("\n") + 1)
    return say("it is no TOML")


def _line_of(text: str, name: str) -> int:
    """The line in which a value is set, from 1; that of its beginning if it has several."""
    pattern = re.compile(rf"\s*\[?\s*[\"']?{re.escape(name)}[\"']?\s*[\].=]")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return number
    return 1


def _one_of(*allowed: str) -> Callable[[object], str]:
    def take(value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise _Unfit(say("can be {values}", values=", ".join(allowed)))
        return value

    return take


def _name(value: object) -> str:
    if value == "":
        return ""
    try:
        return clean_name(_string(value))
    except UnfitText as unfit:
        raise _Unfit(say("cannot be shown safely, or is too long")) from unfit


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise _Unfit(say("has to stand in quotes"))
    return value


def _place(server: str) -> str:
    """A server without the certificate that is trusted there."""
    return server.partition(" --tls-ca ")[0]


def _fits(word: str, longest: int) -> bool:
    return 0 < len(word) <= longest and shown(word) == word


def _word(value: object, longest: int = 100) -> str:
    word = _string(value)
    if not _fits(word, longest):
        raise _Unfit(say("cannot be shown safely, or is too long"))
    return word


def _list(value: object, most: int) -> list[object]:
    if not isinstance(value, list) or len(value) > most:
        raise _Unfit(say("has to be a list of {n} at most", n=most))
    return value


def _phrases(value: object) -> tuple[str, ...]:
    try:
        return tuple(clean_chat(_string(item)) for item in _list(value, MAX_PHRASES))
    except UnfitText as unfit:
        raise _Unfit(say("cannot be shown safely, or is too long")) from unfit


def _servers(value: object) -> tuple[str, ...]:
    return tuple(_word(item, LONGEST_SERVER) for item in _list(value, MAX_SERVERS))


def _keys(value: object) -> Keys:
    if not isinstance(value, dict):
        raise _Unfit(say("has to be a table of binding = key"))
    return MappingProxyType({_word(binding): _word(key) for binding, key in value.items()})


_TAKES: Final[Mapping[str, Callable[[object], object]]] = {
    "name": _name,
    "language": _one_of(*get_args(LanguageChoice)),
    "theme": _one_of(AUTO, *THEMES),
    "glyphs": _one_of(*get_args(GlyphChoice)),
    "motion": _one_of(*get_args(Motion)),
    "bell": _one_of(*get_args(Bell)),
    "phrases": _phrases,
    "keys": _keys,
    "servers": _servers,
}
assert list(_TAKES) == list(Settings.__struct_fields__)


# -- writing ---------------------------------------------------------------------------------------


def _write_keys(document: Any, keys: Keys) -> None:
    """Write the keys that were remapped; those that no longer are go."""
    import tomlkit

    table = document.get("keys")
    if not isinstance(table, dict):
        if not keys:
            document.pop("keys", None)
            return
        table = document["keys"] = tomlkit.table()
        table = document["keys"]
    for binding in [known for known in table if known not in keys]:
        del table[binding]
    for binding, key in keys.items():
        if table.get(binding) != key:
            table[binding] = key
