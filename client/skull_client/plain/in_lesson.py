"""The lesson by lines: what may be typed at each step, and what is told of it."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from skull_client import lesson
from skull_client.plain.anywhere import nothing_behind
from skull_client.plain.at_table import at_table
from skull_client.plain.doing import (
    Ask,
    Command,
    Doing,
    Here,
    Home,
    NotUnderstood,
    PlayOn,
    Tell,
)
from skull_client.plain.in_game import in_game
from skull_client.plain.standing import looked
from skull_client.wording import say
from skull_protocol.requests import Act

_LEAVE = "leave lesson"
_COSTLY = ("leave", "replace", "remove")
"""Words of a table that mean something else here, or nothing."""


def in_lesson(here: Here) -> list[Command]:
    """List what may be typed: the words of the game, of which only one is done at each step."""
    beside = [command for command in at_table(here) if command.word not in _COSTLY]
    beside = [_looking(here) if command.word == "look" else command for command in beside]
    leave = Command("leave", (_LEAVE,), say("leave the lesson"), _leave, asked=True)
    if is_over(here):
        play = say("play on against these bots")
        on = Command("play", ("play",), play, nothing_behind("play", PlayOn()), asked=True)
        return [on, leave, *beside]
    told = lesson_step(here)
    found = [_kept_to(here, told, command) for command in in_game(here)]
    found.append(Command("next", ("next",), say("have this step done for you"), _next(here, told)))
    found[-1] = replace(found[-1], asked=told is not None)
    return [*found, leave, *beside]


def lesson_step(here: Here) -> lesson.Guidance | None:
    """Return the step that the learner is at; None while others play, and when all is over."""
    game = here.state.game
    if game is None or game.you is None:
        return None
    return lesson.guidance(game.view, game.you, here.names)


def is_over(here: Here) -> bool:
    """Whether all has been shown."""
    game = here.state.game
    return game is not None and lesson.is_over(game.view)


def lesson_lines(here: Here) -> Iterator[str]:
    """Tell what to do now; nothing while others play."""
    told = lesson_step(here)
    if told is not None:
        yield say("{step}. {words}", step=lesson.title(told), words=told.words)
    elif is_over(here):
        yield lesson.summary()


def _kept_to(here: Here, told: lesson.Guidance | None, command: Command) -> Command:
    """Return a command of the game that does nothing but what the step is about."""

    def take(rest: str) -> Doing:
        doing = command.take(rest)
        if not isinstance(doing, Ask) or doing.request is not Act:
            return doing
        game = here.state.game
        if told is None or game is None or game.you is None:
            raise NotUnderstood(lesson.others_play())
        action = doing.fields["action"]
        why_not = lesson.why_not(told, action, game.view, here.names, game.you.seat)  # type: ignore[arg-type]
        if why_not:
            raise NotUnderstood(why_not)
        return doing

    return replace(command, take=take)


def _next(here: Here, told: lesson.Guidance | None) -> Callable[[str], Doing]:
    def take(rest: str) -> Doing:
        game = here.state.game
        if told is None or game is None:
            raise NotUnderstood(lesson.others_play())
        return nothing_behind("next", Ask(Act, {"seq": game.seq, "action": told.wanted}))(rest)

    return take


def _looking(here: Here) -> Command:
    lines = (*looked(here), *lesson_lines(here))
    return Command(
        "look", ("look",), say("tell how everything stands"), nothing_behind("look", Tell(lines))
    )


def _leave(rest: str) -> Doing:
    if rest != "lesson":
        costs = lesson.about_leaving()
        raise NotUnderstood(say("{costs} To do it, type {form}.", costs=costs, form=_LEAVE))
    return Home()
