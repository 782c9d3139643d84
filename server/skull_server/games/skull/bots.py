"""A bot that fills a seat: one seat's view in, one of its allowed actions out.

It reckons from public facts how likely each face-down disc is the skull, weighs what each bid
would do to its chances of winning the game, and draws among the bids that are about as good as
the best; so it also bluffs, where being raised over is likely. It knows nothing but the view of
its seat, remembers nothing between decisions, and draws from a random source of its own.
"""

import random
from collections.abc import Sequence
from math import exp

from skull_protocol.skull import (
    Bid,
    Disc,
    Flip,
    Lose,
    NameStarter,
    Pass,
    Pick,
    Place,
    Ready,
    Show,
    SkullAction,
    SkullOwn,
    SkullView,
    is_skull,
)

_STILL_OWNS_SKULL = (0.0, 0.45, 0.65, 0.85, 1.0)
"""How likely a player with so many own discs left has not lost the skull."""
_LAID_EARLY = 0.6
"""How much likelier a skull is laid than its share of the discs, in discs laid more."""
_BIDDER_DOUBT = 0.5
"""How much a bid makes a skull in the bidder's stack less likely; a bluffer may still bid."""
_PASS_DOUBT = 1.2
"""How much likelier passing makes a skull in the stack."""
_POINT_WORTH = 2.5
"""How much a first point multiplies a player's chances."""
_TAKEN_OVER = 0.4
"""How likely a challenge succeeds that somebody else takes over with a higher bid."""
_DARING = 0.03
"""A bid that is worse than the best by this much of a fair share of the game is drawn 1/e as
often."""

_FIRST_SKULL = {True: 0.25, False: 0.4}
"""How often the first disc is the skull: for the starter, who is the likeliest to have to bid,
and for the others."""
_LATER_SKULL = 0.3
_PLACE_MORE = {True: 0.6, False: 0.4}
"""How often another disc is placed rather than the bidding opened: over a skull, over flowers."""
_BLUFF = 0.4
"""How often a raise that would fail for certain is considered at all."""
_BLUFF_LATE = 0.8
"""The same where the highest bidder is about to win the game."""
_LOSE_SKULL = 0.1
_LOSE_SKULL_BEFORE_LAST = 0.7
_SHOW_BLUFF = 0.1


class Bot:
    """Plays one seat. Every seat has its own bot, with its own random source."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose one of `own.choices.actions()`, for a seat in `view.to_act`.

        Votes on abandoning the round are left to people. Raises `ValueError` when the choices
        hold nothing else.
        """
        choices = own.choices
        if choices.bid is not None or choices.may_pass:
            return self._place_or_bid(view, own)
        if choices.place:
            return Place(self._disc_to_place(view, own))
        if choices.flip:
            return Flip(self._safest(view, own, choices.flip))
        if choices.pick:
            return Pick(self._rng.randrange(choices.pick))
        if choices.lose:
            return Lose(self._disc_to_lose(own))
        if choices.name_starter:
            return NameStarter(self._harmless(view, choices.name_starter))
        if choices.ready:
            return self._show_or_press_on(view, own)
        raise ValueError("a bot was asked while it has nothing to choose")

    # -- discs -----------------------------------------------------------------------------------

    def _disc_to_place(self, view: SkullView, own: SkullOwn) -> Disc:
        # The first disc hangs on nothing that others do meanwhile: it is chosen at the same time.
        often = _FIRST_SKULL[view.starter == own.seat] if not own.stack else _LATER_SKULL
        return self._draw(own.choices.place, often)

    def _disc_to_lose(self, own: SkullOwn) -> Disc:
        # A last disc had better be a flower: a lone skull can win no challenge.
        often = _LOSE_SKULL if len(own.hand) > 2 else _LOSE_SKULL_BEFORE_LAST
        return self._draw(own.choices.lose, often)

    def _draw(self, discs: Sequence[Disc], skull_chance: float) -> Disc:
        skulls = [disc for disc in discs if is_skull(disc)]
        flowers = [disc for disc in discs if not is_skull(disc)]
        if not flowers or (skulls and self._rng.random() < skull_chance):
            return self._rng.choice(skulls)
        return self._rng.choice(flowers)

    def _show_or_press_on(self, view: SkullView, own: SkullOwn) -> SkullAction:
        bluffed = view.seats[own.seat].bid > 0
        for position in own.choices.show:
            caught = is_skull(own.stack[position])
            if bluffed and caught and self._rng.random() < _SHOW_BLUFF:
                return Show(position)
        return Ready()

    # -- flips and starters ----------------------------------------------------------------------

    def _safest(self, view: SkullView, own: SkullOwn, offered: Sequence[int]) -> int:
        if own.seat in offered:
            return own.seat
        risks = {seat: _risks(view, seat)[0] for seat in offered}
        least = min(risks.values())
        return self._rng.choice([seat for seat in offered if risks[seat] <= least + 0.01])

    def _harmless(self, view: SkullView, offered: Sequence[int]) -> int:
        fewest = min(view.seats[seat].points for seat in offered)
        return self._rng.choice([seat for seat in offered if view.seats[seat].points == fewest])

    # -- bidding ---------------------------------------------------------------------------------

    def _place_or_bid(self, view: SkullView, own: SkullOwn) -> SkullAction:
        choices = own.choices
        if choices.place:
            over_skull = any(map(is_skull, own.stack))
            if self._rng.random() < _PLACE_MORE[over_skull]:
                return Place(self._disc_to_place(view, own))
        worth: list[tuple[SkullAction, float]] = []
        if choices.may_pass:
            worth.append((Pass(), _worth_of_passing(view, own)))
        if choices.bid is not None and not (choices.may_pass and self._holds_back(view, own)):
            lowest, highest = choices.bid
            for amount in range(lowest, highest + 1):
                worth.append((Bid(amount), _worth_of_bidding(view, own, amount)))
        best = max(value for _, value in worth)
        still_in = sum(not player.eliminated for player in view.seats)
        weights = [exp((value - best) * still_in / _DARING) for _, value in worth]
        return self._rng.choices([action for action, _ in worth], weights)[0]

    def _holds_back(self, view: SkullView, own: SkullOwn) -> bool:
        """Whether to pass without a thought, for even the lowest raise could only be a bluff."""
        hopeless = _own_chance(view, own, view.bid + 1) == 0
        assert view.bidder is not None
        for_the_game = view.seats[view.bidder].points > 0
        return hopeless and self._rng.random() >= (_BLUFF_LATE if for_the_game else _BLUFF)


def _risks(view: SkullView, seat: int) -> list[float]:
    """How likely each face-down disc of another's stack is the skull, the top one first.

    Each figure supposes that those above it were flowers.
    """
    player = view.seats[seat]
    face_down = player.stack.count(None)
    if not face_down or any(disc is not None and is_skull(disc) for disc in player.stack):
        return [0.0] * face_down
    owns = _STILL_OWNS_SKULL[min(player.discs, 4)]
    height = len(player.stack)
    laid = owns * (height + _LAID_EARLY) / (height + player.hand + _LAID_EARLY)
    here = laid / height
    if player.bid:
        here *= _BIDDER_DOUBT
    elif player.passed:
        here *= _PASS_DOUBT
    elsewhere = 1 - laid
    return [here / (here * left + elsewhere) for left in range(face_down, 0, -1)]


def _chance_of_flowers(stacks: Sequence[Sequence[float]], needed: int) -> float:
    """How likely `needed` flips, each of the safest disc in reach, show flowers only."""
    flipped = [0] * len(stacks)
    chance = 1.0
    for _ in range(needed):
        open_stacks = [index for index, risks in enumerate(stacks) if flipped[index] < len(risks)]
        if not open_stacks:
            return 0.0
        index = min(open_stacks, key=lambda i: stacks[i][flipped[i]])
        chance *= 1 - stacks[index][flipped[index]]
        flipped[index] += 1
    return chance


def _own_chance(view: SkullView, own: SkullOwn, bid: int) -> float:
    """How likely this seat would carry out a bid."""
    if any(map(is_skull, own.stack[::-1][:bid])):
        return 0.0
    others = [_risks(view, seat) for seat in range(len(view.seats)) if seat != own.seat]
    return _chance_of_flowers(others, max(0, bid - len(own.stack)))


def _bidders_chance(view: SkullView, own: SkullOwn, bidder: int) -> float:
    """How likely the highest bidder would carry out the bid, as this seat sees it."""
    height = len(view.seats[bidder].stack)
    chance = 1.0
    for risk in _risks(view, bidder)[: view.bid]:
        chance *= 1 - risk
    # The bidder does not know which stack is safe, so each flip meets the average of them.
    tops = [
        _risks(view, seat)[0]
        for seat, player in enumerate(view.seats)
        if seat not in (bidder, own.seat) and player.stack
    ]
    if own.stack:
        tops.append(1.0 if is_skull(own.stack[-1]) else 0.0)
    average = sum(tops) / max(1, len(tops))
    return float(chance * (1 - average) ** max(0, view.bid - height))


def _worth_of_passing(view: SkullView, own: SkullOwn) -> float:
    assert view.bidder is not None
    chance = _bidders_chance(view, own, view.bidder)
    return _after_challenge(view, own.seat, view.bidder, chance)


def _worth_of_bidding(view: SkullView, own: SkullOwn, amount: int) -> float:
    rivals = [
        seat
        for seat, player in enumerate(view.seats)
        if seat != own.seat and not player.passed and not player.eliminated
    ]
    room = 1 - amount / view.discs_on_mats
    carried = float((1 - 0.8 * room) ** len(rivals))
    worth = carried * _after_challenge(view, own.seat, own.seat, _own_chance(view, own, amount))
    if carried < 1:
        over = [_after_challenge(view, own.seat, rival, _TAKEN_OVER) for rival in rivals]
        worth += (1 - carried) * sum(over) / max(1, len(over))
    return worth


def _after_challenge(view: SkullView, me: int, challenger: int, chance: float) -> float:
    """This seat's chances of winning the game once a challenge with that chance has ended."""
    player = view.seats[challenger]
    left = 0 if player.last_chance else player.discs - 1
    won = _share(view, me, challenger, player.points + 1, player.discs)
    lost = _share(view, me, challenger, player.points, left)
    return chance * won + (1 - chance) * lost


def _share(view: SkullView, me: int, changed: int, points: int, discs: int) -> float:
    """This seat's share of everybody's prospects, with one player's points and discs changed."""
    if points >= 2:
        return float(me == changed)
    prospects = [_prospects(player.points, player.discs) for player in view.seats]
    prospects[changed] = _prospects(points, discs)
    return prospects[me] / sum(prospects)


def _prospects(points: int, discs: int) -> float:
    return discs * float(_POINT_WORTH**points)
