"""Whole games by lines of text: real processes, pipes, and a terminal that can draw nothing."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.end_to_end.by_lines import PlainProcess, play
from tests.end_to_end.conftest import PATIENCE, ServerProcess, Terminal

OpenPlain = Callable[..., PlainProcess]
PROGRAM = str(Path(sys.executable).with_name("skull-client"))


@pytest.fixture
def open_plain(tmp_path: Path) -> Iterator[OpenPlain]:
    """Start `skull-client --plain`, as often as the test likes."""
    opened: list[PlainProcess] = []

    def start(*arguments: str, **environment: str) -> PlainProcess:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        opened.append(PlainProcess(home, *arguments, **environment))
        return opened[-1]

    yield start
    for player in opened:
        player.kill()


def table_of(
    server: ServerProcess, open_plain: OpenPlain, number: int = 0, *options: str, **env: str
) -> list[PlainProcess]:
    """Three players at a table, of whom the first is the host."""
    names = (
        ("Ana", "Bob", "Cid") if number == 0 else tuple(f"{n} {number}" for n in ("A", "B", "C"))
    )
    ana = open_plain(server.address, "--name", names[0], **env)
    ana.until("> ")
    ana.type(f"new pause_seconds=120 {' '.join(options)}")
    code = ana.until(r"--table ([A-Z]{4})")[1]
    players = [ana]
    for name in names[1:]:  # one after the other: tests rely on who sits where
        players.append(open_plain(server.address, "--name", name, "--table", code, **env))
        players[-1].until(f"--table {code}")
    return players


def test_whole_games_by_the_dozen_in_every_language(
    server: ServerProcess, open_plain: OpenPlain
) -> None:
    tables = [
        table_of(server, open_plain, number, *options, LANG=locale)
        for number, (locale, options) in enumerate(
            {
                "C.UTF-8": (),
                "ro_RO.UTF-8": ("last_chance=on", "initial=together", "practice=on"),
                "sv_SE.UTF-8": (
                    "equipment=cards",
                    "own_skull=random",
                    "self_elimination_starter=left",
                ),
            }.items()
        )
    ]
    players = [player for table in tables for player in table]
    with ThreadPoolExecutor(len(players)) as pool:
        told = list(
            pool.map(lambda both: play(both[1], 4, random.Random(both[0])), enumerate(players))
        )
    won = ("You won the game!", "Ai câștigat jocul!", "Du vann spelet!")
    for number, yours in enumerate(won):
        for winners in zip(*told[3 * number : 3 * number + 3], strict=True):
            assert winners.count(yours) == 1, winners
            assert len(set(winners)) == 2, winners
    for player in players:
        assert player.end() == 0
        refused = [n for n, line in enumerate(player.lines) if line.startswith("! ")]
        assert not refused, player.lines[refused[0] - 5 : refused[0] + 5]
        assert not any("\x1b" in line or "{" in line for line in player.lines)
    words = {line for player in players[3:] for line in player.lines}
    assert not [line for line in words if re.search(r"\b(the|you|your|places)\b", line)]


def test_everything_beside_the_game(server: ServerProcess, open_plain: OpenPlain) -> None:
    ana, bob, cid = table_of(server, open_plain)
    ana.type("say Hello, everybody")
    bob.until("^Ana: Hello, everybody$")
    bob.type("phrase 8")
    ana.until("^Bob: Nice bluff!$")
    ana.type("mute bob")
    ana.until("You no longer hear Bob.")
    bob.type("say psst")
    cid.until("^Bob: psst$")
    ana.type("hear bob")
    ana.until("You hear Bob again.")
    assert "Bob: psst" not in ana.lines
    ana.type("flowers 0")
    ana.until("noted")
    bob.type("start")
    bob.until("^! start is nothing that can be done now")
    ana.type("set turn_seconds=30 watching=off")
    cid.until("The rules are now: .*Turn clock: 30 s")
    ana.type("set turn_seconds=31")
    ana.until("^! turn_seconds can be 0, 30, 60, 90")
    ana.type("password rosebud")
    bob.until("It takes a password now")
    dora = open_plain(server.address, "--name", "Dora")
    code = dora.until("Table ([A-Z]{4}), host Ana")[1]
    dora.type(f"join {code}")
    dora.until("^! It takes a password")
    dora.type(f"join {code} rosebud")
    ana.until("Seat 4: Dora")
    ana.type("remove dora")
    ana.until("^! .*cannot come back.* type remove Dora for good")
    ana.type("remove dora for good")
    dora.until("removed")
    ana.until("Seat 4 is free")
    ana.type("start")
    for player in (ana, bob, cid):
        player.until("Round 1: .* start")
    bob.type("place flower")
    bob.until("You place a flower")
    cid.type("pl sk")
    cid.until("You place the skull")
    ana.until("> Place your first disc")
    ana.type("place flower")
    ana.until("> Your turn")
    ana.type("abandon")
    bob.until("Ana asks to take the round back")
    bob.type("abandon")
    cid.until("Bob asks to take the round back")
    cid.type("abandon")
    for player in (ana, bob, cid):
        player.until("taken back")
    bob.type("leave")
    bob.until("^! A bot takes over .* type leave for good")
    bob.type("leave for good")
    bob.until("You are in the lobby")
    bob.type("code")
    bob.until("Your code: ")
    bob.type("games")
    bob.until("No game of yours")
    bob.type("records")
    bob.type("quit")
    for player in (ana, bob, cid, dora):
        assert player.end() == 0


def game_of(player: PlainProcess) -> list[str]:
    """What was told of the game, from its first round to its end."""
    begin = next(n for n, line in enumerate(player.lines) if line.startswith("Round 1: "))
    end = next(n for n, line in enumerate(player.lines) if line.startswith("At the end: "))
    return player.lines[begin:end]


def test_finished_games_are_listed_told_and_written(
    server: ServerProcess, open_plain: OpenPlain, tmp_path: Path
) -> None:
    players = table_of(server, open_plain)
    with ThreadPoolExecutor(len(players)) as pool:
        list(pool.map(lambda both: play(both[1], 1, random.Random(both[0])), enumerate(players)))
    ana = players[0]
    ana.type("leave")
    ana.until("You are in the lobby")
    ana.type("game 1")
    ana.until("^Skull, table")
    ana.until("As you knew it")
    ana.until("^Round 1")
    ana.until("won the game")
    ana.type("games")
    ana.until("^1: .* you (won|lost), winner .*, with Bob and Cid")
    ana.type("export 1")
    ana.until(r"Written to ~/\.local/state/skull-client/games/skull-.*\.txt")
    (written,) = (tmp_path / "home").rglob("skull-*.txt")
    assert "won the game" in written.read_text(encoding="utf-8")
    live = [line for line in game_of(ana) if not re.search(r"ready for the next round|^> ", line)]
    ana.type("replay 1")
    ana.until("^Step 1 of")
    begin = len(ana.lines)
    ana.until("^Type step")
    for number in range(2, 10**4):
        ana.type("step")
        if ana.until(f"^(Step {number} of|! This is the last step)")[1].startswith("!"):
            break
    ana.type("look")
    ana.until("^Your hand")
    again = "\n".join(ana.lines[begin:])
    assert live
    for line in live:
        before, found, again = again.partition(f"{line}\n")
        assert found, f"{line}, and the rest of the replay is\n{before}"
    ana.type("export 2")
    ana.until("^! Your list has no such game")


LESSON = (
    *("place flower", "bid 2", "flip ada", "flip 2", "ready", "place flower", "bid 1", "bid 3"),
    *("flip ada", "flip 3", "next", "next"),
)


def learn(ada: PlainProcess, step: str, end: str) -> None:
    """Go through the lesson, and back to where one chooses."""
    start = ada.until("^> .*here, learn, connect HOST, help")[0]
    ada.type("learn")
    for number, line in enumerate(LESSON, 1):
        ada.until(f"^{step} {number} ")
        ada.until("^> ")
        if number == 1:
            ada.type("place skull")
            ada.until("^! ")
        ada.type(line)
    ada.until(f"^> {re.escape(end)}")
    ada.type("leave lesson")
    ada.until(f"^{re.escape(start)}")
    assert ada.end() == 0


def test_the_lesson_from_start_to_end_in_every_language(open_plain: OpenPlain) -> None:
    words = {
        "C.UTF-8": ("Lesson: step", "You know it all now."),
        "ro_RO.UTF-8": ("Lecție: pasul", "Acum știi tot."),
        "sv_SE.UTF-8": ("Lektion: steg", "Nu kan du allt."),
    }
    learners = [(open_plain("--name", "Ada", LANG=locale), *said) for locale, said in words.items()]
    with ThreadPoolExecutor(len(learners)) as pool:
        list(pool.map(lambda learner: learn(*learner), learners))


def test_a_terminal_that_draws_nothing(
    server: ServerProcess, open_client: Callable[..., Terminal]
) -> None:
    terminal = open_client(server.address, "--plain", "--name", "Ana", TERM="dumb")
    terminal.wait_for("> Choose a table")
    terminal.press("new min_seats=2", "enter")
    terminal.wait_for("1 player is missing")
    terminal.press("bot", "enter")
    terminal.wait_for("The game can start")
    terminal.press("start", "enter")
    terminal.wait_for("> Place your first disc")
    terminal.press("\x04")
    assert terminal.finish() == 0


def test_a_terminal_that_draws_nothing_is_told_of_it(open_client: Callable[..., Terminal]) -> None:
    terminal = open_client(TERM="dumb", columns=200)
    terminal.wait_for("--plain")
    assert terminal.finish() == 2


def test_a_script_of_lines_against_bots(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("wait\nplace skull\nnonsense\nlook\n", encoding="utf-8")
    with script.open() as lines:
        ran = subprocess.run(
            [PROGRAM, "--plain", "--here", "--name", "Ana"],
            stdin=lines,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert "You place the skull." in ran.stdout
    assert re.search("^! nonsense is nothing", ran.stdout, re.MULTILINE)
    assert ran.stderr == ""


def test_lines_that_nobody_reads_end_the_program() -> None:
    reading, writing = os.pipe()
    program = subprocess.Popen(
        [PROGRAM, "--plain", "--here", "--name", "Ana"],
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)
    _, complaint = program.communicate("look\n" * 50, timeout=PATIENCE)
    assert (program.returncode, complaint) == (1, "")


def test_where_nothing_answers_the_status_says_so(open_plain: OpenPlain) -> None:
    player = open_plain("127.0.0.1:1")
    assert player.process.wait(timeout=PATIENCE) == 1


def test_the_connection_is_told_and_comes_back(tmp_path: Path, open_plain: OpenPlain) -> None:
    server = ServerProcess(tmp_path / "server")
    ana = open_plain(server.address, "--name", "Ana")
    ana.until("> Choose a table")
    ana.type("new")
    ana.until("> 2 players are missing")
    server.stop()
    ana.until("Trying again by itself; your seat is held")
    ana.type("bot")
    ana.until("^! Not now")
    again = ServerProcess(tmp_path / "server", "--port", server.address.rsplit(":", 1)[1])
    ana.until("You are connected again")
    ana.type("bot")
    ana.until("Seat 2: Bot")
    assert ana.end() == 0
    again.stop()
