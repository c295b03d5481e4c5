"""At which field something is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping

from registry.domain.errors import Code, Fault
from registry.domain.guided import devices
from registry.domain.guided.fields import Role, Start
from registry.domain.guided.starts import PARENTS
from registry.domain.pointer import ROOT, child, tokens

OF_PARENTS = frozenset(  # said of the object that names them
    {
        *(Code.PARENT_INVALID, Code.REFERENCE_INVALID, Code.NAMESPACE_UNKNOWN, Code.TAG_UNKNOWN),
        *(Code.VERSION_UNKNOWN, Code.DIGEST_UNKNOWN, Code.CYCLE),
    }
)


def place(fault: Fault, start: Start, typed: Mapping[str, str]) -> str | None:
    """The pointer of the field, or of the row, that a fault of a body belongs to.

    None: it belongs to the whole. A fault inside a value belongs to the field of that value; one
    in what the field leaves empty, to the JSON that states it.
    """
    pointer = fault.pointer
    if fault.code == "OPTION_MISSING" and child(pointer, fault.expected) in start.fields:
        pointer = child(pointer, fault.expected)
    if pointer == ROOT:
        return _of_whole(fault, start)
    row = _row(pointer, typed)
    around = row or next((each for each in _around(pointer) if each in start.fields), None)
    if around and typed.get(around):
        return around
    if _stands(pointer, typed.get(ROOT, "")):
        return ROOT
    return around or next((each for each in start.fields if each.startswith(f"{pointer}/")), None)


def _of_whole(fault: Fault, start: Start) -> str | None:
    """Of what is wrong at the root: with the text of the rest, with the parents, or neither."""
    if fault.code == "VALUE_TYPE":
        return ROOT
    return PARENTS.pointer if fault.code in OF_PARENTS and start.role is Role.HEIR else None


def _around(pointer: str) -> list[str]:
    """A pointer and those of what its value stands in, the nearest first, without the root."""
    path = tokens(pointer)
    found = [ROOT]
    for token in path:
        found.append(child(found[-1], token))
    return found[:0:-1]


def _row(pointer: str, typed: Mapping[str, str]) -> str | None:
    """The row of a device, by its label or number."""
    path = tokens(pointer)
    if len(path) < 2 or path[0] != devices.DEVICES:
        return None
    found = (row for row in devices.rows(typed) if path[1] in (row.label, str(row.number)))
    return next((row.pointer for row in found), None)


def _stands(pointer: str, text: str) -> bool:
    """Whether the JSON says something of what a pointer leads to."""
    try:
        rest = json.loads(text)
    except ValueError:
        return False
    return isinstance(rest, dict) and tokens(pointer)[0] in rest
