"""One node of a target in the flags of iree-compile, as of IREE 3.13.

`tests/real/test_iree.py` holds the names below to the compiler that the tests install.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from registry.domain.composition import Node
from registry.domain.errors import echo
from registry.domain.toolchains.triples import Triple

CUDA, HIP, LOCAL, METAL, VULKAN = "cuda", "hip", "local", "metal", "vulkan"  # IREE's devices

# What IREE's LLVM generates code for on CPUs; on any other architecture iree-compile crashes.
ARCHITECTURES = ("aarch64", "arm", "i386", "riscv32", "riscv64", "wasm32", "x86_64")
# The GPUs that IREE describes; it lowers nothing for others, newer or older.
CUDA_ARCHES = (
    *("sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75"),
    *("sm_80", "sm_86", "sm_87", "sm_89", "sm_120", "sm_121"),
)
ROCM_CPUS = (
    *("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1103"),
    *("gfx1150", "gfx1151", "gfx1200", "gfx1201", "gfx1250"),
)
# TVM's words for families of Vulkan devices that IREE has one description of. Mali is no such
# word: IREE tells four Valhall generations apart, and 5th Gen.
VULKAN_DEVICES = ("adreno",)
# By system and environment of a triple.
METAL_PLATFORMS = {
    ("macos", ""): "macos",
    ("darwin", ""): "macos",
    ("ios", ""): "ios",
    ("ios", "simulator"): "ios-simulator",
}

CHOOSING = {
    **{device: (f"--iree-hal-target-device={device}",) for device in (CUDA, HIP, METAL, VULKAN)},
    LOCAL: ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"),
}
VECTOR_WIDTH, BITS_OF_BYTE = "vector-width", 8  # the option is in bits, the flag in bytes
CPU_FLAGS = {
    "mtriple": "--iree-llvmcpu-target-triple",
    "mcpu": "--iree-llvmcpu-target-cpu",
    "mattr": "--iree-llvmcpu-target-cpu-features",
    "mabi": "--iree-llvmcpu-target-abi",
    "mfloat-abi": "--iree-llvmcpu-target-float-abi",
    VECTOR_WIDTH: "--iree-llvmcpu-target-vector-width-in-bytes",
}
CUDA_FLAG = "--iree-cuda-target"
ROCM_FLAGS = {"mcpu": "--iree-rocm-target", "mattr": "--iree-rocm-target-features"}


class Unsayable(Exception):
    """IREE has no device that is what a node says; the message is why."""


@dataclass(frozen=True, slots=True)
class Device:
    """A node as a device of IREE.

    `flags` describe the device `name`, CHOOSING[name] have code made for it. `said` are the
    node's options that they say.
    """

    name: str
    flags: tuple[str, ...]
    said: frozenset[str]


def device(node: Node) -> Device:
    """The node in IREE's words. Raises `Unsayable`."""
    if node.kind not in BY_KIND:
        raise Unsayable(f"IREE generates no code for the kind {node.kind}")
    return BY_KIND[node.kind](node)


def _cpu(node: Node) -> Device:
    """Without a triple IREE takes that of its own machine, as TVM does."""
    if triple := node.value.get("mtriple"):
        _check("architecture", Triple.parse(triple).arch, ARCHITECTURES)
    flags = dict(CPU_FLAGS)
    if node.value.get(VECTOR_WIDTH, 0) % BITS_OF_BYTE:
        del flags[VECTOR_WIDTH]
    return _device(LOCAL, node, flags)


def _cuda(node: Node) -> Device:
    _check("arch", node.value.get("arch"), CUDA_ARCHES)
    return _device(CUDA, node, {"arch": CUDA_FLAG})


def _nvptx(node: Node) -> Device:
    _check("mcpu", node.value.get("mcpu"), CUDA_ARCHES)
    return _device(CUDA, node, {"mcpu": CUDA_FLAG}, implied=("mtriple",))


def _rocm(node: Node) -> Device:
    _check("mcpu", node.value.get("mcpu"), ROCM_CPUS)
    return _device(HIP, node, ROCM_FLAGS, implied=("mtriple",))


def _vulkan(node: Node) -> Device:
    is_described = node.value.get("device") in VULKAN_DEVICES
    return _device(VULKAN, node, {"device": "--iree-vulkan-target"} if is_described else {})


def _metal(node: Node) -> Device:
    """The device's host says the platform; where it does not, IREE takes macOS."""
    hosts = (each.value["host"] for each in (node, *node.encloses) if "host" in each.value)
    host: dict[str, Any] = next(hosts, {})
    triple = Triple.parse(host.get("mtriple", ""))
    platform = METAL_PLATFORMS.get((triple.os, triple.environment))
    plain = _device(METAL, node, {})
    flags = (f"--iree-metal-target-platform={platform}",) if platform else ()
    return replace(plain, flags=flags)


BY_KIND: Mapping[str, Callable[[Node], Device]] = {
    "llvm": _cpu,
    "cuda": _cuda,
    "nvptx": _nvptx,
    "rocm": _rocm,
    "vulkan": _vulkan,
    "metal": _metal,
}


def _check(what: str, name: str | None, known: Collection[str]) -> None:
    if name not in known:
        problem = f"does not know the {what} {echo(name)}" if name else f"needs to know the {what}"
        raise Unsayable(f"IREE {problem}; expected one of {', '.join(known)}")


def _device(
    name: str, node: Node, flags: Mapping[str, str], implied: Collection[str] = ()
) -> Device:
    """`flags` are by option; `implied` are options that the device says without a flag."""
    said = {option: node.value[option] for option in flags if option in node.value}
    return Device(
        name,
        tuple(f"{flags[option]}={_text(value)}" for option, value in said.items() if value != []),
        frozenset({"kind", *said, *(node.value.keys() & implied)}),
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value)
    return str(value // BITS_OF_BYTE) if isinstance(value, int) else str(value)
