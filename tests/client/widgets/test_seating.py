"""Where people sit: around the table, clockwise, with room for each, at every size."""

from itertools import combinations
from math import atan2, pi

import pytest
from textual.geometry import Region

from skull_client.widgets.seating import Seating, seating

SIZES = [
    (60, 12),  # 60x20 while somebody types, below a banner
    (60, 14),
    (80, 16),
    (80, 18),
    (86, 33),
    (100, 24),
    (144, 54),
    *[(width, height) for width in range(60, 401, 17) for height in range(12, 101, 11)],
]


def regions(places: Seating) -> list[tuple[int, int, int, int]]:
    """Everything that has a place of its own."""
    middle = places.table if places.table is not None else places.track
    return [*places.seats, places.own, middle]


@pytest.mark.parametrize("others", range(1, 6))
def test_everything_has_a_place_of_its_own(others: int) -> None:
    for size in SIZES:
        width, height = size
        places = seating(width, height, others)
        assert len(places.seats) == others
        for x, y, wide, tall in regions(places):
            assert x >= 0
            assert y >= 0
            assert x + wide <= width
            assert y + tall <= height
        for one, other in combinations([*places.seats, places.own, places.track], 2):
            assert not one.overlaps(other), (one, other)


@pytest.mark.parametrize("others", range(1, 6))
def test_there_is_room_for_what_is_shown(others: int) -> None:
    for size in SIZES:
        places = seating(*size, others)
        narrowest = {"bare": 17, "framed": 26, "big": 26}[places.size]
        lowest = {"bare": 4, "framed": 7, "big": 9}[places.size]
        assert all(seat.width >= narrowest and seat.height >= lowest for seat in places.seats)
        assert places.own.width >= (24 if places.size == "bare" else 46)
        assert places.own.height >= lowest
        assert places.track.height >= 2
        assert places.track.width >= 26


def round_from_the_reader(centre: Region, seat: Region) -> float:
    """How far round a seat is, clockwise from the bottom, seen from the middle of the table."""
    right = seat.x + seat.width / 2 - (centre.x + centre.width / 2)
    down = seat.y + seat.height / 2 - (centre.y + centre.height / 2)
    return atan2(-right, down) % (2 * pi)


@pytest.mark.parametrize("others", range(1, 6))
def test_the_others_sit_clockwise_from_the_left_of_the_reader(others: int) -> None:
    """Seen from the middle of the table, each is further round than the one before."""
    for size in SIZES:
        places = seating(*size, others)
        turns = [round_from_the_reader(places.track, seat) for seat in places.seats]
        assert turns == sorted(turns)
        assert places.own.y > places.track.y
        if others == 1:
            assert places.seats[0].bottom <= places.track.y + places.track.height


@pytest.mark.parametrize("others", range(1, 6))
def test_left_and_right_are_alike(others: int) -> None:
    """To a cell, the table is the same on both sides: nothing looks pushed aside."""
    for size in SIZES:
        width = size[0]
        places = seating(*size, others)
        for left, right in zip(places.seats, reversed(places.seats), strict=True):
            assert left.y == right.y
            assert left.width == right.width
            assert abs(left.x - (width - right.right)) <= 2
        assert abs(places.own.x - (width - places.own.right)) <= 1


def test_more_room_means_larger_mats_and_people_all_around() -> None:
    assert seating(80, 18, 5).size == "bare"
    assert seating(100, 24, 5).size == "framed"
    assert seating(100, 24, 5).table is None
    around = seating(86, 33, 5)
    assert around.size == "framed"
    assert around.table is not None
    left, *_, right = around.seats
    assert left.right <= around.table.x
    assert right.x >= around.table.right
    assert around.table.y <= left.y < left.bottom <= around.table.bottom
    assert seating(144, 54, 5).size == "big"
