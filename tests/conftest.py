"""Whatever whoever runs the tests has set for themselves decides nothing here."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from skull_server import play


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A compiled class can be neither copied nor changed: tests that do so are left out then."""
    if Path(play.__file__).suffix == ".so":
        for item in items:
            if item.get_closest_marker("interpreted"):
                item.add_marker(pytest.mark.skip("copies or changes a class, which is compiled"))


@pytest.fixture(scope="session", autouse=True)
def nobodys_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """English, and folders of settings and state that are empty at first."""
    before = dict(os.environ)
    home: Path = tmp_path_factory.mktemp("nobody")
    for variable, folder in (("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")):
        os.environ[variable] = str(home / folder)
    os.environ["LANGUAGE"] = "en"
    yield
    os.environ.clear()
    os.environ.update(before)
