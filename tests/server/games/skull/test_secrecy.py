"""Rules, "Public and secret": the twin test, and what each view may hold.

Two games from one seed and one list of actions that differ in one hidden disc of one player look
the same to everybody else, event for event and view for view, until that disc shows.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest
from tests.server.games.skull.scene import Scene, every_option, held, random_step

from skull_protocol.skull import (
    Bid,
    DiscLost,
    Flipped,
    Lose,
    Pick,
    Place,
    Shown,
    SkullEvent,
    SkullOptions,
    is_skull,
)
from skull_server.games.skull.forfeit import Forfeit, SkullInput
from skull_server.games.skull.game import SkullGame

OPTIONS = list(every_option())


Swap = Callable[[SkullGame, int, SkullInput], tuple[int, SkullInput] | None]
"""Given an action about to be done: whose hidden disc another action would change, and that."""


@dataclass
class Twins:
    """Two games that differ in what one player holds or has placed, for others to compare."""

    one: SkullGame
    other: SkullGame
    player: int

    def step(self, seat: int, action: SkullInput, other_action: SkullInput) -> bool:
        """Do the same in both; False once the difference has shown, and the twins have parted."""
        events = self.one.apply(seat, action)
        other_events = self.other.apply(seat, other_action)
        if self._faces(events) != self._faces(other_events):
            return False
        seats = range(len(self.one.view().seats))
        for viewer in (None, *(seat for seat in seats if seat != self.player)):
            seen = [self.one.event_for(event, viewer) for event in events]
            assert seen == [self.other.event_for(event, viewer) for event in other_events]
            if viewer is not None:
                assert self.one.own_view(viewer) == self.other.own_view(viewer)
                assert self.one.legal_actions(viewer) == self.other.legal_actions(viewer)
        assert self.one.view() == self.other.view()
        assert self.one.to_act() == self.other.to_act()
        return True

    def differ(self) -> bool:
        return self.one.own_view(self.player) != self.other.own_view(self.player)

    def _faces(self, events: list[SkullEvent]) -> list[str]:
        shown = (event for event in events if isinstance(event, Flipped | Shown))
        return [
            event.disc
            for event in shown
            if (event.owner if isinstance(event, Flipped) else event.seat) == self.player
        ]


def other_disc(disc: str, offered: tuple[str, ...]) -> str | None:
    """A disc to choose in its place, of the other kind if there is one."""
    rest = sorted(set(offered) - {disc}, key=lambda d: is_skull(d) == is_skull(disc))
    return rest[0] if rest else None


def twin_action(twins: Twins, seat: int, action: SkullInput) -> SkullInput:
    """The same action, or, where the player does not hold that disc here, one that looks alike."""
    if seat == twins.player and isinstance(action, Place | Lose):
        hand = twins.other.own_view(seat).hand
        if action.disc not in hand:
            return type(action)(hand[0])
    return action


def run(number: int, swap_at: int, swapped: Swap) -> int:
    """Play one game; from the `swap_at`-th chance on, a twin of it. Returns the steps compared."""
    options, seats = OPTIONS[number % len(OPTIONS)], 2 + number % 5
    rng = Random(number)
    game = SkullGame(options, seats, Random(number))
    twin = SkullGame(options, seats, Random(number))
    twins: Twins | None = None
    compared = 0
    while game.winner() is None and compared < 150:
        seat, action = random_step(game, rng)
        if twins is not None:
            if not twins.step(seat, action, twin_action(twins, seat, action)):
                break
            compared += twins.differ()
            continue
        swap = swapped(game, seat, action)
        swap_at -= swap is not None
        if swap is None or swap_at >= 0:
            assert game.apply(seat, action) == twin.apply(seat, action)
            continue
        player, other = swap
        twins = Twins(game, twin, player)
        assert twins.step(seat, action, other)
    return compared


def swapped_place(game: SkullGame, seat: int, action: SkullInput) -> tuple[int, SkullInput] | None:
    """Another disc placed instead, if this is a placing and there is another one."""
    if isinstance(action, Place):
        disc = other_disc(action.disc, game.own_view(seat).hand)
        if disc is not None:
            return seat, Place(disc)
    return None


def swapped_loss(game: SkullGame, _seat: int, action: SkullInput) -> tuple[int, SkullInput] | None:
    """Another disc lost instead: given up, or taken blind at another position."""
    outcome = game.view().outcome
    if outcome is None:
        return None
    if isinstance(action, Lose):
        disc = other_disc(action.disc, game.own_view(outcome.challenger).hand)
        if disc is not None:
            return outcome.challenger, Lose(disc)
    elif isinstance(action, Pick):
        owner = outcome.skull
        assert owner is not None
        taken = {other: loss(game, owner, other) for other in game.legal_actions(owner)}
        for other, disc in taken.items():
            if disc != taken[action]:
                return outcome.challenger, other
    return None


def loss(game: SkullGame, owner: int, pick: SkullInput) -> str | None:
    """The disc that a pick would take, found out in a copy of the game."""
    event = copy.deepcopy(game).apply(owner, pick)[0]
    assert isinstance(event, DiscLost)
    return event.disc


@pytest.mark.parametrize("part", range(4))
def test_twins_that_differ_in_a_placed_disc(part: int) -> None:
    compared = [run(number, number % 7, swapped_place) for number in range(part, 400, 4)]
    assert sum(steps > 3 for steps in compared) > 70


@pytest.mark.interpreted
@pytest.mark.parametrize("part", range(4))
def test_twins_that_differ_in_the_disc_lost(part: int) -> None:
    compared = [run(number, number % 3, swapped_loss) for number in range(part, 400, 4)]
    assert sum(steps > 10 for steps in compared) > 40


def test_twins_that_differ_in_the_disc_taken_blind() -> None:
    """The picker takes the same or another position: nothing tells them, or others, what it was."""
    for seed in range(40):
        scenes = [Scene(4, seed=seed) for _ in range(4)]
        lost = []
        for position, scene in enumerate(scenes):
            scene.hit_skull_of(1, challenger=0)
            (event,) = scene.do(1, Pick(position))
            assert isinstance(event, DiscLost)
            lost.append(event.disc)
            for viewer in (1, 2, 3, None):
                assert scene.game.event_for(event, viewer) == DiscLost(0, None, 3)
            scene.press_on()
            scene.first_discs()
        assert sorted(map(str, lost)) == ["F", "F", "F", "S"]
        for scene in scenes[1:]:
            assert scene.view == scenes[0].view
            for viewer in (1, 2, 3):
                assert scene.own(viewer) == scenes[0].own(viewer)


@pytest.mark.parametrize("phase", ["turn", "challenge"])
def test_twins_of_whom_one_leaves_for_good(phase: str) -> None:
    """What a player had hidden stays hidden when they take it out of the game."""
    one, other = (SkullGame(SkullOptions(first_player=0), 4, Random(1)) for _ in range(2))
    twins = Twins(one, other, 2)
    for seat in (1, 3):
        assert twins.step(seat, Place("F"), Place("F"))
    assert twins.step(2, Place("F"), Place("S"))
    assert twins.step(0, Place("F"), Place("F"))
    if phase == "challenge":
        assert twins.step(0, Bid(4), Bid(4))
    assert twins.step(2, Forfeit(), Forfeit())
    assert one.own_view(2) == other.own_view(2)
    for step in ((1, Place("S")), (3, Place("F")), (0, Place("F"))):
        assert twins.step(*step, step[1])


@pytest.mark.parametrize("part", range(4))
def test_no_view_holds_a_face_that_is_not_public_or_ones_own(part: int) -> None:
    """With cards every face is its own, so a leak of any one would be seen as what it is."""
    travel = [options for options in OPTIONS if options.equipment == "cards"]
    for number in range(part, 64, 4):
        seats = 2 + number % 5
        game = SkullGame(travel[number % len(travel)], seats, Random(number))
        rng = Random(number)
        seen: set[str] = set()
        while game.winner() is None:
            events = game.apply(*random_step(game, rng))
            seen |= {event.disc for event in events if isinstance(event, Flipped | Shown)}
            faces = {disc for seat in game.view().seats for disc in seat.stack if disc}
            assert faces <= seen
            for viewer in (None, *range(seats)):
                mine = set() if viewer is None else mine_of(game, viewer)
                for event in events:
                    disc = getattr(game.event_for(event, viewer), "disc", None)
                    assert disc is None or disc in seen | mine


@pytest.mark.parametrize("part", range(4))
def test_insiders_are_those_who_see_more_than_everybody(part: int) -> None:
    told = 0
    for number in range(part, 64, 4):
        seats = 2 + number % 5
        game = SkullGame(OPTIONS[number % len(OPTIONS)], seats, Random(number))
        rng = Random(number)
        while game.winner() is None:
            events = game.apply(*random_step(game, rng))
            public = game.events_for(events, None)
            more = {seat for seat in range(seats) if game.events_for(events, seat) != public}
            assert set(game.insiders(events)) == more
            told += len(more)
    assert told > 100


def mine_of(game: SkullGame, seat: int) -> set[str]:
    own = game.own_view(seat)
    return {*held(own), *own.lost}


def test_a_hand_is_in_one_order_whatever_happened() -> None:
    for number in range(40):
        game = SkullGame(OPTIONS[number], 4, Random(number))
        order = {seat: game.own_view(seat).hand for seat in range(4)}
        rng = Random(number)
        while game.winner() is None:
            game.apply(*random_step(game, rng))
            for seat in range(4):
                hand = game.own_view(seat).hand
                rank = ["F", *order[seat]] if "F" in order[seat] else list(order[seat])
                assert list(hand) == sorted(hand, key=rank.index)
