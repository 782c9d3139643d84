"""What the player is asked for at this moment, as the prompt says it."""

from skull_client.link_wording import link_banner
from skull_client.plain.at_table import seated
from skull_client.plain.doing import Here
from skull_client.plain.in_lesson import is_over
from skull_client.wording import prompt, say, say_count
from skull_protocol.pushes import Table
from skull_protocol.text import shown


def asked(here: Here) -> str:
    """Say what the player is asked for; empty while it is nothing."""
    state = here.state
    if here.begins:
        return say("Where do you want to play?")
    if state.link.state == "refused":
        return link_banner(state.link)
    if not here.opened:
        return ""
    if state.table is None:
        return say("Choose a table, or set one up.")
    if state.table.stage != "playing":
        return _asked_for_start(here, state.table)
    if state.game is None or state.game.you is None:
        return ""
    if state.bot_plays:
        return say("A bot plays for you.")
    if here.learning and is_over(here):
        return say("You know it all now.")
    view, own = state.game.view, state.game.you
    if own.seat not in view.to_act:
        return ""
    return prompt(view, own, here.names, own.seat)


def _asked_for_start(here: Here, table: Table) -> str:
    if here.state.seat is None:
        return say("You are watching.")
    missing = table.options.min_seats - seated(table)
    if not here.state.is_host:
        host = next((info.name for info in table.seats if info.player == table.host), "")
        return say("{host} starts the game.", host=shown(host)) if missing <= 0 else ""
    if missing > 0:
        return say_count(missing, "{n} player is missing.", "{n} players are missing.")
    return say("The game can start.")
