"""Numbers as people type them: those that are meant, and no others."""

import pytest

from skull_client.address import BadAddress, parse_address
from skull_client.typed import number_in


@pytest.mark.parametrize(("typed", "number"), [("1", 1), ("10", 10), ("07", 7)])
def test_what_is_a_number(typed: str, number: int) -> None:
    assert number_in(range(1, 11), typed) == number


@pytest.mark.parametrize(
    "typed", ["", "0", "11", "-1", "+1", "1.0", "1e0", " 1", "²", "٣", "x", "9" * 5000]
)
def test_what_is_none(typed: str) -> None:
    assert number_in(range(1, 11), typed) is None


def test_a_long_number_is_not_cut_down_to_one_that_would_do() -> None:
    assert number_in(range(1, 11), "0000019999") is None
    with pytest.raises(BadAddress):
        parse_address("box:0000809999")
