"""Find the field of a form that a fault belongs to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from registry.domain.body_form import device_rows
from registry.domain.body_form.device_rows import Row
from registry.domain.body_form.fields import BodyRole, Start
from registry.domain.body_form.groups import PARENTS
from registry.domain.errors import Code, Fault
from ttag_rules.pointer import ROOT, child, split_pointer

PARENT_CODES = frozenset(  # reported at the object that names the parents
    {
        *(Code.PARENT_INVALID, Code.REFERENCE_INVALID, Code.NAMESPACE_UNKNOWN, Code.TAG_UNKNOWN),
        *(Code.VERSION_UNKNOWN, Code.DIGEST_UNKNOWN, Code.CYCLE),
    }
)


def field_pointer(
    fault: Fault, start: Start, texts: Mapping[str, str], *, is_of_text: bool = False
) -> str | None:
    """Return the pointer of the field, or row of devices, that a fault belongs to.

    None if it belongs to the whole body. A fault inside a value belongs to the field of that value;
    if that field is empty, to the JSON that states the value. `is_of_text`: the fault is of a text,
    and its pointer counts rows rather than devices.
    """
    pointer = fault.pointer
    if fault.code == "OPTION_MISSING" and child(pointer, fault.expected) in start.fields:
        pointer = child(pointer, fault.expected)
    if pointer == ROOT:
        return _root_field(fault, start)
    row = _row(pointer, texts, is_of_text=is_of_text)
    if row:
        return _field_of_device(fault, row, start, is_of_text=is_of_text)
    candidates = (enclosing for enclosing in _enclosing(pointer) if enclosing in start.fields)
    field = next(candidates, None)
    if field and texts.get(field):
        return field
    if _is_in_json(pointer, texts.get(ROOT, "")):
        return ROOT
    return field or next((item for item in start.fields if item.startswith(f"{pointer}/")), None)


def _root_field(fault: Fault, start: Start) -> str | None:
    """Return the field for a fault at the root: the JSON, the parents, or None."""
    if fault.code == "VALUE_TYPE":
        return ROOT
    return PARENTS.pointer if fault.code in PARENT_CODES and start.role is BodyRole.HEIR else None


def _enclosing(pointer: str) -> list[str]:
    """Return a pointer and those of its enclosing values, nearest first, without the root."""
    path = split_pointer(pointer)
    pointers = [ROOT]
    for token in path:
        pointers.append(child(pointers[-1], token))
    return pointers[:0:-1]


def _row(pointer: str, texts: Mapping[str, str], *, is_of_text: bool) -> Row | None:
    """Return the row of a device, by its label or number."""
    path = split_pointer(pointer)
    if len(path) < 2 or path[0] != device_rows.DEVICES:
        return None
    name, rows = path[1].removesuffix(device_rows.REST), device_rows.filled_rows(texts)
    if is_of_text:
        return next((row for row in rows if name in (row.label, str(row.number))), None)
    return device_rows.row_at(rows, name)


def _field_of_device(fault: Fault, row: Row, start: Start, *, is_of_text: bool) -> str:
    """Return the pointer of the field for a fault in a device; its target if no other has it."""
    device_start = start.device_start(row.target)
    if device_start is None:
        return row.pointer
    inside = "".join(child(ROOT, token) for token in split_pointer(fault.pointer)[2:])
    moved = replace(fault, pointer=inside)
    field = field_pointer(moved, device_start, row.options, is_of_text=is_of_text)
    if field is None or field in (PARENTS.pointer, device_rows.DEVICES_POINTER):
        return row.pointer
    if field == ROOT and not row.options.get(ROOT):
        return row.pointer
    return device_rows.option_pointer(row.pointer, field)


def _is_in_json(pointer: str, text: str) -> bool:
    """Return whether the JSON contains the first member of a pointer."""
    try:
        rest = json.loads(text)
    except ValueError:
        return False
    return isinstance(rest, dict) and split_pointer(pointer)[0] in rest
