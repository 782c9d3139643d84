"""Who is at the table, and what it costs to leave it or to be sent away."""

from msgspec import Struct

from skull_client.option_wording import LEVELS
from skull_client.state import ClientState, has_left, is_bot
from skull_client.wording import say
from skull_protocol.pushes import Table
from skull_protocol.tables import SeatInfo
from skull_protocol.text import shown


class Person(Struct, frozen=True):
    """Somebody at the table, or a bot."""

    name: str
    player: int | None
    """None for a bot."""
    seat: int | None
    """None for a watcher."""
    info: SeatInfo | None = None


def people(state: ClientState) -> list[Person]:
    """Return everybody at the table: seats first, in the order of play."""
    table = state.table
    if table is None:
        return []
    seated = [
        Person(shown(info.name), info.player, seat, info) for seat, info in enumerate(table.seats)
    ]
    return seated + [Person(shown(info.name), info.player, None) for info in table.watchers]


def seat_notes(state: ClientState, table: Table, seat: int, info: SeatInfo) -> list[str]:
    """Tell in a word each what is worth knowing about who sits in a seat."""
    notes = []
    if seat == state.seat:
        notes.append(say("you"))
    if info.player == table.host:
        notes.append(say("host"))
    if is_bot(info):
        notes.append(say("bot"))
        if info.level is not None:
            notes.append(say(LEVELS[info.level].label))
    elif has_left(info):
        notes.append(say("left"))
    elif info.bot_plays:
        notes.append(say("a bot plays"))
    elif not info.connected:
        notes.append(say("away"))
    return notes


def about_removing(table: Table, person: Person) -> str:
    """Say what being sent away means."""
    if person.seat is None or table.stage != "playing":
        return say("Sent away, they cannot come back here under this name.")
    if table.options.leavers == "bot":
        return say("Sent away, they stay away under this name; a bot plays on.")
    return say("Sent away, they stay away under this name, out of the game.")


def leaving_costs(known: ClientState) -> str:
    """Say what is lost by leaving; empty when nothing is."""
    own = known.game.you if known.game is not None else None
    if known.table is None or known.table.stage != "playing" or known.seat is None:
        return ""
    if known.game is not None and own is not None and known.game.view.seats[own.seat].eliminated:
        return ""
    if known.table.options.leavers == "bot":
        return say("A bot takes over your seat, and you cannot have it back in this game.")
    return say("You give up: you are out of this game, and the round is taken back.")
