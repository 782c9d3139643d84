"""Which options a host may choose together."""

from skull_protocol.errors import Refusal
from skull_protocol.tables import TableOptions
from skull_server.game_kinds import check_rules


def check_options(options: TableOptions, seated: int) -> None:
    """Raise `Refusal` with `bad_options` if the options cannot be meant."""
    if options.min_seats > options.max_seats:
        raise Refusal(
            "bad_options",
            f"At least {options.min_seats} and at most {options.max_seats} players cannot be: "
            "lower the one or raise the other.",
        )
    if options.max_seats < seated:
        raise Refusal("bad_options", f"{seated} players are seated: allow {seated} seats or more.")
    check_rules(options.rules, options.max_seats)
