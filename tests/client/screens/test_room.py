"""What all screens have in common."""

from typing import Any

import pytest
from tests.client.screens.test_rooms import guest, lobby, waiting

SCENES = {"lobby": lobby, "waiting": waiting, "guest": guest}


@pytest.mark.parametrize("name", SCENES)
async def test_news_of_the_last_moment_harms_nothing(play: Any, world: Any, name: str) -> None:
    """As the app closes, the parts of its screen go one by one."""
    async with play(*SCENES[name](world), size=(80, 24)) as playing:
        room = playing.app.room
        while room.children:
            await room.children[-1].remove()
            await playing.app.redraw()
