"""Why something cannot be done now: a sentence from the rules for every action at every moment.

What may be done is never decided here: the server says it in `SkullOwn.choices`.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from skull_client.wording import Names, name_list, say, say_count
from skull_protocol import skull
from skull_protocol.skull import Choices, SkullAction, SkullOwn, SkullView, is_skull

Wanted = SkullAction | type[SkullAction]
"""One action, such as a bid of 3; or any of its kind, such as a bid."""

BIDS_TO_COME: Final = ("initial", "turn")
"""The phases before the first bid of a round."""
UNDECIDED: Final = (*BIDS_TO_COME, "bidding", "challenge")
"""The phases until the challenge of a round is decided."""


class _Moment(Struct, frozen=True):
    view: SkullView
    own: SkullOwn
    wanted: SkullAction | None
    """None: any of the kind."""
    names: Names

    @property
    def awaited(self) -> str:
        """Whom the game waits for, besides the reader."""
        return name_list(self.names(seat) for seat in self.view.to_act if seat != self.own.seat)


def why_not(view: SkullView, own: SkullOwn | None, wanted: Wanted, names: Names) -> str | None:
    """Say in one sentence why this cannot be done now; None: it can. `own` None: a spectator."""
    if own is None:
        return say("You are watching: only those who sit at the table play.")
    if _offered(own.choices, wanted):
        return None
    if view.phase == "game_over":
        return say("The game is over.")
    if view.seats[own.seat].eliminated and view.phase != "name_starter":
        return say("You are out of the game: watch the others until it is over.")
    kind = wanted if isinstance(wanted, type) else type(wanted)
    if view.seats[own.seat].eliminated and kind is not skull.NameStarter:
        return say("You are out of the game.")
    one = None if isinstance(wanted, type) else wanted
    return _KINDS[kind](_Moment(view, own, one, names))


def _offered(choices: Choices, wanted: Wanted) -> bool:
    actions = choices.actions()
    if isinstance(wanted, type):
        return any(isinstance(action, wanted) for action in actions)
    return wanted in actions


def _not_yet(now: _Moment) -> str:
    return say("It is {name}'s turn.", name=now.awaited)


def _place(now: _Moment) -> str:
    if now.view.phase == "bidding":
        return say("Somebody has bid: no more discs in this round.")
    if now.view.phase not in BIDS_TO_COME:
        return say("The bidding is over: no more discs in this round.")
    if now.own.seat not in now.view.to_act:
        if now.view.phase == "turn":
            return _not_yet(now)
        waited = now.awaited
        if now.own.stack:
            return say("You have placed your first disc: wait for {names}.", names=waited)
        return say("You start, and place after {names}.", names=waited)
    if not now.own.hand:
        return say("Your hand is empty: you must bid.")
    return _not_held(now)


def _not_held(now: _Moment) -> str:
    disc = now.wanted.disc if isinstance(now.wanted, skull.Place | skull.Lose) else None
    if disc is None or disc not in (*now.own.stack, *now.own.lost):
        return say("You do not have that disc: choose one of yours.")
    if disc == skull.FLOWER:
        return say("You have no flower left in hand.")
    if not is_skull(disc):
        return say("That card is not in your hand.")
    if disc in now.own.stack:
        return say("Your skull lies on your mat already.")
    return say("Your skull is lost for the rest of the game.")


def _bid(now: _Moment) -> str:
    if now.view.phase == "initial":
        return say("Nobody bids before everybody has placed a disc.")
    if now.view.phase not in ("turn", "bidding"):
        return _bidding_over(now)
    if now.view.seats[now.own.seat].passed:
        return say("You passed: out until the next round.")
    if now.view.bidder == now.own.seat:
        return say("The highest bid is yours: wait whether somebody raises it.")
    if now.own.seat not in now.view.to_act or not isinstance(now.wanted, skull.Bid):
        return _not_yet(now)
    if now.wanted.amount > now.view.discs_on_mats:
        return say_count(
            now.view.discs_on_mats,
            "There is just {n} disc on the mats: no bid can be higher.",
            "There are just {n} discs on the mats: no bid can be higher.",
        )
    return say("A bid must be higher than {bid}.", bid=now.view.bid)


def _pass(now: _Moment) -> str:
    if now.view.phase == "initial":
        return say("Nobody has bid yet: first, everybody places a disc.")
    if now.view.phase == "turn" and now.own.seat in now.view.to_act:
        return say("Nobody has bid yet: place a disc or bid.")
    if now.view.phase == "turn":
        return say("Nobody has bid yet: there is nothing to pass.")
    if now.view.phase != "bidding":
        return _bidding_over(now)
    if now.view.seats[now.own.seat].passed:
        return say("You passed: out until the next round.")
    if now.view.bidder == now.own.seat:
        return say("The highest bid is yours: you cannot pass it.")
    return _not_yet(now)


def _bidding_over(now: _Moment) -> str:
    if now.view.phase != "challenge" or now.view.bidder is None:
        return say("The bidding is over until the next round.")
    if now.view.bidder == now.own.seat:
        return say("The bidding is over: you flip now.")
    return say("The bidding is over: {name} flips now.", name=now.names(now.view.bidder))


def _flip(now: _Moment) -> str:
    if now.view.phase not in UNDECIDED:
        return say("The challenge is decided: no more discs are flipped.")
    if now.view.phase != "challenge":
        return say("The highest bidder flips, once the bidding is over.")
    if now.own.seat not in now.view.to_act:
        return say("Only {name} flips in this challenge.", name=now.awaited)
    if now.own.seat in now.own.choices.flip:
        return say("Flip your own stack first, from the top down.")
    if isinstance(now.wanted, skull.Flip) and now.wanted.seat == now.own.seat:
        return say("All your own discs are flipped: choose another stack.")
    if isinstance(now.wanted, skull.Flip) and 0 <= now.wanted.seat < len(now.view.seats):
        return say("{name} has no face-down disc: choose another.", name=now.names(now.wanted.seat))
    return say("No face-down disc lies there: choose another stack.")


def _pick(now: _Moment) -> str:
    if now.view.phase != "pick":
        return say("A disc is taken from somebody only after they hit your skull.")
    if now.own.seat not in now.view.to_act:
        return say("Only {name} takes a disc: it was their skull.", name=now.awaited)
    return say("There are discs 1 to {n} to take from.", n=now.own.choices.pick)


def _lose(now: _Moment) -> str:
    if now.view.phase != "lose":
        return say("A disc is given up only after hitting one's own skull.")
    if now.own.seat not in now.view.to_act:
        return say("Only {name} chooses a disc to give up.", name=now.awaited)
    return _not_held(now)


def _name(now: _Moment) -> str:
    if now.view.phase != "name_starter":
        return say("Only who is out by their own skull names the next starter.")
    if now.own.seat not in now.view.to_act:
        return say("Only {name} names the next starter.", name=now.awaited)
    if isinstance(now.wanted, skull.NameStarter) and now.wanted.seat == now.own.seat:
        return say("You are out of the game: name somebody else.")
    return say("Whoever starts the next round must still be in the game.")


def _show(now: _Moment) -> str:
    if now.view.phase != "round_over":
        return say("Discs are shown once a challenge has failed and the round is over.")
    if now.view.outcome is None or now.view.outcome.skull is None:
        return say("Discs are shown only after a challenge that failed.")
    if not now.own.choices.show:
        return say("No disc of yours lies face down on your mat.")
    if isinstance(now.wanted, skull.Show) and 0 <= now.wanted.position < len(now.own.stack):
        return say("Everybody sees that disc already.")
    return say("You have no disc there.")


def _ready(now: _Moment) -> str:
    if now.view.phase != "round_over":
        return say("This round is not over yet.")
    return say("You are ready: waiting for {names}.", names=now.awaited)


def _abandon(now: _Moment) -> str:
    if now.view.phase not in UNDECIDED:
        return say("The challenge is decided: the round cannot be taken back.")
    if now.view.seats[now.own.seat].agrees:
        return say("You ask for it already: the others have to agree.")
    return say("You did not ask to take the round back.")


_Teller = Callable[[_Moment], str]
_KINDS: Final[dict[type[SkullAction], _Teller]] = {
    skull.Place: _place,
    skull.Bid: _bid,
    skull.Pass: _pass,
    skull.Flip: _flip,
    skull.Pick: _pick,
    skull.Lose: _lose,
    skull.NameStarter: _name,
    skull.Show: _show,
    skull.Ready: _ready,
    skull.Abandon: _abandon,
}
