"""The waiting room: the host's keys, everybody's keys, and who answered what."""

from typing import Any

import msgspec
import pytest

from skull_client.opening import Opening
from skull_client.screens.waiting import FLOWERS, Waiting
from skull_protocol.pushes import Chat, Error
from skull_protocol.requests import (
    AddBot,
    AnswerFlowers,
    LeaveTable,
    RemoveBot,
    Say,
    StartGame,
    TakeSeat,
)
from skull_protocol.tables import TableOptions


def waiting(world: Any, *, host: int | None = None, count: int = 4, **more: Any) -> list[Any]:
    table = world.table(
        world.seats(count, bots=(2,)), "waiting", host=host or world.ME, game=0, **more
    )
    return [world.welcome(), table, world.online()]


async def test_the_code_and_how_to_join_can_be_read_out(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        assert "K   R   T   W" in p.text()
        assert "skull-client box:7585 --table KRTW" in p.text()


async def test_nobody_is_invited_to_a_game_in_this_process(play: Any, world: Any) -> None:
    opening = Opening(bots=3, start_now=True, server_label="this computer")
    async with play(*waiting(world), opening=opening) as p:
        assert "--table" not in p.text()
        assert "You play here, against bots." in p.text()


async def test_start_takes_a_selection_and_enter(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        await p.press("down", "s")
        assert p.link.asked == []
        await p.press("enter")
        assert p.link.asked == [(StartGame, {})]


async def test_b_adds_a_bot_and_x_drops_the_last(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        await p.press("b", "enter", "x")
        assert p.link.asked == [(AddBot, {"level": "normal"}), (RemoveBot, {"seat": 2})]


async def test_a_bot_has_a_level_and_the_last_choice_is_offered_first(
    play: Any, world: Any
) -> None:
    async with play(*waiting(world)) as p:
        await p.press("b")
        for told in ("easy", "often carried away", "normal", "hard", "looks ahead"):
            assert told in p.text()
        assert "▸ normal" in p.text()
        await p.press("h", "enter", "b")
        assert "▸ hard" in p.text()
        await p.press("enter", "b", "e", "escape")
        assert p.link.asked == [(AddBot, {"level": "hard"})] * 2


async def test_the_level_of_a_bot_is_told_at_its_seat(play: Any, world: Any) -> None:
    seats = list(world.seats(3, bots=(2,)))
    seats[2] = msgspec.structs.replace(seats[2], name="Bot Cleo", level="hard")
    table = world.table(tuple(seats), "waiting", game=0)
    async with play(world.welcome(), table, world.online()) as p:
        assert "Bot Cleo" in p.text()
        assert "bot, hard" in p.text()


async def test_the_command_line_says_which_level_is_offered_first(play: Any, world: Any) -> None:
    async with play(*waiting(world), opening=Opening(level="easy")) as p:
        await p.press("b", "enter")
        assert p.link.asked == [(AddBot, {"level": "easy"})]


async def test_a_bot_can_be_sent_away_by_name(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        while "▸ Send Carla-Maria Lang away" not in p.text():
            await p.press("down")
        await p.press("enter")
        assert p.link.asked == [(RemoveBot, {"seat": 2})]


async def test_a_guest_has_none_of_the_hosts_keys(play: Any, world: Any) -> None:
    async with play(*waiting(world, host=world.ME + 1)) as p:
        text = p.text()
        for words in ("Start", "Add a bot", "add bot", "drop it", "options", "password"):
            assert words not in text
        await p.press("b", "x", "o", "s")
        assert p.link.asked == []
        assert isinstance(p.app.screen, Waiting)


async def test_no_bot_is_offered_when_every_seat_is_taken(play: Any, world: Any) -> None:
    async with play(*waiting(world, count=6)) as p:
        assert "add bot" not in p.text()
        await p.press("b")
        assert p.link.asked == []


@pytest.mark.parametrize(("place", "days"), list(enumerate(days for days, _ in FLOWERS)))
async def test_the_question_about_the_flowers(
    play: Any, world: Any, place: int, days: int | None
) -> None:
    async with play(*waiting(world)) as p:
        await p.press("f", "enter", *["down"] * place, "enter")
        assert p.link.asked == [(AnswerFlowers, {"days": days})]


def test_the_answers_are_in_days() -> None:
    assert [days for days, _ in FLOWERS] == [0, 1, 7, 30, 365, None]


async def test_a_watcher_can_take_a_seat(play: Any, world: Any) -> None:
    table = world.table(world.seats(4)[1:], "waiting", host=world.ME + 1, watchers=("Ana",))
    async with play(world.welcome(), table, world.online()) as p:
        await p.press("enter")
        assert p.link.asked == [(TakeSeat, {})]


async def test_l_leaves(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        await p.press("l")
        assert p.link.asked == [(LeaveTable, {})]


async def test_talk(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        await p.press("t", *"blq", "enter")
        assert p.link.asked == [(Say, {"text": "blq"})]
        await p.press("t", "escape", "b", "enter")
        assert [request for request, _ in p.link.asked] == [Say, AddBot]
        await p.arrive(Chat(102, "Boris", "hello"))
        assert "Boris: hello" in p.text()


async def test_talk_that_is_refused_is_kept(play: Any, world: Any) -> None:
    async with play(*waiting(world)) as p:
        p.link.refusal = Error(1, "bad_text", "Too long: please shorten it.")
        await p.press("t", *"abc", "enter")
        assert "Too long: please shorten it." in p.text()
        assert "abc" in p.text()


async def test_too_few_players_is_told_before_the_server_has_to(play: Any, world: Any) -> None:
    async with play(*waiting(world, count=2)) as p:
        assert "Start (1 player missing)" in p.text()


@pytest.mark.parametrize("key", ["b", "x", "o"])
async def test_a_guest_is_told_that_these_keys_are_the_hosts(
    play: Any, world: Any, key: str
) -> None:
    async with play(*waiting(world, host=world.ME + 1)) as p:
        await p.press(key)
        assert "Only the host changes the table: ask for it." in p.text()
        assert p.link.asked == []


async def test_the_host_is_told_why_there_can_be_no_more_bots(play: Any, world: Any) -> None:
    async with play(*waiting(world, count=6)) as p:
        await p.press("b")
        assert "Every seat is taken" in p.text()
    table = world.table(world.seats(3), "waiting", game=0)
    async with play(world.welcome(), table, world.online()) as p:
        await p.press("x")
        assert "There is no bot to send away." in p.text()
        await p.press("b", "enter")
        assert " ! " not in p.text()
        assert p.link.asked == [(AddBot, {"level": "normal"})]


async def test_who_watches_is_told_that_they_may_not_talk(play: Any, world: Any) -> None:
    options = TableOptions(watchers_talk=False)
    table = world.table(
        world.seats(4)[1:], "waiting", host=world.ME + 1, watchers=("Ana",), options=options
    )
    async with play(world.welcome(), table, world.online()) as p:
        await p.press("t")
        assert "Those who watch may not talk at this table." in p.text()
        assert "Say:" not in p.text()


async def test_what_is_unusual_is_explained(play: Any, world: Any) -> None:
    options = TableOptions(turn_seconds=30)
    async with play(*waiting(world, options=options)) as p:
        assert "• Turn clock: Each decision may take 30 seconds." in p.text()


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40), (200, 60)])
async def test_every_seat_and_who_is_who_is_told_in_every_size(
    play: Any, world: Any, size: tuple[int, int]
) -> None:
    """In lines or as places, however much room there is."""
    seats = list(world.seats(4, bots=(2,)))
    seats[1] = msgspec.structs.replace(seats[1], connected=False)
    table = world.table(tuple(seats), "waiting", game=0, host=world.ME + 1)
    async with play(world.welcome(), table, world.online(), size=size) as p:
        text = p.text()
        for words in ("Ana", "Boris", "Carla-M", "Dmitri", "you", "host", "away", "bot"):
            assert words in text, words
        assert text.count("free") == 2
