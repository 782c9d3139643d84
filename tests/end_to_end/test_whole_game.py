"""Three people play a whole game by keystrokes alone, each reading their own screen."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.end_to_end.by_keys import do
from tests.end_to_end.conftest import ServerProcess, Terminal


def test_three_people_play_a_whole_game_by_keystrokes(
    server: ServerProcess, open_client: Callable[..., Terminal]
) -> None:
    # Ana sets up a table; Bob finds it in the list, Cid has its code.
    ana = open_client(server.address, "--name", "Ana")
    ana.wait_for("No table here yet")
    ana.press("n")
    ana.wait_for("Set up a table", "Players needed")
    ana.press("enter")
    code = re.search(r"Table ([A-Z]{4})", ana.wait_for("waiting to start"))
    assert code is not None
    bob = open_client(server.address, "--name", "Bob")
    bob.wait_for(code[1])
    bob.press("enter")
    bob.wait_for("waiting to start", "1 +Ana")
    cid = open_client(server.address, "--name", "Cid", "--table", code[1].lower())
    cid.wait_for("waiting to start", "3 +Cid")
    everybody = (ana, bob, cid)

    # Ana gave somebody flowers today, so she is to start.
    ana.wait_for("▸ Start", "3 +Cid")
    ana.press("down")
    ana.wait_for("▸ Flowers")
    ana.press("enter")
    ana.wait_for("▸ Today")
    ana.press("enter")
    ana.wait_for("you, host, flowers √")
    ana.press("up")
    ana.wait_for("▸ Start")
    ana.press("enter")
    for terminal in everybody:
        terminal.wait_for("Round 1: (Ana starts|you start)")

    # Round 1: Ana bids two and runs into Bob's skull; Bob takes a disc of hers, unseen.
    do(bob, "Place the skull")
    do(cid, "Place a flower")
    do(ana, "Place a flower")
    for terminal in (ana, cid):
        terminal.press("o")
        terminal.wait_for("Bob places a disc")
        terminal.press("o")
        terminal.wait_for("3 discs on the mats")
    ana.press("b")
    ana.wait_for(r"\[▸Bid 1")
    ana.press("2")
    do(ana, "Bid 2")
    do(bob, "Pass")
    do(cid, "Pass")
    do(ana, "Flip your top disc")
    do(ana, r"\d Bob")
    for terminal in everybody:
        terminal.wait_for("skull")
    ana.wait_for("Waiting for Bob")
    do(bob, "■ 3")
    lost = ana.wait_for("You lose (a flower|the skull)")
    for terminal in (bob, cid):
        assert re.search("Ana loses a disc", terminal.wait_for("Ana loses a disc"))
    assert re.search("You lose (a flower|the skull)", lost)
    assert "3 discs" in lost
    do(cid, "Show 1")
    for terminal in everybody:
        terminal.wait_for("(Cid shows|You show)")
        do(terminal, "Next round")

    # Rounds 2 and 3: Ana turns over her own disc twice, bidding one, if it is a flower.
    for round_number in (2, 3):
        for terminal in everybody:
            terminal.wait_for(f"Round {round_number}\\b")
        do(bob, "Place the skull")
        do(cid, "Place a flower")
        do(ana, "Place a flower")
        do(ana, "Bid 1")
        do(bob, "Pass")
        do(cid, "Pass")
        do(ana, "Flip your top disc")
        if round_number == 2:
            for terminal in everybody:
                do(terminal, "Next round")

    # Everybody sees who has won, and Ana asks for a rematch.
    ana.wait_for("You win")
    bob.wait_for("Ana wins")
    cid.wait_for("Ana wins")
    do_result(ana)
    ana.wait_for("Play again")
    ana.press("enter")
    for terminal in everybody:
        terminal.wait_for("Round 1")

    # The server is told to stop, and everybody hears of it.
    assert server.stop() == 0
    for terminal in everybody:
        terminal.wait_for("stopping|lost|back")


def do_result(terminal: Terminal) -> None:
    """Go from the table to the result."""
    terminal.wait_for("See the result")
    terminal.press("enter")
