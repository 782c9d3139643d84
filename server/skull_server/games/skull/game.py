"""Skull behind the interface that every table uses."""

from collections.abc import Collection, Iterable, Sequence
from random import Random
from typing import assert_never

from skull_protocol.errors import Refusal
from skull_protocol.skull import (
    Abandon,
    Bid,
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
)
from skull_server.games.base import Game
from skull_server.games.skull import refusals
from skull_server.games.skull.abandon import vote
from skull_server.games.skull.aftermath import press_on, show
from skull_server.games.skull.bidding import bid, pass_bid
from skull_server.games.skull.challenge import flip
from skull_server.games.skull.choices import choices, seats_to_act
from skull_server.games.skull.defaults import default_action
from skull_server.games.skull.forfeit import Forfeit, SkullInput, forfeit
from skull_server.games.skull.loss import lose, name_starter, pick
from skull_server.games.skull.placing import place
from skull_server.games.skull.rounds import begin_round
from skull_server.games.skull.setup import check_options, new_state
from skull_server.games.skull.view import Views, event_for, insiders

RULES_VERSION = 1
"""Changes whenever the same record could lead to another game."""


class SkullGame(Game[SkullInput, SkullEvent, SkullView, SkullOwn]):
    """One game of Skull, from the deal to the winner."""

    rules_version = RULES_VERSION

    def __init__(
        self,
        options: SkullOptions,
        seats: int,
        rng: Random,
        flowers: Sequence[int | None] = (),
    ) -> None:
        """Deal a game for `seats` players, drawing all chance from `rng`, which nobody else uses.

        `flowers`: for each seat, how many days ago its player last gave somebody flowers, or
        None; empty means that nobody said. Raises `Refusal` (`bad_options`) for options that
        contradict each other or the number of seats.
        """
        check_options(options, seats)
        if flowers and len(flowers) != seats:
            raise ValueError(f"{len(flowers)} answers about flowers for {seats} seats")
        # Default actions have their own dice: whether one is asked for must not shift the game's.
        self._default_rng = Random(rng.getrandbits(128))
        self._state = new_state(options, seats, rng, flowers or [None] * seats)
        self._views = Views(self._state)
        self._opening: list[SkullEvent] = []
        begin_round(self._state, self._opening)

    def to_act(self) -> frozenset[int]:
        """The seats that the game waits for."""
        return frozenset(seats_to_act(self._state))

    def legal_actions(self, seat: int) -> Sequence[SkullAction]:
        """Every action that `apply` takes from this seat now, but for leaving for good."""
        return choices(self._state, seat).actions()

    def apply(self, seat: int, action: SkullInput) -> list[SkullEvent]:
        """Do an action and return what happened, secrets included. Raises `Refusal`."""
        state = self._state
        if not 0 <= seat < len(state.players):
            raise Refusal("out_of_range", "There is no such seat at this table.")
        if state.phase == "game_over":
            raise refusals.wrong_phase(state)
        if state.players[seat].eliminated and not (
            state.phase == "name_starter" and state.turn == seat
        ):
            raise refusals.eliminated()
        phase = state.phase
        events: list[SkullEvent] = []
        match action:
            case Place():
                place(state, seat, action, events)
            case Bid():
                bid(state, seat, action, events)
            case Pass():
                pass_bid(state, seat, events)
            case Flip():
                flip(state, seat, action, events)
            case Pick():
                pick(state, seat, action, events)
            case Lose():
                lose(state, seat, action, events)
            case NameStarter():
                name_starter(state, seat, action, events)
            case Show():
                show(state, seat, action, events)
            case Ready():
                press_on(state, seat, events)
            case Abandon():
                vote(state, seat, action, events)
            case Forfeit():
                forfeit(state, seat, events)
            case _:
                assert_never(action)
        self._views.acted(phase, events)
        return events

    def default_action(self, seat: int) -> SkullAction:
        """What is done for a seat that ran out of time; drawn anew at each call.

        Asking changes nothing that anybody can see. Raises `ValueError` for a seat not in
        `to_act`.
        """
        return default_action(self._state, seat, self._default_rng)

    def opening(self) -> list[SkullEvent]:
        """The beginning of the first round."""
        return list(self._opening)

    def view(self) -> SkullView:
        """The game as everybody may see it."""
        return self._views.public()

    def own_view(self, seat: int) -> SkullOwn:
        """What this seat sees besides."""
        return self._views.own(seat)

    def event_for(self, event: SkullEvent, seat: int | None) -> SkullEvent:
        """The event as a seat (None: a spectator) may see it; every event is known to all."""
        return event_for(event, seat)

    def insiders(self, events: Iterable[SkullEvent]) -> Collection[int]:
        """The seats that may know more of events than everybody may."""
        return insiders(events)

    def is_pause(self) -> bool:
        """Whether the round is over and people look at how it ended."""
        return self._state.phase == "round_over"

    def winner(self) -> int | None:
        """The winning seat, once the game is over."""
        return self._state.winner
