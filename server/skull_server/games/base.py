"""What a table asks of a game, whatever is played.

A game knows its options, its seats and a random source, and nothing of networks, clocks or
names. Its whole state can be rebuilt from (rules version, options, seats, seed, what the players
answered before it began, actions): give a new game the same random source and apply the same
actions.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import Generic, TypeVar

Action = TypeVar("Action")
Event = TypeVar("Event")
View = TypeVar("View")
Own = TypeVar("Own")


class Game(ABC, Generic[Action, Event, View, Own]):
    """One game at one table, from the deal to the winner. Seats are numbered from 0, clockwise."""

    rules_version: int
    """Changes whenever the same inputs could lead to another state."""

    @abstractmethod
    def to_act(self) -> frozenset[int]:
        """The seats that the game waits for: several choose at once, none once it is over."""

    @abstractmethod
    def legal_actions(self, seat: int) -> Sequence[Action]:
        """Every action that `apply` takes from this seat now, also from a seat not waited for.

        Leaving for good, where a game knows it, is the table's to do and not among them.
        """

    @abstractmethod
    def apply(self, seat: int, action: Action) -> list[Event]:
        """Do an action and return what happened, in order, secrets included.

        Raises `Refusal` if the action is not legal; then nothing has changed.
        """

    @abstractmethod
    def default_action(self, seat: int) -> Action:
        """What is done for a seat in `to_act` that ran out of time, by the rules of the game.

        May draw from the game's random source; so it is asked for once, and then applied.
        """

    @abstractmethod
    def opening(self) -> list[Event]:
        """What happened before the first action, secrets included."""

    @abstractmethod
    def view(self) -> View:
        """The game as everybody may see it."""

    @abstractmethod
    def own_view(self, seat: int) -> Own:
        """What this seat sees besides: its own secrets, and what it may do."""

    @abstractmethod
    def event_for(self, event: Event, seat: int | None) -> Event | None:
        """The event as a seat (or a spectator: None) may see it; None if it may not know of it."""

    def events_for(self, events: Iterable[Event], seat: int | None) -> tuple[Event, ...]:
        """What a seat (or a spectator: None) may know of events, in order."""
        seen = [self.event_for(event, seat) for event in events]
        return tuple([event for event in seen if event is not None])

    @abstractmethod
    def insiders(self, events: Iterable[Event]) -> Collection[int]:
        """The seats that may know more of events than everybody may."""

    @abstractmethod
    def is_pause(self) -> bool:
        """Whether the game waits for people to look rather than to choose."""

    @abstractmethod
    def winner(self) -> int | None:
        """The winning seat, once the game is over."""
