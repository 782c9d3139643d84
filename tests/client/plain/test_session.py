"""The loop of line mode, with a server that a test plays by hand."""

import asyncio

from msgspec.structs import replace
from tests.client.conftest import FakeLink, FakeWays
from tests.client.finished import played, told

from skull_client import languages
from skull_client.chosen import Chosen
from skull_client.history_wording import totals_words
from skull_client.link import NOWHERE, LinkStatus
from skull_client.opening import Opening
from skull_client.plain.session import OutputGone, PlainSession
from skull_client.setting_out import Seen, here, parse_destination, to_learn
from skull_client.settings import Settings
from skull_client.wording import event_line, prompt
from skull_protocol import PROTOCOL_VERSION, skull
from skull_protocol.pushes import (
    Chat,
    Error,
    GameReview,
    Games,
    GameSteps,
    Glimpse,
    Goodbye,
    Lobby,
    Statistics,
    Table,
    Update,
    Welcome,
)
from skull_protocol.requests import Act, AskStatistics, GetGame, Mute, ReviewGame
from skull_protocol.skull import Choices, SkullOwn, SkullSeat, SkullView
from skull_protocol.tables import (
    MissedChance,
    Opponent,
    SeatInfo,
    TableOptions,
    TableSummary,
)


class Typist:
    """Lines that a test types when it likes; stands in for `TypedLines`."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()

    async def next(self) -> str | None:
        return await self.lines.get()


class Sitting:
    """A session under way."""

    def __init__(self, ways: FakeWays | None = None, chosen: Chosen | None = None) -> None:
        """`ways`: begin where one chooses where to play."""
        self.link, self.typist, self.told = FakeLink(), Typist(), list[str]()
        link = self.link if ways is None else NOWHERE
        opening = Opening(server_label="box") if ways is None else Opening()
        self.session = PlainSession(link, opening, self.write, chosen, ways)
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


# -- where one chooses where to play ---------------------------------------------------------------

GLIMPSE = Glimpse(PROTOCOL_VERSION, "0.1.0", 2, 5)


async def begun() -> tuple[Sitting, FakeWays, Chosen]:
    ways = FakeWays({"box:7585": Seen("silent"), "far:80 --tls": Seen("open", GLIMPSE)})
    chosen = Chosen(Settings(name="Ana", servers=("box:7585", "far:80 --tls", "no such")))
    sitting = Sitting(ways, chosen)
    await sitting.settle()
    return sitting, ways, chosen


async def test_it_begins_with_the_servers_and_what_may_be_typed() -> None:
    sitting, ways, _ = await begun()
    assert sitting.told == [
        "> Where do you want to play? Type: here, learn, connect 1, connect 2, connect HOST, "
        "watch, games, help.",
        "1: box:7585: does not answer.",
        "2: far:80 --tls: 2 tables, 5 players.",
    ]
    ways.seen["box:7585"] = Seen("there")
    assert (await sitting.type("servers"))[0] == "1: box:7585: is there."
    assert ways.links == []


async def test_every_way_leads_where_it_says() -> None:
    for line, destination, looks_for in (
        ("here", here(), ""),
        ("here 5", here(5), ""),
        ("learn", to_learn(), ""),
        ("connect 2", parse_destination("far:80 --tls"), ""),
        ("connect new:81", parse_destination("new:81"), ""),
        ("watch", parse_destination("far:80 --tls"), "watch"),
        ("watch 1", parse_destination("box:7585"), "watch"),
        ("games", parse_destination("box:7585"), "games"),
        ("games far:80", parse_destination("far:80"), "games"),
    ):
        sitting, ways, _ = await begun()
        await sitting.type(line)
        assert (ways.went, ways.names) == ([destination], ["Ana"]), line
        assert sitting.session._opening.looks_for == looks_for
    sitting, ways, _ = await begun()
    for line in ("here 0", "here 6", "here x", "connect", "connect 3 4", "learn x", "watch ho st"):
        (told,) = await sitting.type(line)
        assert told.startswith("! ")
    assert ways.went == []


async def test_a_server_is_kept_and_one_can_come_back() -> None:
    sitting, ways, chosen = await begun()
    await sitting.type("connect 2")
    sitting.link = ways.links[0]
    told = await sitting.arrive(WELCOME, Lobby(()), ONLINE)
    assert chosen.now.servers[0] == "far:80 --tls"
    assert told[-1].startswith("> Choose a table")
    told = await sitting.type("home")
    assert told[0].startswith("> Where do you want to play?")
    assert ways.links[0].closed
    assert await sitting.arrive(Chat(11, "Bob", "too late")) == []


async def test_where_nothing_answers_one_is_told_and_back_where_one_chooses() -> None:
    sitting, ways, _ = await begun()
    await sitting.type("connect 1")
    sitting.link = ways.links[0]
    told = await sitting.arrive(LinkStatus("refused", "Nothing answers at box:7585."))
    assert told[0] == "Nothing answers at box:7585."
    assert told[1].startswith("> Where do you want to play?")
    await sitting.type("quit")
    assert await sitting.status == 0


async def test_games_to_watch_come_first() -> None:
    sitting, ways, _ = await begun()
    await sitting.type("watch")
    sitting.link = ways.links[0]
    usual = TableSummary("BCDF", "Bob", "waiting", 2, 0, 0, TableOptions())
    other = replace(usual, code="KRTW", stage="playing")
    told = await sitting.arrive(WELCOME, Lobby((usual, other)), ONLINE)
    at = told.index("1 game to watch.")
    assert [line[:10] for line in told[at + 1 : at + 3]] == ["Table KRTW", "Table BCDF"]


async def test_own_statistics_are_told_in_the_words_of_the_screen() -> None:
    sitting = Sitting()
    await sitting.arrive(WELCOME, Lobby(()), ONLINE)
    await sitting.type("statistics")
    assert sitting.link.asked == [(AskStatistics, {})]
    met = (Opponent("Bob", 1, 0, 1, 0, 2, 1, 0), Opponent("Cid", 3, 1, 2, 4, 3, 0, 5))
    told = await sitting.arrive(Statistics(4, 1, 4, 5, 2, 1, 1, met))
    assert told[: len(totals_words(Statistics(4, 1, 4, 5, 2, 1, 1, met)))] == [
        "4 games, 1 won.",
        "Challenges: 4 won, 5 lost.",
        "Bluffs: 2 held, 1 caught.",
        "Your skull stopped 1 challenge of somebody else.",
    ]
    assert told[4:6] == [
        "Cid: Games 3, Wins 1:2, Won 4:3, Traps 0:5.",
        "Bob: Games 1, Wins 0:1, Won 0:2, Traps 1:0.",
    ]
    assert "Traps: challenges of the other that a skull stopped." in told
    assert (await sitting.arrive(Statistics(0, 0, 0, 0, 0, 0, 0, ())))[0].startswith("No game of")


async def test_what_the_coach_says_of_a_game_with_bots_is_a_place_to_go_to() -> None:
    game, steps = told(played(30))
    bots = replace(game, names=("Ana", "Bot Ben", "Bot Cleo"))
    sitting = Sitting()
    page = GameSteps(bots, 0, steps)
    await sitting.arrive(WELCOME, Lobby(()), Games((bots,), more=False), page, ONLINE)
    lines = await sitting.type("replay 1")
    assert "next mark" not in lines[-1]
    assert sitting.link.asked[-1] == (ReviewGame, {"game": game.game})
    missed = MissedChance(7, skull.Pass(), 12)
    (lines,) = (await sitting.arrive(GameReview(game.game, (missed,))),)
    assert lines == ["The coach has something to say about this game: type next mark."]
    lines = await sitting.type("next mark")
    assert lines[0].startswith("Step 8 of ")
    assert "Better: pass. This cost 12 % of winning." in lines
    assert await sitting.type("next mark") == ["! There is no mark after this."]
    assert await sitting.type("previous mark") == ["! There is no mark before this."]


async def test_settings_are_told_and_changed_and_a_language_at_once() -> None:
    sitting, ways, chosen = await begun()
    try:
        assert (await sitting.type("settings"))[:2] == ["name=Ana", "language=auto"]
        told = await sitting.type("settings language=sv")
        assert told[-1].startswith("> Var vill du spela?")
        await sitting.type("settings language=en")
        await sitting.type("settings name=Zoe")
        await sitting.type("here")
        assert (ways.names, chosen.now.name) == (["Zoe"], "Zoe")
    finally:
        languages.use("en")
    sitting, _, chosen = await begun()
    for wrong in ("settings bell=turn", "settings language=tlh", "settings name=...", "settings x"):
        (told,) = (await sitting.type(wrong),)
        assert told[0].startswith("! ")
    assert chosen.now.name == "Ana"
