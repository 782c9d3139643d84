"""What there is to know about a table: who sits there, and its options with what they mean."""

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content

from skull_client.glyphs import Glyphs
from skull_client.option_wording import options_told, unusual_options
from skull_client.widgets import paint
from skull_client.widgets.drawn import Drawn
from skull_client.wording import say, say_count
from skull_protocol.tables import TableOptions, TableSummary
from skull_protocol.text import shown


class RulesPicture(Struct, frozen=True):
    """Everything that is told about a table."""

    glyphs: Glyphs
    options: TableOptions
    table: TableSummary | None = None
    """Who sits there, where that is not told beside it."""


class Rules(Drawn[RulesPicture]):
    """All options where there is room for them, else the unusual ones."""

    def lines(self, picture: RulesPicture, width: int, height: int) -> list[Content]:
        """Whose table it is, who sits there, the options."""
        glyphs = picture.glyphs
        head = [] if picture.table is None else _head(glyphs, picture.table, width)
        every = [*head, *([Content("")] if head else []), *_all(glyphs, picture.options, width)]
        if len(every) <= height:
            return every
        return [*head, *_unusual(glyphs, picture.options, width, height - len(head))]


def _head(glyphs: Glyphs, table: TableSummary, width: int) -> list[Content]:
    people = table.seated - table.bots
    free = max(table.options.max_seats - table.seated, 0)
    facts = [
        say_count(people, "{n} person", "{n} people"),
        say_count(table.bots, "{n} bot", "{n} bots") if table.bots else "",
        say_count(free, "{n} seat free", "{n} seats free") if free else say("no seat free"),
        say_count(table.watchers, "{n} watches", "{n} watch") if table.watchers else "",
    ]
    sits = f" {glyphs.separator} ".join(fact for fact in facts if fact)
    signs = seat_signs(glyphs, people, table.bots, table.options.max_seats)
    return [
        Content.styled(say("{host}'s table", host=shown(table.host)), "bold"),
        *Content.assemble(signs, "  ", sits).wrap(width),
    ]


def _unusual(glyphs: Glyphs, options: TableOptions, width: int, most: int) -> list[Content]:
    """What is unusual, a line each with its meaning; without it where lines are too few."""
    some = [told for told in options_told(options) if not told.usual]
    if not some:
        return [Content.styled(say("The usual rules and settings."), paint.QUIET)]
    lines = [
        Content.assemble(f"{glyphs.bullet} ", (told.label, "bold"), ": ", told.meaning)
        for told in some
    ]
    if len(lines) <= most and all(line.cell_length <= width for line in lines):
        return lines
    return Content(unusual_options(options)).wrap(width)


def _all(glyphs: Glyphs, options: TableOptions, width: int) -> list[Content]:
    """Every option with its value; the unusual ones stand out, and are explained."""
    lines: list[Content] = []
    every = options_told(options)
    wide = max(cell_len(told.label) for told in every)
    for told in every:
        label = paint.fit(glyphs, told.label, wide)
        if told.usual:
            lines.append(Content.assemble("  ", (label, paint.QUIET), " ", told.value))
            continue
        lines.append(Content.styled(f"{glyphs.bullet} {label} {told.value}", paint.TURN))
        meaning = Content(told.meaning).wrap(max(width - 4, wide))
        lines += [Content.assemble("    ", line) for line in meaning]
    return lines


def seat_signs(glyphs: Glyphs, people: int, bots: int, seats: int) -> Content:
    """Draw seats at a glance: who sits there, a person or a bot, and how many are free."""
    free = max(seats - people - bots, 0)
    return Content.assemble(
        (glyphs.point * people, "bold"),
        ("b" * bots, ""),
        (glyphs.no_point * free, paint.QUIET),
    )
