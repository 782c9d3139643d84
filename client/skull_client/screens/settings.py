"""The settings on a screen: arrows select and change, Enter opens what cannot be turned through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from skull_client.languages import LANGUAGES
from skull_client.screens.entry import Entry
from skull_client.screens.keys import EditKeys
from skull_client.screens.phrases import EditPhrases
from skull_client.screens.room import Room
from skull_client.screens.setup import Settings
from skull_client.server_wording import worded
from skull_client.settings import AUTO
from skull_client.state import ClientState
from skull_client.themes import THEMES
from skull_client.widgets import paint
from skull_client.widgets.lines import Lines, boxed
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import msg, say, say_count
from skull_protocol.text import UnfitText, clean_name, shown

_LABEL, _VALUE = 18, 26


class _Row(Struct, frozen=True):
    """A setting: how it is called, what it is for, and the values that the arrows go through."""

    label: str
    meaning: str
    values: tuple[str, ...] = ()


_ROWS: Mapping[str, _Row] = {
    "name": _Row(msg("Name"), msg("What others call you, from the next table on.")),
    "language": _Row(msg("Language"), msg("What you read."), (AUTO, *LANGUAGES)),
    "theme": _Row(msg("Colours"), msg("Key F3 shows them all, wherever you are."), (AUTO, *THEMES)),
    "glyphs": _Row(
        msg("Symbols"), msg("Plain ones are for old terminals (F2)."), (AUTO, "unicode", "ascii")
    ),
    "motion": _Row(
        msg("Motion"), msg("Discs are seen to turn over; never over SSH."), ("full", "none")
    ),
    "bell": _Row(msg("Bell"), msg("The terminal rings when your turn comes."), ("off", "turn")),
    "phrases": _Row(msg("Quick phrases"), msg("What one key says at the table.")),
    "keys": _Row(msg("Keys"), msg("Which key does what. Arrows, Enter and Escape stay.")),
}
_WORDS: Mapping[tuple[str, str], str] = {
    ("language", AUTO): msg("what your system says"),
    ("theme", AUTO): msg("what fits the terminal"),
    ("glyphs", AUTO): msg("what fits the terminal"),
    ("glyphs", "unicode"): msg("all there are"),
    ("glyphs", "ascii"): msg("plain ASCII"),
    ("motion", "full"): msg("discs turn over"),
    ("motion", "none"): msg("everything stands still"),
    ("bell", "off"): msg("never"),
    ("bell", "turn"): msg("at my turn"),
}


class SettingsRoom(Room):
    """Every change is seen and kept at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", key_display="escape"),
        Binding("q", "app.quit_game", "quit", show=False, id="everywhere.quit"),
    ]

    def __init__(self, selected: str = "name") -> None:
        super().__init__()
        self.selected = selected
        """The setting that is selected."""

    def furnish(self) -> ComposeResult:
        """The list, what the selected one means, and what of the file could not be used."""
        yield boxed(Settings(id="settings", classes="first"), say("Settings"))
        yield Lines(id="about")
        yield Lines(id="problems")

    def heading(self, state: ClientState) -> tuple[str, str]:
        """The game, and what this is."""
        return say("Skull {dot} Settings", dot=self.glyphs.separator), self.skull.chosen.now.name

    def draw(self, state: ClientState) -> None:
        """List everything as it is set now."""
        glyphs, menu = self.glyphs, self.query_one(Settings)
        chosen, begins = self.selected, not menu.items
        menu.still = frozenset(name for name, row in _ROWS.items() if not row.values)
        items = []
        for name, row in _ROWS.items():
            value = self._value(name)
            if row.values and name == chosen:
                choice = f"{glyphs.left} {paint.fit(glyphs, value, _VALUE)} {glyphs.right}"
            else:
                choice = f"  {value}"
            label = paint.fit(glyphs, say(row.label), _LABEL)
            verb = say("next") if row.values else say("change")
            items.append(Item(name, f"{label} {choice}", verb=verb))
        menu.show(glyphs, items)
        if begins:
            menu.select(list(_ROWS).index(chosen))
        self._tell(chosen)

    def _value(self, name: str) -> str:
        """How something is set, in words."""
        now = self.skull.chosen.now
        if name == "name":
            return shown(now.name)
        if name == "phrases":
            return say_count(len(now.phrases), "{n} phrase", "{n} phrases")
        if name == "keys":
            changed = len(now.keys)
            return say_count(changed, "{n} changed", "{n} changed") if changed else say("as usual")
        value = str(getattr(now, name))
        if (name, value) in _WORDS:
            return say(_WORDS[name, value])
        return LANGUAGES[value] if name == "language" else say(THEMES[value].label)

    def _tell(self, name: str) -> None:
        self.query_one("#about", Lines).put(say(_ROWS[name].meaning))
        problems = self.skull.chosen.problems
        lines = [Content.styled(f"  {shown(problem)}", paint.PROBLEM) for problem in problems]
        if problems:
            words = say("What you change here is written to the file; one that is no TOML is kept.")
            lines.append(Content.styled(f"  {words}", paint.QUIET))
        box = self.query_one("#problems", Lines)
        box.display = bool(lines)
        box.put(Content("\n").join(lines))

    def on_menu_moved(self, event: Menu.Moved) -> None:
        """Another setting, another meaning."""
        selected = self.query_one(Settings).selected
        if selected is not None:
            self.selected = str(selected.key)
        self.show(self.skull.known)

    def on_settings_turned(self, event: Settings.Turned) -> None:
        """Go to the next value, round the ends."""
        values = _ROWS[event.field].values
        if values:
            at = values.index(str(getattr(self.skull.chosen.now, event.field)))
            self._change(**{event.field: values[(at + event.step) % len(values)]})

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """Open what has to be typed or listed; go to the next value of all else."""
        match event.item.key:
            case "name":
                self.app.push_screen(NewName(), self._rename)
            case "phrases":
                self.app.push_screen(EditPhrases(lambda some: self._change(phrases=some)))
            case "keys":
                self.app.push_screen(EditKeys(self.skull.keys, self._change_keys))
            case name:
                self.on_settings_turned(Settings.Turned(str(name), 1))

    def _rename(self, name: str | None) -> None:
        if name:
            self._change(name=name)

    def _change_keys(self, keys: Mapping[str, str]) -> None:
        self._change(keys=keys)

    def _change(self, **changes: object) -> None:
        """Live by a change, and have it kept."""
        self.notice("")
        self.skull.chosen.change(**changes)
        self.skull.apply_settings()
        self.show(self.skull.known)

    def on_mount(self) -> None:
        """Hear what becomes of changes."""
        super().on_mount()
        self.skull.chosen.heard = self._heard

    def _heard(self, trouble: str) -> None:
        """Say what could not be kept, here and in the list above this screen that it is about."""
        if not self.is_mounted:
            return
        if trouble:
            self.notice(trouble)
            if isinstance(self.app.screen, EditKeys | EditPhrases):
                self.app.screen.refuse(trouble)
        self.show(self.skull.known)

    def action_back(self) -> None:
        """To where one came from, which is drawn as it is set now."""
        self.dismiss(None)
        self.app.call_later(self.skull.redraw)


class NewName(Entry):
    """A name; what a server would refuse is refused here already."""

    def __init__(self) -> None:
        super().__init__(say("Name"), say("Type how others are to call you, then Enter."), 64)

    def take(self, typed: str) -> None:
        """That is the name."""
        try:
            self.dismiss(clean_name(typed))
        except UnfitText as unfit:
            self.refuse(worded(unfit))
