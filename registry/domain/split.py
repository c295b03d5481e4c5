"""The split layout: targets by name, and executors by name that say which of them they use.

A device goes by its label, one of a list by its index. What is no device goes by the empty name, as
the root does in pointers: a target that is the executor itself, an executor that is the whole.
Where one label stands for different leaves, an executor's name and a dot precede it: `dsp.cpu`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from registry.domain.checks import LABEL, NOT_LABELS
from registry.domain.document import Json
from registry.domain.errors import Fault, echo
from registry.domain.kinds import EXECUTOR, FLOW, RUNTIME
from registry.domain.near import nearest
from registry.domain.pointer import ROOT, child, natural
from registry.domain.schema import DIALECT, compile_schema, faults_of

TARGETS, EXECUTORS, DROPPED = "targets", "executors", "dropped"
TARGET_HOST, FLOW_CONFIG = "target_host", "flow-config"
# What an executor says for its targets, by what bodies call it.
SETTINGS = {EXECUTOR: EXECUTOR, RUNTIME: RUNTIME, FLOW: FLOW_CONFIG}

ITSELF = ""
INDEX = re.compile(r"0|[1-9][0-9]{0,3}")  # a target has at most 1,024 nodes
MOST_GUESSES = 20  # unknown names that near ones are sought for
MOST_NEAR = 200  # names that they are sought among; real layouts have some ten

A_LABEL = (
    "a label of 1 to 32 lower-case letters, digits, _ and -, first a letter, neither kind nor tag"
)
A_TARGET = f"{A_LABEL}; before it perhaps an executor and a dot"
OF_ONE_SORT = "labels throughout, indices throughout, or the empty name alone"

WORDED = {"type": ["string", "object"]}
SCHEMA: dict[str, Any] = {
    "$schema": DIALECT,
    "title": "the layout",
    "type": "object",
    "properties": {
        TARGETS: {"type": "object", "additionalProperties": WORDED},
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
                    EXECUTOR: WORDED,
                    RUNTIME: WORDED,
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
class Use:
    """A target's name where an executor writes it."""

    pointer: str
    name: str

    @property
    def label(self) -> str:
        """What the executor calls the target."""
        return _parts(self.name)[1]


def qualified(executor: str, label: str) -> str:
    """The name of a target that an executor calls by a label. Neither holds a dot."""
    return f"{executor}.{label}"


def is_index(label: str) -> bool:
    """Whether it is a place in a list of devices."""
    return INDEX.fullmatch(label) is not None


def uses(executor: Mapping[str, Json], member: str, pointer: str) -> list[Use]:
    """The targets that a member of an executor names, in a list or as the only one."""
    value, place = executor.get(member), child(pointer, member)
    if isinstance(value, str):
        return [Use(place, value)]
    names = enumerate(value) if isinstance(value, list) else ()
    return [Use(child(place, index), name) for index, name in names if isinstance(name, str)]


def faults(layout: Json) -> Iterator[Fault]:
    """All that is wrong with a layout, but for what is inside of targets and settings."""
    yield from faults_of(VALIDATOR, SCHEMA, layout, ROOT)
    if not isinstance(layout, dict):
        return
    targets, executors = _group(layout, TARGETS), _group(layout, EXECUTORS)
    for name in (TARGETS, EXECUTORS):
        if layout.get(name) == {}:
            place = child(ROOT, name)
            yield Fault(place, "OPTION_MISSING", f"the layout has no {name}", "at least one")
    yield from _name_faults(targets, executors)
    yield from _use_faults(targets, executors)


def _group(layout: Mapping[str, Json], name: str) -> dict[str, Any]:
    found = layout.get(name)
    return found if isinstance(found, dict) else {}


def _name_faults(targets: Collection[str], executors: Collection[str]) -> Iterator[Fault]:
    for name in targets:
        executor, label = _parts(name)
        if not _is_label(label):
            yield _misnamed(_place(TARGETS, name), name, A_TARGET)
        elif executor is not None and executor not in executors:
            message = f"no executor is called {echo(executor)}, which precedes the label {label}"
            yield Fault(_place(TARGETS, name), "LABEL_INVALID", message, A_TARGET, echo(name))
    for name in executors:
        if not _is_label(name):
            yield _misnamed(_place(EXECUTORS, name), name, A_LABEL)
    yield from _mixed({name: _place(EXECUTORS, name) for name in executors})


def _use_faults(targets: Mapping[str, Json], executors: Mapping[str, Json]) -> Iterator[Fault]:
    found: list[Use] = []
    is_readable = bool(executors)
    for name, executor in executors.items():
        if not isinstance(executor, dict):
            is_readable = False
            continue
        place = _place(EXECUTORS, name)
        devices = uses(executor, TARGETS, place)
        is_readable = is_readable and bool(devices)
        found += [*devices, *uses(executor, TARGET_HOST, place)]
        yield from _device_faults(devices)
    if targets:
        yield from _unknown([use for use in found if use.name not in targets], targets)
    if is_readable:  # else nobody knows what is used
        yield from _unused(targets.keys() - {use.name for use in found})


def _device_faults(devices: Collection[Use]) -> Iterator[Fault]:
    """What is wrong with the targets of one executor beside each other."""
    places: dict[str, str] = {}
    for use in devices:
        if use.label in places:
            message = f"the executor has two targets called {echo(use.label)}"
            yield Fault(use.pointer, "TARGET_TWICE", message, "each once", echo(use.name))
        places.setdefault(use.label, use.pointer)
    yield from _mixed(places)


def _unknown(found: Collection[Use], targets: Collection[str]) -> Iterator[Fault]:
    for index, use in enumerate(found):
        near = islice(targets, MOST_NEAR) if index < MOST_GUESSES else ()
        yield Fault(
            use.pointer,
            "TARGET_UNKNOWN",
            f"no target is called {echo(use.name)}",
            "a name in targets",
            echo(use.name),
            nearest(use.name, near),
        )


def _unused(names: Collection[str]) -> Iterator[Fault]:
    for name in sorted(names, key=natural):
        message = f"no executor uses the target {echo(name)}"
        yield Fault(_place(TARGETS, name), "TARGET_UNUSED", message, "a target that one names")


def _mixed(places: Mapping[str, str]) -> Iterator[Fault]:
    """Labels that cannot stand beside each other: those of a list, of an object, of no device."""
    if len(places) < 2 or all(map(is_index, places)):
        return
    for label, pointer in places.items():
        if label == ITSELF or is_index(label):
            what = f"the index {label}" if label else "the empty name"
            message = f"{what} stands beside other names"
            yield Fault(pointer, "LABEL_INVALID", message, OF_ONE_SORT, echo(label))


def _parts(name: str) -> tuple[str | None, str]:
    """The executor that precedes a target's label, None where none does; and the label."""
    executor, dot, label = name.rpartition(".")
    return (executor if dot else None), label


def _is_label(name: str) -> bool:
    is_word = LABEL.fullmatch(name) is not None and name not in NOT_LABELS
    return is_word or is_index(name) or name == ITSELF


def _place(group: str, name: str) -> str:
    return child(child(ROOT, group), name)


def _misnamed(pointer: str, name: str, expected: str) -> Fault:
    return Fault(pointer, "LABEL_INVALID", f"{echo(name)} is not {expected}", expected, echo(name))
