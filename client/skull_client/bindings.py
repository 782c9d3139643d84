"""Which keys do what on which screen: the usual ones, and those that the player chose instead.

A binding that has an `id` can be given another key, for all screens that have it. Arrows, Enter,
Escape and the like have none: they mean the same everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from textual.binding import Binding
from textual.keys import key_to_character

from skull_client.wording import msg, say

FIXED = frozenset(
    (
        *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
        *("enter", "escape", "tab", "space", "ctrl+c", "ctrl+q"),
        *"0123456789",  # a number, wherever there are any
    )
)
"""Keys that cannot be given to anything else."""
_SIGNS = {"plus": "+", "minus": "-"}
"""Signs that Textual calls otherwise than Unicode does."""
_FUNCTION_KEYS = frozenset(f"f{n}" for n in range(1, 13))

PLACES: Mapping[str, str] = {
    "everywhere": msg("everywhere"),
    "start": msg("start screen"),
    "lobby": msg("lobby"),
    "waiting": msg("waiting room"),
    "table": msg("at a table"),
    "replay": msg("replay"),
    "lesson": msg("lesson"),
    "settings": msg("settings"),
}
"""Where bindings belong, by what stands before the dot in their id."""


class Bound(Struct, frozen=True):
    """Something that a key does."""

    id: str
    keys: tuple[str, ...]
    """The usual ones."""
    words: str
    """What it does, to be said."""
    always: bool
    """It works while somebody types, too."""

    @property
    def place(self) -> str:
        """Where it belongs, in words."""
        place = self.id.partition(".")[0]
        return say(PLACES[place]) if place in PLACES else place


def kinds_of(base: type[Any]) -> list[type[Any]]:
    """Every kind of screen, or of window, that this client has."""
    found = []
    for below in base.__subclasses__():
        if below.__module__.startswith("skull_client."):
            found += [below, *kinds_of(below)]
    return found


def bindings_of(kind: type[Any]) -> list[Binding]:
    """The bindings of a screen that can be given another key."""
    merged = kind._merged_bindings
    return [] if merged is None else [binding for _, binding in merged if binding.id is not None]


class Keys:
    """The bindings of an app, and the keys that they have now."""

    def __init__(
        self, app: type[Any], rooms: Sequence[type[Any]], windows: Sequence[type[Any]]
    ) -> None:
        """In a window, the keys of the app do nothing; but those do that work while one types."""
        on_app = bindings_of(app)
        always = [binding for binding in on_app if binding.priority]
        self._on_screen = {
            **{kind: [*bindings_of(kind), *on_app] for kind in rooms},
            **{kind: [*bindings_of(kind), *always] for kind in windows},
        }
        self.bound: dict[str, Bound] = {}
        """All of them, by id."""
        for binding in [*on_app, *(one for some in self._on_screen.values() for one in some)]:
            assert binding.id is not None
            before = self.bound.get(binding.id)
            keys = () if before is None else before.keys
            words = before.words if before is not None and before.words else binding.description
            if binding.key not in keys:
                keys = (*keys, binding.key)
            self.bound[binding.id] = Bound(binding.id, keys, words, binding.priority)

    def now(self, chosen: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """The keys of every binding, where `chosen` gives some of them another one."""
        return {
            known.id: (chosen[known.id],) if known.id in chosen else known.keys
            for known in self.bound.values()
        }

    def clash(self, chosen: Mapping[str, str]) -> tuple[str, str, str] | None:
        """Return a key that would do two things on one screen, and the ids of both; else None.

        What a screen does with letters by itself has no binding: its id is empty.
        """
        now = self.now(chosen)
        for kind, bindings in self._on_screen.items():
            taken = dict.fromkeys(getattr(kind, "LETTERS", ""), "")
            for name in dict.fromkeys(str(binding.id) for binding in bindings):
                for key in now[name]:
                    if key in taken:
                        return key, taken[key], name
                    taken[key] = name
        return None

    def unfit(self, name: str, key: str) -> str:
        """Say why a binding cannot have a key, whatever others have; empty: it can."""
        bound = self.bound[name]
        if key in bound.keys or key in _FUNCTION_KEYS:
            return ""
        if bound.always:
            return say("This one works while you type too: give it a key from F1 to F12.")
        character = _character(key)
        if key in FIXED or character is None or not character.isprintable():
            return say("That key cannot be given away: take a letter, a sign, or F1 to F12.")
        if character != character.lower() or not character.isascii():
            return say("Take a small letter, a sign, or F1 to F12.")
        return ""

    def refusal(self, chosen: Mapping[str, str]) -> str:
        """Say which two things would have the same key; empty: all is well."""
        found = self.clash(chosen)
        if found is None:
            return ""
        key, one, other = found
        if not one:
            return say("The key {key} selects something there already.", key=key_words(key))
        return say(
            "The key {key} would do both: {one}, and {other}.",
            key=key_words(key),
            one=self.words(one),
            other=self.words(other),
        )

    def words(self, name: str) -> str:
        """What a binding does, in the reader's language."""
        return say(self.bound[name].words)

    def usable(self, chosen: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
        """Return what of a choice can be used, and say of the rest why not, in a sentence each."""
        used: dict[str, str] = {}
        problems: list[str] = []
        for name, typed in chosen.items():
            key = long_key(typed)
            if name not in self.bound:
                problems.append(say("Settings: there is no binding called {name}.", name=name))
            elif trouble := self.unfit(name, key):
                problems.append(say("Settings: {name}: {trouble}", name=name, trouble=trouble))
            else:
                used[name] = key
        while (found := self.clash(used)) and not used.keys().isdisjoint(found[1:]):
            problems.append(say("Settings: {trouble}", trouble=self.refusal(used)))
            used = {name: key for name, key in used.items() if name not in found[1:]}
        return used, problems


def long_key(typed: str) -> str:
    """Return the name that a key has here, however it was typed: `,` is `comma`."""
    if len(typed) != 1 or typed.isspace() != (typed == " "):
        return typed  # a name already, or nothing that a key could be
    signs = {",": "comma", " ": "space"}  # which would part two keys, or be none
    (binding,) = Binding.make_bindings([Binding(signs.get(typed, typed), "")])
    return binding.key


def key_words(key: str) -> str:
    """Return how a key is called on the screen: `,`, `F3`, `a`."""
    character = _character(key)
    if character is not None and character.isprintable() and character != " ":
        return character
    return key.upper() if key in _FUNCTION_KEYS else key.capitalize()


def _character(key: str) -> str | None:
    return _SIGNS.get(key) or key_to_character(key)
