"""Convert the devices of a composite to the texts of rows and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from registry.domain.body_form.device_rows import (
    DEVICES,
    DEVICES_POINTER,
    MAX_ROWS,
    NUMBER,
    PARENT,
    REST,
    Row,
    Texts,
    counted_target,
    filled_rows,
    label_pointer,
    option_pointer,
    row_pointer,
)
from registry.domain.body_form.fields import BodyRole, Field, Start, Widget, no_fields
from registry.domain.body_form.values import (
    UnreadableInput,
    editable_json,
    format_value,
    is_identical,
    parse_value,
)
from registry.domain.document import Json
from registry.domain.errors import Fault, Refused, echo
from ttag_rules.nodes import is_edit
from ttag_rules.pointer import ROOT, PointerUnknown, split_pointer

MAX_EQUAL = 999  # equal devices of a row
MAX_DETAILED = 6  # devices with fields for their options, 4 to 7 KB each on a page of 100 KB

StartOfDevice = Callable[[str], Start | None]
ToBody = Callable[[Texts, Start], dict[str, Any]]  # `bodies.texts_to_body`
ToTexts = Callable[[Json, Start], dict[str, str]]  # `bodies.body_to_texts`


def take_devices(
    body: dict[str, Json], start: Start, to_texts: ToTexts, to_body: ToBody
) -> dict[str, str]:
    """Remove the devices that rows can contain from a body; return their texts.

    Of many devices, those with options are JSON, because all fields would be a page too large.
    """
    value: Any = body.get(DEVICES)
    if not isinstance(value, list | dict) or is_edit(value) or not value:
        return {}
    runs = _runs(value)
    if len(runs) > MAX_ROWS or max(count for _, _, count in runs) > MAX_EQUAL:
        return {}
    device_start = start.device_start if len(runs) <= MAX_DETAILED else no_fields
    rows = [
        (label, _texts(device, device_start, to_texts, to_body, count))
        for label, device, count in runs
    ]
    if isinstance(value, list):
        if not all(texts for _, texts in rows):
            return {}
        del body[DEVICES]
    else:
        rows = [(label, texts) for label, texts in rows if texts and _can_be_entered(label)]
        for label, _ in rows:
            del value[label]
        if rows and body[DEVICES] == {}:
            del body[DEVICES]
    return dict(_keyed(rows))


def _runs(devices: list[Json] | dict[str, Json]) -> list[tuple[str, Json, int]]:
    """Return the devices with their labels; of equal ones in succession the first and how many."""
    if isinstance(devices, dict):
        return [(label, device, 1) for label, device in devices.items()]
    equal = ([*run] for _, run in groupby(devices, partial(json.dumps, sort_keys=True)))
    return [("", run[0], len(run)) for run in equal]


def _keyed(rows: Iterable[tuple[str, Texts]]) -> Iterator[tuple[str, str]]:
    """Yield the texts of rows with their keys."""
    for number, (label, texts) in enumerate(rows):
        pointer = row_pointer(number)
        if label:
            yield label_pointer(pointer), label
        yield from ((f"{pointer}{end}", text) for end, text in texts.items())


def _texts(
    value: Json, start_of_device: StartOfDevice, to_texts: ToTexts, to_body: ToBody, count: int
) -> dict[str, str]:
    """Return the texts of equal devices by the ends of their keys; in JSON if no fields suffice."""
    target = _target(value)
    device_start = start_of_device(target) if target else None
    if device_start:
        options = to_texts(value, device_start)
        options.pop(PARENT, None)
        row = Row(0, "", target, options)
        if options and is_identical(_parse_row(row, device_start, to_body), value):
            ends = {option or REST: text for option, text in options.items()}
            return {"": counted_target(target, count)} | ends
    text = format_value(Row(0, "", "", {}).field, value)
    return {"": counted_target(text, count)} if text else {}


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
        except UnreadableInput as unreadable:
            faults.append(unreadable.fault)
        except Refused as refusal:
            faults += [_moved(fault, row) for fault in refusal.faults]
    parsed = [row for row in filled if row.number in nodes]
    if any(row.label for row in filled):
        return {row.label: nodes[row.number] for row in parsed}
    return [nodes[row.number] for row in parsed for _ in range(row.count)]


def _parse_row(row: Row, device_start: Start | None, to_body: ToBody) -> Json:
    """Return a device. Raises `UnreadableInput`, or `Refused` with pointers into the device."""
    if not row.options:
        return parse_value(row.field, row.target)
    known = set(_known(row, device_start))
    if device_start is None or not set(row.options) <= known:
        is_json = row.target.startswith("{")
        message = f"{echo(row.target)} is neither a kind nor a tag, so it has no options"
        if is_json:
            message = "this device is stated in JSON, and has options outside of it"
        expected = "only one of them" if is_json else "a kind's name such as llvm, or a tag"
        raise UnreadableInput(Fault(row.pointer, "VALUE_INVALID", message, expected))
    parent = {PARENT: row.target} if device_start.role is BodyRole.HEIR else {}
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
    """Return the texts with those that have no field as JSON.

    Options lose their fields when the target of a device changes, or when a revision of the kind
    drops them after a form was opened or saved.
    """
    adopted = _adopt_options(texts, start)
    rest = _json_object(adopted.get(ROOT, "").strip() or "{}")
    if rest is None:
        return adopted
    lost = [key for key in sorted(adopted) if adopted[key].strip() and _has_no_field(key, start)]
    moved = [key for key in lost if _state(rest, key, adopted[key])]
    kept = {key: text for key, text in adopted.items() if key not in moved}
    return kept | {ROOT: editable_json(rest)} if moved else adopted


def _state(rest: dict[str, Any], pointer: str, text: str) -> bool:
    """Add a text to an object at a pointer; return whether there is room for it."""
    try:
        *parents, name = split_pointer(pointer)
    except PointerUnknown:
        return False
    for parent in parents:
        inner = rest.setdefault(parent, {})
        if not isinstance(inner, dict):
            return False
        rest = inner
    return rest.setdefault(name, text) is text


def _has_no_field(key: str, start: Start) -> bool:
    is_device = DEVICES_POINTER in start.fields and NUMBER.match(key)
    return key.startswith("/") and key not in start.fields and not is_device


def _adopt_options(texts: Texts, start: Start) -> dict[str, str]:
    """Return the texts with options of devices that have no field as JSON of the device."""
    adopted = dict(texts)
    for row in filled_rows(texts):
        device_start = start.device_start(row.target)
        options = _adopt_options(row.options, device_start) if device_start else dict(row.options)
        lost = sorted({*options} - {ROOT, *_known(replace(row, options=options), device_start)})
        rest = _json_object(options.get(ROOT, "{}"))
        if lost and rest is not None:
            rest |= {option[1:]: options.pop(option) for option in lost}
            options[ROOT] = editable_json(rest)
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
        if row.label and row.count > 1:
            message = f"the label {label} is for one device, not for {row.count}"
            yield Fault(row.pointer, "LABEL_INVALID", message, "labels for none of the devices")
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
