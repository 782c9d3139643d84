"""A round as a bot imagines it: who laid what, who bid what, and what may follow.

Small and quick, for trying out what could happen: places are numbered from 0, clockwise, among the
players still in. Bids are simplified: of all amounts, only a few are told apart (`amount`).
"""

from collections.abc import Sequence

from skull_server.games.skull.bots.beliefs import Beliefs, behaviour, feature
from skull_server.games.skull.bots.equity import LOSES_SKULL, Equity

NO_SKULL = -1
IN_HAND = 0
"""Where a skull is; else its height in the stack, from 1."""

PLACE_FLOWER, PLACE_SKULL = 0, 1
OPEN_ONE, OPEN_TWO, OPEN_BEYOND, OPEN_ALL = 2, 3, 4, 5
"""On a turn: a disc, or an opening bid."""
PASS, RAISE_ONE, RAISE_TWO, RAISE_MORE, RAISE_ALL = 0, 1, 2, 3, 4
"""In the bidding."""
FIRST, TURN, BIDDING = 0, 1, 2
"""The kinds of decision."""


class Mats:
    """One round. `skull` holds the truth, as far as it is imagined; all else is public."""

    __slots__ = (
        "beliefs",
        "bid",
        "bidder",
        "bids",
        "discs",
        "flowers",
        "height",
        "last_chance",
        "owns",
        "passed",
        "points",
        "rivals",
        "size",
        "skull",
        "total",
        "turn",
    )

    def __init__(
        self,
        beliefs: Beliefs,
        points: Sequence[int],
        discs: Sequence[int],
        owns: Sequence[float],
        skull: list[int],
        starter: int,
        last_chance: int = -1,
    ) -> None:
        """A round in which nothing is laid yet.

        `discs`: all that each plays with in this round; `owns`: how likely each had the skull as
        it began, by what everybody knows; `skull`: where each player's is; `last_chance`: who has
        the Last Chance flower among their discs.
        """
        self.beliefs = beliefs
        self.size = len(points)
        self.points = points
        self.discs = discs
        self.owns = owns
        self.skull = skull
        self.height = [0] * self.size
        self.bids = [0] * self.size
        self.passed = [False] * self.size
        self.flowers: list[tuple[float, ...] | None] = [None] * self.size
        self.bid = 0
        self.bidder = -1
        self.rivals = self.size - 1
        """Those who may still raise over the highest bid."""
        self.total = 0
        self.turn = starter
        self.last_chance = last_chance

    def copy(self) -> "Mats":
        """The same round, to be played on differently."""
        other: Mats = Mats.__new__(Mats)
        other.beliefs = self.beliefs
        other.size = self.size
        other.points = self.points
        other.discs = self.discs
        other.owns = self.owns
        other.skull = self.skull[:]
        other.height = self.height[:]
        other.bids = self.bids[:]
        other.passed = self.passed[:]
        other.flowers = self.flowers[:]
        other.bid = self.bid
        other.bidder = self.bidder
        other.rivals = self.rivals
        other.total = self.total
        other.turn = self.turn
        other.last_chance = self.last_chance
        return other

    # -- what may be done -------------------------------------------------------------------------

    def choices(self, place: int) -> tuple[int, ...]:
        """What a player may choose between, simplified, on the first disc or the own turn.

        A bid of all discs that fails for certain is left out, unless the highest bidder is about
        to win the game.
        """
        discs, height, skull = self.discs[place], self.height[place], self.skull[place]
        if height == 0:
            if skull == IN_HAND:
                return (PLACE_FLOWER, PLACE_SKULL) if discs > 1 else (PLACE_SKULL,)
            return (PLACE_FLOWER,)
        total = self.total
        if self.bid == 0:
            found = []
            hand = discs - height
            if hand > (skull == IN_HAND):
                found.append(PLACE_FLOWER)
            if skull == IN_HAND:
                found.append(PLACE_SKULL)
            found.append(OPEN_ONE)
            if total > 2:
                found.append(OPEN_TWO)
            if max(3, height + 1) < total:
                found.append(OPEN_BEYOND)
            if skull <= 0:
                found.append(OPEN_ALL)
            return tuple(found)
        found = [PASS]
        room = total - self.bid
        if room > 1:
            found.append(RAISE_ONE)
        if room > 2:
            found.append(RAISE_TWO)
        if max(self.bid + 3, height + 1) < total:
            found.append(RAISE_MORE)
        if skull <= 0 or self.points[self.bidder]:
            found.append(RAISE_ALL)
        return tuple(found)

    def amount(self, place: int, choice: int) -> int:
        """The bid that a choice means; 0: none, it is a disc or a pass."""
        if self.bid == 0:
            if choice < OPEN_ONE:
                return 0
            if choice == OPEN_ALL:
                return self.total
            return max(3, self.height[place] + 1) if choice == OPEN_BEYOND else choice - 1
        if choice == PASS:
            return 0
        if choice == RAISE_ALL:
            return self.total
        if choice == RAISE_MORE:
            return max(self.bid + 3, self.height[place] + 1)
        return self.bid + choice

    # -- what is done -----------------------------------------------------------------------------

    def lay(self, place: int, skull: bool) -> None:
        """Put a disc on the own mat; turns are `turn`'s business."""
        self.height[place] += 1
        self.total += 1
        if skull:
            self.skull[place] = self.height[place]
        self.flowers[place] = None

    def do(self, place: int, choice: int) -> bool:
        """Do what was chosen on the own turn; return whether a challenge follows."""
        if self.bid == 0:
            if choice < OPEN_ONE:
                self.lay(place, choice == PLACE_SKULL)
                self.turn = (place + 1) % self.size
                return False
            return self.make_bid(place, self.amount(place, choice))
        if choice == PASS:
            return self.give_up(place)
        return self.make_bid(place, self.amount(place, choice))

    def make_bid(self, place: int, amount: int) -> bool:
        """Bid; return whether a challenge follows."""
        self.bid = self.bids[place] = amount
        self.bidder = place
        self.flowers[place] = None
        if amount == self.total:
            return True
        self._go_on(place)
        return False

    def give_up(self, place: int) -> bool:
        """Pass; return whether a challenge follows."""
        self.passed[place] = True
        self.flowers[place] = None
        self.rivals -= 1
        self._go_on(place)
        return self.rivals == 0

    def _go_on(self, place: int) -> None:
        size, passed = self.size, self.passed
        place = (place + 1) % size
        while passed[place]:
            place = (place + 1) % size
        self.turn = place

    # -- chances ----------------------------------------------------------------------------------

    def seen(self, place: int) -> int:
        """The `feature` of a player as everybody sees them now."""
        return feature(
            self.size,
            self.discs[place],
            self.height[place],
            behaviour(self.bids[place], self.height[place], self.passed[place]),
        )

    def looks(self, place: int) -> tuple[float, ...]:
        """How likely each disc of a stack is a flower to everybody, top first."""
        found = self.flowers[place]
        if found is None:
            found = self.beliefs.flowers(self.seen(place), self.owns[place])
            self.flowers[place] = found
        return found

    def reach(self, challenger: int, need: int) -> float:
        """How likely a challenger finds so many flowers among the others' discs."""
        if need <= 0:
            return 1.0
        stacks = [self.looks(each) for each in range(self.size) if each != challenger]
        if need == 1:
            return max([stack[0] for stack in stacks])
        if need >= sum([len(stack) for stack in stacks]):
            chance = 1.0
            for stack in stacks:
                for flower in stack:
                    chance *= flower
            return chance
        reached = [0] * len(stacks)
        chance = 1.0
        for _ in range(need):
            best, where = -1.0, 0
            for index, stack in enumerate(stacks):
                depth = reached[index]
                if depth < len(stack) and stack[depth] > best:
                    best, where = stack[depth], index
            chance *= best
            reached[where] += 1
        return chance

    def own_chance(self, place: int, amount: int) -> float:
        """How likely a player who knows the own discs carries out a bid."""
        height, skull = self.height[place], self.skull[place]
        if skull > 0 and amount > height - skull:
            return 0.0
        return self.reach(place, amount - height)

    def bidder_chance(self, place: int) -> float:
        """How likely the highest bidder carries it out, to another who knows the own discs."""
        bidder, bid = self.bidder, self.bid
        stack = self.looks(bidder)
        chance = 1.0
        for flower in stack[:bid]:
            chance *= flower
        skull = self.skull[place]
        above = self.height[place] - skull if skull > 0 else 99
        others = [each for each in range(self.size) if each != bidder]
        reached = [0] * self.size
        for _ in range(bid - len(stack)):
            best, where = -1.0, 0
            for each in others:
                stack = self.looks(each)
                depth = reached[each]
                if depth < len(stack) and stack[depth] > best:
                    best, where = stack[depth], each
            if where == place:
                if reached[where] == above:
                    return 0.0
            else:
                chance *= best
            reached[where] += 1
        return chance

    # -- the challenge ----------------------------------------------------------------------------

    def skull_found(self) -> int:
        """Flip for the highest bidder, own discs first, then what looks safest.

        Return whose skull it was; -1 if all were flowers.
        """
        bidder, need = self.bidder, self.bid
        height, skull = self.height[bidder], self.skull[bidder]
        if skull > 0 and need > height - skull:
            return bidder
        need -= height
        size = self.size
        others = [each % size for each in range(bidder + 1, bidder + size)]
        reached = [0] * size
        while need > 0:
            best, where = -1.0, 0
            for each in others:
                stack = self.looks(each)
                depth = reached[each]
                if depth < len(stack) and stack[depth] > best:
                    best, where = stack[depth], each
            if self.skull[where] > 0 and reached[where] == self.height[where] - self.skull[where]:
                return where
            reached[where] += 1
            need -= 1
        return -1

    def worth(self, equity: Equity, place: int, found: int, random_loss: bool = False) -> float:
        """A player's chance of winning the game once the challenge has ended like this."""
        challenger = self.bidder
        points, discs, holder = self.points, self.discs, self.last_chance
        if holder >= 0:  # it is for this round only
            discs = [own - (each == holder) for each, own in enumerate(discs)]
        owns = [skull >= 0 for skull in self.skull]
        if found < 0:
            if points[challenger]:
                return float(place == challenger)
            after = list(points)
            after[challenger] += 1
            return equity.share(after, discs, owns, challenger, place)
        left = list(discs)
        left[challenger] -= 1
        before = discs[challenger]
        if before == 1:  # also for who fails with the Last Chance flower
            return equity.share(points, left, owns, found, place)
        if not owns[challenger]:
            return equity.share(points, left, owns, challenger, place)
        gone = LOSES_SKULL[before] if found == challenger and not random_loss else 1 / before
        kept = equity.share(points, left, owns, challenger, place)
        owns[challenger] = False
        lost = equity.share(points, left, owns, challenger, place)
        return gone * lost + (1 - gone) * kept
