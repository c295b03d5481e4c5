"""Names for people of architectures, systems and processors, from the options of a leaf."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ttag_rules.triples import Triple

ARCHITECTURES: Mapping[str, str] = {
    "x86_64": "x86-64",
    "aarch64": "AArch64",
    "arm": "32-bit Arm",
    "thumb": "32-bit Arm",
    "riscv32": "32-bit RISC-V",
    "riscv64": "64-bit RISC-V",
}
SYSTEMS: Mapping[str, str] = {
    "linux": "Linux",
    "windows": "Windows",
    "macosx": "macOS",
    "macos": "macOS",
    "darwin": "macOS",
    "ios": "iOS",
    "freebsd": "FreeBSD",
}
ANDROID = "android"
COMPUTE_CAPABILITY = re.compile(r"sm_([0-9]+)([0-9])[a-z]?")


def platform_name(mtriple: str) -> str:
    """Return the architecture and the system of a triple, such as `AArch64 Linux`, or less."""
    triple = Triple.parse(mtriple)
    system = "Android" if triple.libc == ANDROID else SYSTEMS.get(triple.os, "")
    return f"{ARCHITECTURES.get(triple.arch, triple.arch)} {system}".strip()


def compute_capability(node: Mapping[str, Any]) -> str:
    """Return the compute capability that `sm_89` stands for, `8.9`; empty for other nodes."""
    match = COMPUTE_CAPABILITY.fullmatch(text_option(node, "arch") or text_option(node, "mcpu"))
    return f"{match[1]}.{match[2]}" if match else ""


def processor_name(node: Mapping[str, Any]) -> str:
    """Return the processor or architecture that a leaf's code is for, as compilers name it."""
    return text_option(node, "mcpu") or text_option(node, "arch")


def text_option(node: Mapping[str, Any], option: str) -> str:
    """Return an option that is text; empty if it is missing or anything else."""
    value = node.get(option)
    return value if isinstance(value, str) else ""
