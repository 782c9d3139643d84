"""Finished games to look back at: kept by hand, by chance, and as twins that differ in one disc."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.server.restarts import Durable

from skull_protocol.pushes import GameSteps, Statistics
from skull_protocol.skull import Abandon, Bid, Lose, Place, Ready, Show, SkullAction, SkullOptions
from skull_protocol.tables import PlayerRecord
from skull_server.games.skull.game import RULES_VERSION, SkullGame
from skull_server.history import FinishedGame, GameRecord, History, PlayedSeat, summary
from skull_server.thinking import QuickMind


class Kept:
    """Finished games, newest last, as a journal would keep them."""

    def __init__(self) -> None:
        self.games: dict[int, GameRecord] = {}

    def played_by(self, player: int, before: int | None, limit: int) -> list[FinishedGame]:
        found = [
            record.finished
            for number, record in sorted(self.games.items(), reverse=True)
            if (before is None or number < before)
            and any(sat.player == player for sat in record.finished.seats)
        ]
        return found[:limit]

    def load(self, game: int) -> GameRecord | None:
        return self.games.get(game)

    def records(self, limit: int) -> list[PlayerRecord]:
        return []

    def statistics(self, player: int, opponents: int) -> Statistics | None:
        return None


def looking_back(kept: Kept) -> History:
    """What is asked about these games is answered at once."""
    return History(kept, QuickMind(), lambda step: step())


def durable(directory: Path, seed: int) -> Durable:
    """A server with a journal; the machine does not crash in this test, so it need not sync."""
    world = Durable(directory, seed=seed)
    world.journal._connection.execute("PRAGMA synchronous = OFF")
    return world


def some_action(rng: random.Random, actions: Any) -> SkullAction:
    """Random, but so that a game gets somewhere."""
    likely = [a for a in actions if not isinstance(a, Abandon | Show)]
    if rng.random() < 0.08 or not likely:
        likely = list(actions)
    if any(isinstance(a, Ready) for a in likely) and rng.random() < 0.8:
        return Ready()
    bids = [a for a in likely if isinstance(a, Bid)]
    if bids and rng.random() < 0.5:
        return bids[0]
    return rng.choice(likely)


def random_rules(rng: random.Random, seats: int) -> SkullOptions:
    cards = rng.random() < 0.3
    return SkullOptions(
        first_player=rng.choice(("flowers", "random", seats - 1)),  # type: ignore[arg-type]
        initial=rng.choice(("starter_last", "together")),
        own_skull=rng.choice(("choose", "random")),
        self_elimination_starter=rng.choice(("choose", "left")),
        last_chance=not cards and rng.random() < 0.5,
        equipment="cards" if cards else "discs",
        practice=rng.random() < 0.3,
    )


class ReplayTwins:
    """One game played twice in step, in which one player hides something."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.seats = rng.randrange(2, 7)
        self.hider = rng.randrange(self.seats)
        self.options = random_rules(rng, self.seats)
        self.seed = seed
        self.lost_differently = False
        games = [SkullGame(self.options, self.seats, random.Random(seed)) for _ in range(2)]
        self.inputs: tuple[list[Any], list[Any]] = ([], [])
        for _ in range(300):
            awaited = sorted(games[0].to_act())
            if not awaited:
                break
            seat = rng.choice(awaited)
            pair = self._choose(rng, seat, [game.legal_actions(seat) for game in games])
            if pair is None:
                break
            for game, action, inputs in zip(games, pair, self.inputs, strict=True):
                game.apply(seat, action)
                inputs.append((seat, action))
            if games[0].view() != games[1].view():  # it has come to light
                for inputs in self.inputs:
                    inputs.pop()
                break

    def _choose(self, rng: random.Random, seat: int, legal: Any) -> tuple[Any, Any] | None:
        here, there = ([a for a in some if not isinstance(a, Abandon)] for some in legal)
        if seat == self.hider:
            hidden = [
                (one, other)
                for one in here
                for other in there
                if one != other and type(one) is type(other) and isinstance(one, Place | Lose)
            ]
            losses = [pair for pair in hidden if isinstance(pair[0], Lose)]
            if losses or (hidden and rng.random() < 0.2):
                self.lost_differently |= bool(losses)
                return rng.choice(losses or hidden)
        common = [action for action in here if action in there]
        if not common:
            return None
        action = some_action(rng, common)
        return action, action

    def records(self) -> Iterator[GameRecord]:
        sat = tuple(PlayedSeat(seat + 1, f"P{seat}") for seat in range(self.seats))
        for inputs in self.inputs:
            finished = FinishedGame(1, "BCDF", 1000, 0, 1, len(inputs), sat)
            flowers = (None,) * self.seats
            yield GameRecord(finished, RULES_VERSION, self.options, self.seed, flowers, inputs)


def pages(record: GameRecord, player: int) -> Iterator[GameSteps]:
    kept = Kept()
    kept.games[1] = record
    history, first = looking_back(kept), 0
    while first < summary(record.finished, player).steps:
        page = history.steps(player, 1, first)
        yield page
        first += len(page.steps)
