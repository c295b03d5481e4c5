"""Texts about a field of the guided form, from its schema: what it accepts, who reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from registry.domain.body_form import Role, Widget
from registry.domain.body_form.bodies import WORDED
from registry.domain.body_form.fields import Field
from registry.domain.body_form.values import Unreadable, format_value, parse_value
from registry.domain.document import Json
from registry.domain.kinds import ANNOTATION
from registry.domain.pointer import ROOT, PointerUnknown, look_up
from registry.web.core.units import SCALED, humanize
from registry.web.kinds.options import accepts

MOST_NAMED = 4  # options that a folded group names
LONGEST_HINT = 40  # characters of an inherited value
YES_NO = {"true": "yes", "false": "no"}
FORMATS = {
    Widget.LIST: "separated by commas",
    Widget.LINES: "one a line",
    Widget.JSON: "in JSON",
}


def description(field: Field) -> str:
    """Return what it accepts, whose it is, who reads it, and whether tuning depends on it."""
    parts = [_accepts(field)]
    if field.only_in:
        parts.append(f"of {' and '.join(field.only_in)}")
    if readers := [name for name in field.consumers if name != ANNOTATION]:
        parts.append(f"read by {', '.join(readers)}")
    if field.affects_tuning:
        parts.append("in tuning keys")
    if field.schema.get("deprecated"):
        parts.append("deprecated")
    return " · ".join(filter(None, parts))


def _accepts(field: Field) -> str:
    if field.widget in (Widget.INTEGER, Widget.NUMBER):
        return accepts(field.schema)
    if field.widget is Widget.LIST and "items" in field.schema:
        form = accepts(field.schema["items"])
        return f"{form}, separated by commas" if form.startswith("+") else FORMATS[Widget.LIST]
    return FORMATS.get(field.widget, "") if field.pointer != ROOT else ""


def hint(field: Field, role: Role, inherited: Json) -> str:
    """Return the value that an empty field stands for; an empty text where it is unknown.

    `inherited` is the target of the parents, None where it is not known.
    """
    if field.widget is Widget.NODE:
        return ""
    if role is Role.HEIR and field.widget is not Widget.PARENTS and not field.is_required:
        value = _inherited(field, inherited)
        text = format_value(field, value) if value is not None else ""
        if text:
            return f"inherited: {_short(YES_NO.get(text, text))}"
        if inherited is None or value is not None:
            return "inherited"
    text = format_value(field, field.default) if field.default is not None else ""
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
    """Return a number with the prefix of its unit: `48 KiB` for 49152; else an empty text."""
    if field.unit not in SCALED or not text.strip():
        return ""
    try:
        return humanize(parse_value(field, text), field.unit)
    except Unreadable:
        return ""


def choices(field: Field, text: str, empty: str) -> list[tuple[str, str]]:
    """Return values with their labels: none first, then what was typed if it is not allowed."""
    values: tuple[Json, ...] = (True, False) if field.widget is Widget.SWITCH else field.choices
    known = [format_value(field, value) for value in values]
    typed = [text] if text and text not in known else []
    nothing = empty if empty.startswith("inherited") else "not stated"
    nothing += f" ({empty})" if empty and nothing == "not stated" else ""
    return [("", nothing), *((value, YES_NO.get(value, value)) for value in [*typed, *known])]


def summary(labels: Sequence[str]) -> str:
    """Return how many options a folded group has, with the names of the first of them."""
    if len(labels) == 1:
        return labels[0]
    more = ", …" if len(labels) > MOST_NAMED else ""
    return f"{len(labels)} options: {', '.join(labels[:MOST_NAMED])}{more}"
