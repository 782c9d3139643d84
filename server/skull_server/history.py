"""Finished games as each player saw them, made again from what the journal keeps of a game.

Nothing that was sent is kept: a game is played again from its record, and each step is redacted for
one seat by the same rules as when it was played. So what was secret from a player stays secret.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct

from skull_protocol.codec import encode_part
from skull_protocol.errors import Refusal
from skull_protocol.pushes import GameReview, Games, GameSteps, Records, Statistics
from skull_protocol.skull import SkullEvent, SkullOptions
from skull_protocol.tables import GameStep, GameSummary, MissedChance, PlayerRecord
from skull_server.coach import Missed, Moment, Review, new_coach
from skull_server.game_kinds import BotPlayer, TableGame, new_game
from skull_server.games.skull.forfeit import Forfeit, SkullInput
from skull_server.thinking import Mind

PAGE = 20
"""Games in one answer."""
STEPS_BYTES = 24 * 1024
"""Bytes of steps in one answer, of which there is at least one. To make them again takes about a
millisecond, in which everybody else waits."""
MOST_STEPS = 1000
"""Steps of a game that can be looked at; a game of friends has some hundred. A client that asks for
all of them, page after page, stays within what it may ask in one go."""
MISSED = 3
"""Decisions in the review of a game."""
LEAST_MISSED = 0.05
"""What cost less of the chance to win than this is not worth talking about."""
MOST_RECORDS = 100
"""Players in the list of records."""
MOST_OPPONENTS = 100
"""Opponents in a player's statistics."""


class PlayedSeat(Struct, frozen=True):
    """Who sat in a seat of a finished game."""

    player: int | None
    """None: a bot, from the beginning."""
    name: str
    """As the game began."""
    left: int | None = None
    """How many inputs the game had had when they left it for good; None: they stayed."""


class FinishedGame(Struct, frozen=True):
    """What the list of games tells about one."""

    game: int
    table: str
    ended: int
    """Seconds since 1970, UTC."""
    winner: int
    rounds: int
    inputs: int
    seats: tuple[PlayedSeat, ...]


class GameRecord(Struct, frozen=True):
    """Everything from which a finished game can be played again."""

    finished: FinishedGame
    rules_version: int
    options: SkullOptions
    seed: int
    flowers: tuple[int | None, ...]
    inputs: Sequence[tuple[int, SkullInput]]
    """Seat and input, oldest first."""

    def __repr__(self) -> str:
        """Name the game, and nothing that is secret in it."""
        return f"GameRecord({self.finished!r})"


class FinishedGames(Protocol):
    """Where finished games are kept. Nobody can ask it for a game that is not over."""

    def played_by(self, player: int, before: int | None, limit: int) -> list[FinishedGame]:
        """Games that a player played, newest first, older than the game `before`."""

    def load(self, game: int) -> GameRecord | None:
        """A finished game, if there is one with this number."""

    def records(self, limit: int) -> list[PlayerRecord]:
        """The records of the players, most wins first."""

    def statistics(self, player: int, opponents: int) -> Statistics | None:
        """What is counted for a player alone, with so many opponents, those met last first."""


class History:
    """Answers what players ask about games that are over. Without games kept, there are none."""

    def __init__(
        self, finished: FinishedGames | None, mind: Mind, run: Callable[[Callable[[], None]], None]
    ) -> None:
        """`mind`: where games are reviewed; `run(step)` does something as an input."""
        self._finished = finished
        self._mind = mind
        self._run = run
        self._reviewing: set[int] = set()
        """The players who wait for a review."""

    def games(self, player: int, before: int | None) -> Games:
        """A page of a player's games, newest first."""
        if self._finished is None:
            return Games((), more=False)
        found = self._finished.played_by(player, before, PAGE + 1)
        return Games(tuple(summary(game, player) for game in found[:PAGE]), len(found) > PAGE)

    def steps(self, player: int, game: int, first: int) -> GameSteps:
        """Steps of a game, as many as fit. Raises `Refusal` with `no_such_game`."""
        record = self._played(player, game)
        told = summary(record.finished, player)
        return GameSteps(told, first, tuple(_that_fit(steps(record, player, first))))

    def review(self, player: int, game: int, tell: Callable[[GameReview], None]) -> None:
        """Tell a player, in time, what cost them most in a game; one review at a time.

        Raises `Refusal` with `no_such_game`, or with `no_coach` if others than bots played.
        """
        record = self._played(player, game)
        if any(sat.player not in (None, player) for sat in record.finished.seats):
            raise Refusal("no_coach", "The coach looks only at games that you played with bots.")
        if player in self._reviewing:
            return
        _new_game(record)  # raises before anybody waits
        self._reviewing.add(player)
        # The same dice for the same game: looked at again, the review is the same.
        thought = self._mind.ask(new_coach(record.options, game), _ReviewOf(record, player))

        def done() -> None:
            self._reviewing.discard(player)
            tell(GameReview(game, tuple(_told(missed) for missed in thought.answer or ())))

        thought.then(lambda: self._run(done))

    def _played(self, player: int, game: int) -> GameRecord:
        """A game that a player played. Raises `Refusal` with `no_such_game`."""
        record = self._finished.load(game) if self._finished is not None else None
        if record is None or _seat_of(record.finished, player) is None:
            raise Refusal("no_such_game", "You played no such game: choose one from your list.")
        return record

    def records(self) -> Records:
        """The records of the players."""
        return Records(
            () if self._finished is None else tuple(self._finished.records(MOST_RECORDS))
        )

    def statistics(self, player: int) -> Statistics:
        """What is counted for a player, for their eyes only."""
        kept = self._finished.statistics(player, MOST_OPPONENTS) if self._finished else None
        return kept or Statistics(0, 0, 0, 0, 0, 0, 0, ())


def summary(finished: FinishedGame, player: int) -> GameSummary:
    """A game as the list of a player who played it shows it."""
    seat = _seat_of(finished, player)
    assert seat is not None
    return GameSummary(
        finished.game,
        finished.ended,
        finished.table,
        tuple(sat.name for sat in finished.seats),
        seat,
        finished.winner,
        finished.rounds,
        min(finished.inputs + 1, MOST_STEPS),
        tuple(number for number, sat in enumerate(finished.seats) if sat.left is not None),
    )


def steps(record: GameRecord, player: int, first: int = 0) -> Iterator[GameStep]:
    """Each step as the player was sent it; once they had left, as everybody may see it.

    The first step is the beginning, then comes one for each input. Raises `Refusal` with
    `no_such_game` if the rules have changed so that it might become another game.
    """
    seat = _seat_of(record.finished, player)
    assert seat is not None
    left = record.finished.seats[seat].left
    for number, (game, events) in enumerate(_played_again(record)):
        if number == MOST_STEPS:
            return
        if number < first:
            continue
        eyes = seat if left is None or number <= left else None
        yield GameStep(
            game.events_for(events, eyes),
            game.view(),
            None if eyes is None else game.own_view(eyes),
        )


class _ReviewOf(Struct, frozen=True):
    """Which decisions of a player cost most? Also playing the game again is the bot's work."""

    record: GameRecord
    player: int

    def __call__(self, bot: BotPlayer) -> tuple[Missed, ...]:
        """Ask a bot that has seen nothing yet."""
        seat = _seat_of(self.record.finished, self.player)
        assert seat is not None
        return Review(tuple(_moments(self.record, seat)), MISSED, LEAST_MISSED)(bot)


def _moments(record: GameRecord, seat: int) -> Iterator[Moment]:
    """Each decision of a seat, with what it knew then."""
    game = _new_game(record)
    seen = list(game.opening())
    for step, (by, action) in enumerate(record.inputs, 1):
        if by == seat and not isinstance(action, Forfeit):
            known = game.events_for(seen, None)
            yield Moment(step, known, game.view(), game.own_view(seat), action)
            seen = []
        seen += game.apply(by, action)


def _told(missed: Missed) -> MissedChance:
    return MissedChance(missed.step, missed.better, round(100 * missed.cost))


def _played_again(record: GameRecord) -> Iterator[tuple[TableGame, list[SkullEvent]]]:
    """The game after each step, and what happened in it, secrets included."""
    game = _new_game(record)
    yield game, game.opening()
    for seat, action in record.inputs:
        yield game, game.apply(seat, action)


def _new_game(record: GameRecord) -> TableGame:
    game = new_game(record.options, len(record.finished.seats), Random(record.seed), record.flowers)
    if game.rules_version != record.rules_version:
        raise Refusal("no_such_game", "That game was played by older rules: it cannot be shown.")
    return game


def _seat_of(finished: FinishedGame, player: int) -> int | None:
    for number, sat in enumerate(finished.seats):
        if sat.player == player:
            return number
    return None


def _that_fit(found: Iterator[GameStep]) -> Iterator[GameStep]:
    room = STEPS_BYTES
    for number, step in enumerate(found):
        room -= len(encode_part(step))
        if room < 0 and number > 0:
            return
        yield step
