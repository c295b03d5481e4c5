"""Find the field of a form that a fault belongs to."""

from __future__ import annotations

import json
from collections.abc import Mapping

from registry.domain.body_form import devices
from registry.domain.body_form.fields import Role, Start
from registry.domain.body_form.starts import PARENTS
from registry.domain.errors import Code, Fault
from registry.domain.pointer import ROOT, child, split_pointer

PARENT_CODES = frozenset(  # reported at the object that names the parents
    {
        *(Code.PARENT_INVALID, Code.REFERENCE_INVALID, Code.NAMESPACE_UNKNOWN, Code.TAG_UNKNOWN),
        *(Code.VERSION_UNKNOWN, Code.DIGEST_UNKNOWN, Code.CYCLE),
    }
)


def field_pointer(fault: Fault, start: Start, texts: Mapping[str, str]) -> str | None:
    """Return the pointer of the field, or row of devices, that a fault belongs to.

    None if it belongs to the whole body. A fault inside a value belongs to the field of that value;
    if that field is empty, to the JSON that states the value.
    """
    pointer = fault.pointer
    if fault.code == "OPTION_MISSING" and child(pointer, fault.expected) in start.fields:
        pointer = child(pointer, fault.expected)
    if pointer == ROOT:
        return _root_field(fault, start)
    row = _row(pointer, texts)
    candidates = (enclosing for enclosing in _enclosing(pointer) if enclosing in start.fields)
    field = row or next(candidates, None)
    if field and texts.get(field):
        return field
    if _is_in_json(pointer, texts.get(ROOT, "")):
        return ROOT
    return field or next((item for item in start.fields if item.startswith(f"{pointer}/")), None)


def _root_field(fault: Fault, start: Start) -> str | None:
    """Return the field for a fault at the root: the JSON, the parents, or None."""
    if fault.code == "VALUE_TYPE":
        return ROOT
    return PARENTS.pointer if fault.code in PARENT_CODES and start.role is Role.HEIR else None


def _enclosing(pointer: str) -> list[str]:
    """Return a pointer and those of its enclosing values, nearest first, without the root."""
    path = split_pointer(pointer)
    pointers = [ROOT]
    for token in path:
        pointers.append(child(pointers[-1], token))
    return pointers[:0:-1]


def _row(pointer: str, texts: Mapping[str, str]) -> str | None:
    """Return the row of a device, by its label or number."""
    path = split_pointer(pointer)
    if len(path) < 2 or path[0] != devices.DEVICES:
        return None
    matching = (
        row for row in devices.filled_rows(texts) if path[1] in (row.label, str(row.number))
    )
    return next((row.pointer for row in matching), None)


def _is_in_json(pointer: str, text: str) -> bool:
    """Return whether the JSON contains the first member of a pointer."""
    try:
        rest = json.loads(text)
    except ValueError:
        return False
    return isinstance(rest, dict) and split_pointer(pointer)[0] in rest
