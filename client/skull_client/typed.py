"""Numbers as people type them."""

_DIGITS = 6
"""At most: nothing here is counted further, and nobody's line is to cost much."""


def number_in(allowed: range, typed: str) -> int | None:
    """Return the number that was typed; None: it is none, or not one of these."""
    if typed.isascii() and typed.isdigit() and len(typed) <= _DIGITS and int(typed) in allowed:
        return int(typed)
    return None
