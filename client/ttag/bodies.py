"""The shape of bodies that no registry has checked, as far as verdicts depend on it.

A value of another shape would be read as none, and code that needs nothing runs everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ttag.errors import NotUsable
from ttag_rules.pointer import child

MAX_NODES = 16  # that enclose each other, as in a registry
PARENT, HOST, DEVICES = "tag", "host", "devices"
COMPOSITE = "composite"
TEXTS = ("kind", "mcpu", "mtriple", "arch", "mabi", "mfloat-abi", "codegen")
LISTS = {"mattr": re.compile(r"[+-][^+-].*"), "cl-opt": re.compile(r".+")}  # of such texts


def require_target(body: object, subject: str) -> Mapping[str, Any]:
    """Return a body that has the shape of a resolved target. Raises `NotUsable`."""
    for problem in _problems(body, "", MAX_NODES):
        raise NotUsable(f"{subject} {problem}.")
    assert isinstance(body, Mapping)  # noqa: S101 - else there is a problem
    return body


def _problems(node: object, pointer: str, depth: int) -> Iterator[str]:
    """Yield why a node and those in it are none."""
    where = pointer or "the whole"
    if isinstance(node, str) or (isinstance(node, Mapping) and PARENT in node):
        yield f"names a parent ({where}), which only a registry resolves: publish or check it first"
    elif not isinstance(node, Mapping):
        yield f"is no body: expected a JSON object ({where})"
    elif node.get("kind") == COMPOSITE and not node.get(DEVICES):
        yield f"is no body: a composite without devices ({where})"
    elif not depth:
        yield f"is no body: more than {MAX_NODES} targets enclose each other"
    else:
        yield from _wrong_options(node, pointer)
        for inner, value in _inner(node, pointer):
            yield from _problems(value, inner, depth - 1)


def _wrong_options(node: Mapping[str, Any], pointer: str) -> Iterator[str]:
    for name in TEXTS:
        if not isinstance(node.get(name, ""), str):
            yield f"is no body: expected a text ({child(pointer, name)})"
    for name, pattern in LISTS.items():
        values = node.get(name, [])
        if not (isinstance(values, list) and all(_is_text(value, pattern) for value in values)):
            yield f"is no body: expected a list such as [{_example(name)}] ({child(pointer, name)})"


def _is_text(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and bool(pattern.fullmatch(value))


def _example(name: str) -> str:
    return '"+avx2"' if name == "mattr" else '"--option=value"'


def _inner(node: Mapping[str, Any], pointer: str) -> Iterator[tuple[str, object]]:
    """Yield the host and the devices of a node, with their pointers."""
    if HOST in node:
        yield child(pointer, HOST), node[HOST]
    devices = node.get(DEVICES, [])
    path = child(pointer, DEVICES)
    if isinstance(devices, Mapping):
        yield from ((child(path, label), value) for label, value in devices.items())
    elif isinstance(devices, list):
        yield from ((child(path, index), value) for index, value in enumerate(devices))
    else:
        yield path, None
