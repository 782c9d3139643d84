"""Where the client writes its own troubles down: in a file, not across the screen."""

import logging
from pathlib import Path

from skull_client.places import state_folder

FILE = "client.log"


class _SeldomNeeded(logging.Handler):
    """Loads what writes the file with the first record: most days have none."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write it."""
        if self._file is None:
            from skull_client.private_file import PrivateFile

            self._file = PrivateFile(self._path)
            self._file.setFormatter(self.formatter)
        self._file.emit(record)


def log_to_file(directory: Path | None = None) -> None:
    """Send every log record of this process to a file, by default under the user's state.

    A file that cannot be written is a pity, and no reason to stop or to write on the screen.
    """
    path = (directory or state_folder()) / FILE
    handler = _SeldomNeeded(path)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.raiseExceptions = False
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
