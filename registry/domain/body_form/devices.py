"""The devices of a composite as rows of a form, each with a label, a target and its options.

The label is empty for devices in a list. Row 0 has the texts `/devices/0#label`, `/devices/0` for
the target, `/devices/0/arch` for an option of its kind, and `/devices/0#rest` for JSON. No other
value can have these, because labels cannot be numbers. A device can have devices itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from registry.domain.body_form.fields import Field, Role, Start, Widget
from registry.domain.body_form.values import (
    Unreadable,
    format_json,
    format_value,
    is_identical,
    normalize_text,
    parse_value,
)
from registry.domain.composition import is_edit
from registry.domain.document import Json
from registry.domain.errors import Fault, Refused, echo
from registry.domain.pointer import ROOT, child

MAX_ROWS = 64  # the longest shipped composite has 4 devices; longer ones are edited as JSON
DEVICES = "devices"
DEVICES_POINTER = f"/{DEVICES}"
PARENT = "/tag"
LABEL, REST = "#label", "#rest"  # ends of the keys of a label, and of JSON
NUMBER = re.compile(rf"{DEVICES_POINTER}/([0-9]|[1-9][0-9])(?=$|[/#])")

Texts = Mapping[str, str]
ToBody = Callable[[Texts, Start], dict[str, Any]]  # `bodies.texts_to_body`
ToTexts = Callable[[Json, Start], dict[str, str]]  # `bodies.body_to_texts`


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of one device; those of its options by pointers into the device."""

    number: int
    label: str
    target: str
    options: Texts

    @property
    def pointer(self) -> str:
        """The key of the target's text, and the pointer of its faults."""
        return row_pointer(self.number)

    @property
    def field(self) -> Field:
        """The field that parses the target."""
        return Field(self.pointer, self.label, Widget.NODE)


def row_pointer(number: int) -> str:
    """Return the key of a row's target among the texts."""
    return child(DEVICES_POINTER, number)


def label_pointer(pointer: str) -> str:
    """Return the key of a row's label among the texts."""
    return f"{pointer}{LABEL}"


def option_pointer(pointer: str, option: str) -> str:
    """Return the key of a text of a row, given its pointer into the device."""
    return f"{pointer}{option or REST}"


def filled_rows(texts: Texts) -> list[Row]:
    """Return the rows that are not empty."""
    matches = [NUMBER.match(key) for key, text in texts.items() if text.strip()]
    numbers = sorted({int(match[1]) for match in matches if match})
    return [_row(number, texts) for number in numbers if number < MAX_ROWS]


def _row(number: int, texts: Texts) -> Row:
    pointer = row_pointer(number)
    options = {
        key.removeprefix(pointer): text
        for key, text in texts.items()
        if key.startswith(f"{pointer}/") and text.strip()
    }
    if rest := normalize_text(texts.get(option_pointer(pointer, ROOT), "")):
        options[ROOT] = rest
    label = normalize_text(texts.get(label_pointer(pointer), ""))
    return Row(number, label, normalize_text(texts.get(pointer, "")), options)


def take_devices(body: dict[str, Json], start: Start, to_texts: ToTexts, to_body: ToBody) -> Any:
    """Remove the devices that rows can contain from a body; return their texts."""
    value = body.get(DEVICES)
    if isinstance(value, list):
        rows = [("", _device_texts(item, start, to_texts, to_body)) for item in value]
        if not value or len(value) > MAX_ROWS or not all(texts for _, texts in rows):
            return {}
        del body[DEVICES]
    elif isinstance(value, dict) and not is_edit(value) and len(value) <= MAX_ROWS:
        pairs = [
            (label, _device_texts(item, start, to_texts, to_body)) for label, item in value.items()
        ]
        rows = [(label, texts) for label, texts in pairs if texts and _can_be_entered(label)]
        for label, _ in rows:
            del value[label]
        if rows and not value:
            del body[DEVICES]
    else:
        return {}
    result: dict[str, str] = {}
    for number, (label, texts) in enumerate(rows):
        pointer = row_pointer(number)
        result |= {label_pointer(pointer): label} if label else {}
        result |= {f"{pointer}{end}": text for end, text in texts.items()}
    return result


def _device_texts(value: Json, start: Start, to_texts: ToTexts, to_body: ToBody) -> dict[str, str]:
    """Return the texts of a device by the ends of their keys; in JSON if no fields suffice."""
    target = _target(value)
    device_start = start.device_start(target) if target else None
    if device_start and isinstance(value, dict):
        options = to_texts(value, device_start)
        options.pop(PARENT, None)
        row = Row(0, "", target, options)
        if options and is_identical(_parse_row(row, device_start, to_body), value):
            return {"": target} | {option or REST: text for option, text in options.items()}
    text = format_value(Row(0, "", "", {}).field, value)
    return {"": text} if text else {}


def _target(value: Json) -> str:
    """Return the kind or the only parent of a device that states options as well."""
    match value:
        case {"kind": str(name), **others} | {"tag": str(name), **others} if others:
            return name
    return ""


def _can_be_entered(label: str) -> bool:
    return format_value(Field(DEVICES_POINTER, "", Widget.TEXT), label) == label != ""


def parse_devices(texts: Texts, start: Start, faults: list[Fault], to_body: ToBody) -> Json:
    """Parse the rows into devices, by label or as a list; return None if all are empty."""
    filled = filled_rows(texts)
    if not filled:
        return None
    faults += _label_faults(filled)
    nodes: dict[int, Json] = {}
    for row in filled:
        device_start = start.device_start(row.target)
        try:
            nodes[row.number] = _parse_row(row, device_start, to_body) if row.target else None
        except Unreadable as unreadable:
            faults.append(unreadable.fault)
        except Refused as refusal:
            faults += [_moved(fault, row) for fault in refusal.faults]
    parsed = [row for row in filled if row.number in nodes]
    if any(row.label for row in filled):
        return {row.label: nodes[row.number] for row in parsed}
    return [nodes[row.number] for row in parsed]


def _parse_row(row: Row, device_start: Start | None, to_body: ToBody) -> Json:
    """Return a device. Raises `Unreadable`, or `Refused` with pointers into the device."""
    if not row.options:
        return parse_value(row.field, row.target)
    known = set(_known(row, device_start))
    if device_start is None or not set(row.options) <= known:
        is_json = row.target.startswith("{")
        message = f"{echo(row.target)} is neither a kind nor a tag, so it has no options"
        if is_json:
            message = "this device is stated in JSON, and has options outside of it"
        expected = "only one of them" if is_json else "a kind's name such as llvm, or a tag"
        raise Unreadable(Fault(row.pointer, "VALUE_INVALID", message, expected))
    parent = {PARENT: row.target} if device_start.role is Role.HEIR else {}
    return to_body({**row.options, **parent}, device_start)


def _known(row: Row, device_start: Start | None) -> Iterator[str]:
    """Yield the options of a row that its target has fields for."""
    if device_start is None:
        return
    for option in row.options:
        has_devices = DEVICES_POINTER in device_start.fields
        if option in device_start.fields or (has_devices and NUMBER.match(option)):
            yield option


def _moved(fault: Fault, row: Row) -> Fault:
    """Return a fault inside a device as one of the whole body."""
    pointer = f"{row.pointer}{fault.pointer}" if fault.pointer != PARENT else row.pointer
    return replace(fault, pointer=pointer)


def adopt_texts(texts: Texts, start: Start) -> dict[str, str]:
    """Return the texts with options that have no field, after a target has changed, as JSON."""
    adopted = dict(texts)
    for row in filled_rows(texts):
        device_start = start.device_start(row.target)
        options = adopt_texts(row.options, device_start) if device_start else dict(row.options)
        lost = sorted({*options} - {ROOT, *_known(replace(row, options=options), device_start)})
        rest = _json_object(options.get(ROOT, "{}"))
        if lost and rest is not None:
            rest |= {option[1:]: options.pop(option) for option in lost}
            options[ROOT] = format_json(rest)
        for option in {*row.options} - {*options}:
            del adopted[option_pointer(row.pointer, option)]
        adopted |= {option_pointer(row.pointer, option): options[option] for option in options}
    return adopted


def _json_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text states in JSON; None if it is something else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _label_faults(filled: list[Row]) -> Iterator[Fault]:
    is_labelled = any(row.label for row in filled)
    seen: set[str] = set()
    for row in filled:
        label = echo(row.label)
        if not row.target:
            message = f"the device {label} names no target"
            yield Fault(row.pointer, "OPTION_MISSING", message, "a tag, a kind's name, or JSON")
        if row.label in seen:
            message = f"the label {label} occurs twice"
            yield Fault(row.pointer, "LABEL_INVALID", message, "a label for each device", label)
        if is_labelled and not row.label:
            message = "this device has no label, but others do"
            yield Fault(
                row.pointer, "LABEL_INVALID", message, "labels for all devices, or for none"
            )
        if row.label:
            seen.add(row.label)
