"""A table to try the rules at: scripted scenes, every combination of options, random play."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from skull_protocol.errors import Refusal
from skull_protocol.skull import (
    Abandon,
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
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
)
from skull_server.games.skull.forfeit import Forfeit, SkullInput
from skull_server.games.skull.game import SkullGame


class Scene:
    """A game with its record; every method does legal actions, or fails the test."""

    def __init__(
        self,
        seats: int = 3,
        *,
        seed: int = 1,
        flowers: tuple[int | None, ...] = (),
        **options: Any,
    ) -> None:
        self.options = SkullOptions(**({"first_player": 0} | options))
        self.seats = seats
        self.seed = seed
        self.flowers = flowers
        self.rng = Random(seed)
        self.game = SkullGame(self.options, seats, self.rng, flowers)
        self.actions: list[tuple[int, SkullInput]] = []
        self.events: list[SkullEvent] = self.game.opening()

    # -- looking

    @property
    def view(self) -> SkullView:
        return self.game.view()

    def own(self, seat: int) -> SkullOwn:
        return self.game.own_view(seat)

    def to_act(self) -> list[int]:
        return sorted(self.game.to_act())

    def everything(self) -> tuple[object, ...]:
        """All that anybody can see, and where the dice stand."""
        seats = range(self.seats)
        return (
            self.view,
            [self.own(seat) for seat in seats],
            [self.game.legal_actions(seat) for seat in seats],
            self.game.to_act(),
            self.game.winner(),
            self.rng.getstate(),
        )

    # -- acting

    def do(self, seat: int, action: SkullInput) -> list[SkullEvent]:
        events = self.game.apply(seat, action)
        self.actions.append((seat, action))
        self.events += events
        return events

    def refused(self, seat: int, action: SkullInput) -> Refusal:
        """Try what must be refused; nothing may change by it."""
        before = self.everything()
        with pytest.raises(Refusal) as caught:
            self.game.apply(seat, action)
        assert self.everything() == before
        assert caught.value.sentence.endswith(".")
        return caught.value

    def place(self, seat: int, disc: Disc) -> list[SkullEvent]:
        return self.do(seat, Place(disc))

    def bid(self, seat: int, amount: int) -> list[SkullEvent]:
        return self.do(seat, Bid(amount))

    def passes(self, *seats: int) -> list[SkullEvent]:
        return [event for seat in seats for event in self.do(seat, Pass())]

    def flips(self, challenger: int, *owners: int) -> list[SkullEvent]:
        return [event for owner in owners for event in self.do(challenger, Flip(owner))]

    def press_on(self) -> list[SkullEvent]:
        return [event for seat in self.to_act() for event in self.do(seat, Ready())]

    # -- whole stretches of a round

    def first_discs(self, **wanted: Disc) -> None:
        """Place the initial discs: `s0="S"` for seat 0; the others the first of their hand."""
        while self.view.phase == "initial":
            for seat in self.to_act():
                hand = self.own(seat).hand
                self.place(seat, wanted.get(f"s{seat}", hand[0]))

    def challenge(self, challenger: int, amount: int) -> None:
        """Make a player the challenger; those before them place a disc, or bid if they must."""
        while self.view.phase in ("turn", "bidding"):
            (seat,) = self.to_act()
            hand = self.own(seat).hand
            if seat == challenger:
                self.bid(seat, amount)
            elif self.view.phase == "bidding":
                self.passes(seat)
            elif hand:
                self.place(seat, hand[0])
            else:
                self.bid(seat, 1)
        assert self.view.bidder == challenger

    def hit_own_skull(self, challenger: int, lose: Disc | None = None) -> None:
        """A round in which a player bids on the own skull and gives up the disc `lose`."""
        self.first_discs(**{f"s{challenger}": "S"})
        amount = 1 if self.to_act() == [challenger] else 2
        self.challenge(challenger, amount)
        self.flips(challenger, challenger)
        if lose is not None:
            self.do(challenger, Lose(lose))

    def hit_skull_of(self, owner: int, challenger: int) -> None:
        """A round in which a player flips the own flower, then another's skull."""
        self.first_discs(**{f"s{owner}": "S", f"s{challenger}": "F"})
        self.challenge(challenger, 2)
        self.flips(challenger, challenger, owner)

    def win_challenge(self, challenger: int) -> None:
        """A round in which a player bids 1 and flips the own flower."""
        self.first_discs(**{f"s{challenger}": "F"})
        self.challenge(challenger, 1)
        self.flips(challenger, challenger)


def every_option() -> Iterator[SkullOptions]:
    """Every combination of options that may be played together (but for a fixed first seat)."""
    for first, initial, own, left, kind, practice in itertools.product(
        ("flowers", "random"),
        ("starter_last", "together"),
        ("choose", "random"),
        ("choose", "left"),
        ("discs", "last_chance", "cards"),
        (False, True),
    ):
        yield SkullOptions(
            first_player=first,  # type: ignore[arg-type]
            initial=initial,  # type: ignore[arg-type]
            own_skull=own,  # type: ignore[arg-type]
            self_elimination_starter=left,  # type: ignore[arg-type]
            last_chance=kind == "last_chance",
            equipment="cards" if kind == "cards" else "discs",
            practice=practice,
        )


def random_step(game: SkullGame, rng: Random) -> tuple[int, SkullInput]:
    """Choose something legal: mostly what the game waits for, now and then anything at all."""
    view = game.view()
    if rng.random() < 0.003:
        still_in = [seat for seat, public in enumerate(view.seats) if not public.eliminated]
        return rng.choice(still_in), Forfeit()
    if rng.random() < 0.06:
        anything = [
            (seat, action) for seat in range(len(view.seats)) for action in game.legal_actions(seat)
        ]
        return rng.choice(anything)
    seat = rng.choice(view.to_act)
    if rng.random() < 0.1:
        return seat, game.default_action(seat)
    actions = [a for a in game.legal_actions(seat) if not isinstance(a, Abandon | Show)]
    if Pass() in actions and rng.random() < 0.5:
        return seat, Pass()
    return seat, rng.choice(actions)


def every_action(game: SkullGame) -> list[SkullAction]:
    """Every action that is legal at some time, and its neighbours that never are."""
    discs = {d for seat in range(len(game.view().seats)) for d in held(game.own_view(seat))}
    discs |= {"F", "S", "7h", "?"}
    return [
        *[Place(disc) for disc in sorted(discs)],
        *[Lose(disc) for disc in sorted(discs)],
        *[Bid(amount) for amount in (-(2**53) + 1, -1, *range(27), 2**53 - 1)],
        Pass(),
        Ready(),
        Abandon(True),
        Abandon(False),
        *[Flip(seat) for seat in range(-1, 7)],
        *[NameStarter(seat) for seat in range(-1, 7)],
        *[Pick(position) for position in range(-1, 6)],
        *[Show(position) for position in range(-1, 6)],
    ]


def held(own: SkullOwn) -> list[Disc]:
    """All discs of a player that are not lost."""
    return [*own.hand, *own.stack]
