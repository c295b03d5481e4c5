"""Labels and hints for the inputs of the guided form, derived from a kind's schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from registry.domain.body_form import BodyRole, Widget
from registry.domain.body_form.bodies import NAME_WIDGETS
from registry.domain.body_form.fields import Field
from registry.domain.body_form.values import UnreadableInput, format_value, parse_value
from registry.domain.document import Json
from registry.domain.kinds.kinds import ANNOTATION
from registry.domain.quantities import EXAMPLES
from registry.web.core.units import SCALED, humanize
from registry.web.kinds.options import accepts
from ttag_rules.echo import shorten
from ttag_rules.pointer import ROOT, PointerUnknown, look_up

MAX_LABELS = 4  # options that the summary of a folded group names
MAX_HINT = 40  # characters of an inherited value
YES_NO = {"true": "yes", "false": "no"}
FORMATS = {
    Widget.LIST: "separated by commas",
    Widget.LINES: "one per line",
    Widget.INTEGERS: "one per line",
    Widget.NAMED_LINES: "one per line: a text for all, or name: text",
    Widget.JSON: "as JSON",
}


def description(field: Field) -> str:
    """Return the accepted values, the consumers, and whether the option affects tuning."""
    parts = [_accepts(field)]
    if field.only_in:
        parts.append(f"only for {' and '.join(field.only_in)}")
    if consumers := [name for name in field.consumers if name != ANNOTATION]:
        parts.append(f"read by {', '.join(consumers)}")
    if field.affects_tuning:
        parts.append("in tuning keys")
    if field.schema.get("deprecated"):
        parts.append("deprecated")
    return " · ".join(filter(None, parts))


def _accepts(field: Field) -> str:
    if field.widget in (Widget.INTEGER, Widget.NUMBER):
        example = (
            f"with or without a unit: {EXAMPLES[field.unit]}" if field.unit in EXAMPLES else ""
        )
        return " · ".join(filter(None, [accepts(field.schema), example]))
    if field.widget is Widget.INTEGERS and field.unit in EXAMPLES:
        return f"one per line, with or without a unit: {EXAMPLES[field.unit]}"
    if field.widget is Widget.LIST and "items" in field.schema:
        item = accepts(field.schema["items"])
        return f"{item}, separated by commas" if item.startswith("+") else FORMATS[Widget.LIST]
    return FORMATS.get(field.widget, "") if field.pointer != ROOT else ""


def hint(field: Field, role: BodyRole, inherited: Json) -> str:
    """Return the value that an empty field stands for; empty if unknown.

    `inherited` is the target of the parents, None if unknown.
    """
    if field.widget is Widget.NODE:
        return ""
    if role is BodyRole.HEIR and field.widget is not Widget.PARENTS and not field.is_required:
        value = _inherited(field, inherited)
        text = format_value(field, value) if value is not None else ""
        if text:
            return f"inherited: {_shorten(YES_NO.get(text, text))}"
        if inherited is None or value is not None:
            return "inherited"
    text = format_value(field, field.default) if field.default is not None else ""
    return f"default: {YES_NO.get(text, text)}" if text else ""


def _shorten(text: str) -> str:
    return shorten(" ".join(text.split()), MAX_HINT)


def _inherited(field: Field, target: Json) -> Json:
    try:
        value: Any = look_up(target, field.pointer)
    except PointerUnknown:
        return None
    return value.get("kind") if field.widget in NAME_WIDGETS and isinstance(value, dict) else value


def unit_text(field: Field, text: str) -> str:
    """Return the unit of a number, and its value in another form.

    `bytes = 48 KiB` for 49152, and `= 49152 bytes` for 48 KiB.
    """
    text = text.strip()
    if field.unit not in SCALED or not text:
        return field.unit
    try:
        value: Any = parse_value(field, text)
    except UnreadableInput:
        return field.unit
    if not text[-1].isdigit():
        return f"= {json.dumps(value)} {field.unit}"
    return f"{field.unit} = {humanize(value, field.unit)}"


def choices(field: Field, text: str, hint: str) -> list[tuple[str, str]]:
    """Return values and labels: an empty choice, `text` if it is not allowed, the allowed ones."""
    values: tuple[Json, ...] = (True, False) if field.widget is Widget.SWITCH else field.choices
    allowed = [format_value(field, value) for value in values]
    invalid = [text] if text and text not in allowed else []
    empty = f"not stated ({hint})" if hint else "not stated"
    if hint.startswith("inherited"):
        empty = hint
    return [("", empty), *((value, YES_NO.get(value, value)) for value in [*invalid, *allowed])]


def summary(labels: Sequence[str], *, more: bool) -> str:
    """Return the number of folded options and the first of their names."""
    if len(labels) == 1 and not more:
        return labels[0]
    count = f"{len(labels)} more" if more else f"{len(labels)} options"
    rest = ", …" if len(labels) > MAX_LABELS else ""
    return f"{count}: {', '.join(labels[:MAX_LABELS])}{rest}"
