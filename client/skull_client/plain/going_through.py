"""Going through a finished game by lines: what may be typed then, and what is told of a step."""

from collections.abc import Iterator
from typing import Literal

from skull_client import moments
from skull_client.history_wording import happened, seat_name
from skull_client.plain.doing import Command, Doing, GoTo, NotUnderstood, Past, Tell
from skull_client.plain.standing import game_lines
from skull_client.typed import number_in
from skull_client.wording import Names, event_line, prompt, say

_PLACES = ("round", "challenge", "mark")


def going_through(past: Past) -> list[Command]:
    """List what may be typed while a finished game is looked at step by step."""
    step = past.steps[past.at]
    return [
        Command(
            "step",
            ("step", "step back", "step N"),
            say("go one step on or back in the game that you look at, or to a step"),
            lambda rest: _step(past, rest),
        ),
        Command(
            "next",
            tuple(f"next {place}" for place in _places(past)),
            say("go to where the next one is in the game that you look at"),
            lambda rest: _jump(past, rest, "next"),
        ),
        Command(
            "previous",
            tuple(f"previous {place}" for place in _places(past)),
            say("go to where the one before is in the game that you look at"),
            lambda rest: _jump(past, rest, "previous"),
        ),
        Command(
            "look",
            ("look",),
            say("tell how everything stood at this step"),
            lambda _rest: Tell(tuple(game_lines(step.view, step.you, _names(past)))),
        ),
    ]


def forms(past: Past) -> str:
    """Return what may be typed, as the beginning of a replay tells it."""
    return ", ".join(form for command in going_through(past) for form in command.forms)


def step_lines(past: Past) -> Iterator[str]:
    """Tell where in the game this is, what happened, and what was asked of the player then."""
    step = past.steps[past.at]
    view, names = step.view, _names(past)
    you = None if step.you is None else step.you.seat
    place = {"n": past.at + 1, "all": len(past.steps)}
    if view.round:
        yield say("Step {n} of {all}, round {round}.", round=view.round, **place)
    else:
        yield say("Step {n} of {all}, practice round.", **place)
    for event in happened(step):
        yield event_line(event, names, you)
    yield from (mark.words for mark in past.marks if mark.step == past.at)
    yield prompt(view, step.you, names, you)


def _names(past: Past) -> Names:
    return lambda seat: seat_name(past.game, seat)


def _step(past: Past, rest: str) -> Doing:
    last = len(past.steps) - 1
    if rest == "back":
        if past.at == 0:
            raise NotUnderstood(say("This is the first step."))
        return GoTo(past.at - 1)
    if rest:
        number = number_in(range(1, last + 2), rest)
        if number is None:
            raise NotUnderstood(say("Type {form}, with 1 to {n}.", form="step N", n=last + 1))
        return GoTo(number - 1)
    if past.at == last:
        raise NotUnderstood(say("This is the last step."))
    return GoTo(past.at + 1)


def _places(past: Past) -> tuple[str, ...]:
    """What one can go to, by the word that is typed; marks only where there are any."""
    return _PLACES if past.marks else _PLACES[:2]


def _jump(past: Past, rest: str, word: Literal["next", "previous"]) -> Doing:
    meant = [place for place in _places(past) if rest and place.startswith(rest.casefold())]
    if not meant:
        form = ", ".join(f"{word} {place}" for place in _places(past))
        raise NotUnderstood(say("Type {form}.", form=form))
    steps = {
        "round": lambda: moments.rounds(past.steps),
        "challenge": lambda: moments.challenges(past.steps),
        "mark": lambda: tuple(mark.step for mark in past.marks),
    }[meant[0]]()
    side = moments.after if word == "next" else moments.before
    place = side(steps, past.at)
    if place is None:
        raise NotUnderstood(_none(meant[0], word))
    return GoTo(place)


def _none(place: str, word: Literal["next", "previous"]) -> str:
    """Say that there is none."""
    return {
        ("round", "next"): lambda: say("There is no round after this."),
        ("round", "previous"): lambda: say("There is no round before this."),
        ("challenge", "next"): lambda: say("There is no challenge after this."),
        ("challenge", "previous"): lambda: say("There is no challenge before this."),
        ("mark", "next"): lambda: say("There is no mark after this."),
        ("mark", "previous"): lambda: say("There is no mark before this."),
    }[place, word]()
