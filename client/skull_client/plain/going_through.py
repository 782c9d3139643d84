"""Going through a finished game by lines: what may be typed then, and what is told of a step."""

from collections.abc import Callable, Iterator

from skull_client import moments
from skull_client.history_wording import happened, seat_name
from skull_client.plain.doing import Command, Doing, GoTo, NotUnderstood, Past, Tell
from skull_client.plain.standing import game_lines
from skull_client.wording import Names, event_line, prompt, say

FORMS = "step, step back, step N, next round, next challenge, look"
"""What may be typed, as the beginning of a replay tells it."""


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
            ("next round", "next challenge"),
            say("go to where the next one begins in the game that you look at"),
            lambda rest: _next(past, rest),
        ),
        Command(
            "look",
            ("look",),
            say("tell how everything stood at this step"),
            lambda _rest: Tell(tuple(game_lines(step.view, step.you, _names(past)))),
        ),
    ]


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
        number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 7 else 0
        if not 0 < number <= last + 1:
            raise NotUnderstood(say("Type {form}, with 1 to {n}.", form="step N", n=last + 1))
        return GoTo(number - 1)
    if past.at == last:
        raise NotUnderstood(say("This is the last step."))
    return GoTo(past.at + 1)


def _next(past: Past, rest: str) -> Doing:
    kinds: dict[str, tuple[Callable[..., tuple[int, ...]], str]] = {
        "round": (moments.rounds, say("There is no round after this.")),
        "challenge": (moments.challenges, say("There is no challenge after this.")),
    }
    meant = [kind for kind in kinds if rest and kind.startswith(rest)]
    if not meant:
        raise NotUnderstood(say("Type {form}.", form="next round, next challenge"))
    places, none = kinds[meant[0]]
    place = moments.after(places(past.steps), past.at)
    if place is None:
        raise NotUnderstood(none)
    return GoTo(place)
