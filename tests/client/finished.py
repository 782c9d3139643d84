"""Games that are over, as the server tells of them: played by the rules, from a seed."""

from random import Random

from msgspec.structs import replace

from skull_protocol.skull import FLOWER, SKULL, Abandon, Lose, Place, Ready, Show, SkullOptions
from skull_protocol.tables import GameStep, GameSummary
from skull_server.games.skull.forfeit import Forfeit
from skull_server.games.skull.game import SkullGame
from skull_server.history import FinishedGame, GameRecord, PlayedSeat, steps, summary

NAMES = ("Ana", "Boris", "Carla-Maria Lang", "Dmitri")
ENDED = 1_764_460_800  # 2025-11-30 00:00 UTC


def played(seed: int, seats: int = 3, leaves: tuple[int, int] | None = None) -> GameRecord:
    """A whole game. `leaves`: a seat, and after how many inputs its player forfeits."""
    rng, options = Random(seed), SkullOptions(first_player=0)
    game = SkullGame(options, seats, Random(seed), ())
    inputs: list[tuple[int, object]] = []
    while game.winner() is None:
        seat = min(game.to_act())
        actions = [a for a in game.legal_actions(seat) if not isinstance(a, Abandon | Show)]
        action: object = rng.choice(actions)
        if leaves is not None and len(inputs) == leaves[1]:
            seat, action = leaves[0], Forfeit()
        game.apply(seat, action)  # type: ignore[arg-type]
        inputs.append((seat, action))
    winner = game.winner()
    assert winner is not None
    sat = [PlayedSeat(seat + 1, NAMES[seat]) for seat in range(seats)]
    if leaves is not None:
        sat[leaves[0]] = replace(sat[leaves[0]], left=leaves[1])
    rounds = game.view().round
    over = FinishedGame(seed, "KRTW", ENDED, winner, rounds, len(inputs), tuple(sat))
    return GameRecord(over, SkullGame.rules_version, options, seed, (None,) * seats, inputs)  # type: ignore[arg-type]


def told(record: GameRecord, seat: int = 0) -> tuple[GameSummary, tuple[GameStep, ...]]:
    """A game as the player of a seat is told of it."""
    return summary(record.finished, seat + 1), tuple(steps(record, seat + 1))


def with_another_loss(record: GameRecord) -> tuple[int, GameRecord, GameRecord]:
    """A seat, and two beginnings of a game that differ only in which disc it chose to lose."""
    for number, (seat, action) in enumerate(record.inputs):
        if isinstance(action, Lose):
            game = SkullGame(record.options, len(record.finished.seats), Random(record.seed), ())
            for earlier in record.inputs[:number]:
                game.apply(*earlier)
            discs = game.own_view(seat).choices.lose
            if len(discs) == 2:
                both = [_beginning(record, number, seat, disc) for disc in discs]
                return seat, both[0], both[1]
    raise ValueError("nobody chose a disc to lose in this game")


def _beginning(record: GameRecord, number: int, seat: int, lost: str) -> GameRecord:
    """The game up to a loss, and then the first discs of the next round."""
    inputs = [*record.inputs[:number], (seat, Lose(lost))]
    game = SkullGame(record.options, len(record.finished.seats), Random(record.seed), ())
    for some in inputs:
        game.apply(*some)
    while game.winner() is None and game.view().phase in ("round_over", "initial"):
        actor = min(game.to_act())
        legal = game.legal_actions(actor)
        action = next(some for some in (Ready(), Place(FLOWER), Place(SKULL)) if some in legal)
        game.apply(actor, action)
        inputs.append((actor, action))
    finished = replace(record.finished, inputs=len(inputs))
    return replace(record, finished=finished, inputs=inputs)
