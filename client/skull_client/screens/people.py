"""Everybody at the table, and what may be done about them: mute, hand to a bot, send away."""

from __future__ import annotations

from textual.app import ComposeResult

from skull_client.people import Person, about_removing, people
from skull_client.screens.ask import Answered, Ask
from skull_client.screens.room import Room
from skull_client.screens.window import Window
from skull_client.state import ClientState
from skull_client.widgets import seat_card
from skull_client.widgets.columns import in_columns
from skull_client.widgets.menu import Item, Menu
from skull_client.wording import say
from skull_protocol.requests import HandToBot, Mute, RemovePlayer, Request

LEAVE_BE = "leave be"
"""The answer that does nothing."""
_WIDTH, _FRAME = 64, 6
"""Columns of the window, and what of them goes to its frame and the mark of who is selected."""


class People(Window[Person]):
    """A list to choose somebody from."""

    def __init__(self) -> None:
        super().__init__(say("Who is here"))

    def furnish(self) -> ComposeResult:
        """A line for each."""
        yield Menu(classes="first fitted")

    def show(self, state: ClientState) -> None:
        """List everybody as they are now."""
        glyphs, everybody = self.skull.glyphs, people(state)
        rows = [
            (
                person.name,
                say("watches") if person.seat is None else say("seat {n}", n=person.seat + 1),
                self._notes(state, person),
            )
            for person in everybody
        ]
        lines = in_columns(glyphs, rows, min(self.app.size.width, _WIDTH) - _FRAME, gives=2)
        items = [
            Item(person, line, verb=say("open") if what_to_do(state, person, muted=False) else "")
            for person, line in zip(everybody, lines, strict=True)
        ]
        self.query_one(Menu).show(glyphs, items)
        super().show(state)

    def _notes(self, state: ClientState, person: Person) -> str:
        notes = []
        if state.me is not None and person.player == state.me.player:
            notes.append(say("you"))
        if state.table is not None and person.player == state.table.host:
            notes.append(say("host"))
        if person.info is not None and person.info.bot_plays:
            notes.append(say("a bot plays"))
        elif person.info is not None and (words := seat_card.presence(person.info)):
            notes.append(words)
        if person.player in self.skull.muted:
            notes.append(say("muted"))
        return ", ".join(notes)

    def on_menu_chosen(self, event: Menu.Chosen) -> None:
        """That is who is meant."""
        if isinstance(event.item.key, Person):
            self.dismiss(event.item.key)


def what_to_do(state: ClientState, person: Person, *, muted: bool) -> list[Item]:
    """List what this player may do about somebody, the mildest first."""
    table, me = state.table, state.me
    if table is None or me is None or person.player in (None, me.player):
        return []
    if muted:
        items = [Item("hear", say("Hear {name} again", name=person.name))]
    else:
        items = [Item("mute", say("Mute {name}, for you alone", name=person.name))]
    if state.is_host:
        if table.stage == "playing" and person.info is not None and not person.info.bot_plays:
            items.append(Item("bot", say("Have a bot play for {name}", name=person.name)))
        items.append(Item("remove", say("Send {name} away for good", name=person.name)))
    return items


def open_people(room: Room) -> None:
    """Show who is here, then what may be done about who was chosen, then do it."""
    skull = room.skull

    def chosen(person: Person | None) -> None:
        state = skull.known
        if person is None or state.table is None:
            return
        items = what_to_do(state, person, muted=person.player in skull.muted)
        harmless = Item(LEAVE_BE, say("Leave everything as it is"))
        skull.push_screen(
            Ask(
                person.name,
                about_removing(state.table, person) if state.is_host else "",
                [harmless, *items],
            ),
            lambda answered: _do(room, person, answered),
        )

    skull.push_screen(People(), chosen)


def _do(room: Room, person: Person, answered: Answered | None) -> None:
    if answered is None or person.player is None:
        return
    player = person.player
    requests: dict[object, type[Request]] = {"bot": HandToBot, "remove": RemovePlayer}
    if answered.key in ("mute", "hear"):
        muted = answered.key == "mute"

        def done(refused: object) -> None:
            if refused is None:
                room.skull.mute(player, muted=muted)

        room.ask(Mute, done, player=player, muted=muted)
    elif answered.key in requests:
        room.ask(requests[answered.key], player=player)
