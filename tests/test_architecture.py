"""Who may import whom, seen by what a fresh interpreter has loaded; the static half is in the
import contracts of `pyproject.toml`."""

import ast
import pkgutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import skull_client
import skull_protocol
import skull_server


def modules_of(package: ModuleType) -> list[str]:
    found = pkgutil.walk_packages(package.__path__, package.__name__ + ".")
    return [package.__name__, *(module.name for module in found)]


def loaded_by(modules: list[str], then: str = "") -> set[str]:
    """Import modules in a fresh interpreter, and do something; return what got loaded, by name."""
    program = "\n".join(
        [*(f"import {module}" for module in modules), then, "import sys; print(*sys.modules)"]
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def roots(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def test_the_protocol_stands_alone() -> None:
    loaded = loaded_by(modules_of(skull_protocol))
    assert "skull_protocol.codec" in loaded
    assert roots(loaded).isdisjoint({"skull_server", "skull_client", "textual", "asyncio"})


def test_each_module_of_the_protocol_can_be_imported_first() -> None:
    for module in modules_of(skull_protocol):
        loaded_by([module])


def test_games_are_pure() -> None:
    games = [name for name in modules_of(skull_server) if name.startswith("skull_server.games")]
    loaded = loaded_by(games)
    assert "skull_server.games.skull.game" in loaded
    assert roots(loaded).isdisjoint({"skull_client", "textual", "asyncio", "sqlite3", "socket"})
    ours = {name for name in loaded if name.startswith("skull_server")}
    assert ours == {"skull_server", *games}


def test_the_server_never_draws() -> None:
    loaded = loaded_by(modules_of(skull_server))
    assert "asyncio" in loaded
    assert roots(loaded).isdisjoint({"skull_client", "textual"})


def test_playing_here_loads_nothing_of_what_it_never_needs() -> None:
    """Each of these is a part of the 45 MB that a client may take while nothing happens."""
    loaded = loaded_by(
        ["skull_client.app", "skull_client.embedded", "skull_client.log_file"],
        "from skull_server.games.skull.bots.knowledge import knowledge; knowledge()",
    )
    assert "skull_server.games.skull.bots.levels" in loaded
    never = {"json", "logging.handlers", "multiprocessing", "prometheus_client"}
    never |= {"skull_server.log_lines", "sqlite3", "wcwidth", "zipfile"}
    assert loaded & never == set()


def imports(path: Path) -> set[str]:
    """The packages that a file names in its import statements, wherever they stand."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named.add(node.module)
    return roots(named)


def sources(package: ModuleType) -> list[Path]:
    (folder,) = package.__path__
    return sorted(Path(folder).rglob("*.py"))


def test_the_client_names_the_server_in_one_place_only() -> None:
    naming = [path.name for path in sources(skull_client) if "skull_server" in imports(path)]
    assert naming == ["embedded.py"]


def test_the_client_does_not_load_the_server_to_play_over_a_network() -> None:
    loaded = loaded_by(["skull_client.cli", "skull_client.connection"])
    assert "skull_server" not in roots(loaded)


def test_line_mode_never_draws() -> None:
    plain = [name for name in modules_of(skull_client) if name.startswith("skull_client.plain")]
    loaded = loaded_by(["skull_client.cli", "skull_client.settings", *plain])
    assert "skull_client.plain.run" in loaded
    assert roots(loaded).isdisjoint({"textual", "rich", "tomlkit", "babel"})


def test_bots_see_the_protocol_only() -> None:
    bots = [name for name in modules_of(skull_server) if ".skull.bots" in name]
    ours = {name for name in loaded_by(bots) if name.startswith("skull_server")}
    above = {"skull_server", "skull_server.games", "skull_server.games.skull"}
    assert ours == {*bots, *above}
    assert "skull_server.games.skull.bots.levels" in ours


def test_nothing_that_plays_loads_how_it_was_trained() -> None:
    playing = [name for name in modules_of(skull_server) if not name.endswith("__main__")]
    playing = [name for name in playing if ".training" not in name and ".arena" not in name]
    assert not [name for name in loaded_by(playing) if ".training" in name or name == "numpy"]


@pytest.mark.parametrize("package", [skull_protocol, skull_server, skull_client])
def test_every_module_says_what_it_is_for(package: ModuleType) -> None:
    for path in sources(package):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_no_bound_of_a_slice_is_a_call_where_that_is_compiled() -> None:
    """mypyc 2.4.1 makes such a call twice: sending, say, to cut off what was sent."""
    root = Path(__file__).parent.parent
    wheel = tomllib.loads(root.joinpath("pyproject.toml").read_text())["tool"]["hatch"]["build"]
    patterns = wheel["targets"]["wheel"]["hooks"]["custom"]["modules"]
    compiled = [
        path for room in ("protocol", "server") for p in patterns for path in (root / room).glob(p)
    ]
    assert len(compiled) > len(patterns)
    for path in compiled:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Slice):
                bounds = [bound for bound in (node.lower, node.upper) if bound is not None]
                calls = [n for bound in bounds for n in ast.walk(bound) if isinstance(n, ast.Call)]
                assert not calls, f"{path.name}, line {node.lower and node.lower.lineno}"
