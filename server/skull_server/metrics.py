"""What the server counts about itself. Here nothing is: `prometheus.py` does, where it is wanted.

No name, number or text of a player or table ever gets in: only how many, and of which kind.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from skull_protocol.errors import ErrorCode

Outcome = Literal["ok"] | ErrorCode
"""How a request ended."""
CutOff = Literal["slow", "silent"]
"""Why a client was cut off: it did not read what it was sent, or nothing was heard from it."""


class Sample(Struct, frozen=True):
    """How much there is of everything, at one moment."""

    connections: int
    players: int
    """Known players, the absent ones included."""
    tables: Mapping[str, int]
    """By stage."""
    timers: int
    """Alarms that are set: clocks, absences, bots that think, hello deadlines."""
    saving: bool
    """Whether the disk takes what is to be saved."""


class Metrics:
    """Where everything that is worth counting is told. This one costs a call and keeps nothing."""

    def answered(self, request: str, outcome: Outcome) -> None:
        """A request of this type was answered."""

    def refused(self, reason: ErrorCode) -> None:
        """A connection was closed from this side for this reason."""

    def cut_off(self, reason: CutOff) -> None:
        """A client was cut off, who may come back."""

    def moved(self) -> None:
        """A move was made in a game, by a person, a bot or a clock."""

    def committed(self, seconds: float, entries: int) -> None:
        """The journal has committed some entries, and this long it took."""

    def sampled(self, sample: Sample) -> None:
        """So much there is now."""
