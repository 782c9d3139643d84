"""The table: every decision of the rules has its keys, and no other key ever makes a move."""

import asyncio
import re
from typing import Any

import pytest
from msgspec import structs
from textual import events
from textual.keys import _character_to_key

from skull_client.screens.result import Result
from skull_client.screens.table import TableRoom
from skull_protocol import skull
from skull_protocol.pushes import Error
from skull_protocol.requests import LeaveTable, TakeBack
from skull_protocol.skull import Choices, Outcome
from skull_protocol.tables import TableOptions


def standing(
    world: Any, choices: Choices, *, you: dict[str, Any] | None = None, **view: Any
) -> Any:
    """Three players at a table, where this one has these choices."""
    seats = [world.seat(), world.seat(), world.seat(stack=(None, None), hand=2)]
    own = world.own(choices, **(you or {}))
    return world.update(world.view(seats, **view), own)


DECISIONS = [
    (Choices(place=("F", "S")), ["f", "enter"], skull.Place("F")),
    (Choices(place=("F", "S")), ["s", "enter"], skull.Place("S")),
    (Choices(place=("F", "S")), ["right", "right", "enter"], skull.Place("S")),
    (Choices(place=("F",), bid=(1, 4)), ["b", "enter"], skull.Bid(1)),
    (Choices(place=("F",), bid=(1, 4)), ["3", "enter"], skull.Bid(3)),
    (Choices(bid=(5, 14), may_pass=True), ["1", "2", "enter"], skull.Bid(12)),
    (Choices(bid=(5, 14), may_pass=True), ["up", "up", "up", "down", "enter"], skull.Bid(6)),
    (Choices(bid=(5, 14), may_pass=True), ["p", "enter"], skull.Pass()),
    (Choices(flip=(0,)), ["enter"], skull.Flip(0)),
    (Choices(flip=(1, 2)), ["2", "enter"], skull.Flip(2)),
    (Choices(pick=4), ["3", "enter"], skull.Pick(2)),
    (Choices(lose=("F", "S")), ["s", "enter"], skull.Lose("S")),
    (Choices(name_starter=(1, 2)), ["2", "enter"], skull.NameStarter(2)),
    (Choices(ready=True), ["enter"], skull.Ready()),
    (Choices(ready=True, show=(0,)), ["1", "enter"], skull.Show(0)),
    (Choices(ready=True, show=(0,)), ["n", "enter"], skull.Ready()),
    (Choices(abandon=True), ["a", "down", "enter"], skull.Abandon(True)),
    (Choices(abandon=False), ["a", "down", "enter"], skull.Abandon(False)),
]


@pytest.mark.parametrize(("choices", "keys", "action"), DECISIONS)
async def test_each_decision_has_its_keys(
    play: Any, world: Any, choices: Choices, keys: list[str], action: object
) -> None:
    async with play(*world.at_table(standing(world, choices))) as p:
        await p.press(*keys[:-1])
        assert p.link.actions == []
        await p.press(keys[-1])
        assert p.link.actions == [action]
        assert p.link.asked[0][1]["seq"] == 7


DECIDING = [
    Choices(place=("F", "S"), bid=(1, 4), abandon=True),
    Choices(bid=(5, 14), may_pass=True),
    Choices(flip=(0,)),
    Choices(flip=(1, 2)),
    Choices(pick=4),
    Choices(lose=("F", "S")),
    Choices(name_starter=(1, 2)),
    Choices(ready=True, show=(0,)),
]
PRINTABLE = [chr(code) for code in range(32, 127)]


@pytest.mark.parametrize("choices", DECIDING)
async def test_no_printable_key_and_no_escape_makes_a_move(
    play: Any, world: Any, choices: Choices
) -> None:
    async with play(*world.at_table(standing(world, choices))) as p:
        for character in PRINTABLE:
            p.app.post_message(events.Key(_character_to_key(character), character))
            p.app.post_message(events.Key("escape", "\x1b"))
        await p.settle()
        assert isinstance(p.app.screen, TableRoom)
        assert p.link.asked == []
        assert p.app.return_code is None


@pytest.mark.parametrize(
    "choices",
    [
        Choices(place=("F", "S")),
        Choices(bid=(5, 6), may_pass=True),
        Choices(flip=(1, 2)),
        Choices(pick=2),
        Choices(lose=("F", "S")),
    ],
)
async def test_enter_alone_never_decides_between_several(
    play: Any, world: Any, choices: Choices
) -> None:
    async with play(*world.at_table(standing(world, choices))) as p:
        await p.press("enter", "enter")
        assert p.link.actions == []


async def test_a_second_enter_does_not_make_the_next_move_too(play: Any, world: Any) -> None:
    placing = Choices(place=("F", "S"))
    async with play(*world.at_table(standing(world, placing, phase="initial"))) as p:
        await p.press("f", "enter")
        await p.arrive(standing(world, Choices(place=("F", "S"), bid=(1, 4))))
        await p.press("enter")
        assert p.link.actions == [skull.Place("F")]


async def test_a_bid_out_of_range_cannot_be_typed(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(bid=(2, 4), may_pass=True)))) as p:
        await p.press("9", "0", "1")
        assert "Your turn: bid 2 to 4, or pass." in p.text()
        await p.press("up", "up", "up", "up", "up", "enter")
        assert p.link.actions == [skull.Bid(4)]


async def test_nothing_can_be_done_while_an_action_is_on_its_way(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(place=("F", "S"))))) as p:
        p.link.answering = asyncio.Event()
        await p.press("f", "enter")
        assert "Sent…" in p.text()
        await p.press("s", "enter")
        assert p.link.actions == [skull.Place("F")]
        p.link.answering.set()
        await p.settle()
        assert "Sent…" not in p.text()


async def test_a_refused_action_is_told_and_the_turn_goes_on(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(place=("F", "S"))))) as p:
        p.link.refusal = Error(1, "not_in_hand", "That disc is not in your hand: choose another.")
        await p.press("f", "enter")
        assert "That disc is not in your hand: choose another." in p.text()
        p.link.refusal = None
        await p.press("s", "enter")
        assert p.link.actions == [skull.Place("F"), skull.Place("S")]
        assert "That disc is not in your hand" not in p.text()


async def test_a_stale_action_just_looks_again(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(place=("F", "S"))))) as p:
        p.link.refusal = Error(1, "stale", "Look again.")
        await p.press("f", "enter")
        assert "Look again." not in p.text()
        assert "[ Place a flower ]" in p.text()


async def test_the_selection_stays_while_others_move(play: Any, world: Any) -> None:
    choices = Choices(place=("F", "S"))
    async with play(*world.at_table(standing(world, choices, phase="initial"))) as p:
        await p.press("s")
        await p.arrive(standing(world, choices, phase="initial", to_act=(0, 2)))
        await p.press("enter")
        assert p.link.actions == [skull.Place("S")]


async def test_whose_turn_it_is_when_it_is_not_yours(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(), to_act=(1,)))) as p:
        text = p.text()
        assert "Waiting for Boris to place a disc or to bid." in text
        assert "▸ Boris" in text
        assert "▸ Ana" not in text
        await p.press("enter", "f", "right", "up")
        assert p.link.asked == []


async def test_a_watcher_sees_the_table_and_no_actions(play: Any, world: Any) -> None:
    view = world.view([world.seat(), world.seat(), world.seat()], to_act=(1,))
    arrivals = [
        world.welcome(),
        world.table(world.seats(4)[1:], host=world.ME + 1, watchers=("Ana",)),
        world.update(view, None),
        world.online(),
    ]
    async with play(*arrivals) as p:
        assert "You are watching" in p.text()
        assert all(name in p.text() for name in ("Boris", "Carla-Maria Lang", "Dmitri"))
        await p.press("enter", "f", "s", "b")
        assert p.link.asked == []


async def test_own_faces_are_shown_and_face_down_discs_of_others_are_not(
    play: Any, world: Any
) -> None:
    you = {"hand": ("S",), "stack": ("F",), "lost": ("F", "F")}
    async with play(*world.at_table(standing(world, Choices(), you=you))) as p:
        lines = p.text().splitlines()
        assert any(re.match(r" +Mat  F ← top", line) for line in lines)
        assert any(re.match(r" +Hand S +lost F F$", line) for line in lines)
        assert "■■ 2" in p.text()


async def test_flipped_discs_and_their_count_are_shown(play: Any, world: Any) -> None:
    seats = [world.seat(stack=("F",)), world.seat(stack=(None, "S")), world.seat()]
    view = world.view(seats, phase="pick", bid=3, bidder=0, flowers=1, outcome=Outcome(0, 3, 1))
    async with play(*world.at_table(world.update(view, world.own(Choices())))) as p:
        text = p.text()
        assert "■S 2" in text
        assert "Flowers: 1 of 3" in text
        assert re.search(r"F +S *\n +An +Bo *\n", text), "whose discs, in order"
        assert "You lose the challenge to Boris's skull." in text


BOT = "A bot takes over your seat, and you cannot have it back in this game."
FORFEIT = "You give up: you are out of this game, and the round is taken back."


async def test_what_leaving_costs_is_told_first(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices()))) as p:
        costs: dict[Any, str] = {"bot": BOT, "forfeit": FORFEIT}
        for leavers, words in costs.items():
            await p.arrive(world.table(world.seats(3), options=TableOptions(leavers=leavers)))
            await p.press("l")
            window = [line[9:71] for line in p.text().splitlines() if line[8:9] == "│"]
            assert words in " ".join(" ".join(window).split())
            await p.press("escape")
        assert p.link.asked == []


async def test_who_is_out_of_the_game_loses_nothing_by_leaving(play: Any, world: Any) -> None:
    seats = [world.seat(eliminated=True, discs=0), world.seat(), world.seat()]
    update = world.update(world.view(seats, to_act=(1,)), world.own(Choices(), hand=(), stack=()))
    async with play(*world.at_table(update)) as p:
        await p.press("l")
        assert p.link.asked == [(LeaveTable, {})]


async def test_a_seat_that_a_bot_plays_is_taken_back_and_nothing_else(
    play: Any, world: Any
) -> None:
    seats = world.seats(3)
    replaced = tuple(structs.replace(seat, bot_plays=True) for seat in seats[:2]) + seats[2:]
    choices = Choices(place=("F", "S"), bid=(1, 4), abandon=True)
    async with play(*world.at_table(standing(world, choices)), world.table(replaced)) as p:
        assert "A bot plays for you: Enter to take your seat back." in p.text()
        assert re.search(r"Boris +\(bot\)", p.text())
        await p.press("f", "3", "a", "escape")
        assert "Place" not in p.text()
        p.link.answering = asyncio.Event()
        await p.press("enter", "enter")
        assert p.link.asked == [(TakeBack, {})]
        p.link.answering.set()
        await p.arrive(world.table(seats), standing(world, choices))
        assert "A bot plays" not in p.text()
        await p.press("f", "enter")
        assert p.link.actions == [skull.Place("F")]


CLOCKS = [
    (10_100, 0, "11 s left"),
    (10_000, 0, "Hurry: 10 s left"),
    (3_000, 1, "only 3 s left"),
    (0, 0, "Hurry: 0 s left"),
]


async def test_the_clock_warns_near_the_end_in_words(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices()))) as p:
        for milliseconds, to_act, words in CLOCKS:
            view = world.view([world.seat()] * 3, to_act=(to_act,))
            await p.arrive(world.update(view, world.own(Choices()), clock_ms=milliseconds))
            header = p.text().splitlines()[0]
            assert header.endswith(f" {words}")
            assert ("Hurry" in header) == ("Hurry" in words)
            assert ("only" in header) == ("only" in words)
        await p.arrive(world.table(world.seats(3), saving=False))
        assert "s left" not in p.text().splitlines()[0], "nobody loses time meanwhile"


async def test_leaving_a_game_asks_first(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices()))) as p:
        await p.press("l", "enter")
        assert p.link.asked == []
        await p.press("l", "down", "enter")
        assert p.link.asked == [(LeaveTable, {})]


async def test_quitting_a_game_asks_first_and_ctrl_c_twice_insists(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices()))) as p:
        await p.press("q", "enter")
        assert p.app.return_code is None
        assert isinstance(p.app.screen, TableRoom)
        await p.press("ctrl+c")
        assert p.app.return_code is None
        await p.press("ctrl+c")
        assert p.app.return_code == 0


async def test_others_votes_are_seen_and_answered(play: Any, world: Any) -> None:
    seats = [world.seat(), world.seat(agrees=True), world.seat()]
    own = world.own(Choices(abandon=True))
    async with play(*world.at_table(world.update(world.view(seats, to_act=(2,)), own))) as p:
        assert "take back?" in p.text()
        assert "Press a to take it back too." in " ".join(p.text().split())


async def test_taking_back_is_not_offered_when_the_rules_do_not(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices()))) as p:
        assert "take back" not in p.text()
        await p.press("a")
        assert isinstance(p.app.screen, TableRoom)


async def test_a_click_on_an_opponent_selects_and_enter_flips(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(flip=(1, 2))))) as p:
        await p.pilot.click(offset=(60, 3))
        await p.settle()
        assert p.link.actions == []
        await p.press("enter")
        assert p.link.actions == [skull.Flip(2)]


async def test_the_clock_is_shown_to_all(play: Any, world: Any) -> None:
    update = world.update(world.view([world.seat()] * 3, to_act=(1,)), None, clock_ms=41_200)
    async with play(*world.at_table(update)) as p:
        assert p.text().splitlines()[0].endswith("42 s left")


async def test_typing_makes_no_moves(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(place=("F",))))) as p:
        await p.press("t", *"fs lqa?", "enter")
        assert p.link.actions == []
        assert p.link.asked[0][1] == {"text": "fs lqa?"}


async def test_what_is_typed_in_one_go_after_t_makes_no_move(play: Any, world: Any) -> None:
    async with play(*world.at_table(standing(world, Choices(flip=(0,))))) as p:
        for key in [*"tfoo", "enter"]:
            p.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await p.settle()
        assert p.link.actions == []


async def test_enter_leads_to_the_result_and_one_can_look_back(play: Any, world: Any) -> None:
    seats = [world.seat(points=2), world.seat(), world.seat()]
    over = world.view(seats, phase="game_over", winner=0, to_act=())
    arrivals = world.at_table(world.update(over, world.own(Choices())))
    async with play(*arrivals, world.table(world.seats(3), "finished")) as p:
        assert "You won the game!" in p.text()
        await p.press("enter")
        assert isinstance(p.app.screen, Result)
        await p.press("v", "enter")
        assert isinstance(p.app.screen, TableRoom)
