"""Whether the devices of a machine run device code: GPUs, and other accelerators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ttag_rules.compatibility.devices import amd, cuda, stated_limits
from ttag_rules.compatibility.devices.matching import MAX_DEVICES, best_matching, matching_size
from ttag_rules.compatibility.devices.nodes import DeviceNode, Pair
from ttag_rules.compatibility.options import Options
from ttag_rules.compatibility.verdicts import Answer, Dimension, Finding, severity, worst

__all__ = ["DeviceNode", "device_findings"]

VENDORS = {"cuda": "NVIDIA", "nvptx": "NVIDIA", "rocm": "AMD", "metal": "Apple"}


def device_findings(
    code: Sequence[DeviceNode], machine: Sequence[DeviceNode], options: Options
) -> Iterator[Finding]:
    """Yield whether a machine has a device for each that code is for, and what it runs there."""
    if not code:
        return
    if not machine:
        reason = "The code is for a device, and the machine's target states none."
        yield Finding(Dimension.DEVICES, Answer.UNKNOWN, reason, code[0].pointer)
        return
    present = [device for device in machine for _ in range(min(device.count, len(code)))]
    if max(len(code), len(present)) > MAX_DEVICES:
        reason = f"More than {MAX_DEVICES} devices are not matched."
        yield Finding(Dimension.DEVICES, Answer.UNKNOWN, reason, code[0].pointer)
        return
    pairs = [[_pair_findings(Pair(built, has), options) for has in present] for built in code]
    answers = [[worst(each.weight for each in findings) for findings in row] for row in pairs]
    matching = best_matching(answers)
    if matching is None:
        yield from _unmatched(code, present, pairs, answers)
    else:
        for row, column in enumerate(matching):
            yield from pairs[row][column]


def _pair_findings(pair: Pair, options: Options) -> list[Finding]:
    """Return what is known of one device's code on another device."""
    built, has = pair.code.kind, pair.machine.kind
    if {built, has} <= cuda.KINDS:
        return list(cuda.cuda_findings(pair, options))
    if built != has:
        return [_other_kind(pair)]
    if built in amd.KINDS:
        return list(amd.amd_findings(pair))
    if built in stated_limits.KINDS:
        return list(stated_limits.limit_findings(pair))
    return list(stated_limits.equal_findings(pair))


def _other_kind(pair: Pair) -> Finding:
    """Return a no for devices of two makers; others may take code of several kinds."""
    built, has = pair.code.kind, pair.machine.kind
    if built in VENDORS and has in VENDORS:
        reason = f"The code is for a GPU of {VENDORS[built]}, and this is one of {VENDORS[has]}."
        return pair.finding(Answer.NO, reason, "kind")
    reason = f"The code is for {built}, and the machine's target states only {has}."
    return pair.finding(Answer.UNKNOWN, reason, "kind")


def _unmatched(
    code: Sequence[DeviceNode],
    machine: Sequence[DeviceNode],
    pairs: Sequence[Sequence[list[Finding]]],
    answers: Sequence[Sequence[Answer]],
) -> Iterator[Finding]:
    """Yield why no matching exists: the device that no other runs, or that there are too few."""
    for row, findings in zip(answers, pairs, strict=True):
        best = min(range(len(row)), key=lambda place: severity(row[place]))
        if row[best] is Answer.NO:
            yield from findings[best]
            return
    size = matching_size(answers)
    reason = f"The code is for {len(code)} devices, and the machine has {size} that run it."
    yield Finding(Dimension.DEVICES, Answer.NO, reason, code[0].pointer, machine[0].pointer)
