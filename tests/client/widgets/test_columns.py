"""Columns are as wide as their words, whatever the language; one gives way where it must."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from skull_client.glyphs import UNICODE
from skull_client.widgets.columns import in_columns

WORDS = st.text("aşșțåö x日", max_size=12)
ROWS = st.integers(1, 6).flatmap(
    lambda count: st.lists(st.lists(WORDS, min_size=count, max_size=count), min_size=1, max_size=6)
)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, room=st.integers(10, 120))
def test_no_word_is_cut_where_there_is_room(rows: list[list[str]], room: int) -> None:
    lines = in_columns(UNICODE, rows, room)
    assert all(cell_len(line) <= room for line in lines)
    widest = sum(max(map(cell_len, column)) for column in zip(*rows, strict=True))
    if widest + len(rows[0]) - 1 <= room:
        for row, line in zip(rows, lines, strict=True):
            assert all(word.rstrip() in line for word in row)


def test_words_begin_and_numbers_end_below_each_other() -> None:
    lines = in_columns(UNICODE, [["Jucător", "Victorii"], ["Ana", "12"]], 40, numbers=range(1, 2))
    assert lines == ["Jucător  Victorii", "Ana            12"]


def test_one_column_gives_way_and_the_others_stay_whole() -> None:
    rows = [["Carla-Maria Lang", "au rămas 2 discuri"], ["Bo", "ieșit din joc"]]
    assert in_columns(UNICODE, rows, 26) == ["Carla-… au rămas 2 discuri", "Bo      ieșit din joc"]
    assert in_columns(UNICODE, rows, 26, gives=1) == [
        "Carla-Maria Lang au rămas…",
        "Bo               ieșit di…",
    ]


def test_a_column_without_words_takes_no_room() -> None:
    assert in_columns(UNICODE, [["a", "", "b"], ["c", "", "d"]], 40) == ["a  b", "c  d"]
