"""A machine for conda's solvers: the platform, and the virtual packages that they would detect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ttag_rules.compatibility.devices.architectures import Architecture
from ttag_rules.compatibility.devices.cuda_versions import first_toolkit
from ttag_rules.compatibility.processors import Processor
from ttag_rules.compatibility.systems import floors, system
from ttag_rules.compatibility.versions import version_key
from ttag_rules.nodes import Node, nodes
from ttag_rules.notations.archspec import nearest_name, processor_of
from ttag_rules.notations.archspec_names import MACHINES
from ttag_rules.notations.notation import Notation, Unfit
from ttag_rules.notations.nvcc import OPTIONS
from ttag_rules.pointer import child

# conda's platforms by system and architecture of a triple.
PLATFORMS: Mapping[tuple[str, str], str] = {
    ("linux", "x86_64"): "linux-64",
    ("linux", "i386"): "linux-32",
    ("linux", "aarch64"): "linux-aarch64",
    ("linux", "powerpc64le"): "linux-ppc64le",
    ("linux", "riscv64"): "linux-riscv64",
    ("linux", "s390x"): "linux-s390x",
    ("macos", "x86_64"): "osx-64",
    ("macos", "aarch64"): "osx-arm64",
    ("windows", "x86_64"): "win-64",
    ("windows", "i386"): "win-32",
    ("windows", "aarch64"): "win-arm64",
}
# Microarchitectures that rattler 0.28 refuses: it has an earlier table of archspec.
LATER = frozenset({"alderlake", "arrowlake", "arrowlake_s", "armv9.2a", "neoverse_v3ae", "olympus"})
GNU, GLIBC = "gnu", "glibc"
LESS_CAPABLE = "of several GPUs, conda compares the least capable"
NO_CUDA = "the first version of CUDA for it is not known"


def conda_variables(target: Mapping[str, Any]) -> Notation:
    """Return the variables of the environment, one per line. Raises `Unfit`.

    An empty one says that the machine has no such package. What the target does not state, and
    another machine could have, is not set: a solver then asks its own machine.
    """
    node, processor = processor_of(target)
    name = nearest_name(processor, without=LATER)
    gpus, others = _gpus(target)
    least = min(gpus.values(), key=lambda gpu: gpu.number, default=None)
    toolkits = [first_toolkit(Architecture(gpu.number)) for gpu in gpus.values()]
    packages = {
        **({"archspec": name} if name else {}),
        "cuda": max(toolkits, key=version_key, default=""),
        **({"cuda_arch": f"{least.major}.{least.number % 10}"} if least else {}),
        **dict(_system_versions(processor)),
    }
    lines = [f"CONDA_SUBDIR={_platform(processor)}\n"]
    lines += [f"CONDA_OVERRIDE_{each.upper()}={value}\n" for each, value in packages.items()]
    written = {child(each.pointer, "kind") for each in (node, *gpus)}
    written |= {child(node.pointer, each) for each in ("mtriple", *_exact_options(processor, name))}
    written |= {_place(gpu) for gpu, stated in gpus.items() if stated == least}
    reasons = dict.fromkeys(map(_place, gpus), LESS_CAPABLE) | dict.fromkeys(others, NO_CUDA)
    nearest = f"the nearest that conda knows is {name}" if name else "conda knows none"
    reasons |= dict.fromkeys((child(node.pointer, each) for each in ("mcpu", "mattr")), nearest)
    return Notation("".join(lines), (node, *gpus), written, reasons)


def _gpus(target: Mapping[str, Any]) -> tuple[dict[Node, Architecture], list[str]]:
    """Return the NVIDIA GPUs, and the pointers of those whose first CUDA is not known."""
    gpus, others = {}, []
    for node in nodes(dict(target)):
        option = OPTIONS.get(node.kind, "")
        architecture = Architecture.parse(str(node.value.get(option, "")))
        if architecture and first_toolkit(Architecture(architecture.number)):
            gpus[node] = architecture
        elif option in node.value:
            others += [node.pointer, child(node.pointer, option)]
    return gpus, others


def _place(gpu: Node) -> str:
    return child(gpu.pointer, OPTIONS[gpu.kind])


def _exact_options(processor: Processor, name: str) -> tuple[str, ...]:
    """Return the options of a processor that archspec's name says whole."""
    own = MACHINES.get(name)
    if own is None or own.mcpu != processor.mcpu:
        return ()
    return ("mcpu", "mattr") if own.mattr == processor.mattr else ("mcpu",)


def _platform(processor: Processor) -> str:
    """Return conda's platform. Raises `Unfit` for a system that it does not know."""
    name = system(processor)
    platform = PLATFORMS.get((name, processor.architecture))
    if not name:
        raise Unfit("it states no operating system")
    if not platform or processor.triple.environment.startswith("android"):
        raise Unfit(f"conda has no platform for {processor.triple_text}")
    return platform


def _system_versions(processor: Processor) -> Iterator[tuple[str, str]]:
    """Yield virtual packages of the C library and the system, where the triple states them."""
    stated = dict(floors(processor))
    if GLIBC in stated:
        yield GLIBC, stated[GLIBC]
    elif system(processor) == "linux" and processor.triple.libc not in ("", GNU):
        yield GLIBC, ""
    if "macos" in stated:
        yield "osx", stated["macos"]
