"""Troubles of the client, and of a server in its process, never reach the screen."""

import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging, pathlib, sys
from skull_client.log_file import log_to_file
log_to_file(pathlib.Path(sys.argv[1]))
logging.getLogger("skull_server.play").error("bot_failed")
logging.getLogger("asyncio").warning("slow")
logging.getLogger("skull_server.play").info("chatter")
"""


def run(directory: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, str(directory)], capture_output=True, text=True, check=True
    )


def test_what_is_logged_goes_to_a_file_of_the_owner_and_not_to_the_screen(tmp_path: Path) -> None:
    ran = run(tmp_path / "state")
    assert (ran.stdout, ran.stderr) == ("", "")
    log = tmp_path / "state" / "client.log"
    assert log.stat().st_mode & 0o777 == 0o600
    text = log.read_text()
    assert "ERROR skull_server.play: bot_failed" in text
    assert "WARNING asyncio: slow" in text
    assert "chatter" not in text


def test_where_no_file_can_be_made_nothing_reaches_the_screen_either(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("in the way")
    ran = run(tmp_path / "state")
    assert (ran.stdout, ran.stderr) == ("", "")


def test_a_client_that_never_complains_leaves_no_file(tmp_path: Path) -> None:
    script = SCRIPT.split("logging.getLogger", 1)[0]
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "state")], check=True)
    assert not (tmp_path / "state").exists()
