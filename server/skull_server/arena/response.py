"""A best response: learns, game by game, what pays against one bot, and then is counted.

It plays like hard, always doing what seems best, and keeps a note, for situations roughly alike,
of how much better or worse a choice turned out than hard's own reckoning had it. What it wins in
the end says how far the bot can be seen through by this learner; another might find more.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random

from skull_protocol.skull import SkullOptions, SkullOwn, SkullView
from skull_server.arena.contestants import maker
from skull_server.arena.match import play
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.bots.levels import HardBot
from skull_server.games.skull.bots.seating import Seating, empty_seating, own_skull
from skull_server.games.skull.bots.situations import kind

_ROUNDS = 12
"""How often what was learned is put together."""
_PARTS = 8
"""Into how many pieces the games between are cut."""
_EXPLORES = 0.1
_DOUBT = 30.0
"""So many imagined cases without surprise stand beside those met."""

Note = tuple[int, float]
"""How often a choice was made, and by how much in all it turned out better than reckoned."""
Notes = dict[tuple[int, ...], Note]


@dataclass(frozen=True)
class Response:
    """What a best response came to."""

    wins: int
    situations: int
    """How many choices in situations it has notes of."""


class Responder(HardBot):
    """Plays like hard, corrected by notes; may add to them."""

    def __init__(self, rng: Random, rules: SkullOptions, notes: Notes, learns: bool) -> None:
        """`notes`: what others have learned; new ones are kept in `learned`."""
        super().__init__(rng, rules)
        self._notes = notes
        self._learns = learns
        self.learned: Notes = {}
        self._pending: list[tuple[tuple[int, ...], float]] = []
        self._round = -1

    def weigh(
        self, view: SkullView, own: SkullOwn, at: Seating
    ) -> tuple[Sequence[int], list[float]]:
        """The best choice, or now and then any, to learn from."""
        mats, me = at.mats, at.me
        choices = mats.choices(me)
        if self._learns and view.round != self._round:
            self._round = view.round
            self._settle(self._worth(view, own))
        if len(choices) == 1:
            return choices, [1.0]
        if mats.height[me] == 0:
            values = [self._worth(view, own)] * len(choices)
        else:
            values = self.values(view, own, choices)
        like = _like(at)
        hopes = []
        for choice, value in zip(choices, values, strict=True):
            times, surplus = self._notes.get((*like, choice), (0, 0.0))
            hopes.append(value + surplus / (times + _DOUBT))
        taken = hopes.index(max(hopes))
        if self._learns and self.rng.random() < _EXPLORES:
            taken = self.rng.randrange(len(choices))
        self._pending.append(((*like, choices[taken]), values[taken]))
        return choices, [float(index == taken) for index in range(len(choices))]

    def finish(self, won: bool) -> None:
        """The game is over."""
        self._settle(float(won))

    def _settle(self, worth: float) -> None:
        for number, reckoned in self._pending:
            times, surplus = self.learned.get(number, (0, 0.0))
            self.learned[number] = (times + 1, surplus + worth - reckoned)
        self._pending.clear()

    def _worth(self, view: SkullView, own: SkullOwn) -> float:
        """The chance of winning at the beginning of a round."""
        at = empty_seating(view, own, self.memory, self.known.beliefs)
        mats = at.mats
        owns = [chance > 0.5 for chance in mats.owns]
        owns[at.me] = own_skull(own) >= 0
        return self.known.equity.share(mats.points, mats.discs, owns, at.starter, at.me)


def _like(at: Seating) -> tuple[int, ...]:
    """What makes decisions roughly alike."""
    mats, me = at.mats, at.me
    discs, height, skull, mine = mats.discs[me], mats.height[me], mats.skull[me], mats.points[me]
    what = kind(mats, me)
    if height == 0:
        return (what, mats.size, discs, mine, int(me == at.starter))
    lies = min(skull, 1)
    if not mats.bid:
        return (what, mats.size, mine, min(height, 3), lies, int(skull == height))
    chance = int(mats.own_chance(me, mats.bid + 1) * 4.999)
    room, rivals = min(mats.total - mats.bid, 3), min(mats.rivals, 2)
    return (what, mats.size, mine, mats.points[mats.bidder], lies, chance, room, rivals)


def respond(
    name: str,
    seats: int,
    rules: SkullOptions,
    train: int,
    games: int,
    seed: int,
    processes: int,
    done: Callable[[int], None],
) -> Response:
    """Learn from so many games, then play so many; `done` is told how many are over.

    The outcome hangs on the seed, not on the number of processes.
    """
    notes: Notes = {}
    over = 0
    with ProcessPoolExecutor(processes) as pool:
        each = -(-train // (_ROUNDS * _PARTS))
        for number in range(_ROUNDS):
            # All parts begin with the same notes, whenever they are sent to their process.
            learn = partial(
                _games, name, seats, rules, f"{seed} {seats} train {number}", each, dict(notes)
            )
            for _, learned in pool.map(partial(learn, True), range(_PARTS)):
                for like, (times, surplus) in learned.items():
                    before = notes.get(like, (0, 0.0))
                    notes[like] = (before[0] + times, before[1] + surplus)
                over += each
                done(min(over, train))
        count = partial(_games, name, seats, rules, f"{seed} {seats} test", -(-games // 40), notes)
        wins = played = 0
        for won, _ in pool.map(partial(count, False), range(40)):
            for each_won in won[: games - played]:
                wins += each_won
                played += 1
            done(train + played)
    return Response(wins, len(notes))


def _games(
    name: str,
    seats: int,
    rules: SkullOptions,
    seed: str,
    games: int,
    notes: Notes,
    learns: bool,
    part: int,
) -> tuple[list[bool], Notes]:
    """Play some games; return which were won, and what was learned from them."""
    won: list[bool] = []
    learned: Notes = {}
    for game in range(games):
        responders: list[Responder] = []

        def sit(rng: Random, rules: SkullOptions, who: list[Responder] = responders) -> Bot:
            who.append(Responder(rng, rules, notes, learns))
            return who[0]

        seat = game % seats
        makers = [sit if each == seat else maker(name) for each in range(seats)]
        won.append(play(makers, rules, f"{seed} {part} {game}") == seat)
        if learns:
            responders[0].finish(won[-1])
            for like, (times, surplus) in responders[0].learned.items():
                before = learned.get(like, (0, 0.0))
                learned[like] = (before[0] + times, before[1] + surplus)
    return won, learned
