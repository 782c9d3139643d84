"""`python -m skull_server.games.skull.training COMMAND ...`: see `--help` of each command."""

import importlib
import sys

_COMMANDS = {
    "table": "skull_server.games.skull.training.table_command",
    "best-response": "skull_server.games.skull.training.response_command",
    "two-players": "skull_server.games.skull.training.two_players",
}


def main(arguments: list[str]) -> int:
    """Run a command; return the exit status."""
    module = _COMMANDS.get(arguments[0]) if arguments else None
    if module is None:
        names = ", ".join(_COMMANDS)
        sys.stderr.write(f"say what to train: one of {names}\n")
        return 2
    status = importlib.import_module(module).main(arguments[1:])
    assert isinstance(status, int)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
