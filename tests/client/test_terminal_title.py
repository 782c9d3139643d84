"""The title of the window tells whose turn it is, and nothing in it harms the terminal."""

from typing import Any

import pytest

from skull_client import terminal
from skull_client.terminal_title import TerminalTitle, takes_title
from skull_protocol.pushes import Update
from skull_protocol.skull import Choices
from skull_protocol.tables import SeatInfo


def test_it_is_sent_when_it_changes_and_only_then() -> None:
    sent: list[str] = []
    title = TerminalTitle(sent.append, wanted=True)
    title.put("Skull: your turn")
    title.put("Skull: your turn")
    assert sent == ["\x1b]2;Skull: your turn\x07"]
    title.clear()
    title.clear()
    assert sent[1:] == ["\x1b]2;\x07"]


def test_nothing_is_sent_to_a_terminal_without_a_title() -> None:
    sent: list[str] = []
    title = TerminalTitle(sent.append)
    title.put("Skull")
    title.clear()
    assert sent == []


@pytest.mark.parametrize(
    "harm", ["\x07\x1b]52;c;x\x07", "\x1b\\\x1b[2J", "\x9c\x9d", "\u202eevil", "a\nb"]
)
def test_other_peoples_text_does_nothing_to_the_terminal(harm: str) -> None:
    sent: list[str] = []
    TerminalTitle(sent.append, wanted=True).put(f"Skull: {harm}{'x' * 500}")
    assert sent[0].startswith("\x1b]2;")
    assert sent[0].endswith("\x07")
    words = sent[0][4:-1]
    assert words.isprintable()
    assert len(words) <= 60


def test_plain_ascii_where_the_terminal_shows_nothing_else() -> None:
    sent: list[str] = []
    TerminalTitle(sent.append, wanted=True).put("Skull · Zoë", plain=True)
    assert sent == ["\x1b]2;Skull ? Zo?\x07"]


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        ("xterm-256color", True),
        ("screen", True),
        ("tmux-256color", True),
        ("linux", False),
        ("vt100", False),
        ("", False),
    ],
)
def test_which_terminals_have_a_title(name: str, takes: bool) -> None:
    assert takes_title({"TERM": name}) == takes
    assert not takes_title({})


def test_the_title_from_before_comes_back_with_the_rest_of_the_terminal() -> None:
    assert "\x1b[22;2t" in terminal.ENTER
    assert "\x1b[23;2t" in terminal.LEAVE


def turn_of(world: Any, *seats: int, **view: Any) -> Update:
    update: Update = world.update(
        world.view([world.seat()] * 3, to_act=seats, **view), world.own(Choices())
    )
    return update


async def test_the_table_says_in_it_whose_turn_it_is(play: Any, world: Any) -> None:
    async with play(*world.at_table(turn_of(world, 1))) as p:
        assert p.app.terminal_title.words == "Skull: Boris is to act"
        await p.arrive(turn_of(world, 0))
        assert p.app.terminal_title.words == "Skull: your turn"
        await p.arrive(turn_of(world, 1, 2))
        assert p.app.terminal_title.words == "Skull · Table KRTW"
        await p.arrive(turn_of(world, phase="game_over", winner=2))
        assert p.app.terminal_title.words == "Skull: Carla-Maria Lang won the game."
        people = [SeatInfo(world.ME, "Ana", True, False), SeatInfo(9, "\x1b]0;x\x07", True, False)]
        await p.arrive(world.table(tuple(people)), turn_of(world, 1))
        assert p.app.terminal_title.words.isprintable()


async def test_the_bell_rings_once_when_the_turn_comes_and_only_if_wanted(
    play: Any, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with play(*world.at_table(turn_of(world, 1))) as p:
        rung: list[None] = []
        monkeypatch.setattr(p.app, "bell", lambda: rung.append(None))
        await p.arrive(turn_of(world, 0), turn_of(world, 1))
        assert rung == [], "by default it does not"
        p.app.bell_wanted = True
        await p.arrive(turn_of(world, 0))
        assert len(rung) == 1
        await p.arrive(turn_of(world, 0, 1))
        assert len(rung) == 1, "it is the same turn still"
        await p.arrive(turn_of(world, 2))
        await p.arrive(turn_of(world, 0))
        assert len(rung) == 2
