"""Describes a target in plain English, from its hardware facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from registry.domain.document import Json

CATEGORIES: Mapping[str, tuple[str, str]] = {  # of hardware: one of them, several
    "cloud-instance": ("a cloud instance", "cloud instances"),
    "server-cpu": ("a server CPU", "server CPUs"),
    "desktop-cpu": ("a desktop CPU", "desktop CPUs"),
    "cpu-core": ("a CPU core", "CPU cores"),
    "gpu": ("a GPU", "GPUs"),
    "npu": ("a neural processor", "neural processors"),
    "soc": ("a system on a chip", "systems on a chip"),
    "module": ("a computer module", "computer modules"),
    "board": ("a board", "boards"),
    "phone": ("a phone", "phones"),
    "laptop": ("a laptop", "laptops"),
    "microcontroller": ("a microcontroller", "microcontrollers"),
    "microcontroller-board": ("a microcontroller board", "microcontroller boards"),
}
PROCESSORS = frozenset({"server-cpu", "desktop-cpu", "cpu-core", "gpu", "npu"})  # not machines
BACK_ENDS: Mapping[str, tuple[str, str]] = {  # by kind: the part that runs the code, and the means
    "llvm": ("its CPU", "through LLVM"),
    "c": ("its CPU", "as C source"),
    "cuda": ("its GPU", "through CUDA"),
    "rocm": ("its GPU", "through ROCm"),
    "opencl": ("its GPU", "through OpenCL"),
    "vulkan": ("its GPU", "through Vulkan"),
    "metal": ("its GPU", "through Metal"),
    "hexagon": ("its Hexagon processor", "through LLVM"),
}
VARIANTS: Mapping[str, str] = {
    "cpu": "its CPU",
    "cuda": "its GPU through CUDA",
    "opencl": "its GPU through OpenCL",
    "vulkan": "its GPU through Vulkan",
    "metal": "its GPU through Metal",
    "npu": "its neural processor",
    "big": "its larger cores",
    "little": "its smaller cores",
}
SCALES = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"))


def describe(target: Json, *, is_family: bool = False, variants: Sequence[str] = ()) -> str:
    """Return what a target is, what it builds for, and the variants to choose from.

    `variants` are those of the same name. Empty if the target has no facts that say what it is.
    """
    root: dict[str, Any] = target if isinstance(target, dict) else {}
    facts = root.get("hardware")
    if not isinstance(facts, dict) or facts.get("category") not in CATEGORIES:
        return ""
    one, several = CATEGORIES[facts["category"]]
    name = _name(facts)
    if is_family:
        who = f" of {name}" if name else ""
        return f"What {several}{who} share; choose one of them to build for."
    if not name:
        return ""
    sentences = [f"{name} is {one}{_details(facts)}."]
    if root.get("kind") in BACK_ENDS:
        part, means = BACK_ENDS[root["kind"]]
        where = "it" if facts["category"] in PROCESSORS else part
        sentences.append(f"This target builds for {where}, {means}.")
    known = [name for name in VARIANTS if name in variants]
    if choices := [f":{name} for {VARIANTS[name]}" for name in known]:
        sentences.append(f"Variants: {', '.join(choices)}.")
    return " ".join(sentences)


def _name(facts: Mapping[str, Any]) -> str:
    """Return vendor and model, or the family; the vendor once."""
    vendor, model = facts.get("vendor", ""), facts.get("model") or facts.get("family", "")
    return model if model.startswith(vendor) else f"{vendor} {model}".strip()


def _details(facts: Mapping[str, Any]) -> str:
    family = facts.get("family", "") if facts.get("model") else ""
    numbers = list(_numbers(facts))
    last = " and ".join(filter(None, (", ".join(numbers[:-1]), *numbers[-1:])))
    return (f" ({family})" if family else "") + (f" with {last}" if last else "")


def _numbers(facts: Mapping[str, Any]) -> Iterator[str]:
    if cores := facts.get("cores"):
        yield _count(cores, "core")
    if units := facts.get("compute_units"):
        yield _count(units, "compute unit")
    if memory := facts.get("memory_bytes"):
        yield f"{_bytes(memory)} of memory"
    if accelerators := facts.get("accelerators"):
        yield _count(accelerators, "accelerator")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _bytes(number: int) -> str:
    for size, unit in SCALES:
        if number >= size:
            return f"{number / size:,.4g} {unit}"
    return f"{number} bytes"
