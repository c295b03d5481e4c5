"""Convert one value of a form to text and back.

A value is only converted to text if the text parses as exactly that value: `4.0` is not `4`, and
text with surrounding spaces cannot be entered where spaces are stripped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from registry.domain.body_form.fields import Field, Widget
from registry.domain.body_form.schema_fields import members
from registry.domain.document import LONGEST_INTEGER, MAX_BYTES, MAX_INTEGER, Json, parse_json
from registry.domain.errors import Fault, Refused, echo
from registry.domain.kinds.hardware import ALL
from registry.domain.names.near_names import nearest_names
from registry.domain.quantities import EXAMPLES, QuantityInvalid, parse_quantity
from registry.domain.user_text import character_problem, normalize_text

INTEGER = re.compile(r"0|-?[1-9][0-9]*")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
SEPARATORS = {Widget.LIST: re.compile(r"[,\n]"), Widget.LINES: re.compile(r"\n")}
NAMED_LINE = re.compile(r"([A-Za-z0-9_-]+):(?!//)\s*(.*)")  # the scheme of a URL is no name
GROUPING = re.compile(r"[\s_']|,(?=[0-9]{3}(?:[^0-9]|$))")  # separators of thousands
MAX_DECIMALS = 20  # decimals of a suggested number
SHORT = 60  # characters of JSON that fit on one line
WHOLE = frozenset({Widget.INTEGER, Widget.INTEGERS})
BOOLEANS = {"true": True, "false": False}


class UnreadableInput(ValueError):
    """A text that is not a value of its field, as a fault at the field's pointer."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def parse_value(field: Field, text: str) -> Json:
    """Parse a text that is not empty. Raises `UnreadableInput`."""
    text = normalize_text(text)
    match field.widget:
        case Widget.INTEGER | Widget.NUMBER:
            return _parse_number(field, text)
        case Widget.SWITCH:
            return _parse_choice(field, text, BOOLEANS)
        case Widget.CHOICE | Widget.COMPONENT:
            return _parse_choice(
                field, text, {_scalar_text(value): value for value in field.choices}
            )
        case Widget.LIST | Widget.LINES:
            items = SEPARATORS[field.widget].split(text)
            return [_parse_line(field, item.strip()) for item in items if item.strip()]
        case Widget.INTEGERS:
            lines = filter(None, map(str.strip, text.split("\n")))
            return [_parse_number(field, line) for line in lines]
        case Widget.NAMED_LINES:
            return _parse_named_lines(field, text)
        case Widget.PARENTS:
            names = text.split()
            return names[0] if len(names) == 1 else [*names]
        case Widget.JSON:
            return _parse_json(field, text)
        case Widget.NODE if text.startswith("{"):
            return _parse_json(field, text)
        case _:
            return _parse_line(field, text)


# Decision 041: a form that guesses would publish its guesses.
def format_value(field: Field, value: Json) -> str:
    """Return the text that states a value; empty if the field cannot contain it."""
    text = _format(field, value)
    try:
        return text if text and is_identical(parse_value(field, text), value) else ""
    except UnreadableInput:
        return ""


def is_identical(one: Json, other: Json) -> bool:
    """Return whether two values are identical, including the spelling of numbers."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def editable_json(value: Json) -> str:
    """Format a value as JSON for people; on one line if it is short."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= SHORT:
        return line
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return text
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _format(field: Field, value: Json) -> str:
    match field.widget, value:
        case Widget.JSON, _:
            return editable_json(value)
        case Widget.NODE, dict():
            return editable_json(value)
        case Widget.LIST, [*items] if items and all(isinstance(item, str) for item in items):
            return ", ".join(map(str, items))
        case Widget.LINES | Widget.PARENTS, [*items] if all(
            isinstance(item, str) for item in items
        ):
            return "\n".join(map(str, items))
        case Widget.INTEGERS, [*items] if all(type(item) is int for item in items):
            return "\n".join(map(str, items))
        case Widget.NAMED_LINES, dict():
            return _format_named_lines(value)
        case Widget.LIST | Widget.LINES | Widget.INTEGERS | Widget.NAMED_LINES, _:
            return ""
        case _, str() | bool() | int() | float():
            return _scalar_text(value)
    return ""


def _scalar_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _parse_line(field: Field, text: str) -> str:
    if message := character_problem(text):
        _raise_unreadable(field, text, message, "one line, no control characters")
    if field.widget in (Widget.TARGET, Widget.NODE) and text.startswith(("{", "[")):
        _raise_unreadable(
            field, text, "this is not a name", "a tag such as arm/soc@1, or a kind's name"
        )
    return text


def _format_named_lines(lists: Mapping[str, Json]) -> str:
    """Return a line for each item; empty if not every value is a list of texts."""
    lines = []
    for name, items in lists.items():
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            return ""
        lines += [f"{item}" if name == ALL else f"{name}: {item}" for item in items]
    return "\n".join(lines)


def _parse_named_lines(field: Field, text: str) -> Json:
    """Return lists of texts by name, such as the sources of facts; a line without one is `all`."""
    names = [name for name, _ in members(field.schema)]
    lists: dict[str, list[str]] = {}
    for line in filter(None, map(str.strip, text.split("\n"))):
        named = NAMED_LINE.fullmatch(line)
        name, item = named.groups() if named else (ALL, line)
        if name not in names:
            expected = "one of " + ", ".join(names)
            message = f'"{echo(name)}" is not {expected}'
            _raise_unreadable(field, line, message, expected, nearest_names(name, names))
        lists.setdefault(name, []).append(_parse_line(field, item))
    return {name: [*items] for name, items in lists.items()}


def _parse_number(field: Field, text: str) -> Json:
    is_integer = field.widget in WHOLE
    pattern = INTEGER if is_integer else NUMBER
    if not pattern.fullmatch(text):
        number = _parse_quantity(field, text)
        if number is None:
            noun = "an integer" if is_integer else "a number"
            near = _suggested_number(text, is_integer=is_integer)
            message = f'"{echo(text)}" is not {noun}'
            _raise_unreadable(field, text, message, _expected_number(field), near)
        text = json.dumps(int(number) if number.denominator == 1 else float(number))
    if is_integer and (len(text) > LONGEST_INTEGER or abs(int(text)) > MAX_INTEGER):
        _raise_unreadable(
            field, text, f"{echo(text)} is beyond ±(2^53-1)", f"at most {MAX_INTEGER}"
        )
    return _parse_json(field, text)


def _parse_quantity(field: Field, text: str) -> Fraction | None:
    """Return the number that a text with a unit states; None if it is not such a text."""
    try:
        number = parse_quantity(text, field.unit)
    except QuantityInvalid as invalid:
        _raise_unreadable(field, text, str(invalid), _expected_number(field), invalid.readings)
    if number is not None and field.widget in WHOLE and number.denominator != 1:
        message = f"{echo(text)} is {float(number):.12g} {field.unit}"
        _raise_unreadable(field, text, message, f"a whole number of {field.unit}")
    return number


def _expected_number(field: Field) -> str:
    expected = "digits only" if field.widget in WHOLE else "a number such as 12.5"
    expected += f", in {field.unit}" if field.unit else ""
    return (
        f"{expected}, or with its unit as in {EXAMPLES[field.unit]}"
        if field.unit in EXAMPLES
        else expected
    )


def _suggested_number(text: str, *, is_integer: bool) -> tuple[str, ...]:
    """Return the number that `49,152`, `007` or `4.0` stands for, in valid form."""
    try:
        number = Decimal(GROUPING.sub("", text) if len(text) <= LONGEST_INTEGER else "NaN")
    except ArithmeticError:  # not a decimal, or out of its range
        return ()
    if (
        not number.is_finite()
        or number.copy_abs() > MAX_INTEGER
        or -number.adjusted() > MAX_DECIMALS
    ):
        return ()
    if number == number.to_integral_value():
        return (str(int(number)),)
    return () if is_integer else (f"{number:f}",)


def _parse_choice(field: Field, text: str, values: dict[str, Any]) -> Json:
    if text not in values:
        expected = "one of " + ", ".join(map(echo, values))
        near = nearest_names(text, values)
        message = f'"{echo(text)}" is not {expected}'
        raise UnreadableInput(
            Fault(field.pointer, "VALUE_UNKNOWN", message, expected, echo(text), near)
        )
    value: Json = values[text]
    return value


def _parse_json(field: Field, text: str) -> Json:
    try:
        return parse_json(text)
    except Refused as refusal:
        message = refusal.faults[0].message if refusal.faults else refusal.detail.removesuffix(".")
        _raise_unreadable(field, text, message, "JSON")


def _raise_unreadable(
    field: Field, text: str, message: str, expected: str, near: tuple[str, ...] = ()
) -> NoReturn:
    raise UnreadableInput(Fault(field.pointer, "VALUE_TYPE", message, expected, echo(text), near))
