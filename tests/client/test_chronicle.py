"""The story of a game: told from what happened, by the rules, and no more than is known."""

from random import Random

import pytest
from tests.client.finished import played, told
from tests.server.games.skull.scene import Scene

from skull_client import chronicle_wording
from skull_client.chronicle import Challenge, challenges, is_whole, last_game, tallies
from skull_protocol import skull
from skull_protocol.pushes import Chat
from skull_protocol.skull import SKULL, Show, SkullEvent

NAMES = ("Ana", "Boris", "Cy")


def name(seat: int) -> str:
    return NAMES[seat]


def seen(scene: Scene, seat: int | None) -> tuple[SkullEvent, ...]:
    """What happened, as a seat was told of it."""
    return tuple(scene.game.event_for(event, seat) for event in scene.events)


def line(scene: Scene, you: int | None) -> str:
    return chronicle_wording.challenge_line(challenges(seen(scene, you))[-1], name, you)


def test_a_point() -> None:
    scene = Scene(3)
    scene.win_challenge(0)
    assert line(scene, None) == "Ana bid 1, flipped it: a point."
    assert line(scene, 0) == "You bid 1, flipped it: a point."
    assert challenges(seen(scene, 1)) == (Challenge(1, 0, 1, flowers=1, decided=True),)


def test_a_bluff_that_was_caught() -> None:
    scene = Scene(3)
    scene.hit_own_skull(0, lose="F")
    assert line(scene, 1) == "Ana bluffed with a bid of 1, and was caught."
    assert line(scene, 0) == "You bluffed with a bid of 1, and were caught."


def test_a_trap() -> None:
    scene = Scene(3)
    scene.hit_skull_of(1, 0)
    assert line(scene, None) == "Ana bid 2, and hit Boris's skull."
    assert line(scene, 1) == "Ana bid 2, and hit your skull."
    assert line(scene, 0) == "You bid 2, and hit Boris's skull."


def bid_over(skull_of: int) -> Scene:
    """Ana bids 1, Boris 2, Ana 3: she flips all three, or meets a skull."""
    scene = Scene(3)
    scene.first_discs(**{f"s{skull_of}": SKULL})
    scene.bid(0, 1)
    scene.bid(1, 2)
    scene.passes(2)
    scene.bid(0, 3)
    return scene


def test_somebody_else_who_had_bluffed() -> None:
    scene = bid_over(1)
    scene.flips(0, 0, 1)
    assert line(scene, None) == "Ana bid 3, and hit Boris's skull. Boris had bluffed."
    assert line(scene, 1) == "Ana bid 3, and hit your skull. You had bluffed."


def test_a_skull_without_a_bid_is_no_bluff() -> None:
    scene = bid_over(2)
    scene.flips(0, 0, 2)
    assert line(scene, None) == "Ana bid 3, and hit Cy's skull."


def test_a_bluff_that_was_shown_afterwards() -> None:
    """Both Boris and Cy have their skulls out; Cy's is hit, and Boris shows his."""
    scene = Scene(3)
    scene.first_discs(s1=SKULL, s2=SKULL)
    scene.bid(0, 1)
    scene.bid(1, 2)
    scene.passes(2)
    scene.bid(0, 3)
    scene.flips(0, 0, 2)
    assert line(scene, 1).endswith("Nobody saw that you had bluffed.")
    assert "bluffed" not in line(scene, 2), "what Boris hid is not known to Cy"
    scene.do(2, skull.Pick(0))
    scene.do(1, Show(0))
    for you in (None, 2):
        assert line(scene, you).endswith("Boris had bluffed.")
    assert line(scene, 1).endswith("You had bluffed.")


def test_the_last_disc() -> None:
    scene = Scene(3)
    for _ in range(3):
        scene.hit_own_skull(0, lose="F")
        scene.press_on()
    scene.hit_own_skull(0)
    assert line(scene, 1).endswith("That was the last disc.")
    assert line(scene, 0).endswith("You were out.")


def test_a_round_that_was_taken_back_is_no_challenge() -> None:
    scene = Scene(3)
    scene.first_discs()
    scene.challenge(0, 3)
    for seat in range(3):
        scene.do(seat, skull.Abandon(True))
    assert challenges(seen(scene, None)) == ()


def test_practice_earns_no_point_and_does_not_count() -> None:
    scene = Scene(3, practice=True)
    scene.win_challenge(0)
    assert line(scene, None) == "Ana bid 1, and flipped as many: well done."
    assert tallies(challenges(seen(scene, None)), 3)[0].won == 0


@pytest.mark.parametrize("seed", range(12))
def test_the_tally_agrees_with_the_game(seed: int) -> None:
    """Points are challenges won; discs lost are challenges lost, by whoever stayed."""
    seats = Random(seed).randint(2, 4)
    _, steps = told(played(seed, seats), 0)
    events = last_game([event for step in steps for event in step.events])
    assert is_whole(events)
    view = steps[-1].view
    did = tallies(challenges(events), seats)
    for seat, stand in enumerate(view.seats):
        assert did[seat].won == stand.points
        assert did[seat].lost == 4 - stand.discs
        assert did[seat].caught <= did[seat].lost
    assert sum(one.traps + one.caught for one in did) == sum(one.lost for one in did)
    assert all(chronicle_wording.challenge_line(one, str, 0) for one in challenges(events))


def events_of(seed: int) -> list[SkullEvent]:
    _, steps = told(played(seed), 0)
    return [event for step in steps for event in step.events]


def test_only_the_last_game_is_told() -> None:
    first, second = events_of(1), events_of(2)
    assert last_game([*first, Chat(1, "Ana", "again?"), *second]) == tuple(second)
    assert last_game(first) == tuple(first)


def test_a_story_with_a_gap_is_not_whole() -> None:
    events = events_of(2)
    rounds = [at for at, event in enumerate(events) if isinstance(event, skull.RoundStarted)]
    assert is_whole(events)
    assert not is_whole(events[rounds[1] :])
    assert not is_whole(events[:-1])
    assert not is_whole(events[: rounds[1]] + events[rounds[2] :])
    assert not is_whole(events[1:])
    assert not is_whole(())
