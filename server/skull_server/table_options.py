"""Which options a host may choose together."""

from skull_protocol.errors import Refusal, msg
from skull_protocol.tables import TableOptions
from skull_server.game_kinds import check_rules


def check_options(options: TableOptions, seated: int) -> None:
    """Raise `Refusal` with `bad_options` if the options cannot be meant."""
    if options.min_seats > options.max_seats:
        raise Refusal(
            "bad_options",
            "At least {least} and at most {most} players cannot be: "
            "lower the one or raise the other.",
            least=options.min_seats,
            most=options.max_seats,
        )
    if options.max_seats < seated:
        words = msg("{n} players are seated: allow {n} seats or more.")
        raise Refusal("bad_options", words, n=seated)
    check_rules(options.rules, options.max_seats)
