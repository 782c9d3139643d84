"""One game between bots, by the real rules, each seeing what its seat may see."""

from collections.abc import Callable, Sequence
from random import Random

from skull_protocol.skull import SkullOptions
from skull_server.games.skull.bots.bot import Bot
from skull_server.games.skull.game import SkullGame

MakeBot = Callable[[Random, SkullOptions], Bot]
"""Makes a bot for a seat, from its own dice and the rules that are played."""

_MOST_ACTIONS = 20_000


class Endless(Exception):  # noqa: N818 - says what happened
    """A game goes on and on: some bot never does what would end it."""


def play(makers: Sequence[MakeBot], rules: SkullOptions, seed: str) -> int:
    """Play a game; return the seat that wins it. All chance follows from the seed.

    Raises `Refusal` if a bot does what the rules do not allow, and `Endless`.
    """
    dice = Random(f"{seed} dice")
    game = SkullGame(rules, len(makers), Random(dice.getrandbits(128)))
    bots = [make(Random(f"{seed} seat {seat}"), rules) for seat, make in enumerate(makers)]
    events = game.opening()
    for _ in range(_MOST_ACTIONS):
        shown = game.events_for(events, None)
        for bot in bots:
            bot.see(shown)
        winner = game.winner()
        if winner is not None:
            return winner
        # Those who choose at once do so in any order.
        seat = dice.choice(sorted(game.to_act()))
        events = game.apply(seat, bots[seat].decide(game.view(), game.own_view(seat)))
    raise Endless(f"no winner after {_MOST_ACTIONS} actions")
