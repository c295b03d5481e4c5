"""The devices of a composite as rows: each a label and a target, the label empty in a list.

Row 0 has the texts `/devices/0` and `/devices/0#label`; a label never is a number, so that neither
is the pointer of anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from registry.domain.composition import is_edit
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.guided.fields import Field, Widget
from registry.domain.guided.values import Unreadable, read, tidy, write
from registry.domain.pointer import child

MOST_ROWS = 64  # the longest shipped composite has 4 devices; others stand in JSON
DEVICES = "devices"
PLACE = f"/{DEVICES}"


@dataclass(frozen=True, slots=True)
class Row:
    """One device as it is typed."""

    number: int
    label: str
    target: str

    @property
    def pointer(self) -> str:
        """The name of its target's text, and of its faults."""
        return child(PLACE, self.number)

    @property
    def field(self) -> Field:
        """How its target is read."""
        return Field(self.pointer, self.label, Widget.NODE)


def label_of(pointer: str) -> str:
    """The name of a row's label among what is typed."""
    return f"{pointer}#label"


def rows(typed: Mapping[str, str]) -> list[Row]:
    """The rows in which something is typed."""
    found = []
    for number in range(MOST_ROWS):
        pointer = child(PLACE, number)
        label, target = tidy(typed.get(label_of(pointer), "")), tidy(typed.get(pointer, ""))
        if label or target:
            found.append(Row(number, label, target))
    return found


def take(left: dict[str, Json]) -> dict[str, str]:
    """Take out of a body the devices that rows can say; their texts."""
    value = left.get(DEVICES)
    if isinstance(value, list):
        texts = [("", write(Row(0, "", "").field, item)) for item in value]
        if not value or len(value) > MOST_ROWS or not all(text for _, text in texts):
            return {}
        del left[DEVICES]
    elif isinstance(value, dict) and not is_edit(value) and len(value) <= MOST_ROWS:
        written = [(label, write(Row(0, "", "").field, item)) for label, item in value.items()]
        texts = [(label, text) for label, text in written if text and _can_be_typed(label)]
        for label, _ in texts:
            del value[label]
        if texts and not value:
            del left[DEVICES]
    else:
        return {}
    found: dict[str, str] = {}
    for number, (label, text) in enumerate(texts):
        pointer = child(PLACE, number)
        found |= {label_of(pointer): label, pointer: text} if label else {pointer: text}
    return found


def _can_be_typed(label: str) -> bool:
    return write(Field(PLACE, "", Widget.TEXT), label) == label != ""


def given(typed: Mapping[str, str], faults: list[Fault]) -> Json:
    """The devices that the rows state, labelled or a list; None where there are none."""
    found = rows(typed)
    if not found:
        return None
    faults += _label_faults(found)
    nodes: dict[Row, Json] = {}
    for row in found:
        try:
            nodes[row] = read(row.field, row.target) if row.target else None
        except Unreadable as wrong:
            faults.append(wrong.fault)
    if any(row.label for row in found):
        return {row.label: node for row, node in nodes.items()}
    return list(nodes.values())


def _label_faults(found: list[Row]) -> Iterator[Fault]:
    is_labelled = any(row.label for row in found)
    seen: set[str] = set()
    for row in found:
        said = echo(row.label)
        if not row.target:
            message = f"the device {said} names no target"
            yield Fault(row.pointer, "OPTION_MISSING", message, "a tag, a kind's name, or JSON")
        if row.label in seen:
            message = f"the label {said} stands twice"
            yield Fault(row.pointer, "LABEL_INVALID", message, "a label for each device", said)
        if is_labelled and not row.label:
            message = "this device has no label, and others have one"
            yield Fault(
                row.pointer, "LABEL_INVALID", message, "labels for all devices, or for none"
            )
        if row.label:
            seen.add(row.label)
