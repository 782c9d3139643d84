"""Where the client writes its own troubles down: in a file, not across the screen."""

import logging
import logging.handlers
import os
from pathlib import Path

from skull_client.places import state_folder

FILE = "client.log"
_LARGEST = 256 * 1024
"""Bytes; then the file is set aside and another one begun."""


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A file for its owner alone, made with the first line that is written to it."""

    def _open(self):  # type: ignore[no-untyped-def] # as its base
        Path(self.baseFilename).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return super()._open()


def log_to_file(directory: Path | None = None) -> None:
    """Send every log record of this process to a file, by default under the user's state.

    A file that cannot be written is a pity, and no reason to stop or to write on the screen.
    """
    path = (directory or state_folder()) / FILE
    handler = _PrivateFile(path, maxBytes=_LARGEST, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.raiseExceptions = False
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
