"""Describes a target in plain English, from its own data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from registry.domain.descriptions.architecture_names import (
    compute_capability,
    platform_name,
    processor_name,
    text_option,
)
from registry.domain.descriptions.machines import (
    count,
    family_details,
    join,
    machine_details,
    machine_name,
)
from registry.domain.document import Json
from registry.domain.kinds.hardware import hardware_of
from ttag_rules.nodes import COMPOSITES, devices

CATEGORIES: Mapping[str, tuple[str, str]] = {  # of hardware: one of them, several
    "cloud-instance": ("a cloud instance", "cloud instances"),
    "server-cpu": ("a server CPU", "server CPUs"),
    "desktop-cpu": ("a desktop CPU", "desktop CPUs"),
    "laptop-cpu": ("a laptop CPU", "laptop CPUs"),
    "cpu-core": ("a CPU core", "CPU cores"),
    "gpu": ("a GPU", "GPUs"),
    "npu": ("a neural processor", "neural processors"),
    "soc": ("a system on a chip", "systems on a chip"),
    "module": ("a computer module", "computer modules"),
    "board": ("a board", "boards"),
    "phone": ("a phone", "phones"),
    "tablet": ("a tablet", "tablets"),
    "laptop": ("a laptop", "laptops"),
    "desktop": ("a desktop computer", "desktop computers"),
    "microcontroller": ("a microcontroller", "microcontrollers"),
    "microcontroller-board": ("a microcontroller board", "microcontroller boards"),
}
PROCESSORS = frozenset(  # not machines
    {"server-cpu", "desktop-cpu", "laptop-cpu", "cpu-core", "gpu", "npu"}
)
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
    "big-linux": "its larger cores under Linux",
    "little-linux": "its smaller cores under Linux",
    "windows": "its CPU under Windows",
}
MAX_NAMES = 4  # of options or devices
NO_FACTS: Mapping[str, Any] = MappingProxyType({})


# Decision 148: a variant is a part of a machine, and the machine is what people know.
def describe(
    target: Json,
    *,
    is_family: bool = False,
    variants: Sequence[str] = (),
    machine: Mapping[str, Any] = NO_FACTS,
) -> str:
    """Return what a target is, what it builds for, and the variants to choose from.

    `variants` are those of the same name. `machine` is the hardware of the machine that a variant
    builds a part of. Says only what both state; empty for no target.
    """
    root: dict[str, Any] = target if isinstance(target, dict) else {}
    part = hardware_of(target)
    is_known = text_option(machine, "category") and machine_name(machine)
    hardware = machine if is_known else part
    nouns = CATEGORIES.get(text_option(hardware, "category"), ("", "machines"))
    name = machine_name(hardware)
    if not root:
        return ""
    if is_family:
        listed = ", ".join(f":{variant}" for variant in variants)
        return _family(root, hardware, nouns[1]) + (f" Variants: {listed}." if listed else "")
    if nouns[0] and name:
        details = machine_details(root, hardware)
        sentences = [f"{name} is {nouns[0]}{details}.", *_means(root, part, hardware)]
    else:
        sentences = [_without_facts(root, name)]
    known = [name for name in VARIANTS if name in variants]
    if choices := [f":{name} for {_variant(name, hardware)}" for name in known]:
        sentences.append(f"Variants: {', '.join(choices)}.")
    return " ".join(sentences)


def _variant(name: str, machine: Mapping[str, Any]) -> str:
    """Return what a variant builds for: a machine has a GPU, and a GPU is one."""
    is_gpu = text_option(machine, "category") == "gpu"
    return VARIANTS[name].replace("its GPU", "it") if is_gpu else VARIANTS[name]


def _family(root: Mapping[str, Any], facts: Mapping[str, Any], nouns: str) -> str:
    # Members with an accelerator inherit its model, which is not their family's name.
    title = {"model": ""} if "family" in facts else {}
    name = machine_name({**facts, **title})
    own = f"{name} is a family of {nouns}" if name else f"A family of {nouns}"
    return f"{own}{family_details(root, facts)}; choose one of them to build for."


def _means(
    root: Mapping[str, Any], facts: Mapping[str, Any], machine: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the part of a machine that a leaf with some facts builds for, and through what."""
    if root.get("kind") in BACK_ENDS:
        part, means = BACK_ENDS[root["kind"]]
        is_whole = facts.get("category") == machine["category"] in PROCESSORS
        where = _some_cores(root, machine) or ("it" if is_whole else part)
        processor = f" ({name})" if (name := processor_name(root)) else ""
        yield f"This target builds for {where}{processor}, {means}."
    elif root.get("kind") in COMPOSITES:
        yield f"This target builds for {_inside(root)}."
    elif machine is not facts and (kind := text_option(root, "kind")):
        yield f"This target has the kind {kind}."


def _some_cores(root: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """Return how many cores a leaf builds for, if these are one cluster of several."""
    own, total = root.get("num-cores"), facts.get("cores")
    is_one_of_several = "," in text_option(facts, "clusters") and isinstance(own, int)
    return f"{own} of its cores" if is_one_of_several and own != total else ""


def _without_facts(root: Mapping[str, Any], name: str) -> str:
    """Return what a target without a category or a name is, from its kind and options."""
    kind = text_option(root, "kind")
    if not kind:
        names = [option for option in root if option != "hardware"]
        return f"A patch for other targets, which sets {join(names[:MAX_NAMES])}." if names else ""
    if kind in COMPOSITES:
        return f"A target for {_inside(root)}."
    if kind not in BACK_ENDS:
        return f"A target of the kind {kind}{f' for {name}' if name else ''}."
    part, means = BACK_ENDS[kind]
    noun = f"{part.removeprefix('its ')}s"
    platform = platform_name(text_option(root, "mtriple")) if kind in ("llvm", "c") else ""
    capability = f" of compute capability {number}" if (number := compute_capability(root)) else ""
    model = name or ("" if capability else processor_name(root))
    words = " ".join(filter(None, (platform, noun)))
    return f"A target for {words}{capability}{f' ({model})' if model else ''}, {means}."


def _inside(root: Mapping[str, Any]) -> str:
    """Return the number of a composite's devices, and the first of them."""
    inside = Counter(_kind_and_processor(node) for _, node in devices(root.get("devices"), ""))
    if not inside:
        return "its devices"
    names = [f"{number} x {name}" if number > 1 else name for name, number in inside.items()]
    colon = ", among them " if len(names) > MAX_NAMES else ": "
    return f"{count(inside.total(), 'device')}{colon}{join(names[:MAX_NAMES])}"


def _kind_and_processor(node: Any) -> str:
    """Return the kind of a device and its processor; of a reference, its text."""
    if not isinstance(node, dict):
        return str(node)
    return f"{text_option(node, 'kind') or 'a patch'} {processor_name(node)}".strip()
