"""Machines of a fleet: what their builds must agree in, and what a build may use of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.baseline.shared_devices import device_family
from ttag_rules.compatibility.conventions import convention
from ttag_rules.compatibility.devices.nodes import DeviceNode
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.relation import Parts
from ttag_rules.compatibility.tables import (
    NO_FEATURES,
    FeatureClass,
    Features,
    InstructionSet,
    Tables,
)

Family = tuple[object, ...]


class UnusableMachine(ValueError):
    """A machine of which too little is stated. Its text says what; `index` which one it is."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index = index


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of a fleet.

    One build can serve machines of one `family`: system, C library, calling convention, kind of
    device. `features` are those of all its processors that programs use, `possible` with those
    that it may have or not.
    """

    index: int
    family: Family
    features: Features
    possible: Features
    processor: Processor | None
    device: DeviceNode | None

    @classmethod
    def of(cls, index: int, target: Mapping[str, Any], tables: Tables) -> Machine:
        """Return the machine that a resolved target describes. Raises `UnusableMachine`."""
        parts = Parts.of(target, tables)
        if parts.others:
            raise UnusableMachine(index, f"It {next(iter(parts.others.values()))}")
        processors = parts.programs or parts.members
        device = _device(index, parts)
        if not processors:
            return cls(index, ("", device_family(device)), NO_FEATURES, NO_FEATURES, None, device)
        instructions = [_instructions(index, each) for each in processors]
        families = {
            (*_system(each), features & table.modes, device_family(device))
            for each, (table, features) in zip(processors, instructions, strict=True)
        }
        if len(families) > 1:
            raise UnusableMachine(index, "Its processors belong to different systems.")
        certain = [usable(*each) for each in instructions]
        shared = frozenset.intersection(*certain)
        possible = frozenset.intersection(
            *(
                each | processor.optional_features
                for each, processor in zip(certain, processors, strict=True)
            )
        )
        return cls(index, families.pop(), shared, possible, processors[0], device)


def _instructions(index: int, processor: Processor) -> tuple[InstructionSet, Features]:
    """Return the table of a processor, with its features. Raises `UnusableMachine`."""
    table, features = processor.instruction_set, processor.features(of_machine=True)
    if processor.is_host_dependent or not table or features is None:
        name = processor.mcpu or processor.triple.arch or "its processor"
        raise UnusableMachine(index, f"There is no table of the instructions of {name}.")
    return table, features


def _system(processor: Processor) -> tuple[str, str, str, str]:
    """Return the architecture, system, C library and calling convention."""
    triple = processor.triple
    return processor.architecture, triple.os, triple.libc, convention(processor)


def usable(table: InstructionSet, features: Features) -> Features:
    """Return those of some features that programs use: the others are no loss."""
    counted = features - table.modes - table.parts.keys()
    return frozenset(each for each in counted if table.class_of(each) is not FeatureClass.IGNORED)


def _device(index: int, parts: Parts) -> DeviceNode | None:
    if len({device_family(device) for device in parts.devices}) > 1:
        raise UnusableMachine(index, "It has devices of several kinds, which no one build is for.")
    return parts.devices[0] if parts.devices else None


def code_features(target: Mapping[str, Any], tables: Tables) -> Features:
    """Return the features of a target's code that programs use; none without a processor."""
    programs = Parts.of(target, tables).programs
    if not programs:
        return frozenset()
    table, features = programs[0].instruction_set, programs[0].features()
    return usable(table, features) if table and features is not None else frozenset()
