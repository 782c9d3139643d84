"""The games played at one table, one after another, and what becomes of seats in them.

A game that is over stays to be looked at, until the seats change or the next one begins.
"""

import random
from collections.abc import Callable

from skull_protocol.errors import Refusal, msg
from skull_protocol.skull import SkullAction
from skull_protocol.tables import TableOptions, TableStage
from skull_server import logs
from skull_server.chance import Chance
from skull_server.game_kinds import TableGame, new_game
from skull_server.inputs import Inputs, nothing
from skull_server.limits import Limits
from skull_server.play import Play
from skull_server.records import BegunGame, TableRecord, game_begun, game_start
from skull_server.roster import Roster
from skull_server.sessions import Session
from skull_server.thinking import Mind

log = logs.get(__name__)


class TableGames:
    """No game yet, one being played, or one that is over."""

    def __init__(
        self,
        code: str,
        roster: Roster,
        inputs: Inputs,
        limits: Limits,
        chance: Chance,
        mind: Mind,
        publish: Callable[[], None],
    ) -> None:
        """`publish()` tells everybody how the table is now."""
        self._code = code
        self._roster = roster
        self._publish = publish
        self._inputs = inputs
        self._limits = limits
        self._chance = chance
        self._mind = mind
        self.stage: TableStage = "waiting"
        self.count = 0
        """How many games were started here."""
        self._play: Play | None = None
        self.next_seq = 0
        """The number of this table's next update."""

    @property
    def running(self) -> Play | None:
        """The game being played, if there is one."""
        return self._play if self.stage == "playing" else None

    def check_none(self) -> None:
        """Raise `Refusal` while a game is running."""
        if self.running is not None:
            raise Refusal("game_running", "A game is running: wait until it is over.")

    def check_seats_open(self, options: TableOptions) -> None:
        """Raise `Refusal` if nobody can sit down now."""
        if self.running is not None:
            raise Refusal("game_running", "A game is being played there: you can watch it.")
        if self._roster.seated() >= options.max_seats:
            raise Refusal("table_full", "Every seat is taken: you can watch, or wait for a seat.")

    def start(self, options: TableOptions) -> None:
        """Begin a game with those seated now."""
        self.check_none()
        seats = [sitter for sitter in self._roster.seats if not sitter.gone]
        missing = options.min_seats - len(seats)
        if missing > 0:
            if missing == 1:
                words = msg("This table needs one more player: add a bot, or wait.")
            else:
                words = msg("This table needs {n} more players: add a bot, or wait.")
            raise Refusal("too_few_players", words, n=missing)
        seed, flowers = self._chance.seed(), [sitter.flowers for sitter in seats]
        game = new_game(options.rules, len(seats), random.Random(seed), flowers)
        self._roster.clear_empty_seats()
        self.stage = "playing"
        self.count += 1
        number = next(self._inputs.game_numbers)
        start = game_start(game.rules_version, options.rules, seed, flowers, self.next_seq)
        players = [
            (None if sitter.session is None else sitter.session.id, sitter.name) for sitter in seats
        ]
        self._inputs.record(game_begun, number, self._code, start, players)
        self._play = self._new_play(number, game, options)
        self._publish()
        self._play.begin()

    def _new_play(self, number: int, game: TableGame, options: TableOptions) -> Play:
        return Play(
            self._inputs,
            number,
            game,
            options,
            self._roster,
            self._number_update,
            self._mind,
            self._limits.bot_delay,
            self._chance.seed,
            self._over,
        )

    @property
    def shown(self) -> int | None:
        """The number of the game that is played or can still be seen."""
        return None if self._play is None else self._play.number

    def restore(self, table: TableRecord, begun: BegunGame | None) -> None:
        """After a restart: be as recorded, with the seats restored before. Raises `Refusal`.

        A game by other rules than these cannot go on: the table waits for another.
        """
        self.stage, self.count, self.next_seq = table.stage, table.games, table.next_seq
        if begun is None:
            return
        start = begun.start
        self.next_seq = start.first_seq + 1 + len(begun.inputs)
        dice = random.Random(int.from_bytes(start.seed, "big"))
        game = new_game(start.options, len(self._roster.seats), dice, start.flowers)
        if game.rules_version == start.rules_version:
            self._play = self._new_play(begun.number, game, table.options)
            self._play.resume(begun)
        else:
            log.warning("game_by_other_rules", game=begun.number, rules=start.rules_version)
            self.stage = "waiting"
            self._roster.clear_empty_seats()

    def act(self, seat: int, seq: int, action: SkullAction) -> None:
        """A player does something in the game, who last saw update `seq`."""
        play = self.running
        if play is None:
            raise Refusal("no_game", "No game is being played here: wait for the host to start.")
        play.act(seat, seq, action)

    def ask_coach(self, seat: int, session: Session) -> None:
        """A player wants advice."""
        if self.running is None:
            raise Refusal("no_game", "No game is being played here: wait for the host to start.")
        self.running.ask_coach(seat, session)

    def have_bot_play(self, seat: int) -> None:
        """A bot plays for the person who sits here, until they are back."""
        play, sitter = self.running, self._roster.seats[seat]
        if play is not None and not sitter.bot_plays:
            sitter.bot_plays = True
            self._publish()
            play.bot_plays(seat)

    def have_person_play(self, seat: int) -> bool:
        """Whoever sits here plays again. False: they did all the time."""
        play, sitter = self.running, self._roster.seats[seat]
        if play is None or not sitter.bot_plays:
            return False
        sitter.bot_plays = False
        play.person_plays(seat)
        return True

    def show_to(self, session: Session) -> None:
        """Send somebody who arrives the game as it stands, if there is one."""
        if self._play is not None:
            self._play.show_to(session)

    def forget_finished(self) -> None:
        """The seats are about to change: newcomers could not tell who played in which."""
        self._play = None
        self._roster.clear_empty_seats()

    def close(self) -> None:
        """Nobody is left: let nothing more happen, and let go of game and table."""
        if self._play is not None:
            self._play.stop()
            self._play = None
        self._publish = nothing

    def _number_update(self) -> int:
        self.next_seq += 1
        return self.next_seq - 1

    def _over(self) -> None:
        self.stage = "finished"
        if self._play is not None:
            self._play.record_end(self._limits)
        for sitter in self._roster.seats:
            sitter.bot_plays = False
        self._publish()
