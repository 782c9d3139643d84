"""What somebody does who does not stop to think: anything, but for what is plainly wrong.

Easy plays like this now and then, and hard reckons how often each opponent does.
"""

from collections.abc import Sequence

from skull_server.games.skull.bots.mats import PASS, Mats

_SHY = (0.0, 0.0, 6.0, 6.0, 2.0, 2.0, 2.0)
"""How much likelier than any other one thing they shy away from a bid that needs discs of others,
by how many are still in."""


def carried_away(mats: Mats, place: int, choices: Sequence[int]) -> list[float]:
    """How likely each choice is taken without thinking; they add up to 1, or all are 0.

    Anything that the own skull is not in the way of; a pass only against a bid that the bidder's
    own discs do not cover: whoever just bids on would win against somebody who often gives up.
    """
    likings = [_liking(mats, place, choice) for choice in choices]
    total = sum(likings)
    return [liking / total for liking in likings] if total else likings


def _liking(mats: Mats, place: int, choice: int) -> float:
    if mats.bid and choice == PASS:
        return _SHY[mats.size] if mats.bid > mats.height[mats.bidder] else 0.0
    skull = mats.skull[place]
    in_the_way = skull > 0 and mats.amount(place, choice) > mats.height[place] - skull
    return 0.0 if in_the_way else 1.0
