"""Where this client keeps what must outlive it."""

from pathlib import Path

import platformdirs


def state_folder() -> Path:
    """The folder for tokens, games and troubles, under the user's state; it may not exist yet."""
    return platformdirs.user_state_path("skull-client", appauthor=False)
