"""A log file for its owner alone, that does not grow for ever."""

import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

_LARGEST = 256 * 1024
"""Bytes; then the file is set aside and another one begun."""


class PrivateFile(RotatingFileHandler):
    """Made with the first line that is written to it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=_LARGEST, backupCount=1, encoding="utf-8", delay=True)

    def _open(self):  # type: ignore[no-untyped-def] # as its base
        Path(self.baseFilename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return super()._open()
