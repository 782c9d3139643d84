"""Whole games told as stories, compared word for word; each variant has one.

What stands in [brackets] is known to the player it is about, and to nobody else. To write the
stories anew after a change of the rules that is meant: SKULL_REWRITE_GOLDEN=1 pytest, then read
the difference.
"""

import itertools
import os
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import assert_never, get_args

import pytest

from skull_protocol.skull import (
    Abandon,
    AbandonVoted,
    Bid,
    BidMade,
    ChallengeLost,
    ChallengeStarted,
    ChallengeWon,
    DiscLost,
    Eliminated,
    Flipped,
    Forfeited,
    GameWon,
    LastChanceGiven,
    LastChanceReturned,
    Pass,
    Passed,
    Pick,
    Place,
    Placed,
    PracticeOver,
    PressedOn,
    RoundAbandoned,
    RoundStarted,
    Show,
    Shown,
    SkullAction,
    SkullEvent,
    SkullOptions,
    StarterNamed,
    is_skull,
)
from skull_server.games.skull.forfeit import Forfeit
from skull_server.games.skull.game import SkullGame

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Finn")


@dataclass(frozen=True)
class Story:
    """A game to be told, and what must happen in it for it to show what it is for."""

    name: str
    title: str
    options: SkullOptions
    seats: int
    seed: int
    shows: tuple[type[SkullEvent], ...] = ()
    flowers: tuple[int | None, ...] = ()
    votes: bool = False
    leavers: tuple[tuple[int, int], ...] = ()
    """After how many actions which seat leaves the game for good."""


STORIES = [
    Story(
        "printed_rules",
        "Three players, the printed rules",
        SkullOptions(),
        seats=3,
        seed=1341,
        shows=(StarterNamed, Shown, Eliminated, ChallengeWon, ChallengeLost),
        flowers=(30, 2, None),
    ),
    Story(
        "two_players",
        "Two players until one is left",
        SkullOptions(),
        seats=2,
        seed=2562,
        shows=(Eliminated, Shown),
    ),
    Story(
        "six_players",
        "Six players",
        SkullOptions(first_player="random"),
        seats=6,
        seed=1603,
        shows=(Eliminated,),
    ),
    Story(
        "together",
        "First discs together, own loss drawn, next starter to the left",
        SkullOptions(
            first_player="random",
            initial="together",
            own_skull="random",
            self_elimination_starter="left",
        ),
        seats=4,
        seed=1266,
        shows=(Eliminated,),
    ),
    Story(
        "last_chance",
        "The Last Chance flower",
        SkullOptions(first_player=0, last_chance=True),
        seats=3,
        seed=101,
        shows=(LastChanceGiven, LastChanceReturned, Eliminated),
    ),
    Story(
        "travel_set",
        "The travel set of playing cards",
        SkullOptions(equipment="cards"),
        seats=3,
        seed=1431,
        shows=(DiscLost, Shown),
        flowers=(None, 5, 5),
    ),
    Story(
        "practice",
        "A practice round first",
        SkullOptions(first_player=2, practice=True),
        seats=3,
        seed=2737,
        shows=(PracticeOver, DiscLost),
    ),
    Story(
        "abandoned",
        "A round taken back",
        SkullOptions(first_player=1),
        seats=3,
        seed=523,
        shows=(RoundAbandoned, AbandonVoted, ChallengeWon),
        votes=True,
    ),
    Story(
        "forfeited",
        "Players who leave for good",
        SkullOptions(first_player=0),
        seats=4,
        seed=216,
        shows=(Forfeited, RoundAbandoned, ChallengeLost, GameWon),
        leavers=((9, 0), (19, 2), (27, 3)),
    ),
]


def act(game: SkullGame, rng: Random, votes: bool) -> tuple[int, SkullAction]:
    """Play like somebody who knows the game a little: bid low, pass often, show rarely."""
    seat = min(game.to_act())
    options = game.own_view(seat).choices
    if votes and options.abandon is not None and rng.random() < 0.35:
        voter = rng.choice([s for s in range(len(game.view().seats)) if game.legal_actions(s)])
        agree = game.own_view(voter).choices.abandon
        if agree is not None:
            return voter, Abandon(agree)
    if options.show and rng.random() < 0.2:
        return seat, Show(rng.choice(options.show))
    if options.place and (options.bid is None or rng.random() < 0.4):
        return seat, Place(rng.choice(game.own_view(seat).hand))
    if options.may_pass and rng.random() < 0.6:
        return seat, Pass()
    if options.bid is not None:
        lowest, highest = options.bid
        return seat, Bid(min(lowest + rng.choice((0, 0, 1)), highest))
    return seat, rng.choice(
        [a for a in game.legal_actions(seat) if not isinstance(a, Show | Abandon)]
    )


def tell(story: Story) -> tuple[str, set[type]]:
    """Play the game of a story; return its text and the kinds of events in it."""
    game = SkullGame(story.options, story.seats, Random(story.seed), story.flowers)
    rng = Random(story.seed)
    lines = [f"{story.title}: {', '.join(NAMES[: story.seats])}."]
    lines += [f"  {'; '.join(hand_of(game, seat) for seat in range(story.seats))}"]
    happened = list(game.opening())
    lines += [line for event in happened for line in sentences(event)]
    leavers = dict(story.leavers)
    for count in itertools.count():
        if count in leavers:
            events = game.apply(leavers[count], Forfeit())
            happened += events
            lines += [line for event in events for line in sentences(event)]
        if game.winner() is not None:
            break
        seat, action = act(game, rng, story.votes)
        if isinstance(action, Pick):
            lines.append(f"  {NAMES[seat]} takes disc {action.position + 1} blind.")
        events = game.apply(seat, action)
        if isinstance(events[0], PressedOn):
            if len(events) == 1:
                continue  # told once, when the last one has
            lines.append(standing(game))
        happened += events
        lines += [line for event in events for line in sentences(event)]
    return "\n".join([*lines, standing(game)]) + "\n", {type(event) for event in happened}


def standing(game: SkullGame) -> str:
    def one(seat: int) -> str:
        public = game.view().seats[seat]
        if public.eliminated:
            return f"{NAMES[seat]} is out"
        points = "" if public.points == 0 else f" and {public.points} on the mat"
        return f"{NAMES[seat]} {public.discs}{points}"

    return "  = Discs left: " + ", ".join(one(seat) for seat in range(len(game.view().seats))) + "."


def hand_of(game: SkullGame, seat: int) -> str:
    return f"{NAMES[seat]} [{' '.join(game.own_view(seat).hand)}]"


def face(disc: str | None) -> str:
    assert disc is not None
    card = "" if disc in "FS" else f" ({disc})"
    return ("skull" if is_skull(disc) else "flower") + card


def sentences(event: SkullEvent) -> list[str]:
    """Tell an event; nothing for one that goes without saying."""
    match event:
        case RoundStarted(round=number, starter=seat):
            what = f"Round {number}" if number else "Practice round"
            return ["", f"{what}. {NAMES[seat]} starts."]
        case Placed(seat=seat, disc=disc):
            return [f"  {NAMES[seat]} places a disc [{face(disc)}]."]
        case BidMade(seat=seat, amount=amount):
            return [f"  {NAMES[seat]} bids {amount}."]
        case Passed(seat=seat):
            return [f"  {NAMES[seat]} passes."]
        case ChallengeStarted(seat=seat, bid=bid):
            return [f"  {NAMES[seat]} is the challenger, for {bid}:"]
        case Flipped(seat=seat, owner=owner, disc=disc):
            whose = "their own" if owner == seat else f"{NAMES[owner]}'s"
            return [f"    {whose} top disc is a {face(disc)}."]
        case ChallengeWon(seat=seat, points=points):
            return [f"  {NAMES[seat]} succeeds, and has {points}."]
        case ChallengeLost(seat=seat, owner=owner):
            whose = "the own skull" if owner == seat else f"{NAMES[owner]}'s skull"
            return [f"  {NAMES[seat]} fails on {whose}."]
        case DiscLost(seat=seat, disc=disc, left=left):
            return [f"  {NAMES[seat]} loses a disc [{face(disc)}] and keeps {left}."]
        case Eliminated(seat=seat):
            return [f"  {NAMES[seat]} is out of the game."]
        case Forfeited(seat=seat):
            return [f"  {NAMES[seat]} leaves the game for good."]
        case StarterNamed(seat=seat, starter=starter):
            return [f"  {NAMES[seat]} names {NAMES[starter]} to start."]
        case LastChanceGiven(seat=seat):
            return [f"  {NAMES[seat]} gets the Last Chance flower."]
        case LastChanceReturned(seat=seat):
            return [f"  {NAMES[seat]} gives the Last Chance flower back."]
        case Shown(seat=seat, position=position, disc=disc):
            return [f"  {NAMES[seat]} shows disc {position + 1} of the mat: a {face(disc)}."]
        case PressedOn():
            return []
        case AbandonVoted(seat=seat, agree=agree):
            return [f"  {NAMES[seat]} {'wants' if agree else 'no longer wants'} the round back."]
        case RoundAbandoned():
            return ["  The round is abandoned."]
        case PracticeOver():
            return ["  The practice is over; now it counts."]
        case GameWon(seat=seat, by=by):
            how = "two points" if by == "points" else "the last one left"
            return [f"  {NAMES[seat]} wins: {how}."]
        case _:
            assert_never(event)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_story_is_the_same_as_ever(story: Story) -> None:
    text, kinds = tell(story)
    assert set(story.shows) <= kinds
    path = GOLDEN / f"{story.name}.txt"
    if os.environ.get("SKULL_REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_golden_file_is_a_story() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {story.name for story in STORIES}


def test_together_the_stories_show_everything_that_can_happen() -> None:
    kinds = {kind for story in STORIES for kind in tell(story)[1]}
    assert kinds == set(get_args(SkullEvent))
