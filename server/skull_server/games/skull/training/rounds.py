"""Rounds for training: dealt as they come up in games, played, traversed.

External-sampling counterfactual regret minimisation: for one player of a dealt round every choice
is tried, the others draw theirs; regrets are kept by situation, as if each round were a game whose
prize is the chance of winning from how it ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from skull_server.games.skull.bots.beliefs import Beliefs, Counts
from skull_server.games.skull.bots.equity import LOSES_SKULL, Equity
from skull_server.games.skull.bots.mats import IN_HAND, NO_SKULL, PLACE_SKULL, Mats
from skull_server.games.skull.bots.situations import situation

Entry = list[float]
"""Of one situation: the regret of each choice, the sum of each choice's chances, the visits."""
CHOICES = 6
TREMBLE = 0.03


@dataclass
class Standing:
    """A game between rounds: what each player has, and what everybody knows of their skull."""

    points: list[int]
    discs: list[int]
    has_skull: list[bool]
    owns: list[float]
    starter: int

    @classmethod
    def somewhere(cls, seats: int, rng: Random) -> "Standing":
        """Anywhere in a game, also where games seldom come to."""
        discs = [rng.choice((1, 2, 3, 4, 4)) for _ in range(seats)]
        owns = [(0.0, 0.4, 0.55, 0.8, 1.0)[left] for left in discs]
        has_skull = [rng.random() < chance for chance in owns]
        points = [int(rng.random() < 0.35) for _ in range(seats)]
        return cls(points, discs, has_skull, owns, rng.randrange(seats))

    @classmethod
    def fresh(cls, seats: int, rng: Random) -> "Standing":
        """The beginning of a game."""
        return cls([0] * seats, [4] * seats, [True] * seats, [1.0] * seats, rng.randrange(seats))

    def deal(self, beliefs: Beliefs) -> Mats:
        """The next round, nothing laid."""
        skull = [IN_HAND if has else NO_SKULL for has in self.has_skull]
        return Mats(beliefs, self.points, self.discs, self.owns, skull, self.starter)

    def end(self, mats: Mats, found: int, rng: Random) -> int | None:
        """Settle a challenge; return the winner of the game by place, if it is over.

        `found`: whose skull ended it; -1: nobody's. Those out leave their place to the next.
        """
        who = mats.bidder
        if found < 0:
            self.points[who] += 1
            self.starter = who
            return who if self.points[who] == 2 else None
        before = self.discs[who]
        self.owns[found] = 1.0
        gone = LOSES_SKULL[before] if found == who else 1 / before
        if self.has_skull[who] and rng.random() < gone:
            self.has_skull[who] = False
        self.owns[who] *= 1 - gone
        self.discs[who] -= 1
        self.starter = who
        if not self.discs[who]:
            self.starter = rng.randrange(len(self.discs)) if found == who else found
            if self.starter == who:
                self.starter = (who + 1) % len(self.discs)
            for each in (self.points, self.discs, self.has_skull, self.owns):
                del each[who]
            if len(self.discs) == 1:
                return 0
            self.starter -= self.starter > who
        return None


Strategy = Callable[[Mats, int, int], tuple[Sequence[int], Sequence[float]]]
"""`strategy(mats, place, starter)`: the choices of a player, and how likely each is."""


def play_round(
    mats: Mats,
    strategy: Strategy,
    rng: Random,
    tremble: float = 0.0,
    seen: Callable[[Mats], None] | None = None,
) -> int:
    """Play a round out; return whose skull ended it, -1 if nobody's.

    `seen` is called before each decision.
    """
    starter = mats.turn
    _first_discs(mats, strategy, rng, starter, tremble)
    while True:
        if seen is not None:
            seen(mats)
        place = mats.turn
        choices, chances = strategy(mats, place, starter)
        if tremble and rng.random() < tremble:
            choice = rng.choice(choices)
        else:
            choice = draw(choices, chances, rng)
        if mats.do(place, choice):
            return mats.skull_found()


def _first_discs(mats: Mats, strategy: Strategy, rng: Random, starter: int, tremble: float) -> None:
    # All are chosen before any is laid: nobody's hangs on another's.
    chosen = []
    for place in range(mats.size):
        choices, chances = strategy(mats, place, starter)
        trembles = tremble and rng.random() < tremble
        chosen.append(rng.choice(choices) if trembles else draw(choices, chances, rng))
    for place, choice in enumerate(chosen):
        mats.lay(place, choice == PLACE_SKULL)


def draw(choices: Sequence[int], chances: Sequence[float], rng: Random) -> int:
    """Draw a choice; the chances add up to 1."""
    left = rng.random()
    for choice, chance in zip(choices, chances, strict=True):
        left -= chance
        if left < 0:
            return choice
    return choices[-1]


def count(mats: Mats, counts: Counts) -> None:
    """Note where each player's skull is, by what is seen of them."""
    for place in range(mats.size):
        discs, height, skull = mats.discs[place], mats.height[place], mats.skull[place]
        number = mats.seen(place)
        cases = counts.get(number)
        if cases is None:
            cases = counts[number] = [0.0] * (height + 2)
        if skull < 0:
            # Only those count who might still have it: with all discs everybody does.
            if discs < 4:
                cases[0] += 1
        else:
            cases[1 + skull] += 1


@dataclass
class Learner:
    """Regrets and average strategy, by situation."""

    entries: dict[int, Entry]
    equity: Equity
    rng: Random
    weight: float = 1.0
    touched: dict[int, Entry] = field(default_factory=dict)
    """What each entry was before this learner first changed it."""

    def strategy(
        self, mats: Mats, place: int, starter: int
    ) -> tuple[Sequence[int], Sequence[float]]:
        """Regret matching: what was regretted most is done most."""
        choices = mats.choices(place)
        if len(choices) == 1:
            return choices, (1.0,)
        return choices, matched(self.entries.get(situation(mats, place, starter)), choices)

    def traverse_round(self, mats: Mats, me: int) -> None:
        """Learn for one player from one dealt round, nothing laid yet."""
        starter = mats.turn
        chosen = [
            -1 if place == me else self._draw_other(mats, place, starter)
            for place in range(mats.size)
        ]
        options = mats.choices(me)
        for place, choice in enumerate(chosen):
            if place != me:
                mats.lay(place, choice == PLACE_SKULL)
        if len(options) == 1:
            mats.lay(me, options[0] == PLACE_SKULL)
            self._walk(mats, me, starter)
            return
        # The own first disc was chosen before anything of the others' was seen; but nothing of
        # theirs is in the situation of a first disc.
        number = situation(mats, me, starter)
        values = []
        for choice in options:
            branch = mats.copy()
            branch.lay(me, choice == PLACE_SKULL)
            values.append(self._walk(branch, me, starter))
        entry = self._entry(number)
        chances = matched(entry, options)
        value = sum([a * b for a, b in zip(values, chances, strict=True)])
        for choice, each in zip(options, values, strict=True):
            entry[choice] += self.weight * (each - value)

    def _entry(self, number: int) -> Entry:
        entry = self.entries.get(number)
        if entry is None:
            entry = self.entries[number] = [0.0] * (2 * CHOICES + 1)
        if number not in self.touched:
            self.touched[number] = entry[:]
        return entry

    def _draw_other(self, mats: Mats, place: int, starter: int) -> int:
        """Draw what another player does, and add to their average strategy."""
        choices = mats.choices(place)
        if len(choices) == 1:
            return choices[0]
        entry = self._entry(situation(mats, place, starter))
        chances = matched(entry, choices)
        weight = self.weight
        for choice, chance in zip(choices, chances, strict=True):
            entry[CHOICES + choice] += weight * chance
        entry[2 * CHOICES] += 1
        if self.rng.random() < TREMBLE:
            return self.rng.choice(choices)
        return draw(choices, chances, self.rng)

    def _walk(self, mats: Mats, me: int, starter: int) -> float:
        """The value of a round for one player, who tries every choice."""
        while True:
            place = mats.turn
            if place == me:
                break
            if mats.do(place, self._draw_other(mats, place, starter)):
                return mats.worth(self.equity, me, mats.skull_found())
        choices = mats.choices(me)
        if len(choices) == 1:
            if mats.do(me, choices[0]):
                return mats.worth(self.equity, me, mats.skull_found())
            return self._walk(mats, me, starter)
        number = situation(mats, me, starter)
        values = []
        for choice in choices:
            branch = mats.copy()
            if branch.do(me, choice):
                values.append(branch.worth(self.equity, me, branch.skull_found()))
            else:
                values.append(self._walk(branch, me, starter))
        entry = self._entry(number)
        chances = matched(entry, choices)
        value = sum([a * b for a, b in zip(values, chances, strict=True)])
        weight = self.weight
        for choice, each in zip(choices, values, strict=True):
            entry[choice] += weight * (each - value)
        return value


def matched(entry: Entry | None, choices: Sequence[int]) -> Sequence[float]:
    """Chances in proportion to the regrets above nothing; all alike if there are none."""
    if entry is not None:
        regrets = [max(0.0, entry[choice]) for choice in choices]
        total = sum(regrets)
        if total > 0:
            return [regret / total for regret in regrets]
    return [1 / len(choices)] * len(choices)


def averaged(entry: Entry | None, choices: Sequence[int]) -> Sequence[float]:
    """The average strategy."""
    if entry is not None:
        sums = [entry[CHOICES + choice] for choice in choices]
        total = sum(sums)
        if total > 0:
            return [each / total for each in sums]
    return [1 / len(choices)] * len(choices)
