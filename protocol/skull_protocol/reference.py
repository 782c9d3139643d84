"""Writes the message reference in `README.md` from the types, so that it cannot go stale.

    python -m skull_protocol.reference protocol/README.md

rewrites what stands between the two markers in that file, and nothing else.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from skull_protocol import errors, pushes, requests, skull, tables, wire

START = "<!-- reference: generated from the types by `make reference`; do not edit -->"
END = "<!-- end of the reference -->"

_NAMED: dict[str, Any] = {
    "RequestId": wire.RequestId,
    "Seat": wire.Seat,
    "PlayerId": wire.PlayerId,
    "Seq": wire.Seq,
    "Count": wire.Count,
    "TableCode": wire.TableCode,
    "GameId": wire.GameId,
    "Password": wire.Password,
    "RawText": wire.RawText,
    "CleanText": wire.CleanText,
    "Disc": skull.Disc,
    "Phase": skull.Phase,
    "TableStage": tables.TableStage,
    "ErrorCode": errors.ErrorCode,
}
"""Small types with a name of their own, explained once."""
_UNIONS: tuple[tuple[str, Any], ...] = (
    ("[action](#actions)", skull.SkullAction),
    ("[event](#events)", skull.SkullEvent),
)
_STRUCTS: tuple[type[Struct], ...] = (
    pushes.Blank,
    tables.TableOptions,
    skull.SkullOptions,
    tables.TableSummary,
    tables.SeatInfo,
    tables.WatcherInfo,
    tables.GameSummary,
    tables.GameStep,
    tables.PlayerRecord,
    tables.Opponent,
    tables.MissedChance,
    skull.SkullView,
    skull.SkullSeat,
    skull.Outcome,
    skull.SkullOwn,
    skull.Choices,
)


def rewrite(page: str) -> str:
    """Return the page with the part between the markers generated anew.

    Raises `ValueError` if the markers are not there.
    """
    before, _, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the page lacks the markers {START!r} and {END!r}")
    return f"{before}{START}\n\n{render()}\n{END}{after}"


def render() -> str:
    """Return the whole reference as markdown."""
    parts = [
        *_section("Requests", "Client to server. Each has also an `id` (RequestId)."),
        *_table(_message_rows(get_args(requests.AnyRequest), requests.Request)),
        *_section("Pushes", "Server to client."),
        *_table(_message_rows(get_args(pushes.AnyPush))),
        *_section("Actions", "What `act` carries."),
        *_table(_one_row_each(get_args(skull.SkullAction)), "Fields"),
        *_section("Events", "What happened, as `update` tells it."),
        *_table(_one_row_each(get_args(skull.SkullEvent)), "Fields"),
        *_section("Maps", "Found inside messages; a map with a `game` field holds that value."),
        *_table(_message_rows(_STRUCTS)),
        *_section("Small types", "A pattern must match the whole string."),
        *_table(_named_rows()),
        *_section("Error codes", "Programs go by the code; people read the sentence beside it."),
        "| Code | Meaning |",
        "| --- | --- |",
        *(f"| `{code}` | {meaning} |" for code, meaning in errors.MEANINGS.items()),
    ]
    return "\n".join(parts) + "\n"


def _section(title: str, opening: str) -> tuple[str, ...]:
    return ("", f"### {title}", "", opening, "")


def _table(rows: Iterable[tuple[str, str, str]], value: str = "Value") -> Iterator[str]:
    yield f"| Name | {value} | Meaning |"
    yield "| --- | --- | --- |"
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"


def _message_rows(
    structs: Iterable[type[Struct]], base: type[Struct] = Struct
) -> Iterator[tuple[str, str, str]]:
    """One row for each map, and one for each of its fields that the base does not have."""
    for struct in structs:
        yield f"**{_name(struct)}**", _tag(struct), _in_one_line(struct.__doc__)
        yield from _field_rows(struct, base)


def _one_row_each(structs: Iterable[type[Struct]]) -> Iterator[tuple[str, str, str]]:
    for struct in structs:
        fields = "; ".join(f"{name}: {value}" for name, value, _ in _field_rows(struct))
        yield f"**{_name(struct)}**", fields, _in_one_line(struct.__doc__)


def _field_rows(
    struct: type[Struct], base: type[Struct] = Struct
) -> Iterator[tuple[str, str, str]]:
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        if field.name in base.__struct_fields__:
            continue
        value, meaning = _describe(hints[field.name])
        if not field.required:
            value += f"; default `{_default(field.default)}`"
        yield f"`{field.encode_name}`", value, meaning


def _named_rows() -> Iterator[tuple[str, str, str]]:
    for name, alias in _NAMED.items():
        if alias is errors.ErrorCode:
            yield f"**{name}**", "str", "One of the [error codes](#error-codes)."
        elif get_origin(alias) is Annotated:
            base, *metas = get_args(alias)
            yield f"**{name}**", _constrained(base, metas), _description(metas)
        else:
            yield f"**{name}**", _one_of(alias), _in_one_line(_docstrings()[name])


def _describe(hint: Any) -> tuple[str, str]:
    """Return a field's type and its meaning, where that says more than the type's own name."""
    if get_origin(hint) is not Annotated or _alias(hint) == hint:
        return _value(hint), ""
    return _value(hint), _description(hint.__metadata__)


def _value(hint: Any) -> str:
    alias = _alias(hint)
    if alias is not None:
        return next(name for name, named in _NAMED.items() if named is alias)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _constrained(inner[0], hint.__metadata__)
    if origin is Literal:
        return _one_of(hint)
    if origin in (Union, UnionType):
        for name, union in _UNIONS:
            if set(inner) == set(get_args(union)):
                return name
        return " or ".join(_value(part) for part in inner)
    if origin is tuple:
        if inner[-1] is Ellipsis:
            item = _value(inner[0])
            return f"array of ({item})" if " or " in item else f"array of {item}"
        return f"array of {len(inner)} (" + ", ".join(_value(part) for part in inner) + ")"
    if hint is NoneType:
        return "null"
    if hint in (int, str, bool) or (isinstance(hint, type) and issubclass(hint, Struct)):
        return str(hint.__name__)
    raise TypeError(f"the reference cannot describe {hint!r}")


def _one_of(literal: Any) -> str:
    return " or ".join(f"`{_default(value)}`" for value in get_args(literal))


def _alias(hint: Any) -> Any:
    """Return the named type that a hint is, or adds a description to; None for others."""
    for alias in _NAMED.values():
        if hint == alias:
            return alias
    if get_origin(hint) is Annotated:
        for alias in _NAMED.values():
            if get_origin(alias) is Annotated and get_args(hint)[:2] == get_args(alias):
                return alias
    return None


def _constrained(base: Any, metas: Iterable[Meta]) -> str:
    text = _value(base)
    for meta in metas:
        if meta.ge is not None and meta.le is not None:
            text += f" {_bound(int(meta.ge))} to {_bound(int(meta.le))}"
        if meta.max_length is not None:
            text += f" of at most {meta.max_length} characters"
        if meta.pattern is not None:
            text += f" `{meta.pattern.removeprefix(chr(92) + 'A').removesuffix(chr(92) + 'Z')}`"
    return text


def _bound(value: int) -> str:
    return {wire.MAX_INT: "2^53-1", -wire.MAX_INT: "-(2^53-1)", 2**31: "2^31"}.get(
        value, str(value)
    )


def _default(value: Any) -> str:
    if isinstance(value, Struct):
        return "{}"
    return msgspec.json.encode(value).decode()


def _description(metas: Iterable[Meta]) -> str:
    return " ".join([meta.description for meta in metas if meta.description][-1:])


def _name(struct: type[Struct]) -> str:
    config = struct.__struct_config__
    return str(config.tag) if config.tag_field == "type" else struct.__name__


def _tag(struct: type[Struct]) -> str:
    config = struct.__struct_config__
    return f'`game`: `"{config.tag}"`' if config.tag_field == "game" else ""


def _docstrings() -> dict[str, str]:
    """Return what stands as a string below each name assigned in the modules of small types."""
    found: dict[str, str] = {}
    for module in (skull, tables):
        body = ast.parse(inspect.getsource(module)).body
        for statement, below in pairwise(body):
            match statement, below:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(text))),
                ):
                    found[name] = text
    return found


def _in_one_line(text: str | None) -> str:
    listed = re.sub(r"\s*\n\s*- ", "<br>", inspect.cleandoc(text or ""))
    return " ".join(listed.split())


def main() -> None:
    """Rewrite the page named on the command line."""
    page = Path(sys.argv[1])
    page.write_text(rewrite(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
