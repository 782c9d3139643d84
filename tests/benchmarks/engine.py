"""How fast the rules are by themselves: recorded games of six, played again."""

import random
import time
from collections.abc import Callable

from skull_protocol.skull import Abandon, Show, SkullAction, SkullEvent, SkullOptions
from skull_server.games.skull.game import SkullGame

SEATS = 6
Record = list[tuple[int, SkullAction]]


def record(seed: int) -> Record:
    """Play a game at random, and return its actions."""
    draw = random.Random(seed)
    game = SkullGame(SkullOptions(), SEATS, random.Random(seed))
    actions: Record = []
    while game.winner() is None:
        seat = draw.choice(sorted(game.to_act()))
        legal = [a for a in game.legal_actions(seat) if not isinstance(a, Abandon | Show)]
        action = draw.choice(legal)
        game.apply(seat, action)
        actions.append((seat, action))
    return actions


def actions_per_second(
    records: list[Record], look: Callable[[SkullGame, list[SkullEvent]], object] | None
) -> float:
    """Play every game again; `look(game, events)` is called after each action."""
    count, began = 0, time.process_time()
    for seed, actions in enumerate(records):
        game = SkullGame(SkullOptions(), SEATS, random.Random(seed))
        for seat, action in actions:
            events = game.apply(seat, action)
            if look is not None:
                look(game, events)
        count += len(actions)
    return count / (time.process_time() - began)


def every_view(game: SkullGame, events: list[SkullEvent]) -> None:
    """Make the public view, each seat's own, and the events as each of them and a watcher sees."""
    game.view()
    for seat in range(SEATS):
        game.own_view(seat)
        [game.event_for(event, seat) for event in events]
    [game.event_for(event, None) for event in events]


def main(rounds: int = 5) -> None:
    """Print the best of some rounds: noise only ever makes it slower."""
    records = [record(seed) for seed in range(150)]
    bare = [actions_per_second(records, None) for _ in range(rounds)]
    seen = [actions_per_second(records, every_view) for _ in range(rounds)]
    print("engine, six seats, actions/s (best; worst)")
    print(f"  bare              {max(bare):9,.0f}  {min(bare):9,.0f}   goal 200,000")
    print(f"  with every view   {max(seen):9,.0f}  {min(seen):9,.0f}   goal  40,000")


if __name__ == "__main__":
    main()
