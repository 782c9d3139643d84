"""The options of a table as they are typed and listed: NAME=VALUE."""

from skull_client.option_wording import SKULL_OPTIONS, TABLE_OPTIONS, option_value
from skull_client.plain.doing import NotUnderstood
from skull_client.setting_up import VALUES, contradiction, value_of, with_value, words_of
from skull_client.wording import say
from skull_protocol.tables import TableOptions
from skull_protocol.text import shown

_SEATS = "first_player"
"""The option whose numbers are seats: from 0 in the protocol, from 1 for people."""


def changed(options: TableOptions, typed: list[str]) -> TableOptions:
    """Return the options with those typed as NAME=VALUE. Raises `NotUnderstood`."""
    for pair in typed:
        field, equals, text = pair.partition("=")
        if field not in VALUES or not equals:
            raise NotUnderstood(
                say(
                    "{typed} is no option: type NAME=VALUE, with a NAME among {names}.",
                    typed=shown(pair),
                    names=", ".join(VALUES),
                )
            )
        by_text = {value_text(field, value): value for value in VALUES[field]}
        if text not in by_text:
            raise NotUnderstood(
                say("{name} can be {values}.", name=field, values=", ".join(by_text))
            )
        options = with_value(options, field, by_text[text])
    if problem := contradiction(options):
        raise NotUnderstood(problem)
    return options


def value_text(field: str, value: object) -> str:
    """Return how a value is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if field == _SEATS and isinstance(value, int):
        return str(value + 1)
    return str(value)


def option_lines(options: TableOptions) -> list[str]:
    """Tell every option: how it is set, what that means, and what else it can be."""
    lines = []
    for field in {**TABLE_OPTIONS, **SKULL_OPTIONS}:
        value = value_of(options, field)
        lines.append(
            say(
                "{name}={value}: {label}. {meaning} It can be {values}.",
                name=field,
                value=value_text(field, value),
                label=words_of(field).label,
                meaning=option_value(words_of(field), value).meaning,
                values=", ".join(value_text(field, other) for other in VALUES[field]),
            )
        )
    return lines
