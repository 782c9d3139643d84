"""The coach in words: what it would do, when it may not be asked, and what cost most in a game."""

from collections.abc import Sequence
from typing import assert_never

from skull_client.history_wording import seat_name
from skull_client.moments import Mark
from skull_client.state import ClientState
from skull_client.wording import Names, disc_words, say
from skull_protocol import skull
from skull_protocol.pushes import Advice, GameReview
from skull_protocol.skull import SkullAction, SkullView
from skull_protocol.tables import GameStep, GameSummary, MissedChance


def why_no_coach(state: ClientState) -> str:
    """Say why the coach cannot be asked now; empty: it can."""
    table, game = state.table, state.game
    if table is None or game is None:
        return say("The coach waits for a game.")
    if state.seat is None or game.you is None:
        return say("You are watching: the coach is for those who play alone with bots.")
    if not table.options.coach:
        return say("This table has no coach: the host can change that before a game.")
    others = [info for info in table.seats if info.player is not None]
    if len(others) > 1 or table.watchers:
        return say("Others are here: the coach is for those who play alone with bots.")
    if game.view.phase == "game_over":
        return say("The game is over.")
    if state.bot_plays:
        return say("A bot plays for you: take your seat back first.")
    if game.you.seat not in game.view.to_act:
        return say("The coach waits for your turn.")
    return ""


def advice_words(advice: Advice, view: SkullView, names: Names, you: int) -> str:
    """Tell what the coach would do in the reader's place, and how that ends."""
    words = deed(advice.action, view, names, you)
    if advice.chance is None:
        return say("Coach: {deed}.", deed=words)
    return say("Coach: {deed}; you win {n} % of such games.", deed=words, n=advice.chance)


def review_words(missed: MissedChance, before: SkullView, names: Names, you: int) -> str:
    """Tell what was better than a decision, and what that cost; `before`: what was seen then."""
    words = deed(missed.better, before, names, you)
    return say("Better: {deed}. This cost {n} % of winning.", deed=words, n=missed.cost)


def marks(
    game: GameSummary, steps: Sequence[GameStep], review: GameReview | None
) -> tuple[Mark, ...]:
    """Return what a review says about single steps of a game, in order; none if it is another's."""
    if review is None or review.game != game.game:
        return ()

    def names(seat: int) -> str:
        return seat_name(game, seat)

    return tuple(
        Mark(missed.step, review_words(missed, steps[missed.step - 1].view, names, game.seat))
        for missed in sorted(review.missed, key=lambda missed: missed.step)
        if 0 < missed.step < len(steps)
    )


def deed(action: SkullAction, view: SkullView, names: Names, you: int) -> str:
    """Tell somebody to do something, as a part of a sentence: `raise to 3`."""
    match action:
        case skull.Place(disc=disc):
            return say("place {disc}", disc=disc_words(disc))
        case skull.Bid(amount=amount):
            return say("raise to {n}", n=amount) if view.bid else say("bid {n}", n=amount)
        case skull.Pass():
            return say("pass")
        case skull.Flip(seat=seat):
            if seat == you:
                return say("flip your top disc")
            return say("flip the top disc of {name}", name=names(seat))
        case skull.Pick(position=position):
            return say("take disc {n}", n=position + 1)
        case skull.Lose(disc=disc):
            return say("give up {disc}", disc=disc_words(disc))
        case skull.NameStarter(seat=seat):
            return say("let {name} start", name=names(seat))
        case skull.Ready():
            return say("go on to the next round")
        case skull.Show(position=position):
            return say("show disc {n}", n=position + 1)
        case skull.Abandon():
            return say("take the round back")
        case _:
            assert_never(action)
