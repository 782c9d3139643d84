"""Characters: what makes one bot of a level another than the next, within the level's strength."""

from collections.abc import Sequence

from msgspec import Struct

from skull_server.games.skull.bots.mats import PASS, PLACE_FLOWER, PLACE_SKULL, Mats


class Character(Struct, frozen=True):
    """A name, and by how much more often than the level at large a bot does what it likes."""

    name: str
    skull_first: float = 1.0
    """Lays the skull as the first disc."""
    opens: float = 1.0
    """Opens the bidding rather than laying another disc."""
    raises: float = 1.0
    """Raises rather than passing, where the bid may succeed."""
    bluffs: float = 1.0
    """Raises where its own skull would be in the way."""


PLAIN = Character("Plain")
CHARACTERS = (
    Character("Ana", raises=1.3, bluffs=0.8),
    Character("Ben", skull_first=1.4, opens=0.8),
    Character("Cleo", bluffs=1.5, skull_first=1.2),
    Character("Dan", skull_first=0.7, raises=1.15),
    Character("Eva", opens=1.4, raises=0.85),
    Character("Finn", opens=1.2, bluffs=1.3, raises=1.2),
    Character("Gil", skull_first=1.2, bluffs=0.7, raises=0.85),
)
"""Those who come with the game: more than a table has seats for bots."""


def tilted(
    character: Character, mats: Mats, place: int, choices: Sequence[int], chances: Sequence[float]
) -> list[float]:
    """The chances of a player's choices as this character has them; they add up to 1."""
    height = mats.height[place]
    found = []
    for choice, chance in zip(choices, chances, strict=True):
        if height == 0:
            chance *= character.skull_first if choice == PLACE_SKULL else 1.0
        elif mats.bid == 0:
            chance *= 1.0 if choice in (PLACE_FLOWER, PLACE_SKULL) else character.opens
        elif choice != PASS:
            skull = mats.skull[place]
            bluff = skull > 0 and mats.amount(place, choice) > height - skull
            chance *= character.bluffs if bluff else character.raises
        found.append(chance)
    total = sum(found)
    return [chance / total for chance in found]
