"""The lesson: a game with a script, against two bots who know their parts.

The practice round succeeds with flowers; in the round after it a skull bites. What the learner is
to do follows from the game's view alone, so whoever comes back in the middle goes on where they
were. The other seats play by `part`. Screens and lines say the same: all words of it are here.
"""

from msgspec import Struct

from skull_client.coaching import deed
from skull_client.wording import Names, say
from skull_protocol.skull import (
    FLOWER,
    SKULL,
    Bid,
    Flip,
    Pass,
    Pick,
    Place,
    Ready,
    SkullAction,
    SkullOptions,
    SkullOwn,
    SkullView,
)
from skull_protocol.tables import TableOptions

BOTS = 2
OPTIONS = TableOptions(
    rules=SkullOptions(first_player=0, practice=True),
    min_seats=BOTS + 1,
    turn_seconds=0,
    pause_seconds=120,
    watching=False,
)
"""The learner sits in seat 0, starts, and is never hurried."""
STEPS = 12
_YOU, _BITER, _OTHER = range(BOTS + 1)


class Guidance(Struct, frozen=True):
    """What the learner is told at one step, and what the step is about."""

    step: int
    """From 1 to `STEPS`."""
    words: str
    wanted: SkullAction
    """The only thing that is done; all else is answered with what this is."""


def guidance(view: SkullView, own: SkullOwn, names: Names) -> Guidance | None:
    """Say what to do now; None while others act, and when the lesson is over."""
    if own.seat not in view.to_act or view.round > 1:
        return None
    step = _practice(view, names) if view.round == 0 else _bitten(view, names)
    return step if step is not None and step.wanted in own.choices.actions() else None


def is_over(view: SkullView) -> bool:
    """Whether all has been shown: what follows is a game like any other."""
    return view.round > 1


def title(told: Guidance) -> str:
    """Say which step it is."""
    return say("Lesson: step {n} of {all}", n=told.step, all=STEPS)


def why_not(told: Guidance, action: SkullAction, view: SkullView, names: Names, you: int) -> str:
    """Say why something is not done at a step, and what is; empty: the step is about it."""
    if action == told.wanted:
        return ""
    words = deed(told.wanted, view, names, you)
    return say("That can wait. This step is about something else: {deed}.", deed=words)


def others_play() -> str:
    """Say why no step can be done now."""
    return say("The others are playing: wait a moment.")


def about_leaving() -> str:
    """Say what leaving the lesson costs: nothing."""
    return say("You can begin it again whenever you like.")


def summary() -> str:
    """Say what was learned."""
    return say(
        "You have won a challenge, and met a skull. Two points win the game, and so "
        "does being the last with discs."
    )


def part(view: SkullView, own: SkullOwn) -> SkullAction | None:
    """What the script has another seat do; None: what it likes."""
    if view.round > 1:
        return None
    choices = own.choices
    if choices.place and not own.stack:
        bites = view.round == 1 and own.seat == _BITER
        return Place(SKULL if bites else FLOWER)
    if choices.pick:
        return Pick(0)
    if choices.may_pass:
        lures = view.round == 1 and own.seat == _BITER and view.bid == 1
        return Bid(2) if lures else Pass()
    return Ready() if choices.ready else None


def _practice(view: SkullView, names: Names) -> Guidance | None:
    match view.phase:
        case "initial":
            return Guidance(
                1,
                say(
                    "You hold three flowers and a skull. Everybody places one disc face down. "
                    "Place a flower."
                ),
                Place(FLOWER),
            )
        case "turn":
            return Guidance(
                2,
                say(
                    "On your turn, place one more, or bid: how many discs can you flip and find "
                    "only flowers? Bid 2, yours and one more."
                ),
                Bid(2),
            )
        case "challenge" if view.flowers == 0:
            return Guidance(
                3,
                say("All passed, so your bid counts. Your own discs come first: flip yours."),
                Flip(_YOU),
            )
        case "challenge":
            return Guidance(
                4,
                say(
                    "One flower. Now flip the top disc of somebody else: choose {name}.",
                    name=names(_BITER),
                ),
                Flip(_BITER),
            )
        case "round_over":
            return Guidance(
                5,
                say(
                    "Two flowers: the bid is made! In a real round that is a point, and the "
                    "second point wins the game. Go on to the next round."
                ),
                Ready(),
            )
        case _:
            return None


def _bitten(view: SkullView, names: Names) -> Guidance | None:
    match view.phase:
        case "initial":
            return Guidance(6, say("This round counts. Place a flower again."), Place(FLOWER))
        case "turn":
            return Guidance(7, say("Bid low this time, and see what the others do: bid 1."), Bid(1))
        case "bidding":
            return Guidance(
                8,
                say(
                    "{name} bids 2. Raise, or pass and stay out of this round. You feel sure: "
                    "raise to 3, all that lie there.",
                    name=names(_BITER),
                ),
                Bid(3),
            )
        case "challenge" if view.flowers == 0:
            return Guidance(
                9, say("Nobody can bid more, so flip at once: your own first."), Flip(_YOU)
            )
        case "challenge" if view.flowers == 1:
            words = say("{name} passed at once. Flip that disc next.", name=names(_OTHER))
            return Guidance(10, words, Flip(_OTHER))
        case "challenge":
            words = say("One to go: only the disc of {name} is left. Flip it.", name=names(_BITER))
            return Guidance(11, words, Flip(_BITER))
        case "round_over":
            return Guidance(
                12,
                say(
                    "A skull! {name} was bluffing, and it bit: one of your discs is gone for "
                    "good, and only you know which. Without discs you are out.",
                    name=names(_BITER),
                ),
                Ready(),
            )
        case _:
            return None
