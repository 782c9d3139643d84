"""A yardstick: the bot that weighs odds, as one would write it without learning anything.

It reckons from public facts how likely each face-down disc is the skull, weighs what each bid
would do to its chances of winning the game, and draws among what is about as good as the best;
so it also bluffs, where being raised over is likely. It knows that a bid is only challenged once
everybody has passed, which is bad news about their discs. Odds and habits were fitted to games
of bots among themselves. It sees nothing but the view of its seat, remembers nothing between
decisions, and draws from a random source of its own.
"""

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
from skull_server.games.skull.bots.bot import Bot

_STILL_OWNS_SKULL = (0.0, 0.35, 0.55, 0.8, 1.0)
"""How likely a player with so many own discs left has not lost the skull."""
_LAID_EARLY = 1.0
"""How much likelier a skull is laid than its share of the discs, in discs laid more."""
_BIDDER_ODDS = (1.0, 0.45, 0.25)
"""What a bid does to the odds of a skull in the bidder's stack, by how many discs of others it
needs: a low bid may be a bluff, meant to be raised over."""
_GAVE_UP_ODDS = 1.5
"""What a pass after it does to them; it may only say that the bid became too high."""
_PASSER_ODDS = 7.0
"""What a pass at the first chance does to them: few pass over flowers."""
_POINT_WORTH = 2.8
"""How much a first point multiplies a player's chances."""
_DISC_POWER = (0.0, 1.0, 1.2, 1.4, 1.8, 2.2, 2.6)
"""Chances grow with this power of the discs left, by how many are still in: the more rivals wear
each other out, the more it pays to keep one's discs."""
_TAKEN_OVER = (0.0, 0.0, 0.6, 0.4, 0.35, 0.3, 0.25)
"""How likely a challenge succeeds that somebody else takes over, by how many are still in."""
_RAISED = (0.0, 0.0, 0.85, 0.8, 0.75, 0.7, 0.65)
"""How likely a rival raises over a bid of next to nothing, by how many are still in; less so, the
more discs the bid needs."""
_DARING = 0.03
"""What is worse than the best by this much of a fair share of the game is drawn 1/e as often."""

_FIRST_SKULL = {True: 0.22, False: 0.46}
"""How often the first disc is the skull: for the starter, who is the likeliest to have to bid,
and for the others."""
_LATER_SKULL = 0.3
_PLACE_MORE = {True: 0.6, False: 0.4}
"""How often another disc is placed rather than the bidding opened: over a skull, over flowers."""
_BLUFF = 0.3
"""How often a raise that would fail for certain is considered at all."""
_BLUFF_LATE = 0.7
"""The same where the highest bidder is about to win the game."""
_LOSE_SKULL = 0.1
_LOSE_SKULL_BEFORE_LAST = 0.7
_SHOW_BLUFF = 0.1


class ExpectedValue(Bot):
    """Weighs what each bid would do to its chances."""

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        choices = own.choices
        if choices.bid is not None or choices.may_pass:
            return self._place_or_bid(view, own)
        if choices.place:
            return Place(self._disc_to_place(view, own))
        if choices.flip:
            return Flip(self._safest(view, own, choices.flip))
        if choices.pick:
            return Pick(self.rng.randrange(choices.pick))
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
        if not flowers or (skulls and self.rng.random() < skull_chance):
            return self.rng.choice(skulls)
        return self.rng.choice(flowers)

    def _show_or_press_on(self, view: SkullView, own: SkullOwn) -> SkullAction:
        bluffed = view.seats[own.seat].bid > 0
        for position in own.choices.show:
            caught = is_skull(own.stack[position])
            if bluffed and caught and self.rng.random() < _SHOW_BLUFF:
                return Show(position)
        return Ready()

    # -- flips and starters ----------------------------------------------------------------------

    def _safest(self, view: SkullView, own: SkullOwn, offered: Sequence[int]) -> int:
        if own.seat in offered:
            return own.seat
        risks = {seat: _looks(view, seat)[0] for seat in offered}
        least = min(risks.values())
        return self.rng.choice([seat for seat in offered if risks[seat] <= least + 0.01])

    def _harmless(self, view: SkullView, offered: Sequence[int]) -> int:
        fewest = min(view.seats[seat].points for seat in offered)
        return self.rng.choice([seat for seat in offered if view.seats[seat].points == fewest])

    # -- bidding ---------------------------------------------------------------------------------

    def _place_or_bid(self, view: SkullView, own: SkullOwn) -> SkullAction:
        choices = own.choices
        if choices.place:
            over_skull = any(map(is_skull, own.stack))
            if self.rng.random() < _PLACE_MORE[over_skull]:
                return Place(self._disc_to_place(view, own))
        amounts = self._thinkable(view, own)
        if not amounts:
            return Pass()
        worths = _worths_of_bidding(view, own, amounts)
        chosen = self._choose(view, worths)
        # One bid against passing: many bids that are each nearly as good would crowd it out.
        if choices.may_pass:
            passing = _worth_of_passing(view, own)
            if self._choose(view, (worths[chosen], passing)) == 1:
                return Pass()
        return Bid(amounts[chosen])

    def _thinkable(self, view: SkullView, own: SkullOwn) -> Sequence[int]:
        """The bids to consider: one that needs the own skull is a bluff, and those are rare.

        Nobody can raise over a bid of all discs and so save a bluffer, who then only bids it to
        keep somebody else from winning the game.
        """
        if own.choices.bid is None:
            return ()
        lowest, highest = own.choices.bid
        for_the_game = view.bidder is not None and view.seats[view.bidder].points > 0
        flowers = _flowers_on_top(own)
        if flowers == len(own.stack):
            return range(lowest, highest + 1)
        if own.choices.may_pass and self.rng.random() >= (_BLUFF_LATE if for_the_game else _BLUFF):
            return range(lowest, flowers + 1)
        return range(lowest, highest + for_the_game)

    def _choose(self, view: SkullView, worths: Sequence[float]) -> int:
        """Draw one of the options, by index, the worse the seldomer."""
        best = max(worths)
        weights = [exp((worth - best) * _still_in(view) / _DARING) for worth in worths]
        return self.rng.choices(range(len(worths)), weights)[0]


def _flowers_on_top(own: SkullOwn) -> int:
    """How many flowers this seat would flip before its own skull."""
    for flowers, disc in enumerate(reversed(own.stack)):
        if is_skull(disc):
            return flowers
    return len(own.stack)


def _looks(view: SkullView, seat: int, all_passed: bool = False) -> list[float]:
    """How likely each face-down disc of a stack is the skull by all that is public, top first.

    Each figure supposes that those above it were flowers. `all_passed`: as it will look when
    everybody has passed.
    """
    player = view.seats[seat]
    face_down = player.stack.count(None)
    if not face_down or any(disc is not None and is_skull(disc) for disc in player.stack):
        return [0.0] * face_down
    owns = _STILL_OWNS_SKULL[min(player.discs, 4)]
    height = len(player.stack)
    laid = owns * (height + _LAID_EARLY) / (height + player.hand + _LAID_EARLY)
    odds = 1.0
    if player.bid:
        odds *= _BIDDER_ODDS[min(max(0, player.bid - height), len(_BIDDER_ODDS) - 1)]
    if player.passed or all_passed:
        odds *= _GAVE_UP_ODDS if player.bid else _PASSER_ODDS
    here = laid * odds / height
    return [here / (here * left + 1 - laid) for left in range(face_down, 0, -1)]


_Stack = Sequence[tuple[float, float]]
"""Of each disc, the top one first: how risky it looks to the table, how risky it is."""


def _stacks(view: SkullView, own: SkullOwn, all_passed: bool = False) -> list[_Stack]:
    """Every seat's stack as this seat knows it."""
    stacks: list[_Stack] = []
    for seat in range(len(view.seats)):
        looks = _looks(view, seat, all_passed)
        truth = [float(is_skull(disc)) for disc in own.stack[::-1]] if seat == own.seat else looks
        stacks.append(list(zip(looks, truth, strict=True)))
    return stacks


def _chance(stacks: Sequence[_Stack], challenger: int, bid: int) -> float:
    """How likely a bid is carried out: own stack first, then always the disc that looks safest."""
    chance = 1.0
    for _, risk in stacks[challenger][:bid]:
        chance *= 1 - risk
    others = [stack for seat, stack in enumerate(stacks) if seat != challenger]
    reached = [0] * len(others)
    for _ in range(bid - len(stacks[challenger])):
        if chance == 0:
            break
        _, risk, index = min(
            (*stack[reached[index]], index)
            for index, stack in enumerate(others)
            if reached[index] < len(stack)
        )
        chance *= 1 - risk
        reached[index] += 1
    return chance


def _worth_of_passing(view: SkullView, own: SkullOwn) -> float:
    assert view.bidder is not None
    chance = _chance(_stacks(view, own), view.bidder, view.bid)
    return _after_challenge(view, own.seat, view.bidder, chance)


def _worths_of_bidding(view: SkullView, own: SkullOwn, amounts: Sequence[int]) -> list[float]:
    me, still_in = own.seat, _still_in(view)
    rivals = [
        seat
        for seat, player in enumerate(view.seats)
        if seat != me and not player.passed and not player.eliminated
    ]
    over = [_after_challenge(view, me, rival, _TAKEN_OVER[still_in]) for rival in rivals]
    raised_over = sum(over) / len(over)
    won, lost = (_after_challenge(view, me, me, chance) for chance in (1.0, 0.0))
    # A bid below all discs is challenged only once everybody has passed: that is bad news.
    now, once_passed = _stacks(view, own), _stacks(view, own, all_passed=True)
    worths = []
    for amount in amounts:
        room = 1 - amount / view.discs_on_mats
        carried = float((1 - _RAISED[still_in] * room) ** len(rivals))
        chance = _chance(once_passed if room else now, me, amount)
        worths.append(carried * (chance * won + (1 - chance) * lost) + (1 - carried) * raised_over)
    return worths


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
    power = _DISC_POWER[_still_in(view)]
    prospects = [
        discs_left**power * _POINT_WORTH**points_won
        for points_won, discs_left in (
            (points, discs) if seat == changed else (player.points, player.discs)
            for seat, player in enumerate(view.seats)
        )
    ]
    return float(prospects[me] / sum(prospects))


def _still_in(view: SkullView) -> int:
    return sum(not player.eliminated for player in view.seats)
