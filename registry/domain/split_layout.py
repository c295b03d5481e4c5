"""The split layout: targets by name, and executors by name that list the targets they use.

The targets of an executor are named by the labels or indices of its devices. The empty name stands
for a target that is the executor itself, or for an executor that is the whole target. If a label
stands for different leaves, the executor's name and a dot precede it: `dsp.cpu`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.domain.checks.checks import EXPECTED_LABEL, LABEL, RESERVED_LABELS
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME
from registry.domain.kinds.schema import DIALECT, compile_schema, schema_faults
from registry.domain.names.near_names import nearest_names
from ttag_rules.pointer import ROOT, child, natural_key

TARGETS, EXECUTORS, DROPPED = "targets", "executors", "dropped"
TARGET_HOST, FLOW_CONFIG = "target_host", "flow-config"
# Members of an executor that apply to all its targets, by their name in a body.
SETTINGS = {EXECUTOR: EXECUTOR, RUNTIME: RUNTIME, FLOW: FLOW_CONFIG}

NO_LABEL = ""
INDEX = re.compile(r"0|[1-9][0-9]{0,3}")  # a target has at most 1,024 nodes
MAX_SUGGESTIONS = 20  # unknown names for which similar names are suggested
MAX_CANDIDATES = 200  # names compared with each unknown name; real layouts have about ten

EXPECTED_TARGET = f"{EXPECTED_LABEL}; an executor and a dot may precede it"
CONSISTENT_NAMES = "only labels, only indices, or only the empty name"

NAME_OR_OBJECT = {"type": ["string", "object"]}
SCHEMA: dict[str, Any] = {
    "$schema": DIALECT,
    "title": "the layout",
    "type": "object",
    "properties": {
        TARGETS: {"type": "object", "additionalProperties": NAME_OR_OBJECT},
        EXECUTORS: {
            "type": "object",
            "additionalProperties": {
                "title": "an executor",
                "type": "object",
                "properties": {
                    TARGETS: {
                        "type": ["string", "array"],
                        "items": {"type": "string"},
                        "minItems": 1,
                    },
                    TARGET_HOST: {
                        "type": ["string", "array", "null"],
                        "items": {"type": "string"},
                        "maxItems": 1,
                    },
                    EXECUTOR: NAME_OR_OBJECT,
                    RUNTIME: NAME_OR_OBJECT,
                    FLOW_CONFIG: {"type": "object"},
                },
                "required": [TARGETS],
                "additionalProperties": False,
            },
        },
        DROPPED: {"type": "array"},
    },
    "required": [TARGETS, EXECUTORS],
    "additionalProperties": False,
}
VALIDATOR = compile_schema(SCHEMA)


@dataclass(frozen=True, slots=True)
class TargetUse:
    """A reference from an executor to a target, by name."""

    pointer: str
    name: str

    @property
    def label(self) -> str:
        """The label of the target within the executor."""
        return _split_name(self.name)[1]


def qualified_name(executor: str, label: str) -> str:
    """Return the name of a target with a label of an executor. Neither contains a dot."""
    return f"{executor}.{label}"


def is_index(label: str) -> bool:
    """Return whether a label is an index into a list of devices."""
    return INDEX.fullmatch(label) is not None


def target_uses(executor: Mapping[str, Json], member: str, pointer: str) -> list[TargetUse]:
    """Return the targets that a member of an executor names, as a list or as a single name."""
    value, member_pointer = executor.get(member), child(pointer, member)
    if isinstance(value, str):
        return [TargetUse(member_pointer, value)]
    names = enumerate(value) if isinstance(value, list) else ()
    return [
        TargetUse(child(member_pointer, index), name)
        for index, name in names
        if isinstance(name, str)
    ]


def layout_faults(layout: Json) -> Iterator[Fault]:
    """Yield the faults of a layout, except those inside targets and settings."""
    yield from schema_faults(VALIDATOR, SCHEMA, layout, ROOT)
    if not isinstance(layout, dict):
        return
    targets, executors = _group(layout, TARGETS), _group(layout, EXECUTORS)
    for name in (TARGETS, EXECUTORS):
        if layout.get(name) == {}:
            group_pointer = child(ROOT, name)
            yield Fault(
                group_pointer, "OPTION_MISSING", f"the layout has no {name}", "at least one"
            )
    yield from _name_faults(targets, executors)
    yield from _use_faults(targets, executors)


def _group(layout: Mapping[str, Json], name: str) -> dict[str, Any]:
    group = layout.get(name)
    return group if isinstance(group, dict) else {}


def _name_faults(targets: Collection[str], executors: Collection[str]) -> Iterator[Fault]:
    for name in targets:
        executor, label = _split_name(name)
        if not _is_label(label):
            yield _invalid_name(_pointer(TARGETS, name), name, EXPECTED_TARGET)
        elif executor is not None and executor not in executors:
            message = f"no executor is called {echo(executor)}, which precedes the label {label}"
            yield Fault(
                _pointer(TARGETS, name), "LABEL_INVALID", message, EXPECTED_TARGET, echo(name)
            )
    for name in executors:
        if not _is_label(name):
            yield _invalid_name(_pointer(EXECUTORS, name), name, EXPECTED_LABEL)
    yield from _mixed_label_faults({name: _pointer(EXECUTORS, name) for name in executors})


def _use_faults(targets: Mapping[str, Json], executors: Mapping[str, Json]) -> Iterator[Fault]:
    all_uses: list[TargetUse] = []
    is_complete = bool(executors)
    for name, executor in executors.items():
        if not isinstance(executor, dict):
            is_complete = False
            continue
        executor_pointer = _pointer(EXECUTORS, name)
        device_uses = target_uses(executor, TARGETS, executor_pointer)
        is_complete = is_complete and bool(device_uses)
        all_uses += [*device_uses, *target_uses(executor, TARGET_HOST, executor_pointer)]
        yield from _device_faults(device_uses)
    if targets:
        yield from _unknown_faults([use for use in all_uses if use.name not in targets], targets)
    if is_complete:  # otherwise a malformed executor could be the one that uses a target
        yield from _unused_faults(targets.keys() - {use.name for use in all_uses})


def _device_faults(devices: Collection[TargetUse]) -> Iterator[Fault]:
    """Yield faults for duplicate or inconsistent target names of one executor."""
    pointers: dict[str, str] = {}
    for use in devices:
        if use.label in pointers:
            message = f"the executor has two targets called {echo(use.label)}"
            yield Fault(use.pointer, "TARGET_TWICE", message, "each name once", echo(use.name))
        pointers.setdefault(use.label, use.pointer)
    yield from _mixed_label_faults(pointers)


def _unknown_faults(unknown: Collection[TargetUse], targets: Collection[str]) -> Iterator[Fault]:
    for index, use in enumerate(unknown):
        near = islice(targets, MAX_CANDIDATES) if index < MAX_SUGGESTIONS else ()
        yield Fault(
            use.pointer,
            "TARGET_UNKNOWN",
            f"no target is called {echo(use.name)}",
            "a name in targets",
            echo(use.name),
            nearest_names(use.name, near),
        )


def _unused_faults(names: Collection[str]) -> Iterator[Fault]:
    for name in sorted(names, key=natural_key):
        message = f"no executor uses the target {echo(name)}"
        yield Fault(_pointer(TARGETS, name), "TARGET_UNUSED", message, "a target that is used")


def _mixed_label_faults(pointers: Mapping[str, str]) -> Iterator[Fault]:
    """Yield faults if labels, indices and the empty name are used side by side."""
    if len(pointers) < 2 or all(map(is_index, pointers)):
        return
    for label, pointer in pointers.items():
        if label == NO_LABEL or is_index(label):
            subject = f"the index {label}" if label else "the empty name"
            message = f"{subject} cannot be mixed with other names"
            yield Fault(pointer, "LABEL_INVALID", message, CONSISTENT_NAMES, echo(label))


def _split_name(name: str) -> tuple[str | None, str]:
    """Return the executor that precedes a target's label, or None, and the label."""
    executor, dot, label = name.rpartition(".")
    return (executor if dot else None), label


def _is_label(name: str) -> bool:
    is_named = LABEL.fullmatch(name) is not None and name not in RESERVED_LABELS
    return is_named or is_index(name) or name == NO_LABEL


def _pointer(group: str, name: str) -> str:
    return child(child(ROOT, group), name)


def _invalid_name(pointer: str, name: str, expected: str) -> Fault:
    return Fault(pointer, "LABEL_INVALID", f"{echo(name)} is not {expected}", expected, echo(name))
