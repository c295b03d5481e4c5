"""The devices of a composite as rows of a form, each a label and a target.

The label is empty for devices in a list. Row 0 has the texts `/devices/0` and `/devices/0#label`,
which no other value can have, because labels cannot be numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registry.domain.body_form.fields import Field, Widget
from registry.domain.body_form.values import Unreadable, format_value, normalize_text, parse_value
from registry.domain.composition import is_edit
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.pointer import child

MAX_ROWS = 64  # the longest shipped composite has 4 devices; longer ones are edited as JSON
DEVICES = "devices"
DEVICES_POINTER = f"/{DEVICES}"


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of one device."""

    number: int
    label: str
    target: str

    @property
    def pointer(self) -> str:
        """The key of the target's text, and the pointer of its faults."""
        return child(DEVICES_POINTER, self.number)

    @property
    def field(self) -> Field:
        """The field that parses the target."""
        return Field(self.pointer, self.label, Widget.NODE)


def label_pointer(pointer: str) -> str:
    """Return the key of a row's label among the texts."""
    return f"{pointer}#label"


def filled_rows(texts: Mapping[str, str]) -> list[Row]:
    """Return the rows that are not empty."""
    filled = []
    for number in range(MAX_ROWS):
        pointer = child(DEVICES_POINTER, number)
        label, target = (
            normalize_text(texts.get(label_pointer(pointer), "")),
            normalize_text(texts.get(pointer, "")),
        )
        if label or target:
            filled.append(Row(number, label, target))
    return filled


def take_devices(body: dict[str, Json]) -> dict[str, str]:
    """Remove the devices that rows can contain from a body; return their texts."""
    value = body.get(DEVICES)
    if isinstance(value, list):
        texts = [("", format_value(Row(0, "", "").field, item)) for item in value]
        if not value or len(value) > MAX_ROWS or not all(text for _, text in texts):
            return {}
        del body[DEVICES]
    elif isinstance(value, dict) and not is_edit(value) and len(value) <= MAX_ROWS:
        pairs = [(label, format_value(Row(0, "", "").field, item)) for label, item in value.items()]
        texts = [(label, text) for label, text in pairs if text and _can_be_entered(label)]
        for label, _ in texts:
            del value[label]
        if texts and not value:
            del body[DEVICES]
    else:
        return {}
    result: dict[str, str] = {}
    for number, (label, text) in enumerate(texts):
        pointer = child(DEVICES_POINTER, number)
        result |= {label_pointer(pointer): label, pointer: text} if label else {pointer: text}
    return result


def _can_be_entered(label: str) -> bool:
    return format_value(Field(DEVICES_POINTER, "", Widget.TEXT), label) == label != ""


def parse_devices(texts: Mapping[str, str], faults: list[Fault]) -> Json:
    """Parse the rows into devices, by label or as a list; return None if all are empty."""
    filled = filled_rows(texts)
    if not filled:
        return None
    faults += _label_faults(filled)
    nodes: dict[Row, Json] = {}
    for row in filled:
        try:
            nodes[row] = parse_value(row.field, row.target) if row.target else None
        except Unreadable as unreadable:
            faults.append(unreadable.fault)
    if any(row.label for row in filled):
        return {row.label: node for row, node in nodes.items()}
    return list(nodes.values())


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
