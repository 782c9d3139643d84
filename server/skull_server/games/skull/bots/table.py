"""The table bot: does what the table says, a little tilted by its character."""

from collections.abc import Iterable, Sequence
from random import Random

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
    SkullEvent,
    SkullOptions,
    SkullOwn,
    SkullView,
    is_skull,
)
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.characters import PLAIN, Character, tilted
from skull_server.games.skull.bots.equity import LOSES_SKULL
from skull_server.games.skull.bots.knowledge import Knowledge, knowledge
from skull_server.games.skull.bots.mats import PLACE_SKULL
from skull_server.games.skull.bots.memory import Memory
from skull_server.games.skull.bots.seating import Seating, seating

Weights = dict[SkullAction, float]
"""How often each action is to be done; they add up to 1."""

_SHOWS_BLUFF = 0.1
_ABOUT_AS_SAFE = 0.005


class TableBot(Bot):
    """Plays the table. `weigh` and `flower_chance` are where others think further."""

    def __init__(
        self,
        rng: Random,
        rules: SkullOptions,
        character: Character = PLAIN,
        known: Knowledge | None = None,
    ) -> None:
        """`known`: what to play by; None: what comes with the game."""
        super().__init__(rng, rules)
        self.character = character
        self.known = known or knowledge()
        self.memory = Memory(rules)

    def see(self, events: Sequence[SkullEvent]) -> None:
        """Remember what everybody saw."""
        self.memory.see(events)

    def decide(self, view: SkullView, own: SkullOwn) -> SkullAction:
        """Choose; see `Bot.decide`."""
        weights = self.weights(view, own)
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def weights(self, view: SkullView, own: SkullOwn) -> Weights:
        """How often this bot would do what, for a seat in `view.to_act`.

        Raises `ValueError` if there is nothing to choose.
        """
        choices = own.choices
        if choices.place or choices.bid is not None or choices.may_pass:
            return self._laying_or_bidding(view, own)
        if choices.flip:
            return _alike(Flip(seat) for seat in self._safest(view, own))
        if choices.pick:
            return _alike(Pick(position) for position in range(choices.pick))
        if choices.lose:
            skull = LOSES_SKULL[min(len(own.hand), 4)]
            return _losing(choices.lose, skull)
        if choices.name_starter:
            return _alike(NameStarter(seat) for seat in _harmless(view, choices.name_starter))
        if choices.ready:
            return _pressing_on(view, own)
        raise ValueError("a bot was asked while it has nothing to choose")

    def weigh(
        self,
        view: SkullView,  # noqa: ARG002 - those who think further look
        own: SkullOwn,  # noqa: ARG002
        at: Seating,
    ) -> tuple[Sequence[int], list[float]]:
        """The choices on the own turn, as `mats` has them, and how likely each is to be taken."""
        mats, me = at.mats, at.me
        choices = mats.choices(me)
        chances = self.known.chances(mats, me, at.starter, choices)
        return choices, tilted(self.character, mats, me, choices, chances)

    def flower_chances(self, view: SkullView, own: SkullOwn) -> dict[int, float]:
        """How likely the top face-down disc of each stack that may be flipped is a flower."""
        at = seating(view, own, self.memory, self.known.beliefs)
        found = {}
        for seat in own.choices.flip:
            stack = view.seats[seat].stack
            found[seat] = at.mats.looks(at.seats.index(seat))[len(stack) - stack.count(None)]
        return found

    def _laying_or_bidding(self, view: SkullView, own: SkullOwn) -> Weights:
        at = seating(view, own, self.memory, self.known.beliefs)
        choices, chances = self.weigh(view, own, at)
        found: Weights = {}
        for choice, chance in zip(choices, chances, strict=True):
            amount = at.mats.amount(at.me, choice)
            if amount:
                found[Bid(amount)] = chance
            elif own.choices.may_pass:
                found[Pass()] = chance
            else:
                skull = choice == PLACE_SKULL
                discs = [disc for disc in own.choices.place if is_skull(disc) == skull]
                found |= {Place(disc): chance / len(discs) for disc in discs}
        return found

    def _safest(self, view: SkullView, own: SkullOwn) -> Sequence[int]:
        if len(own.choices.flip) == 1:
            return own.choices.flip
        chances = self.flower_chances(view, own)
        best = max(chances.values())
        return [seat for seat, chance in chances.items() if chance >= best - _ABOUT_AS_SAFE]


def _alike(actions: Iterable[SkullAction]) -> Weights:
    found = list(actions)
    return dict.fromkeys(found, 1 / len(found))


def _losing(discs: Sequence[Disc], skull: float) -> Weights:
    skulls = [disc for disc in discs if is_skull(disc)]
    flowers = [disc for disc in discs if not is_skull(disc)]
    if not (skulls and flowers):
        return _alike(Lose(disc) for disc in discs)
    found: Weights = {Lose(disc): skull / len(skulls) for disc in skulls}
    return found | {Lose(disc): (1 - skull) / len(flowers) for disc in flowers}


def _harmless(view: SkullView, offered: Sequence[int]) -> Sequence[int]:
    fewest = min(view.seats[seat].points for seat in offered)
    return [seat for seat in offered if view.seats[seat].points == fewest]


def _pressing_on(view: SkullView, own: SkullOwn) -> Weights:
    """Press on, but now and then show a bluff that worked."""
    for position in own.choices.show:
        if view.seats[own.seat].bid and is_skull(own.stack[position]):
            return {Show(position): _SHOWS_BLUFF, Ready(): 1 - _SHOWS_BLUFF}
    return {Ready(): 1.0}
