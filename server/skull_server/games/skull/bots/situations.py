"""Situations: decisions that are alike, numbered, so that one can be learned from another.

What counts is mostly how likely a bid succeeds to whom it concerns, in a few steps.
"""

from bisect import bisect_right

from skull_server.games.skull.bots.mats import BIDDING, FIRST, IN_HAND, TURN, Mats

_OWN = (0.08, 0.16, 0.25, 0.35, 0.45, 0.56, 0.7)
_ALL = (0.05, 0.15, 0.35)
_FEW = (0.08, 0.25)
_THEIRS = (0.05, 0.2, 0.4, 0.65)
_EXTRA = (0, 1, 2, 2, 3)


def kind(mats: Mats, place: int) -> int:
    """Which of the three kinds of decision a player faces."""
    if mats.height[place] == 0:
        return FIRST
    return BIDDING if mats.bid else TURN


def situation(mats: Mats, place: int, starter: int) -> int:
    """Number the decision that a player faces; it also says how many choices there are.

    `starter`: who began the round, which matters for the first disc.
    """
    points, size = mats.points, mats.size
    discs, height, skull = mats.discs[place], mats.height[place], mats.skull[place]
    mine = points[place]
    rivals = sum(points) - mine
    number = (size * 5 + discs) * 2 + mine
    if height == 0:
        return (((number * 3 + min(rivals, 2)) * 2 + (place == starter)) * 2 + (skull < 0)) * 3
    if mats.bid == 0:
        if skull == IN_HAND:
            lies = 1
        elif skull < 0:
            lies = 0
        else:
            lies = 2 if skull == height else 3
        one = bisect_right(_OWN, mats.reach(place, 1))
        every = bisect_right(_ALL, mats.reach(place, mats.total - height))
        extra = _EXTRA[min(mats.total - size, 4)]
        number = ((number * 2 + (rivals > 0)) * 5 + height) * 4 + lies
        return (((number * 8 + one) * 4 + every) * 4 + extra) * 3 + 1
    bid, total, bidder = mats.bid, mats.total, mats.bidder
    chance = mats.own_chance(place, bid + 1)
    up = 1 + bisect_right(_OWN, chance) if chance else 0
    every = 0
    if total - bid > 1 and skull <= 0:
        every = bisect_right(_FEW, mats.reach(place, total - height))
    theirs = bisect_right(_THEIRS, mats.bidder_chance(place))
    room = min(total - bid, 3)
    left = min(mats.rivals, 3)
    others = rivals - points[bidder] > 0
    number = ((number * 2 + points[bidder]) * 2 + others) * 4 + left
    number = ((number * 4 + room) * 9 + up) * 3 + every
    # Whether more than the own flowers are needed to stay in changes what a raise says.
    return (number * 5 + theirs) * 3 + 2
