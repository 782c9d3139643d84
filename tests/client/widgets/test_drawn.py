"""What is drawn from pictures: only the rows that changed are painted anew."""

from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.content import Content
from textual.strip import Strip

from skull_client.glyphs import UNICODE, Glyphs
from skull_client.widgets.drawn import Drawn


@dataclass(frozen=True)
class Words:
    """A word for each row."""

    rows: tuple[str, ...]
    glyphs: Glyphs = UNICODE


class Page(Drawn[Words]):
    """Shows the words, and notes which rows are painted."""

    def __init__(self) -> None:
        super().__init__()
        self.painted: list[int] = []

    def lines(self, picture: Words, width: int, height: int) -> list[Content]:
        """A line for each word."""
        return [Content(word) for word in picture.rows]

    def render_line(self, y: int) -> Strip:
        """Paint it, and note it."""
        self.painted.append(y)
        return super().render_line(y)

    def text(self) -> list[str]:
        """What stands in the first rows."""
        return [super(Page, self).render_line(y).text.rstrip() for y in range(3)]


class Book(App[None]):
    """Nothing but a page."""

    def compose(self) -> ComposeResult:
        """The page."""
        yield Page()


async def test_only_rows_that_changed_are_painted() -> None:
    async with Book().run_test(size=(20, 5)) as pilot:
        page = pilot.app.query_one(Page)
        page.show(Words(("one", "two", "three")))
        await pilot.pause()
        page.painted.clear()
        page.show(Words(("one", "zwei", "three")))
        await pilot.pause()
        assert page.painted == [1]
        assert page.text() == ["one", "zwei", "three"]


async def test_another_size_draws_all_rows() -> None:
    async with Book().run_test(size=(20, 5)) as pilot:
        page = pilot.app.query_one(Page)
        page.show(Words(("one", "two", "three")))
        await pilot.pause()
        page.painted.clear()
        await pilot.resize_terminal(12, 3)
        await pilot.pause()
        assert set(page.painted) == {0, 1, 2}
        assert page.text() == ["one", "two", "three"]
