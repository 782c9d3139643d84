"""Nothing but ASCII reaches the terminal, whatever a frame, a name or a line of talk contains."""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from skull_client.glyphs import ASCII, UNICODE


class AsciiOnly(LineFilter):
    """Replaces our symbols by their plain forms, and everything else by question marks."""

    def __init__(self, *, enabled: bool) -> None:
        super().__init__(enabled=enabled)
        self._plain = {
            getattr(UNICODE, field): getattr(ASCII, field)
            for field in UNICODE.__struct_fields__
            if field not in ("name", "suits")
        }

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace what is not ASCII, cell by cell."""
        return [
            segment
            if segment.text.isascii()
            else Segment("".join(map(self._replace, segment.text)), segment.style, segment.control)
            for segment in segments
        ]

    def _replace(self, character: str) -> str:
        if character.isascii():
            return character
        return self._plain.get(character) or "?" * cell_len(character)
