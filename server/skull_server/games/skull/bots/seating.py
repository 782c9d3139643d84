"""From what a seat is shown to a round as bots imagine it."""

from dataclasses import dataclass

from skull_protocol.skull import SkullOwn, SkullView, is_skull
from skull_server.games.skull.bots.beliefs import Beliefs
from skull_server.games.skull.bots.mats import IN_HAND, NO_SKULL, Mats
from skull_server.games.skull.bots.memory import Memory


@dataclass
class Seating:
    """The seats still in, clockwise, and what lies before them."""

    seats: list[int]
    """The seat of each place in `mats`."""
    mats: Mats
    """Of the skulls only the own one is right: the others' are taken for lost."""
    me: int
    """The own place."""
    starter: int
    """The place that began the round."""


def seating(view: SkullView, own: SkullOwn, memory: Memory, beliefs: Beliefs) -> Seating:
    """Imagine the round as it stands."""
    found = empty_seating(view, own, memory, beliefs)
    mats = found.mats
    for place, seat in enumerate(found.seats):
        player = view.seats[seat]
        mats.height[place] = len(player.stack)
        mats.bids[place] = player.bid
        mats.passed[place] = player.passed
    mats.total = view.discs_on_mats
    mats.bid = view.bid
    if view.bidder in found.seats:
        mats.bidder = found.seats.index(view.bidder)
        mats.rivals = mats.size - 1 - sum(mats.passed)
    mats.turn = found.me
    mats.skull[found.me] = own_skull(own)
    return found


def empty_seating(view: SkullView, own: SkullOwn, memory: Memory, beliefs: Beliefs) -> Seating:
    """Imagine the round as it began."""
    seats = [seat for seat, player in enumerate(view.seats) if not player.eliminated]
    players = [view.seats[seat] for seat in seats]
    starter = seats.index(view.starter) if view.starter in seats else 0
    holders = [place for place, player in enumerate(players) if player.last_chance]
    mats = Mats(
        beliefs,
        [min(player.points, 1) for player in players],
        [player.hand + len(player.stack) for player in players],
        [memory.owns(view, seat) for seat in seats],
        [NO_SKULL] * len(seats),
        starter,
        holders[0] if holders else -1,
    )
    return Seating(seats, mats, seats.index(own.seat), starter)


def own_skull(own: SkullOwn) -> int:
    """Where the own skull is, as `Mats.skull` has it."""
    for height, disc in enumerate(own.stack, 1):
        if is_skull(disc):
            return height
    return IN_HAND if any(map(is_skull, own.hand)) else NO_SKULL
