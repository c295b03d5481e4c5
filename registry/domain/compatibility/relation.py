"""Whether code built for one target runs on a machine that another target describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry.domain.compatibility.devices import DeviceNode, device_findings
from registry.domain.compatibility.instructions import instruction_findings
from registry.domain.compatibility.loader import loader_findings
from registry.domain.compatibility.options import DEFAULT_OPTIONS, Options
from registry.domain.compatibility.processors import KINDS, Pair, Processor
from registry.domain.compatibility.tables import Tables, shipped_tables
from registry.domain.compatibility.verdicts import (
    DIMENSIONS,
    Answer,
    Dimension,
    Finding,
    Verdict,
    severity,
    worst,
)
from registry.domain.resolution.composition import Node, nodes

Target = Mapping[str, Any]


# Decision 149: from tables, not from lists of pairs.
def verdict(
    built_for: Target,
    machine: Target,
    options: Options = DEFAULT_OPTIONS,
    *,
    tables: Tables | None = None,
) -> Verdict:
    """Return whether code built for one resolved target runs on the machine of another.

    Code runs natively, and is linked dynamically. What the machine does not state is unknown; what
    the code does not state is the baseline of its architecture.
    """
    used = tables or shipped_tables()
    code, has = Parts.of(built_for, used), Parts.of(machine, used)
    findings = [*code.unclear("code"), *has.unclear("machine")]
    findings += _processor_findings(code, has, options)
    findings += device_findings(code.devices, has.devices, options)
    return Verdict(tuple(sorted(findings, key=lambda each: DIMENSIONS.index(each.dimension))))


@dataclass(frozen=True, slots=True)
class Parts:
    """The leaves of a target: the processors that run programs, others, and devices.

    `others` says why each of some leaves cannot be judged, by pointer.
    """

    hosts: Sequence[Processor]
    processors: Sequence[Processor]
    devices: Sequence[DeviceNode]
    others: Mapping[str, str]

    @classmethod
    def of(cls, target: Target, tables: Tables) -> Parts:
        """Return the leaves of a resolved target, or of a body without parents."""
        hosts: list[Processor] = []
        processors: list[Processor] = []
        devices: list[DeviceNode] = []
        others: dict[str, str] = {}
        for node in nodes(dict(target)):
            if reason := _reason_against(node):
                others[node.pointer] = reason
            elif node.is_leaf and node.kind in KINDS:
                leaf = Processor.from_leaf(node.pointer, node.value, tables)
                (hosts if node.is_host or not node.enclosing else processors).append(leaf)
            elif node.is_leaf:
                devices.append(DeviceNode(node.pointer, node.value))
        return cls(hosts, processors, devices, others)

    @property
    def programs(self) -> Sequence[Processor]:
        """The processors that a program may be scheduled on."""
        return self.hosts or self.processors

    def unclear(self, side: str) -> Iterator[Finding]:
        """Yield a finding for each leaf that cannot be judged."""
        for pointer, reason in self.others.items():
            pointers = (pointer, "") if side == "code" else ("", pointer)
            text = f"The {side} {reason}"
            yield Finding(Dimension.DEVICE_CODE, Answer.UNKNOWN, text, *pointers)


def _reason_against(node: Node) -> str:
    """Return why nothing can be said of a node; empty if something can."""
    if not node.kind:
        return "states no kind: it is a reusable patch, not a target."
    if node.kind == "byoc":
        codegen = node.value.get("codegen", "")
        return f"leaves a part to the code generator {codegen}, whose output is not known."
    return ""


def _processor_findings(code: Parts, machine: Parts, options: Options) -> list[Finding]:
    """Return the findings for the processors of code, each with those of the machine it may meet.

    A program runs on every processor that it may be scheduled on. Code for one of several
    processors runs where it fits best.
    """
    present = [*machine.hosts, *machine.processors]
    if not present:
        return list(_without_processor(code))
    findings = [
        finding
        for built in code.hosts
        for finding in _worst_of([_pair(built, has, options) for has in machine.programs])
    ]
    for built in code.processors:
        findings += min((_pair(built, has, options) for has in present), key=_weight)
    return findings


def _without_processor(code: Parts) -> Iterator[Finding]:
    for built in [*code.hosts, *code.processors]:
        text = "The machine states no processor."
        yield Finding(Dimension.LOADER, Answer.UNKNOWN, text, built.pointer)


def _pair(code: Processor, machine: Processor, options: Options) -> list[Finding]:
    """Return the findings of one processor; instructions only where the machine loads the code."""
    pair = Pair(code, machine)
    findings = list(loader_findings(pair))
    if worst(finding.weight for finding in findings) is not Answer.NO:
        findings += instruction_findings(pair, options)
    return findings


def _worst_of(pairs: Sequence[list[Finding]]) -> list[Finding]:
    """Return the findings of the processor that a program suits least."""
    return max(pairs, key=_weight)


def _weight(findings: Iterable[Finding]) -> int:
    return severity(worst(finding.weight for finding in findings))
