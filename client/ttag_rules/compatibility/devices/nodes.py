"""A leaf of a target that is a device: no processor runs its code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.verdicts import Answer, Condition, Dimension, Finding

HOST, HARDWARE, COUNT = "host", "hardware", "accelerators"
# Members of a leaf that are no options of its device: facts, and what a compiler alone reads.
WITHOUT_EFFECT = frozenset({"executor", "runtime", "flow", "libs", HARDWARE})


@dataclass(frozen=True, slots=True)
class DeviceNode:
    """A device with its pointer into the target."""

    pointer: str
    target: Mapping[str, Any]

    @property
    def kind(self) -> str:
        """The kind of the leaf."""
        return str(self.target.get("kind", ""))

    @property
    def count(self) -> int:
        """The number of devices that a leaf stands for: alike GPUs of a machine are one leaf."""
        hardware = self.target.get(HARDWARE)
        stated = hardware.get(COUNT) if isinstance(hardware, Mapping) else None
        return stated if isinstance(stated, int) and stated > 0 else 1

    @property
    def options(self) -> dict[str, Any]:
        """The options of the device, without those of its host."""
        left_out = WITHOUT_EFFECT | {HOST}
        return {name: value for name, value in self.target.items() if name not in left_out}

    def text(self, *names: str) -> str:
        """Return the first option of these that is stated; empty if there is none."""
        return next((str(self.target[name]) for name in names if name in self.target), "")

    def place(self, *names: str) -> str:
        """Return the pointer of the first option of these that is stated, else that of the leaf."""
        stated = next((name for name in names if name in self.target), "")
        return f"{self.pointer}/{stated}" if stated else self.pointer


@dataclass(frozen=True, slots=True)
class Pair:
    """A device that code is for, and one of a machine."""

    code: DeviceNode
    machine: DeviceNode

    def finding(
        self,
        answer: Answer,
        reason: str,
        *names: str,
        conditions: Iterable[Condition] = (),
        dimension: Dimension = Dimension.DEVICE_CODE,
    ) -> Finding:
        """Return a finding that points at the options of these names."""
        pointers = self.code.place(*names), self.machine.place(*names)
        return Finding(dimension, answer, reason, *pointers, tuple(conditions))
