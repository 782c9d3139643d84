"""A file that is written whole or not at all, whatever happens meanwhile, for its owner alone."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Replace what the file says; a link to it stays a link. Raises `OSError`.

    A crash leaves the old file or the new one.
    """
    target = path.resolve()
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=".new-")  # mode 0600
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
