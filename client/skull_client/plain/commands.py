"""Everything that may be typed at this moment, and what a typed line means."""

from skull_client.plain.anywhere import anywhere
from skull_client.plain.at_start import at_start, own_settings
from skull_client.plain.at_table import at_table
from skull_client.plain.doing import Command, Doing, Here, NotUnderstood
from skull_client.plain.in_game import in_game
from skull_client.plain.in_lesson import in_lesson
from skull_client.plain.in_lobby import in_lobby, not_let_in
from skull_client.wording import say
from skull_protocol.text import shown


def commands(here: Here) -> list[Command]:
    """List what may be typed now, what the moment is about first."""
    state = here.state
    if here.begins:
        found = at_start(here)
    elif state.me is None:
        found = not_let_in(here)
    elif state.table is None:
        found = in_lobby(here)
    elif here.learning and state.table.stage == "playing":
        found = in_lesson(here)
    else:
        found = in_game(here) + at_table(here)
    found.append(own_settings(here))
    return [*found, *anywhere(here, found)]


def understood(here: Here, line: str) -> Doing:
    """Return what a line asks for. Raises `NotUnderstood`.

    The word may be shortened as long as only one thing that may be typed now begins like that.
    """
    typed, _, rest = line.strip().partition(" ")
    word = typed.casefold()
    allowed = commands(here)
    meant = [command for command in allowed if command.word == word] or [
        command for command in allowed if command.word.startswith(word)
    ]
    if len(meant) == 1:
        return meant[0].take(rest.strip())
    if meant:
        forms = ", ".join(command.word for command in meant)
        raise NotUnderstood(say("That can be {words}: type more of it.", words=forms))
    forms = type_list(allowed)
    raise NotUnderstood(
        say(
            "{typed} is nothing that can be done now. Type: {forms}.",
            typed=shown(typed),
            forms=forms,
        )
    )


def type_list(allowed: list[Command]) -> str:
    """Return what the prompt names, ready to be typed."""
    return ", ".join(
        [form for command in allowed if command.asked for form in command.forms] + ["help"]
    )
