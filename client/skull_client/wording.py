"""Every sentence a player reads that is made from what the protocol says.

Plain text, no markup. Sentences are whole, with a form of their own for "you", and pass through
`say` and `say_count`, where a translation is looked up at the moment of saying it: nothing is said
while modules are imported. Options of a table have their words in `option_wording`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, assert_never

from skull_client import languages
from skull_protocol import skull
from skull_protocol.errors import msg as msg
from skull_protocol.skull import Disc, Outcome, SkullEvent, SkullOwn, SkullView, is_skull
from skull_protocol.tables import TableStage

Names = Callable[[int], str]
"""Tells the name of whoever sits in a seat."""


def say(sentence: str, /, **values: object) -> str:
    """Fill the blanks of a sentence. What goes into a blank is never read as blanks again.

    `sentence` is a literal, or was marked by `msg`: only then a translation can be found.
    """
    return languages.translated(sentence).format(**values)


def say_count(number: int, one: str, many: str, /, **values: object) -> str:
    """Fill the sentence for one, or the one for another number, which is `{n}` in both."""
    return languages.translated_count(number, one, many).format(n=number, **values)


def reason(fault: OSError) -> str:
    """Say in the words of the system what went wrong, as a part of a sentence."""
    return fault.strerror or type(fault).__name__


def name_list(names: Iterable[str]) -> str:
    """Return names as people list them: `Ana, Bob and Cy`."""
    some = list(names)
    if len(some) < 2:
        return "".join(some)
    return say("{some} and {last}", some=", ".join(some[:-1]), last=some[-1])


# -- discs ---------------------------------------------------------------------------------------

_RANKS: Final = {"J": msg("jack"), "Q": msg("queen"), "K": msg("king")}
_SUITS: Final = {"c": msg("clubs"), "d": msg("diamonds"), "h": msg("hearts"), "s": msg("spades")}


def disc_words(disc: Disc) -> str:
    """Return a disc in words: `a flower`, `the skull`, or the card with what it counts as."""
    if disc == skull.FLOWER:
        return say("a flower")
    if disc == skull.SKULL:
        return say("the skull")
    suit = say(_SUITS[disc[-1]])
    if is_skull(disc):
        rank = say(_RANKS[disc[:-1]])
        return say("the {rank} of {suit}, the skull", rank=rank, suit=suit)
    return say("the {rank} of {suit}, a flower", rank=disc[:-1], suit=suit)


# -- what happened -------------------------------------------------------------------------------


def event_line(event: SkullEvent, names: Names, you: int | None) -> str:
    """Tell what happened in one line. `you` is the reader's seat; None for a spectator."""
    match event:
        case skull.RoundStarted(round=0, starter=starter):
            if starter == you:
                return say("The practice round begins: you start.")
            return say("The practice round begins: {name} starts.", name=names(starter))
        case skull.RoundStarted(round=number, starter=starter):
            if starter == you:
                return say("Round {number}: you start.", number=number)
            return say("Round {number}: {name} starts.", number=number, name=names(starter))
        case skull.Placed(seat=seat, disc=disc):
            if disc is not None and seat == you:
                return say("You place {disc}.", disc=disc_words(disc))
            if seat == you:
                return say("You place a disc.")
            return say("{name} places a disc.", name=names(seat))
        case skull.BidMade(seat=seat, amount=amount):
            if seat == you:
                return say("You bid {amount}.", amount=amount)
            return say("{name} bids {amount}.", name=names(seat), amount=amount)
        case skull.Passed(seat=seat):
            if seat == you:
                return say("You pass.")
            return say("{name} passes.", name=names(seat))
        case skull.ChallengeStarted(seat=seat, bid=bid):
            if seat == you:
                return say_count(
                    bid,
                    "The challenge is yours: flip {n} flower.",
                    "The challenge is yours: flip {n} flowers.",
                )
            return say_count(
                bid,
                "{name} is the challenger and must flip {n} flower.",
                "{name} is the challenger and must flip {n} flowers.",
                name=names(seat),
            )
        case skull.Flipped():
            return _flipped(event, names, you)
        case skull.ChallengeWon(seat=seat, points=points):
            if seat == you:
                return say_count(
                    points,
                    "You win the challenge: {n} point!",
                    "You win the challenge: {n} points!",
                )
            return say_count(
                points,
                "{name} wins the challenge: {n} point.",
                "{name} wins the challenge: {n} points.",
                name=names(seat),
            )
        case skull.ChallengeLost(seat=seat, owner=owner):
            return _challenge_lost(seat, owner, names, you)
        case skull.DiscLost(seat=seat, disc=disc, left=left):
            if disc is not None and seat == you:
                return say("You lose {disc}: {left} left.", disc=disc_words(disc), left=left)
            if seat == you:
                return say("You lose a disc: {left} left.", left=left)
            return say("{name} loses a disc: {left} left.", name=names(seat), left=left)
        case skull.Eliminated(seat=seat):
            if seat == you:
                return say("You are out of the game.")
            return say("{name} is out of the game.", name=names(seat))
        case skull.Forfeited(seat=seat):
            if seat == you:
                return say("You left the game for good.")
            return say("{name} left the game for good.", name=names(seat))
        case skull.StarterNamed(seat=seat, starter=starter):
            return _starter_named(seat, starter, names, you)
        case skull.LastChanceGiven(seat=seat):
            if seat == you:
                return say("You get the Last Chance flower for this round.")
            return say("{name} gets the Last Chance flower for this round.", name=names(seat))
        case skull.LastChanceReturned(seat=seat):
            if seat == you:
                return say("You give the Last Chance flower back.")
            return say("{name} gives the Last Chance flower back.", name=names(seat))
        case skull.Shown(seat=seat, disc=disc):
            if seat == you:
                return say("You show {disc}.", disc=disc_words(disc))
            return say("{name} shows {disc}.", name=names(seat), disc=disc_words(disc))
        case skull.PressedOn(seat=seat):
            if seat == you:
                return say("You are ready for the next round.")
            return say("{name} is ready for the next round.", name=names(seat))
        case skull.AbandonVoted(seat=seat, agree=True):
            if seat == you:
                return say("You ask to take the round back.")
            return say("{name} asks to take the round back.", name=names(seat))
        case skull.AbandonVoted(seat=seat):
            if seat == you:
                return say("You no longer ask to take the round back.")
            return say("{name} no longer asks to take the round back.", name=names(seat))
        case skull.RoundAbandoned():
            return say("The round is taken back and begins anew.")
        case skull.PracticeOver():
            return say("Practice is over: now it counts.")
        case skull.GameWon(seat=seat, by="points"):
            if seat == you:
                return say("You win the game with your second point!")
            return say("{name} wins the game with a second point.", name=names(seat))
        case skull.GameWon(seat=seat):
            if seat == you:
                return say("You win the game: everybody else is out!")
            return say("{name} wins the game: everybody else is out.", name=names(seat))
        case _:
            assert_never(event)


def _flipped(event: skull.Flipped, names: Names, you: int | None) -> str:
    disc, values = event.disc, {"name": names(event.seat), "owner": names(event.owner)}
    words = disc_words(disc)
    if event.seat == event.owner == you:
        return say("You flip your own disc: {disc}{end}", disc=words, end=_end(disc))
    if event.seat == you:
        return say("You flip {owner}'s disc: {disc}{end}", disc=words, end=_end(disc), **values)
    if event.seat == event.owner:
        return say("{name} flips an own disc: {disc}{end}", disc=words, end=_end(disc), **values)
    if event.owner == you:
        return say("{name} flips your disc: {disc}{end}", disc=words, end=_end(disc), **values)
    return say("{name} flips {owner}'s disc: {disc}{end}", disc=words, end=_end(disc), **values)


def _end(disc: Disc) -> str:
    return "!" if is_skull(disc) else "."


def _challenge_lost(seat: int, owner: int, names: Names, you: int | None) -> str:
    if seat == owner == you:
        return say("You lose the challenge to your own skull.")
    if seat == you:
        return say("You lose the challenge to {owner}'s skull.", owner=names(owner))
    if seat == owner:
        return say("{name} loses the challenge to the own skull.", name=names(seat))
    if owner == you:
        return say("{name} loses the challenge to your skull!", name=names(seat))
    return say(
        "{name} loses the challenge to {owner}'s skull.", name=names(seat), owner=names(owner)
    )


def _starter_named(seat: int, starter: int, names: Names, you: int | None) -> str:
    if seat == you:
        return say("You name {starter} to start the next round.", starter=names(starter))
    if starter == you:
        return say("{name} names you to start the next round.", name=names(seat))
    return say(
        "{name} names {starter} to start the next round.",
        name=names(seat),
        starter=names(starter),
    )


# -- what to do now ------------------------------------------------------------------------------


def prompt(view: SkullView, own: SkullOwn | None, names: Names, you: int | None) -> str:
    """Say in one sentence what the reader may do now, or whom the game waits for."""
    if view.phase == "game_over":
        return winner_line(view, names, you)
    if own is not None:
        yours = _your_move(view, own, names)
        if yours:
            return yours
    return _waiting(view, names, you)


def _your_move(view: SkullView, own: SkullOwn, names: Names) -> str:
    """Say what this player is asked for; empty when it is nothing."""
    choices = own.choices
    if choices.place and view.phase == "initial":
        return say("Place your first disc, face down.")
    if choices.bid is not None:
        low, high = choices.bid
        if choices.place:
            return say(
                "Your turn: place one more disc, or bid {low} to {high}.", low=low, high=high
            )
        if choices.may_pass and low == high:
            return say("Your turn: bid {low}, or pass.", low=low)
        if choices.may_pass:
            return say("Your turn: bid {low} to {high}, or pass.", low=low, high=high)
        return say("Your hand is empty: bid {low} to {high}.", low=low, high=high)
    if choices.place:
        return say("Your turn: place one more disc.")
    if choices.may_pass:
        return say("Your turn: pass.")
    if choices.flip:
        to_go = max(view.bid - view.flowers, 0)
        if own.seat in choices.flip:
            return say_count(
                to_go,
                "Flip your own top disc: {n} flower to go.",
                "Flip your own top disc: {n} flowers to go.",
            )
        return say_count(
            to_go,
            "Choose whose top disc to flip: {n} flower to go.",
            "Choose whose top disc to flip: {n} flowers to go.",
        )
    if choices.pick:
        challenger = names(view.bidder) if view.bidder is not None else say("the challenger")
        return say("Take one of {name}'s discs, unseen: it is lost for good.", name=challenger)
    if choices.lose:
        return say("Your own skull: choose in secret which disc to lose.")
    if choices.name_starter:
        return say("You are out: choose who starts the next round.")
    if choices.ready and choices.show:
        return say("Show a disc if you like, or go on to the next round.")
    if choices.ready:
        return say("Go on to the next round when you are ready.")
    return ""


def _waiting(view: SkullView, names: Names, you: int | None) -> str:
    waited = name_list(names(seat) for seat in view.to_act if seat != you)
    if not waited:
        return say("One moment: the game goes on by itself.")
    match view.phase:
        case "initial" if view.starter == you and you not in view.to_act and not _placed(view, you):
            return say("You start, and place after {names}.", names=waited)
        case "initial":
            return say("Waiting for {names} to place a first disc.", names=waited)
        case "turn":
            return say("Waiting for {names} to place a disc or to bid.", names=waited)
        case "bidding":
            return say(
                "Waiting for {names} to bid more than {bid}, or to pass.",
                names=waited,
                bid=view.bid,
            )
        case "challenge":
            return say_count(
                max(view.bid - view.flowers, 0),
                "{names} flips: {n} flower to go.",
                "{names} flips: {n} flowers to go.",
                names=waited,
            )
        case "pick" if view.bidder == you and you is not None:
            return say("Waiting for {names} to take one of your discs, unseen.", names=waited)
        case "pick":
            return say("Waiting for {names} to take a disc, unseen.", names=waited)
        case "lose":
            return say("Waiting for {names} to give up a disc, in secret.", names=waited)
        case "name_starter":
            return say("Waiting for {names} to say who starts the next round.", names=waited)
        case "round_over":
            return say("The round is over. Waiting for {names}.", names=waited)
        case "game_over":
            return winner_line(view, names, you)
        case _:
            assert_never(view.phase)


def _placed(view: SkullView, seat: int) -> bool:
    return seat < len(view.seats) and bool(view.seats[seat].stack)


def outcome_line(outcome: Outcome, names: Names, you: int | None) -> str:
    """Tell how the challenge of this round ended."""
    seat, owner = outcome.challenger, outcome.skull
    if owner is not None:
        return _challenge_lost(seat, owner, names, you)
    if seat == you:
        return say_count(
            outcome.bid,
            "You flipped {n} flower: a point for you!",
            "You flipped {n} flowers: a point for you!",
        )
    return say_count(
        outcome.bid,
        "{name} flipped {n} flower: a point.",
        "{name} flipped {n} flowers: a point.",
        name=names(seat),
    )


def winner_line(view: SkullView, names: Names, you: int | None) -> str:
    """Tell who won, once the game is over."""
    if view.winner is None:
        return say("The game is over.")
    if view.winner == you:
        return say("You won the game!")
    return say("{name} won the game.", name=names(view.winner))


def hurry(seconds: int) -> str:
    """Say that the reader's clock runs out soon."""
    return say("Hurry: {n} s left", n=seconds)


def standing_words(view: SkullView, names: Names) -> str:
    """Tell in a line how everybody stands."""
    parts = []
    for number, seat in enumerate(view.seats):
        name = names(number)
        if seat.eliminated:
            parts.append(say("{name} is out", name=name))
            continue
        discs = say_count(seat.discs, "{name} {n} disc", "{name} {n} discs", name=name)
        won = say_count(seat.points, "{n} point", "{n} points") if seat.points else ""
        parts.append(say("{discs} and {won}", discs=discs, won=won) if won else discs)
    return ", ".join(parts)


# -- tables ----------------------------------------------------------------------------------------

_STAGES: Final[Mapping[TableStage, str]] = {
    "waiting": msg("waiting"),
    "playing": msg("playing"),
    "finished": msg("game over"),
}


def stage_words(stage: TableStage) -> str:
    """Tell at what stage a table is, in a few words."""
    return say(_STAGES[stage])
