"""What tests of screens share: dates are the same everywhere, and games are kept out of the way."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from skull_client import export


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(export, "folder", lambda: tmp_path / "games")
    return tmp_path
