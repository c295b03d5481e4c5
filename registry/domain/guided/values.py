"""One value as text, and back.

A text is offered for a value only where it reads as that value to the type: `4.0` is no `4`, and
a text with blanks around it cannot be said where blanks are taken away.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

from registry.domain.document import LONGEST_INTEGER, MAX_BYTES, MAX_INTEGER, Json, parse
from registry.domain.errors import Fault, Refused, echo
from registry.domain.guided.fields import Field, Widget
from registry.domain.near import nearest
from registry.domain.prose import BREAK, HIDDEN

INTEGER = re.compile(r"0|-?[1-9][0-9]*")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
SEPARATORS = {Widget.LIST: re.compile(r"[,\n]"), Widget.LINES: re.compile(r"\n")}
GROUPING = re.compile(r"[\s_']|,(?=[0-9]{3}(?:[^0-9]|$))")  # what people write between thousands
BINARY = {"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40}
AMOUNT = re.compile(r"(.+?)(Ki|Mi|Gi|Ti)?B?")
MOST_PLACES = 20  # after the point of a number that is suggested
SHORT = 60  # characters of JSON that a line holds
WORDS = {"true": True, "false": False}


class Unreadable(ValueError):
    """A text that is no value of its field, as a fault at the field's pointer."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def tidy(text: str) -> str:
    """A text as it is read: browsers end lines in a way of their own, people add blanks."""
    return text.replace("\r\n", "\n").strip()


def read(field: Field, text: str) -> Json:
    """The value that a text states, which is not empty. Raises `Unreadable`."""
    text = tidy(text)
    match field.widget:
        case Widget.INTEGER | Widget.NUMBER:
            return _number(field, text)
        case Widget.SWITCH:
            return _one_of(field, text, WORDS)
        case Widget.CHOICE | Widget.COMPONENT:
            return _one_of(field, text, {_word(value): value for value in field.choices})
        case Widget.LIST | Widget.LINES:
            items = SEPARATORS[field.widget].split(text)
            return [_line(field, item.strip()) for item in items if item.strip()]
        case Widget.PARENTS:
            names = text.split()
            return names[0] if len(names) == 1 else [*names]
        case Widget.JSON:
            return _json(field, text)
        case Widget.NODE if text.startswith("{"):
            return _json(field, text)
        case _:
            return _line(field, text)


def write(field: Field, value: Json) -> str:
    """The text that states a value; empty where the field cannot say it."""
    text = _written(field, value)
    try:
        return text if text and same(read(field, text), value) else ""
    except Unreadable:
        return ""


def same(one: Json, other: Json) -> bool:
    """Whether two values are one to the type and the digit."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def dumped(value: Json) -> str:
    """A value as JSON for people: in a line if it is short."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= SHORT:
        return line
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if len(text.encode("utf-8", "surrogatepass")) <= MAX_BYTES:
        return text
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _written(field: Field, value: Json) -> str:
    match field.widget, value:
        case Widget.JSON, _:
            return dumped(value)
        case Widget.NODE, dict():
            return dumped(value)
        case Widget.LIST, [*items] if items and all(isinstance(item, str) for item in items):
            return ", ".join(map(str, items))
        case Widget.LINES | Widget.PARENTS, [*items] if all(
            isinstance(item, str) for item in items
        ):
            return "\n".join(map(str, items))
        case Widget.LIST | Widget.LINES, _:
            return ""
        case _, str() | bool() | int() | float():
            return _word(value)
    return ""


def _word(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _line(field: Field, text: str) -> str:
    if hidden := HIDDEN.search(text) or BREAK.search(text):
        message = f"U+{ord(hidden[0]):04X} is no character of such a text"
        _unreadable(field, text, message, "one line, no control characters")
    if field.widget in (Widget.TARGET, Widget.NODE) and text.startswith(("{", "[")):
        _unreadable(field, text, "this is no name", "a tag such as arm/soc@1, or a kind's name")
    return text


def _number(field: Field, text: str) -> Json:
    is_integer = field.widget is Widget.INTEGER
    said = "an integer" if is_integer else "a number"
    expected = "digits only" if is_integer else "a number such as 12.5"
    expected += f", in {field.unit}" if field.unit else ""
    if not (INTEGER if is_integer else NUMBER).fullmatch(text):
        near = _meant(text, is_integer=is_integer)
        _unreadable(field, text, f'"{echo(text)}" is not {said}', expected, near)
    if is_integer and (len(text) > LONGEST_INTEGER or abs(int(text)) > MAX_INTEGER):
        _unreadable(field, text, f"{echo(text)} is beyond ±(2^53-1)", f"at most {MAX_INTEGER}")
    return _json(field, text)


def _meant(text: str, *, is_integer: bool) -> tuple[str, ...]:
    """The number that somebody meant by `49,152`, `007`, `4.0` or `48 KiB`, as it is written."""
    amount = AMOUNT.fullmatch(GROUPING.sub("", text)) if len(text) <= LONGEST_INTEGER else None
    try:
        number = Decimal(amount[1]) * BINARY.get(amount[2], 1) if amount else Decimal("NaN")
    except ArithmeticError:  # what a decimal is not, or cannot hold
        return ()
    if not number.is_finite() or abs(number) > MAX_INTEGER or -number.adjusted() > MOST_PLACES:
        return ()
    if number == number.to_integral_value():
        return (str(int(number)),)
    return () if is_integer else (f"{number:f}",)


def _one_of(field: Field, text: str, known: dict[str, Any]) -> Json:
    if text not in known:
        expected = "one of " + ", ".join(map(echo, known))
        near = nearest(text, known)
        message = f'"{echo(text)}" is not {expected}'
        raise Unreadable(Fault(field.pointer, "VALUE_UNKNOWN", message, expected, echo(text), near))
    value: Json = known[text]
    return value


def _json(field: Field, text: str) -> Json:
    try:
        return parse(text)
    except Refused as refusal:
        words = refusal.faults[0].message if refusal.faults else refusal.detail.removesuffix(".")
        _unreadable(field, text, words, "JSON")


def _unreadable(
    field: Field, text: str, message: str, expected: str, near: tuple[str, ...] = ()
) -> NoReturn:
    raise Unreadable(Fault(field.pointer, "VALUE_TYPE", message, expected, echo(text), near))
