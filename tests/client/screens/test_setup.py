"""Setting up a table: every option can be reached, changed and sent; contradictions are told."""

from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from skull_client.screens import setup
from skull_client.screens.setup import SetUp
from skull_protocol.pushes import Error
from skull_protocol.requests import ChangeOptions, CreateTable
from skull_protocol.skull import SkullOptions
from skull_protocol.tables import TableOptions

FIELDS = [f for f in TableOptions.__struct_fields__ if f != "rules"] + list(
    SkullOptions.__struct_fields__
)


def test_every_option_of_the_protocol_is_offered() -> None:
    assert set(setup.VALUES) == set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_every_value_offered_is_one_the_protocol_takes(field: str) -> None:
    for value in setup.VALUES[field]:
        options = setup.with_value(TableOptions(), field, value)
        assert msgspec.convert(msgspec.to_builtins(options), TableOptions) == options


@pytest.mark.parametrize("field", FIELDS)
def test_every_usual_value_is_among_those_offered(field: str) -> None:
    assert setup.value_of(TableOptions(), field) in setup.VALUES[field]


def test_no_word_that_the_protocol_knows_is_missing() -> None:
    hints = get_type_hints(SkullOptions)
    for field in ("initial", "own_skull", "self_elimination_starter", "equipment"):
        assert set(get_args(hints[field])) == set(setup.VALUES[field])


async def test_right_changes_the_selected_option_and_no_other(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n")
        reached = []
        for item in p.app.screen.query_one(setup.Settings).items:
            field = str(item.key)
            values = setup.VALUES[field]
            usual = values.index(setup.value_of(TableOptions(), field))
            expected = setup.with_value(TableOptions(), field, values[(usual + 1) % len(values)])
            await p.press("right")
            assert p.app.screen.options == expected
            await p.press("left", "down")
            reached.append(field)
        assert set(reached) == set(FIELDS)


async def test_left_takes_a_change_back(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "right", "left", "enter")
        assert p.link.asked == [(CreateTable, {"options": TableOptions(), "password": None})]


async def test_what_contradicts_itself_is_told_and_not_sent(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "right", "right", "right", "down", "left", "enter")
        assert "More players needed than there are seats" in p.text()
        assert p.link.asked == []


async def test_a_refusal_keeps_the_options_open(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        p.link.refusal = Error(1, "bad_options", "Too many for this house: fewer seats, please.")
        await p.press("n", "right", "enter")
        assert "Too many for this house: fewer seats, please." in p.text()
        assert isinstance(p.app.screen, SetUp)
        p.link.refusal = None
        await p.press("enter")
        assert not isinstance(p.app.screen, SetUp)
        assert [setup.value_of(f["options"], "min_seats") for _, f in p.link.asked] == [4, 4]


async def test_the_host_changes_the_options_of_the_table(play: Any, world: Any) -> None:
    options = TableOptions(turn_seconds=30)
    table = world.table(world.seats(3), "waiting", options=options)
    async with play(world.welcome(), table, world.online()) as p:
        await p.press("o", "down", "down", "right", "enter")
        assert p.link.asked == [(ChangeOptions, {"options": TableOptions(turn_seconds=60)})]


async def test_the_meaning_of_the_highlighted_value_is_told(play: Any, world: Any) -> None:
    async with play(*world.lobby()) as p:
        await p.press("n", "end", "right")
        assert "The first round costs and earns nothing." in p.text()


async def test_where_there_is_room_every_option_is_explained(play: Any, world: Any) -> None:
    async with play(*world.lobby(), size=(120, 40)) as p:
        await p.press("n")
        for meaning in (
            "The game needs 3 players to start.",
            "Each decision may take 90 seconds.",
            "Three flowers and a skull each.",
        ):
            assert meaning in p.text()


async def test_the_help_is_read_to_its_end_in_the_smallest_terminal(play: Any, world: Any) -> None:
    async with play(*world.lobby(), size=(60, 20)) as p:
        await p.press("question_mark")
        assert "no connection; seat held" not in p.text()
        assert "read on" in p.text()
        for _ in range(4):
            await p.press("pagedown")
        assert "no connection; seat held" in p.text()
        await p.press("escape")
    async with play(*world.lobby(), size=(120, 40)) as p:
        await p.press("question_mark")
        assert "no connection; seat held" in p.text()
        assert "read on" not in p.text()
