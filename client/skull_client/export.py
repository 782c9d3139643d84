"""A finished game as a text to keep: the story as this player knew it, with nothing added.

It is made from what the server sent this player when the game was played, and from nothing else.
"""

import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import platformdirs

from skull_client.history_wording import ended_words, seat_name
from skull_client.places import state_folder
from skull_client.wording import event_line, name_list, reason, say, standing_words, winner_line
from skull_protocol import skull
from skull_protocol.skull import SkullView
from skull_protocol.tables import GameStep, GameSummary
from skull_protocol.text import shown


class NotKept(Exception):  # noqa: N818 - names what happened
    """A game could not be written to a file. Says why, in a sentence for the player."""


def game_text(game: GameSummary, steps: Sequence[GameStep]) -> str:
    """Tell a game from its first step to its last."""
    return "\n".join(_lines(game, steps)) + "\n"


def file_name(game: GameSummary) -> str:
    """What the file is called: no two games of one server have the same name."""
    day = datetime.fromtimestamp(game.ended).strftime("%Y-%m-%d")
    return f"skull-{day}-{game.table}-{game.game}.txt"


def folder() -> Path:
    """Where such files go: the user's documents if there is such a folder, else our own state."""
    documents = platformdirs.user_documents_path()
    if documents.is_dir():
        return documents
    return state_folder() / "games"


def save(text: str, name: str) -> Path:
    """Write a text for this user's eyes only, and return where. Raises `OSError`."""
    directory = folder()
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = directory / name
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def keep(game: GameSummary, steps: Sequence[GameStep]) -> str:
    """Write a game to a file, and return where, fit to be shown. Raises `NotKept`."""
    try:
        return shown(path_words(save(game_text(game, steps), file_name(game))))
    except OSError as fault:
        where = shown(path_words(folder()))
        words = say("Cannot write to {folder}: {reason}.", folder=where, reason=reason(fault))
        raise NotKept(words) from fault


def path_words(path: Path) -> str:
    """Return a path as people write it, with ~ for their own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _lines(game: GameSummary, steps: Sequence[GameStep]) -> Iterator[str]:
    def names(seat: int) -> str:
        return seat_name(game, seat)

    yield say("Skull, table {code}, {ended}", code=game.table, ended=ended_words(game.ended))
    yield name_list(
        say("{name} (you)", name=names(seat)) if seat == game.seat else names(seat)
        for seat in range(len(game.names))
    )
    yield say("As you knew it: what others hid from you stays hidden.")
    you: int | None = game.seat
    before: SkullView | None = None
    for step in steps:
        if you is not None and step.you is None:
            you = None
            yield ""
            yield say("Here you left for good. What follows is what everybody could see.")
        for event in step.events:
            if isinstance(event, skull.PressedOn):
                continue
            if isinstance(event, skull.RoundStarted):
                if before is not None:
                    yield say("  = {standing}", standing=standing_words(before, names))
                yield ""
                yield event_line(event, names, you)
            else:
                yield f"  {event_line(event, names, you)}"
        before = step.view
    if before is not None:
        yield say("  = {standing}", standing=standing_words(before, names))
        yield ""
        yield winner_line(before, names, you)
