"""The devices of a composite as rows of a form, each with a label, a target and its options.

The label is empty for devices in a list, in which `40 x llvm` stands for forty equal ones. Row 0
has the texts `/devices/0#label`, `/devices/0` for the target, `/devices/0/arch` for an option of
its kind, and `/devices/0#rest` for JSON. No other value can have these, because labels cannot be
numbers. A device can have devices itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from registry.domain.body_form.fields import Field, Widget
from registry.domain.user_text import normalize_text
from ttag_rules.pointer import ROOT, child

MAX_ROWS = 64  # the longest shipped composite has 4 devices; longer ones are edited as JSON
DEVICES = "devices"
DEVICES_POINTER = f"/{DEVICES}"
PARENT = "/tag"
LABEL, REST = "#label", "#rest"  # ends of the keys of a label, and of JSON
COUNT = re.compile(r"([2-9]|[1-9][0-9]{1,2})\s*[x\u00d7]\s*(?=\S)")  # of equal devices
NUMBER = re.compile(rf"{DEVICES_POINTER}/([0-9]|[1-9][0-9])(?=$|[/#])")

Texts = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """The texts of one device; those of its options by pointers into the device."""

    number: int
    label: str
    target: str
    options: Texts
    count: int = 1  # of equal devices

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
    target = normalize_text(texts.get(pointer, ""))
    counted = COUNT.match(target)
    count = int(counted[1]) if counted else 1
    return Row(number, label, target[counted.end() :] if counted else target, options, count)


def counted_target(target: str, count: int) -> str:
    """Return the text of the target of some equal devices."""
    return f"{count} x {target}" if count > 1 else target


def row_at(rows: list[Row], name: str) -> Row | None:
    """Return the row of a device, given its label or its index in the list of devices."""
    if any(row.label for row in rows):
        return next((row for row in rows if row.label == name), None)
    if not name.isdecimal():
        return None
    ends = accumulate(row.count for row in rows)
    return next((row for row, end in zip(rows, ends, strict=True) if int(name) < end), None)
