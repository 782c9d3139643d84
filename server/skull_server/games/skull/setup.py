"""Before the first round: the options checked, the discs dealt, the first starter found.

Rules, "Set-up": three flowers and one skull each; the travel set deals playing cards instead.
"""

from collections.abc import Sequence
from random import Random

from skull_protocol.errors import Refusal
from skull_protocol.skull import FLOWER, SKULL, Disc, SkullOptions
from skull_server.games.skull.state import FACE_CARDS, NUMBER_CARDS, Player, State

MIN_SEATS = 2
MAX_SEATS = 6
FLOWERS_EACH = 3


def check_options(options: SkullOptions, seats: int) -> None:
    """Raise `Refusal` (`bad_options`) if the game cannot be played like this."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise Refusal(
            "bad_options",
            "Skull is for {least} to {most} players.",
            least=MIN_SEATS,
            most=MAX_SEATS,
        )
    if options.last_chance and options.equipment == "cards":
        raise Refusal(
            "bad_options",
            "The travel set has no Last Chance flower: switch off one of the two options.",
        )
    if isinstance(options.first_player, int) and options.first_player >= seats:
        raise Refusal(
            "bad_options", "Nobody sits in the seat that is to start: choose another first player."
        )


def new_state(
    options: SkullOptions, seats: int, rng: Random, flowers: Sequence[int | None]
) -> State:
    """Deal and find the first starter. `flowers` as in `first_starter`."""
    hands = _cards(seats, rng) if options.equipment == "cards" else _discs(seats)
    starter = first_starter(options, seats, rng, flowers)
    players = [Player(seat, []) for seat in range(seats)]
    for player, hand in zip(players, hands, strict=True):
        player.take_in(*hand)
    return State(
        options=options,
        players=players,
        rng=rng,
        first_starter=starter,
        starter=starter,
        round=0 if options.practice else 1,
    )


def first_starter(
    options: SkullOptions, seats: int, rng: Random, flowers: Sequence[int | None]
) -> int:
    """Return the seat that starts the first round.

    `flowers` holds for each seat how many days ago its player last gave somebody flowers; None:
    no answer. The most recent starts; ties, and the lack of any answer, are drawn.
    """
    if isinstance(options.first_player, int):
        return options.first_player
    candidates = list(range(seats))
    if options.first_player == "flowers":
        answers = [days for days in flowers if days is not None]
        if answers:
            candidates = [seat for seat in candidates if flowers[seat] == min(answers)]
    return rng.choice(candidates)


def _discs(seats: int) -> list[list[Disc]]:
    return [[FLOWER] * FLOWERS_EACH + [SKULL] for _ in range(seats)]


def _cards(seats: int, rng: Random) -> list[list[Disc]]:
    numbers = rng.sample(NUMBER_CARDS, FLOWERS_EACH * seats)
    faces = rng.sample(FACE_CARDS, seats)
    return [
        [*numbers[FLOWERS_EACH * seat : FLOWERS_EACH * (seat + 1)], faces[seat]]
        for seat in range(seats)
    ]
