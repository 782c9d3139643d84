"""The sample unit: it starts the server with flags that exist, and takes everything else away."""

import configparser
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from skull_server.cli import _parser
from skull_server.limits import Limits

UNIT = Path(__file__).parent.parent / "deploy" / "skull-server.service"


@pytest.fixture
def service() -> dict[str, list[str]]:
    """The settings of the service, each with all its values in order."""
    settings: dict[str, list[str]] = {}
    section = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and line and not line.startswith("#"):
            name, equals, value = line.partition("=")
            assert equals, line
            settings.setdefault(name, []).append(value)
    return settings


def test_it_is_a_unit() -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.read(UNIT, encoding="utf-8")
    assert set(unit.sections()) == {"Unit", "Service", "Install"}
    assert unit["Install"]["WantedBy"] == "multi-user.target"


@pytest.mark.parametrize("tls", [False, True])
def test_its_command_line_is_one_that_the_server_takes(
    service: dict[str, list[str]], tls: bool
) -> None:
    program, *flags = shlex.split(service["ExecStart"][0])
    assert Path(program).name == "skull-server"
    if tls:
        hint = UNIT.read_text(encoding="utf-8").split("With TLS, add `")[1].split("`")[0]
        flags += shlex.split(hint)
    _parser().parse_args(flags)  # ends the test if one does not exist


def test_it_ends_kindly_and_comes_back(service: dict[str, list[str]]) -> None:
    assert service["KillSignal"] == ["SIGTERM"]
    assert int(service["TimeoutStopSec"][0]) > 2
    assert service["Restart"] == ["on-failure"]
    assert int(service["LimitNOFILE"][0]) >= Limits().connections + 100


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DynamicUser", "yes"),
        ("StateDirectory", "skull"),
        ("StateDirectoryMode", "0700"),
        ("UMask", "0077"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("PrivateDevices", "yes"),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"),
        ("MemoryDenyWriteExecute", "yes"),
        ("SystemCallArchitectures", "native"),
    ],
)
def test_it_takes_away_what_the_server_does_not_need(
    service: dict[str, list[str]], name: str, value: str
) -> None:
    assert service[name] == [value]


def test_systemd_finds_nothing_wrong_with_it(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("no systemd here")
    text = UNIT.read_text(encoding="utf-8")
    copy = tmp_path / UNIT.name
    copy.write_text(
        text.replace("/opt/skull/bin/skull-server", shutil.which("true") or "/bin/true")
    )
    done = subprocess.run(
        [verify, "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert UNIT.name not in done.stdout + done.stderr  # of other units it may have something to say
