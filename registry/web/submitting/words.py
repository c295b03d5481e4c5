"""What the guided form says of a field: what it takes, who reads it, what holds if it is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.document import Json
from registry.domain.guided import Role, Widget
from registry.domain.guided.bodies import WORDED
from registry.domain.guided.fields import Field
from registry.domain.guided.values import Unreadable, read, write
from registry.domain.kinds import ANNOTATION
from registry.domain.pointer import ROOT, PointerUnknown, look_up
from registry.web.options import accepts
from registry.web.units import SCALED, humanised

MOST_NAMED = 4  # options that a folded group names
LONGEST_HINT = 40  # characters of an inherited value
YES_NO = {"true": "yes", "false": "no"}
TAKES = {
    Widget.LIST: "separated by commas",
    Widget.LINES: "one a line",
    Widget.JSON: "in JSON",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values to choose from; an empty text states none."""

    text: str
    label: str
    is_chosen: bool


def said(field: Field) -> str:
    """What it takes, whose it is, who reads it, and whether tuning depends on it."""
    parts = [_takes(field)]
    if field.of:
        parts.append(f"of {' and '.join(field.of)}")
    if readers := [name for name in field.consumers if name != ANNOTATION]:
        parts.append(f"read by {', '.join(readers)}")
    if field.affects_tuning:
        parts.append("in tuning keys")
    if field.schema.get("deprecated"):
        parts.append("deprecated")
    return " · ".join(filter(None, parts))


def _takes(field: Field) -> str:
    if field.widget in (Widget.INTEGER, Widget.NUMBER):
        return accepts(field.schema)
    if field.widget is Widget.LIST and "items" in field.schema:
        form = accepts(field.schema["items"])
        return f"{form}, separated by commas" if form.startswith("+") else TAKES[Widget.LIST]
    return TAKES.get(field.widget, "") if field.pointer != ROOT else ""


def hint(field: Field, role: Role, inherited: Json) -> str:
    """What holds while nothing is stated; empty where nobody knows."""
    if role is Role.HEIR and field.widget is not Widget.PARENTS and not field.is_required:
        value = _inherited(field, inherited)
        text = write(field, value) if value is not None else ""
        if text:
            return f"inherited: {_short(YES_NO.get(text, text))}"
        if inherited is None or value is not None:
            return "inherited"
    text = write(field, field.default) if field.default is not None else ""
    return f"default: {YES_NO.get(text, text)}" if text else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_HINT else f"{line[: LONGEST_HINT - 1]}…"


def _inherited(field: Field, target: Json) -> Json:
    try:
        value: Any = look_up(target, field.pointer)
    except PointerUnknown:
        return None
    return value.get("kind") if field.widget in WORDED and isinstance(value, dict) else value


def human(field: Field, text: str) -> str:
    """A number as people say it, where a unit has prefixes: `48 KiB` for 49152."""
    if field.unit not in SCALED or not text.strip():
        return ""
    try:
        return humanised(read(field, text), field.unit)
    except Unreadable:
        return ""


def choices(field: Field, text: str, empty: str) -> tuple[Choice, ...]:
    """What can be chosen, what is typed among it even if it cannot."""
    values: tuple[Json, ...] = (True, False) if field.widget is Widget.SWITCH else field.choices
    known = {write(field, value): value for value in values}
    found = [Choice(each, YES_NO.get(each, each), each == text) for each in known]
    if text and text not in known:
        found.insert(0, Choice(text, text, is_chosen=True))
    nothing = empty if empty.startswith("inherited") else "not stated"
    nothing += f" ({empty})" if empty and nothing == "not stated" else ""
    return (Choice("", nothing, not text), *found)


def summary(labels: Sequence[str]) -> str:
    """What a folded group holds: how many options, the first of them by name."""
    if len(labels) == 1:
        return labels[0]
    more = ", …" if len(labels) > MOST_NAMED else ""
    return f"{len(labels)} options: {', '.join(labels[:MOST_NAMED])}{more}"
