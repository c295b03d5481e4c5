"""Whether code built for one target runs on a machine that another target describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttag_rules.compatibility.devices import DeviceNode, device_findings
from ttag_rules.compatibility.instructions import instruction_findings
from ttag_rules.compatibility.loader import loader_findings
from ttag_rules.compatibility.options import DEFAULT_OPTIONS, Options
from ttag_rules.compatibility.processors import KINDS, Pair, Processor
from ttag_rules.compatibility.tables import Tables, shipped_tables
from ttag_rules.compatibility.verdicts import (
    DIMENSIONS,
    Answer,
    Dimension,
    Finding,
    Verdict,
    severity,
    worst,
)
from ttag_rules.nodes import Node, nodes

Target = Mapping[str, Any]
LOADING = frozenset({Dimension.LOADER, Dimension.FLOOR})


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
    if not findings:
        text = "The code states nothing to run: neither a processor nor a device."
        findings.append(Finding(Dimension.DEVICES, Answer.UNKNOWN, text))
    return Verdict(tuple(sorted(findings, key=lambda each: DIMENSIONS.index(each.dimension))))


@dataclass(frozen=True, slots=True)
class Parts:
    """The leaves of a target: processors that programs run on, members of composites, devices.

    `others` says why each of some leaves cannot be judged, by pointer.
    """

    programs: Sequence[Processor]
    members: Sequence[Processor]
    devices: Sequence[DeviceNode]
    others: Mapping[str, str]

    @classmethod
    def of(cls, target: Target, tables: Tables) -> Parts:
        """Return the leaves of a resolved target, or of a body without parents."""
        programs: list[Processor] = []
        members: list[Processor] = []
        devices: list[DeviceNode] = []
        others: dict[str, str] = {}
        for node in nodes(dict(target)):
            if reason := _reason_against(node):
                others[node.pointer] = reason
            elif node.kind in KINDS:
                leaf = Processor.from_leaf(node.pointer, node.value, tables)
                (programs if node.is_host or not node.enclosing else members).append(leaf)
            elif node.is_leaf:
                devices.append(DeviceNode(node.pointer, node.value))
        return cls(programs, members, devices, others)

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

    A program may be scheduled on every processor of its system. Code for one of several
    processors runs where it fits best.
    """
    present = [*machine.programs, *machine.members]
    if not present:
        text = "The machine states no processor."
        return [
            Finding(Dimension.LOADER, Answer.UNKNOWN, text, built.pointer)
            for built in (*code.programs, *code.members)
        ]
    findings: list[Finding] = []
    for built in code.programs:
        findings += _program([_pair(built, has, options) for has in present])
    for built in code.members:
        findings += min((_pair(built, has, options) for has in present), key=_weight)
    return findings


def _pair(code: Processor, machine: Processor, options: Options) -> list[Finding]:
    """Return the findings of one processor; instructions only where the machine loads the code."""
    pair = Pair(code, machine)
    findings = list(loader_findings(pair, options))
    if _is_loaded(findings):
        findings += instruction_findings(pair, options)
    return findings


def _program(pairs: Sequence[list[Finding]]) -> list[Finding]:
    """Return the findings of the processor that a program suits least, of those that load it.

    Others belong to another system, such as a microcontroller beside the processors of Linux.
    """
    loading = [findings for findings in pairs if _is_loaded(findings)]
    return max(loading, key=_weight) if loading else pairs[0]


def _is_loaded(findings: Iterable[Finding]) -> bool:
    return all(each.answer is not Answer.NO for each in findings if each.dimension in LOADING)


def _weight(findings: Iterable[Finding]) -> int:
    return severity(worst(finding.weight for finding in findings))
