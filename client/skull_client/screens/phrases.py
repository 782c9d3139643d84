"""Quick phrases: the palette at the table, where one key says one, and the list that is edited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.screens.ask import Answered, Ask
from skull_client.screens.entry import Entry
from skull_client.screens.window import Window
from skull_client.server_wording import worded
from skull_client.settings import MAX_PHRASES
from skull_client.state import ClientState
from skull_client.talk_wording import phrase_text
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say
from skull_protocol.phrases import PHRASES
from skull_protocol.requests import Say, SayPhrase
from skull_protocol.text import UnfitText, clean_chat, shown

NUMBERS = "1234567890abcdefghijklmnop"
"""The key of each phrase, in order."""
assert len(NUMBERS) >= MAX_PHRASES
_LONGEST = 200
"""Characters in a phrase of one's own, at most: it is said in one go, and read in passing."""
_OWN = "own words"


def numbered(phrases: Sequence[str], *, verb: str) -> list[Item]:
    """Phrases as items, each behind its key."""
    return [
        Item(at, f"{NUMBERS[at]}  {shown(phrase_text(phrase))}", verb=verb)
        for at, phrase in enumerate(phrases)
    ]


class Phrases(Window[None]):
    """One key says what stands behind it, and the window is gone."""

    def __init__(self, phrases: Sequence[str]) -> None:
        super().__init__(say("Say it"))
        self._phrases = tuple(phrases)
        self._sent = False

    def furnish(self) -> ComposeResult:
        """The phrases; where there are none, how to get some."""
        yield Menu(classes="first palette")
        yield Lines(id="refusal")

    def show(self, state: ClientState) -> None:
        """The phrases never change, the symbols may."""
        self.query_one(Menu).show(self.skull.glyphs, numbered(self._phrases, verb=say("say it")))
        if not self._phrases:
            self.refuse(say("There is no quick phrase: the settings have a list of them."))
        super().show(state)

    def on_key(self, event: events.Key) -> None:
        """The key of a phrase says it."""
        if event.character and event.character in NUMBERS[: len(self._phrases)]:
            event.stop()
            self._say(NUMBERS.index(event.character))

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """So does Enter."""
        self._say(int(str(event.item.key)))

    def _say(self, at: int) -> None:
        if self._sent:  # a key that repeats says it once
            return
        self._sent = True
        phrase = self._phrases[at]
        if phrase in PHRASES:
            self.ask(SayPhrase, phrase=phrase)
        else:
            self.ask(Say, text=phrase)

    def refuse(self, sentence: str) -> None:
        """Say why it could not be said; another try is free."""
        self._sent = False
        line = self.query_one("#refusal", Lines)
        line.display = True
        line.put(Content.styled(shown(sentence), paint.PROBLEM))


class EditPhrases(Window[None]):
    """The list itself: what is said by which key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "add", "add", id="settings.add"),
        Binding("x", "drop", "drop it", id="settings.drop"),
        Binding("u", "up", "move up", id="settings.up"),
        Binding("r", "usual", "the usual", id="settings.usual"),
    ]

    def __init__(self, changed: Callable[[tuple[str, ...]], None]) -> None:
        """`changed(phrases)` keeps them; what goes wrong is told by `refuse`."""
        super().__init__(say("Quick phrases"))
        self._changed = changed

    @property
    def _phrases(self) -> tuple[str, ...]:
        return self.skull.chosen.now.phrases

    def furnish(self) -> ComposeResult:
        """A line for each, and what is wrong."""
        yield Menu(classes="first palette")
        yield Lines(id="refusal")

    def show(self, state: ClientState) -> None:
        """List them as they are now."""
        menu = self.query_one(Menu)
        menu.show(self.skull.glyphs, numbered(self._phrases, verb=say("change")))
        super().show(state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing now are not offered."""
        if not self.is_mounted:
            return True
        at = self.query_one(Menu).index
        if action == "add":
            return len(self._phrases) < MAX_PHRASES
        if action == "drop":
            return at is not None
        return action != "up" or bool(at)

    def _keep(self, phrases: Sequence[str], at: int | None = None) -> None:
        self.refuse("")
        self._changed(tuple(phrases))
        self.show(self.skull.known)
        if at is not None:
            self.query_one(Menu).select(at)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Choose what else is to be said by this key."""
        at = int(str(event.item.key))

        def put(phrase: str) -> None:
            before = self._phrases
            self._keep((*before[:at], phrase, *before[at + 1 :]))

        self._choose(put)

    def action_add(self) -> None:
        """One more, at the end."""
        self._choose(lambda phrase: self._keep((*self._phrases, phrase), len(self._phrases)))

    def action_drop(self) -> None:
        """One less."""
        at = self.query_one(Menu).index
        if at is not None:
            self._keep((*self._phrases[:at], *self._phrases[at + 1 :]))

    def action_up(self) -> None:
        """Exchange it with the one above."""
        at = self.query_one(Menu).index
        if at:
            some = list(self._phrases)
            some[at - 1], some[at] = some[at], some[at - 1]
            self._keep(some, at - 1)

    def action_usual(self) -> None:
        """Those that everybody has at first."""
        self._keep(PHRASES)

    def _choose(self, put: Callable[[str], None]) -> None:
        """Offer own words, and every usual phrase that is not in the list."""
        rest = [phrase for phrase in PHRASES if phrase not in self._phrases]
        items = [
            Item(_OWN, say("Own words"), verb=say("type")),
            *(Item(phrase, phrase_text(phrase), verb=say("take")) for phrase in rest),
        ]

        def typed(words: str | None) -> None:
            if words:
                put(words)

        def chosen(answered: Answered | None) -> None:
            if answered is None:
                return
            if answered.key == _OWN:
                self.app.push_screen(OwnWords(), typed)
            else:
                put(str(answered.key))

        self.app.push_screen(Ask(say("What is to be said?"), "", items), chosen)

    def refuse(self, sentence: str) -> None:
        """Say what went wrong; empty: nothing."""
        line = self.query_one("#refusal", Lines)
        line.display = bool(sentence)
        line.put(Content.styled(shown(sentence), paint.PROBLEM))


class OwnWords(Entry):
    """A phrase of one's own; everybody reads it as it is typed."""

    def __init__(self) -> None:
        super().__init__(say("Own words"), say("Type what is to be said, then Enter."), _LONGEST)

    def take(self, typed: str) -> None:
        """What a server would refuse is refused here already."""
        if not typed.strip():
            return
        try:
            words = clean_chat(typed)
        except UnfitText as unfit:
            self.refuse(worded(unfit))
            return
        if words in PHRASES:  # it would be taken for the phrase with that code
            words = f"{words}."
        self.dismiss(words)
