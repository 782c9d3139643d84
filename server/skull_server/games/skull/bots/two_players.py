"""How to play once two are left: close to an equilibrium, by the shipped solution.

What a player does depends on their discs, and on what both are publicly believed to own: what
anybody who knows how this bot plays would make of all that everybody has seen. `PublicBeliefs`
keeps those, one for each seat that plays by them; they follow from public events alone.

The solution is for the rules as printed. Under `own_skull = random` beliefs are kept by that
rule, and play goes by the same solution; a Last Chance flower counts as one more disc.
"""

from collections.abc import Sequence
from random import Random

from skull_protocol.skull import (
    Bid,
    BidMade,
    ChallengeLost,
    ChallengeWon,
    Disc,
    DiscLost,
    Flip,
    Flipped,
    LastChanceGiven,
    Lose,
    Pass,
    Passed,
    Pick,
    Place,
    Placed,
    Ready,
    RoundAbandoned,
    RoundStarted,
    Shown,
    SkullAction,
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.duel import (
    IN_HAND,
    MAX_DISCS,
    NO_SKULL,
    UNDER,
    Duel,
    actor,
    bid_column,
    states,
)
from skull_server.games.skull.bots.duel_table import DuelTable

_STILL_OWNS = (0.0, 0.4, 0.55, 0.8, 1.0)
"""How likely a player of whom nothing was seen still owns the skull, by discs left."""
_KEEPS_SKULL = 0.85
"""How likely a player hit by the own skull keeps it, while more than two are left."""


class PublicBeliefs:
    """Who is believed to own the skull still, from what everybody has seen. One for each seat."""

    def __init__(self, table: DuelTable, rules: SkullOptions) -> None:
        """Nothing is seen yet: everybody has all discs."""
        self._table = table
        self._chosen = rules.own_skull == "choose"
        self._owns: dict[int, float] = {}
        """Beliefs as this round began, where they are not 1."""
        self._discs: dict[int, int] = {}
        """Discs left as this round began, where they are not four."""
        self._points: dict[int, int] = {}
        self._starter = 0
        self._counts = False
        """Whether this is a round that costs and earns something."""
        self._holder: int | None = None
        """Who has the Last Chance flower."""
        self._round: list[SkullEvent] = []

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Be told what has happened, as spectators see it, oldest first."""
        for event in events:
            match event:
                case RoundStarted():
                    self._settle()
                    self._starter = event.starter
                    self._counts = event.round > 0
                    self._round = []
                    self._holder = None
                case LastChanceGiven():
                    self._holder = event.seat
                case RoundAbandoned():
                    self._round = []
                case _:
                    self._round.append(event)

    def owns(self, view: SkullView, seat: int) -> float:
        """Return the belief that a player owned the skull as this round began."""
        left = view.seats[seat].discs
        if self._discs.get(seat, MAX_DISCS) != left:
            return _STILL_OWNS[left]  # it was lost while nobody told
        return self._owns.get(seat, 1.0)

    def bids(self) -> int:
        """Return the bids of this round, in bits as `duel` has them."""
        return sum(1 << (event.amount - 1) for event in self._round if isinstance(event, BidMade))

    def now(self) -> dict[int, float]:
        """Return what this round, as far as it went, has made of the beliefs."""
        seats = list(dict.fromkeys(e.seat for e in self._round if isinstance(e, Placed)))
        if len(seats) == 2 and self._starter in seats:
            other = seats[0] + seats[1] - self._starter
            return self._after_duel((self._starter, other))
        return {seat: self._after_many(seat) for seat in seats}

    def _settle(self) -> None:
        """Take over what the round that is over has shown."""
        if not self._counts:
            return
        self._owns |= self.now()
        for event in self._round:
            match event:
                case ChallengeWon():
                    self._points[event.seat] = event.points
                case DiscLost():
                    self._lost(event)
                case _:
                    pass

    def _lost(self, event: DiscLost) -> None:
        """A disc is gone: which one, only its owner knows."""
        self._discs[event.seat] = event.left
        if event.left == 0:
            return
        hit = next(e.owner for e in self._round if isinstance(e, ChallengeLost))
        if hit == event.seat and self._chosen:
            self._owns[event.seat] = self._kept(event)
        else:
            self._owns[event.seat] = self._owns.get(event.seat, 1.0) * event.left / (event.left + 1)

    def _kept(self, event: DiscLost) -> float:
        others = {e.seat for e in self._round if isinstance(e, Placed)} - {event.seat}
        if len(others) > 1:
            return _KEEPS_SKULL
        (other,) = others
        after = self._duel((event.seat, other))
        return self._table.keeps_skull(after, self._owns.get(other, 1.0))

    def _duel(self, seats: tuple[int, int]) -> Duel:
        discs, points = [self._discs.get(seat, MAX_DISCS) for seat in seats], self._points
        return Duel(discs[0], discs[1], points.get(seats[0], 0), points.get(seats[1], 0))

    def _after_many(self, seat: int) -> float:
        """Return the belief about one of several players: any disc may have been the skull."""
        belief = self._owns.get(seat, 1.0)
        seen = [e.disc for e in self._round if isinstance(e, Flipped) and e.owner == seat]
        seen += [e.disc for e in self._round if isinstance(e, Shown) and e.seat == seat]
        if any(map(is_skull, seen)):
            return 1.0
        discs = self._discs.get(seat, MAX_DISCS) + (seat == self._holder)
        unseen, without = belief * (discs - len(seen)) / discs, 1 - belief
        return unseen / (unseen + without) if unseen + without > 0 else belief

    def _after_duel(self, seats: tuple[int, int]) -> dict[int, float]:
        """Return the beliefs about the starter and the other player of a round of two."""
        before = self._duel(seats)
        holds = [seat == self._holder for seat in seats]
        duel = before._replace(
            starter_discs=before.starter_discs + holds[0], other_discs=before.other_discs + holds[1]
        )
        priors = (self._owns.get(seats[0], 1.0), self._owns.get(seats[1], 1.0))
        corners = self._table.corners(duel, priors)
        players = [
            _Hidden(
                duel.discs[i], priors[i], self._table.lays_skull(duel, i, corners, trembling=True)
            )
            for i in (0, 1)
        ]
        placed, bids = -2, 0  # the first discs are not placed in turn
        for event in self._round:
            match event:
                case Placed() if placed < 0:
                    placed += 1
                case Placed() | BidMade() | Passed():
                    player = players[actor(placed, bids)]
                    shares = {
                        state: self._table.shares(
                            duel, placed, bids, state, corners, trembling=True
                        )
                        for state in player.possible()
                    }
                    if isinstance(event, Placed):
                        player.placed(shares)
                        placed += 1
                    elif isinstance(event, Passed):
                        player.chose(shares, 0)
                    else:
                        player.chose(shares, bid_column(bids, event.amount))
                        bids |= 1 << (event.amount - 1)
                case Flipped():
                    players[seats.index(event.owner)].flipped(event.disc)
                case Shown():
                    players[seats.index(event.seat)].seen(event.position + 1, event.disc)
                case _:
                    pass
        return {seats[i]: players[i].belief(priors[i]) for i in (0, 1)}


class _Hidden:
    """What a player may hold, by public events: how likely the bot would get there so."""

    def __init__(self, discs: int, belief: float, lays_skull: float) -> None:
        self._discs = discs
        self._reach = [1 - belief, belief * (1 - lays_skull), belief * lays_skull]
        """By state."""
        self._face_down = 1
        self._seen: set[int] = set()
        """Positions in the stack whose discs were seen to be flowers."""
        self._skull_seen = False

    def possible(self) -> list[int]:
        return states(self._discs, len(self._reach) - UNDER - 1)

    def placed(self, shares: dict[int, list[float]]) -> None:
        skull = self._reach[IN_HAND] * shares[IN_HAND][1]
        for state, columns in shares.items():
            self._reach[state] *= columns[0]
        self._reach.append(skull)
        self._face_down += 1

    def chose(self, shares: dict[int, list[float]], column: int) -> None:
        for state, columns in shares.items():
            self._reach[state] *= columns[column]

    def flipped(self, disc: Disc) -> None:
        self.seen(self._face_down, disc)
        self._face_down -= 1

    def seen(self, position: int, disc: Disc) -> None:
        if is_skull(disc):
            self._skull_seen = True
        else:
            self._seen.add(position)
            self._reach[UNDER + position] = 0.0

    def belief(self, prior: float) -> float:
        """Return how likely the player owns the skull; `prior` where nothing speaks of it."""
        if self._skull_seen:
            return 1.0
        if len(self._seen) == self._discs:
            return 0.0
        owning = sum(self._reach[IN_HAND:])
        everything = owning + self._reach[NO_SKULL]
        return owning / everything if everything > 0 else prior


class TwoPlayers:
    """Plays a seat from when two players are left."""

    def __init__(self, table: DuelTable, rules: SkullOptions) -> None:
        """`table`: what to do, as `duel_table.shipped` has it."""
        self._table = table
        self._public = PublicBeliefs(table, rules)

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Be told what has happened, as spectators see it, oldest first, from the start on.

        It also plays when it was not told: from the view, and what is usual.
        """
        self._public.see(events)

    def decide(self, view: SkullView, own: SkullOwn, rng: Random) -> SkullAction:
        """Choose an action, for a seat that has one to choose while two are left."""
        weights = self.weights(view, own)
        return rng.choices(list(weights), list(weights.values()))[0]

    def weights(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        """Return how likely each action should be done; they add up to 1.

        Raises `ValueError` if there is nothing to choose, or other than two players are left.
        """
        choices = own.choices
        if choices.bid is not None or choices.place:
            return self._bidding(view, own)
        if choices.lose:
            return self._losing(view, own)
        if choices.flip:
            return {Flip(own.seat if own.seat in choices.flip else choices.flip[0]): 1.0}
        if choices.pick:
            return {Pick(position): 1 / choices.pick for position in range(choices.pick)}
        if choices.ready:  # to show a disc would only tell
            return {Ready(): 1.0}
        raise ValueError("a bot was asked while it has nothing to choose")

    def win_chance(self, view: SkullView, own: SkullOwn) -> float:
        """Return this seat's chance to win as the round began, both playing like this."""
        seats, duel, beliefs = self._duel(view)
        values = self._table.values(duel, beliefs)
        owns = any(map(is_skull, own.hand + own.stack))
        return values[2 * seats.index(own.seat) + owns]

    def _duel(self, view: SkullView) -> tuple[tuple[int, int], Duel, tuple[float, float]]:
        """Return the seats, the starter's first, and the public state as the round began."""
        left = [seat for seat, player in enumerate(view.seats) if not player.eliminated]
        if len(left) != 2 or view.starter not in left:
            raise ValueError("the solution is for two players")
        seats = (view.starter, sum(left) - view.starter)
        discs = [view.seats[seat].discs + view.seats[seat].last_chance for seat in seats]
        duel = Duel(discs[0], discs[1], view.seats[seats[0]].points, view.seats[seats[1]].points)
        return seats, duel, (self._public.owns(view, seats[0]), self._public.owns(view, seats[1]))

    def _bidding(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        seats, duel, beliefs = self._duel(view)
        corners = self._table.corners(duel, beliefs)
        flowers = [disc for disc in own.choices.place if not is_skull(disc)]
        skulls = [disc for disc in own.choices.place if is_skull(disc)]
        if not own.stack:
            lays = self._table.lays_skull(duel, seats.index(own.seat), corners)
            if not (flowers and skulls):
                lays = float(bool(skulls))
            return _alike(flowers, 1 - lays) | _alike(skulls, lays)
        placed = sum(len(view.seats[seat].stack) for seat in seats) - 2
        bids = self._bids(view, seats, placed)
        shares = self._table.shares(duel, placed, bids, state_of(own), corners)
        if bids:
            weights: dict[SkullAction, float] = {Pass(): shares[0]}
            return weights | {Bid(view.bid + more): shares[more] for more in range(1, len(shares))}
        opening = {Bid(amount): shares[amount + 1] for amount in range(1, len(shares) - 1)}
        return _alike(flowers, shares[0]) | _alike(skulls, shares[1]) | opening

    def _bids(self, view: SkullView, seats: tuple[int, int], placed: int) -> int:
        """Return the bids of this round, in bits; the likeliest if they were not told."""
        told = self._public.bids()
        if told.bit_length() == view.bid and actor(placed, told) == seats.index(view.to_act[0]):
            return told
        last = sorted({view.seats[seat].bid for seat in seats} - {0})
        bids = sum(1 << (amount - 1) for amount in last)
        if actor(placed, bids) != seats.index(view.to_act[0]):
            bids |= 1 << (last[0] - 2)  # who opened has raised since
        return bids

    def _losing(self, view: SkullView, own: SkullOwn) -> dict[SkullAction, float]:
        seats, duel, _ = self._duel(view)
        challenger = seats.index(own.seat)
        other = seats[1 - challenger]
        belief = self._public.now().get(other, self._public.owns(view, other))
        keeps = self._table.keeps_skull(duel.after_loss(challenger), belief)
        flowers = [disc for disc in own.choices.lose if not is_skull(disc)]
        skulls = [disc for disc in own.choices.lose if is_skull(disc)]
        return {
            Lose(disc): (1 - keeps if is_skull(disc) else keeps / len(flowers))
            for disc in flowers + skulls
        }


def _alike(discs: Sequence[Disc], share: float) -> dict[SkullAction, float]:
    return {Place(disc): share / len(discs) for disc in discs}


def state_of(own: SkullOwn) -> int:
    """Return the state that a player is in, as `duel` numbers them."""
    for position, disc in enumerate(own.stack, 1):
        if is_skull(disc):
            return UNDER + position
    return IN_HAND if any(map(is_skull, own.hand)) else NO_SKULL
