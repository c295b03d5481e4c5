"""Code that the driver of a device compiles: OpenCL, Vulkan, Metal, WebGPU; and other devices.

Nothing but what is stated can be compared: what code may use at most, and what a device offers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ttag_rules.compatibility.devices.nodes import Pair
from ttag_rules.compatibility.verdicts import Answer, Finding

KINDS = frozenset({"metal", "opencl", "vulkan", "webgpu"})
AT_MOST = re.compile(r"max_\w+|\w+_limit|vulkan_api_version")
ALIGNMENT = "image_base_address_alignment"
SUBGROUP = "thread_warp_size"
BITS = "supported_subgroup_operations"
ONE_THREAD = 1  # of a subgroup: code that uses none
# They name the device or its driver; code does not depend on them.
NAMES = frozenset(
    {"kind", "keys", "tag", "model", "device_name", "device_type", "driver_name", "driver_version"}
)


def limit_findings(pair: Pair) -> Iterator[Finding]:
    """Yield a finding for each option in which the device may offer too little; else one yes."""
    findings = [
        pair.finding(*answer, name)
        for name, value in pair.code.options.items()
        if name not in NAMES and (answer := _answer(name, value, pair.machine.target.get(name)))
    ]
    if findings:
        yield from findings
    else:
        text = f"The driver compiles it, and the device states all of {pair.code.kind} it needs."
        yield pair.finding(Answer.YES, text, "kind")


def equal_findings(pair: Pair) -> Iterator[Finding]:
    """Yield yes if both state the same device, else that nothing is known of it."""
    if pair.code.options == pair.machine.options:
        yield pair.finding(Answer.YES, "The machine states the same device.", "kind")
    else:
        text = f"Nothing is known of code for {pair.code.kind} on another device than its own."
        yield pair.finding(Answer.UNKNOWN, text, "kind")


def _answer(name: str, built: Any, has: Any) -> tuple[Answer, str] | None:
    """Return why one option may not do; None if it does."""
    if built == has or built is False or (name == SUBGROUP and built == ONE_THREAD):
        return None
    if has is None:
        return Answer.UNKNOWN, f"The code may use {name} {_text(built)}; the device states none."
    if not (isinstance(built, int) and isinstance(has, int)):
        text = (
            f"Whether {name} {_text(has)} of the device is enough for {_text(built)} is not known."
        )
        return Answer.UNKNOWN, text
    if _is_enough(name, built, has):
        return None
    text = f"The code may use {name} {_text(built)}, and the device has {_text(has)}."
    return Answer.NO, text


def _is_enough(name: str, built: int, has: int) -> bool:
    if name == BITS:
        return not built & ~has
    if name == ALIGNMENT:
        return built >= has
    return built <= has and bool(AT_MOST.fullmatch(name))


def _text(value: Any) -> str:
    return "yes" if value is True else "no" if value is False else str(value)
