"""How a table looks, told to everybody there; and told again as it was when saving stopped."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from skull_protocol.codec import encode
from skull_protocol.pushes import Table
from skull_server.inputs import Inputs
from skull_server.sessions import Session


class _Told(NamedTuple):
    ticket: int
    """It is shown once everything up to this one is saved."""
    table: Table
    people: tuple[Session, ...]


class Announcements:
    """What one table's people were told last, and what they will be once it is saved."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._told: list[_Told] = []

    def tell(self, table: Table, people: Iterable[Session]) -> None:
        """Tell these people how the table is now."""
        told = _Told(self._inputs.ticket, table, tuple(people))
        if self._inputs.journal is not None:
            self._told.append(told)
            self._forget_what_is_past()
        _send(told)

    def tell_that_nothing_is_saved(self) -> None:
        """Say so to all who see the table, with nothing new: that is still to be saved."""
        self._forget_what_is_past()
        if self._told and self._told[0].ticket <= self._inputs.saved:
            shown = self._told[0]
            _send(shown._replace(table=replace(shown.table, saving=False)))

    def _forget_what_is_past(self) -> None:
        while len(self._told) > 1 and self._told[1].ticket <= self._inputs.saved:
            del self._told[0]


def _send(told: _Told) -> None:
    frame = encode(told.table)
    for person in told.people:
        person.tell_frame(frame)
