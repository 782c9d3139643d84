"""The gate: what an input sends goes out in order, and not before it is saved."""

from collections.abc import Callable, Sequence

import pytest
from tests.server.conftest import FakeTime

from skull_protocol.pushes import Goodbye
from skull_server.inputs import Inputs
from skull_server.schema import Statement

FAREWELL = Goodbye("bye", retry=True)


class Writer:
    """A journal that commits when the test says so."""

    def __init__(self) -> None:
        self.written: list[int] = []

    def write(self, ticket: int, statements: Sequence[Statement]) -> None:
        self.written.append(ticket)


class Line:
    """Somebody who is told things."""

    address: str | None = None

    def __init__(self) -> None:
        self.writes: list[list[bytes]] = []
        self.hung_up = False

    def write(self, frames: list[bytes]) -> None:
        assert not self.hung_up
        self.writes.append(frames)

    def hang_up(self) -> None:
        self.hung_up = True


def something() -> Sequence[Statement]:
    return (("SELECT 1", ()),)


class Gate:
    """The gate, its journal, and one line to send to."""

    def __init__(self) -> None:
        self.time = FakeTime()
        self.inputs = Inputs(self.time)
        self.writer = Writer()
        self.inputs.journal = self.writer
        self.line = Line()

    def do(self, text: bytes, *, record: bool = False, hurry: bool = False) -> None:
        def step() -> None:
            if record:
                self.inputs.record(something)
            if hurry:
                self.inputs.hurry()
            self.inputs.send_frame(self.line, text)

        self.inputs.run(step)

    @property
    def heard(self) -> bytes:
        return b"".join(frame for frames in self.line.writes for frame in frames)


@pytest.fixture
def gate() -> Gate:
    return Gate()


def test_what_records_nothing_goes_out_at_once(gate: Gate) -> None:
    gate.do(b"a")
    assert gate.heard == b"a"
    assert gate.writer.written == []


def test_outputs_go_out_in_order_each_after_its_commit(gate: Gate) -> None:
    gate.do(b"a", record=True)
    gate.do(b"b")  # may tell of what "a" has changed
    gate.do(b"c", record=True)
    gate.do(b"d")
    assert gate.heard == b""
    first, second = gate.writer.written
    gate.inputs.committed(first)
    assert gate.heard == b"ab"
    gate.inputs.committed(second)
    assert gate.heard == b"abcd"
    gate.do(b"e")
    assert gate.heard == b"abcde"


def test_one_commit_lets_out_everything_before_it(gate: Gate) -> None:
    for text in (b"a", b"b", b"c"):
        gate.do(text, record=True)
    gate.inputs.committed(gate.writer.written[-1])
    assert gate.heard == b"abc"


def test_a_record_without_an_output_still_holds_up_what_follows(gate: Gate) -> None:
    gate.inputs.run(lambda: gate.inputs.record(something))
    gate.do(b"a")
    assert gate.heard == b""
    gate.inputs.committed(gate.writer.written[-1])
    assert gate.heard == b"a"


def test_what_is_in_a_hurry_passes_all_that_waits_unless_it_records(gate: Gate) -> None:
    gate.do(b"a", record=True)
    gate.do(b"b", hurry=True)
    assert gate.heard == b"b"
    gate.do(b"c", record=True, hurry=True)
    gate.do(b"d")
    assert gate.heard == b"b", "a hurry lasts for one input"
    gate.inputs.committed(gate.writer.written[-1])
    assert gate.heard == b"bacd"


def test_a_line_is_closed_after_what_was_sent_before(gate: Gate) -> None:
    gate.do(b"a", record=True)
    gate.inputs.run(lambda: gate.inputs.hang_up(gate.line))
    assert not gate.line.hung_up
    gate.inputs.committed(gate.writer.written[-1])
    assert gate.heard == b"a"
    assert gate.line.hung_up


def test_without_a_journal_nothing_is_recorded_and_nothing_waits(gate: Gate) -> None:
    gate.inputs.journal = None
    gate.do(b"a", record=True)
    assert gate.heard == b"a"


def ring(log: list[str], name: str) -> Callable[[], None]:
    return lambda: log.append(name)


def test_alarms_wait_for_the_disk_but_those_that_record_nothing(gate: Gate) -> None:
    log: list[str] = []
    gate.inputs.later(1, ring(log, "clock"))
    cancelled = gate.inputs.later(1, ring(log, "cancelled"))
    gate.inputs.later(1, ring(log, "silence"), always=True)
    gate.do(b"a", record=True)
    gate.inputs.cannot_save()
    gate.time.advance(2)
    assert log == ["silence"]
    cancelled.cancel()
    gate.inputs.saving_changed = ring(log, "back")
    gate.inputs.committed(gate.writer.written[-1])
    assert log == ["silence", "back", "clock"]
    gate.inputs.later(1, ring(log, "later"))
    gate.time.advance(1)
    assert log[-1] == "later"


def test_a_disk_that_hangs_counts_as_one_that_fails(gate: Gate) -> None:
    told: list[bool] = []
    gate.inputs.saving_changed = lambda: told.append(gate.inputs.failing)
    gate.do(b"a", record=True)
    gate.time.advance(1)
    gate.inputs.committed(gate.writer.written[-1])
    gate.do(b"b", record=True)
    gate.time.advance(3)
    assert told == [], "each commit has its time"
    gate.time.advance(3)
    assert told == [True]
    gate.inputs.committed(gate.writer.written[-1])
    assert told == [True, False]
    assert gate.heard == b"ab"


def test_after_the_end_nothing_is_done_and_the_last_words_come_last(gate: Gate) -> None:
    gate.do(b"a", record=True)
    gate.inputs.stop()
    gate.do(b"b")
    gate.inputs.farewell(FAREWELL, [gate.line])
    assert gate.heard == b""
    gate.inputs.committed(gate.writer.written[-1])
    assert gate.heard.startswith(b"a")
    assert b"b" not in gate.line.writes[0]
    assert gate.line.hung_up


def test_the_last_words_do_not_wait_for_a_disk_that_fails(gate: Gate) -> None:
    gate.do(b"a", record=True)
    gate.inputs.cannot_save()
    gate.inputs.stop()
    gate.inputs.farewell(FAREWELL, [gate.line])
    assert gate.line.hung_up
    assert b"a" not in gate.line.writes[0]
