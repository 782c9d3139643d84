"""The loop of line mode, with a server that a test plays by hand."""

import asyncio

from msgspec.structs import replace
from tests.client.conftest import FakeLink
from tests.client.finished import played, told

from skull_client.link import LinkStatus
from skull_client.opening import Opening
from skull_client.plain.session import OutputGone, PlainSession
from skull_client.wording import event_line, prompt
from skull_protocol.pushes import (
    Chat,
    Error,
    Games,
    GameSteps,
    Goodbye,
    Lobby,
    Table,
    Update,
    Welcome,
)
from skull_protocol.requests import Act, GetGame, Mute
from skull_protocol.skull import Choices, SkullOwn, SkullSeat, SkullView
from skull_protocol.tables import SeatInfo, TableOptions


class Typist:
    """Lines that a test types when it likes; stands in for `TypedLines`."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def next(self) -> str | None:
        return await self.lines.get()


class Sitting:
    """A session under way."""

    def __init__(self) -> None:
        self.link, self.typist, self.told = FakeLink(), Typist(), list[str]()
        self.session = PlainSession(self.link, Opening(server_label="box"), self.write)
        self.status = asyncio.ensure_future(self.session.run(self.typist))  # type: ignore[arg-type]
        self.gone = False

    def write(self, line: str) -> None:
        if self.gone:
            raise OutputGone
        self.told.append(line)

    async def arrive(self, *arrivals: object) -> list[str]:
        """Let these arrive, and return what was told of them."""
        before = len(self.told)
        await self.settle()
        for arrival in arrivals:
            self.link.deliver(arrival)  # type: ignore[arg-type]
        await self.settle()
        return self.told[before:]

    async def type(self, line: str) -> list[str]:
        before = len(self.told)
        self.typist.lines.put_nowait(line)
        await self.settle()
        return self.told[before:]

    async def settle(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


ONLINE = LinkStatus("online")
WELCOME = Welcome(10, "Ana", "", "1", False)
SEATS = (SeatInfo(10, "Ana", True, False), SeatInfo(11, "Bob", True, False))
TABLE = Table("BCDF", 10, "playing", 1, TableOptions(), SEATS, ())
SEAT = SkullSeat(0, 4, (), 4, 0, False, False, False, False, False)


def update(seq: int, to_act: tuple[int, ...], choices: Choices, clock: int | None) -> Update:
    view = SkullView("turn", 1, 0, to_act, 0, None, 0, 2, None, None, (SEAT, SEAT))
    return Update(seq, (), clock, view, SkullOwn(0, ("F", "S"), ("F",), (), choices))


CHOICES = Choices(place=("F", "S"))


async def playing() -> Sitting:
    sitting = Sitting()
    await sitting.arrive(WELCOME, TABLE, update(3, (0,), CHOICES, None), ONLINE)
    return sitting


async def test_the_player_is_asked_once_for_one_thing() -> None:
    sitting = await playing()
    asked = "> Your turn: place one more disc. Type: place flower, place skull, help."
    assert sitting.told[-1] == asked
    assert await sitting.arrive(update(4, (0,), CHOICES, None)) == []
    assert await sitting.arrive(update(5, (1,), Choices(), None)) == []
    assert await sitting.arrive(update(6, (0,), CHOICES, None)) == [asked]
    await sitting.type("place skull")
    request, fields = sitting.link.asked[-1]
    assert (request, fields["seq"]) == (Act, 6)


async def test_a_refusal_is_told_and_the_player_is_asked_again() -> None:
    sitting = await playing()
    sitting.link.refusal = Error(1, "not_in_hand", "No such disc.")
    told = await sitting.type("place skull")
    assert told[0] == "! No such disc."
    assert told[1].startswith("> Your turn")


async def test_a_clock_that_runs_out_is_told_and_not_before() -> None:
    sitting = await playing()
    assert await sitting.arrive(update(4, (0,), CHOICES, 60_000)) == []
    told = await sitting.arrive(update(5, (0,), CHOICES, 9_000))
    assert told == ["Hurry: 9 s left"]
    assert await sitting.arrive(update(6, (1,), Choices(), 5_000)) == []


async def test_a_lost_connection_is_told_and_nothing_is_asked_meanwhile() -> None:
    sitting = await playing()
    told = await sitting.arrive(LinkStatus("lost", "Gone. Trying again."))
    assert told == ["Gone. Trying again."]
    asked = len(sitting.link.asked)
    assert (await sitting.type("place skull"))[0].startswith("! Not now")
    assert len(sitting.link.asked) == asked
    assert "You are connected again." in await sitting.arrive(ONLINE)


async def test_who_is_muted_stays_muted_on_a_server_that_forgot() -> None:
    sitting = await playing()
    await sitting.type("mute Bob")
    await sitting.arrive(LinkStatus("lost", "Gone."), ONLINE)
    assert sitting.link.asked == [(Mute, {"player": 11, "muted": True})] * 2
    await sitting.type("hear Bob")
    before = len(sitting.link.asked)
    await sitting.arrive(LinkStatus("lost", "Gone."), ONLINE)
    assert len(sitting.link.asked) == before


async def test_wait_takes_no_line_until_one_is_asked() -> None:
    sitting = await playing()
    await sitting.arrive(update(4, (1,), Choices(), None))
    await sitting.type("wait")
    await sitting.type("say hello")
    assert not sitting.link.asked
    await sitting.arrive(update(5, (0,), CHOICES, None))
    assert [fields for _, fields in sitting.link.asked] == [{"text": "hello"}]


async def test_the_end_of_the_lines_ends_well() -> None:
    sitting = await playing()
    sitting.typist.lines.put_nowait(None)
    assert await sitting.status == 0
    sitting = await playing()
    await sitting.type("quit")
    assert await sitting.status == 0


async def test_a_server_that_hangs_up_for_good_ends_it_with_a_status() -> None:
    sitting = await playing()
    told = await sitting.arrive(Goodbye("Full.", False), LinkStatus("closed", "Full."))
    assert "Full." in told
    assert await sitting.status == 1


async def test_a_refusal_that_no_name_can_mend_ends_it() -> None:
    sitting = Sitting()
    told = await sitting.arrive(LinkStatus("refused", "Upgrade skull-client.", "version_mismatch"))
    assert told == ["Upgrade skull-client."]
    assert await sitting.status == 1


async def test_output_that_is_gone_ends_it_with_a_status() -> None:
    sitting = await playing()
    sitting.gone = True
    await sitting.arrive(Chat(11, "Bob", "hello"))
    assert await sitting.status == 1


async def test_a_name_that_is_taken_is_asked_for_anew() -> None:
    sitting = Sitting()
    told = await sitting.arrive(LinkStatus("refused", "Somebody has that name.", "name_taken"))
    assert told[-1] == "> Somebody has that name. Type: name NAME, code CODE, help."
    await sitting.type("name Ana Lu")
    assert sitting.link.names == ["Ana Lu"]
    assert "You are Ana, at box." in await sitting.arrive(WELCOME, Lobby(()), ONLINE)


async def test_what_others_say_is_one_line_of_what_may_be_shown() -> None:
    sitting = await playing()
    assert await sitting.arrive(Chat(11, "Bob", "a\x1b[2Jb\nc")) == ["Bob: a[2Jbc"]
    assert await sitting.arrive(Chat(11, "Bob", "", "thanks")) == ["Bob: Thanks!"]
    assert await sitting.arrive(Error(None, "removed", "a\x9b1mb\r\nc")) == ["! a1mbc"]


async def test_a_finished_game_is_gone_through_step_by_step() -> None:
    game, steps = told(played(30))
    sitting = Sitting()
    page = GameSteps(game, 0, steps)
    await sitting.arrive(WELCOME, Lobby(()), Games((game,), more=False), page, ONLINE)
    lines = await sitting.type("replay 1")
    assert sitting.link.asked[-1] == (GetGame, {"game": game.game, "first": 0})
    assert lines.pop().startswith("Type step, step back")
    for number, step in enumerate(steps, 1):
        assert lines[0] == f"Step {number} of {len(steps)}, round {step.view.round}."
        happened = [event_line(event, lambda seat: game.names[seat], 0) for event in step.events]
        assert lines[1:-1] == [line for line in happened if line in lines or "ready" not in line]
        assert lines[-1] == prompt(step.view, step.you, lambda seat: game.names[seat], 0)
        lines = await sitting.type("step")
    assert lines == ["! This is the last step."]
    assert (await sitting.type("step 2"))[0].startswith("Step 2 of ")
    assert (await sitting.type("step back"))[0].startswith("Step 1 of ")
    assert "Round 1." in await sitting.type("look")


async def test_a_game_without_steps_is_refused() -> None:
    game, _ = told(played(30))
    sitting = Sitting()
    games = Games((replace(game, steps=0),), more=False)
    await sitting.arrive(WELCOME, Lobby(()), games, ONLINE)
    assert (await sitting.type("replay 1"))[0].startswith("! Your list has no such game")
