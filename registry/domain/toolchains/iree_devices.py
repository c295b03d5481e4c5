"""The flags of iree-compile (IREE 3.13) for one node of a target.

`tests/compilers/test_iree.py` checks the names below against the compiler that the tests install.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from registry.domain.errors import echo
from registry.domain.kinds.kinds import EXECUTOR, RUNTIME
from ttag_rules.compiled_options import compiled_options
from ttag_rules.grammars import TABLES
from ttag_rules.nodes import Node
from ttag_rules.triples import Triple

CUDA, HIP, LOCAL, METAL, VULKAN = "cuda", "hip", "local", "metal", "vulkan"  # IREE's devices

IREE = TABLES["iree"]
# The CPU architectures that IREE generates code for; on any other, iree-compile crashes.
ARCHITECTURES: Sequence[str] = IREE["architectures"]
# CPUs that IREE's LLVM has under another name, or not at all.
UNKNOWN_CPUS = frozenset({"sifive-p870", "tt-ascalon-d8", "veyron-v1"})
# Of these, IREE passes floats in registers, whatever its flags say; tests/tvm/test_agreement.py.
WITHOUT_SOFT_CALLS = frozenset({"sifive-e76"})
SOFT_CALLS = frozenset({"ilp32", "lp64"})
# The GPUs that IREE supports; it rejects newer and older ones.
CUDA_ARCHES: Sequence[str] = IREE["devices"]["cuda"]["supported"][1]
ROCM_CPUS: Sequence[str] = IREE["devices"]["rocm"]["supported"][1]
# TVM's names of Vulkan device families that IREE describes as one.
VULKAN_DEVICES: Sequence[str] = IREE["devices"]["vulkan"]["only"]["device"]
# The models that IREE knows by name, by device: it crashes on a Mali that it does not know.
VULKAN_PRODUCTS: Mapping[str, Sequence[str]] = IREE["devices"]["vulkan"]["products"]
# By the system and environment of a triple.
METAL_PLATFORMS: Mapping[tuple[str, str], str] = {
    (system, environment): platform for system, environment, platform in IREE["metal_platforms"]
}

SELECTION_FLAGS = {
    **{device: (f"--iree-hal-target-device={device}",) for device in (CUDA, HIP, METAL, VULKAN)},
    LOCAL: ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu"),
}
# The whole model as C and an object for a static library: IREE's way without an operating system.
# IREE links executables of its own otherwise, which only its loader reads.
BARE_METAL_FLAGS = (
    "--output-format=vm-c",
    "--iree-llvmcpu-link-embedded=false",
    "--iree-llvmcpu-link-static",
    f"{IREE['devices']['llvm']['flags']['mtriple']}={TABLES['clang']['m_profile'][1]}",
)
FLOAT_ABIS: Mapping[str, str] = IREE["devices"]["c"]["float_abis"]  # of cores with and without FPU
# CPUs in whose floating-point registers IREE passes values unless told otherwise.
WITHOUT_FLOAT = {"cortex-r4", *(cpu for cpu, abi in FLOAT_ABIS.items() if abi == "soft")}
VECTOR_WIDTH, BITS_OF_BYTE = "vector-width", 8  # the option is in bits, the flag in bytes
CPU_FLAGS: Mapping[str, str] = IREE["devices"]["llvm"]["flags"]
CUDA_FLAG: str = IREE["devices"]["cuda"]["flags"]["arch"]
ROCM_FLAGS: Mapping[str, str] = IREE["devices"]["rocm"]["flags"]
VULKAN_FLAGS: Mapping[str, str] = IREE["devices"]["vulkan"]["flags"]


class Unsupported(Exception):
    """IREE has no device that matches a node; the message is the reason."""


@dataclass(frozen=True, slots=True)
class IreeDevice:
    """A node as a device of IREE.

    `flags` describe the device; `SELECTION_FLAGS[name]` are those that select it. `written` are
    the node's options that the flags express.
    """

    name: str
    flags: tuple[str, ...]
    written: frozenset[str]


def iree_device(node: Node) -> IreeDevice:
    """Describe a node as a device of IREE. Raises `Unsupported`."""
    if node.kind not in BY_KIND:
        raise Unsupported(f"IREE generates no code for the kind {node.kind}")
    return BY_KIND[node.kind](node)


def _cpu(node: Node) -> IreeDevice:
    """Describe a CPU. Without a triple, IREE uses that of its own machine, as TVM does."""
    if triple := node.value.get("mtriple"):
        _check("architecture", Triple.parse(triple).arch, ARCHITECTURES)
    cpu = node.value.get("mcpu")
    if cpu in UNKNOWN_CPUS:
        raise Unsupported(f"IREE does not know the mcpu {cpu}")
    if cpu in WITHOUT_FLOAT and node.value.get("mfloat-abi") != "soft":
        raise Unsupported(f"IREE uses registers that {cpu} lacks; expected mfloat-abi soft")
    if cpu in WITHOUT_SOFT_CALLS and node.value.get("mabi") in SOFT_CALLS:
        raise Unsupported(f"IREE passes floats in registers for {cpu}, whatever mabi says")
    flags = dict(CPU_FLAGS)
    if node.value.get(VECTOR_WIDTH, 0) % BITS_OF_BYTE:
        del flags[VECTOR_WIDTH]
    return _device(LOCAL, node, flags)


def _bare_metal(node: Node) -> IreeDevice:
    """Describe a microcontroller of Arm, for which IREE compiles ahead of time as `aot` does."""
    components = [(node.nearest(role) or {}).get("kind") for role in (EXECUTOR, RUNTIME)]
    if components != ["aot", "crt"]:
        raise Unsupported("IREE generates no code for the kind c but for aot on crt")
    _check("mcpu", node.value.get("mcpu"), FLOAT_ABIS)
    device = _device(LOCAL, node, {"mcpu": CPU_FLAGS["mcpu"]})
    float_abi = f"{CPU_FLAGS['mfloat-abi']}={FLOAT_ABIS[node.value['mcpu']]}"
    return replace(device, flags=(*BARE_METAL_FLAGS, *device.flags, float_abi))


def _cuda(node: Node) -> IreeDevice:
    _check("arch", node.value.get("arch"), CUDA_ARCHES)
    return _device(CUDA, node, {"arch": CUDA_FLAG})


def _nvptx(node: Node) -> IreeDevice:
    _check("mcpu", node.value.get("mcpu"), CUDA_ARCHES)
    return _device(CUDA, node, {"mcpu": CUDA_FLAG}, implied=("mtriple",))


def _rocm(node: Node) -> IreeDevice:
    _check("mcpu", node.value.get("mcpu"), ROCM_CPUS)
    return _device(HIP, node, ROCM_FLAGS, implied=("mtriple",))


def _vulkan(node: Node) -> IreeDevice:
    """Describe a Vulkan device by its model, which implies its family, or by the family alone."""
    device, model = node.value.get("device", ""), node.value.get("model")
    if model in VULKAN_PRODUCTS.get(device, ()):
        return _device(VULKAN, node, {"model": VULKAN_FLAGS["device"]}, implied=("device",))
    return _device(VULKAN, node, VULKAN_FLAGS if device in VULKAN_DEVICES else {})


def _metal(node: Node) -> IreeDevice:
    """Describe a Metal device. The platform is that of its host; IREE's default is macOS."""
    hosts = (outer.value["host"] for outer in (node, *node.enclosing) if "host" in outer.value)
    host: dict[str, Any] = next(hosts, {})
    triple = Triple.parse(host.get("mtriple", ""))
    platform = METAL_PLATFORMS.get((triple.os, triple.environment))
    device = _device(METAL, node, {})
    flags = (f"--iree-metal-target-platform={platform}",) if platform else ()
    return replace(device, flags=flags)


BY_KIND: Mapping[str, Callable[[Node], IreeDevice]] = {
    "llvm": _cpu,
    "c": _bare_metal,
    "cuda": _cuda,
    "nvptx": _nvptx,
    "rocm": _rocm,
    "vulkan": _vulkan,
    "metal": _metal,
}


def _check(option: str, name: str | None, supported: Collection[str]) -> None:
    if name not in supported:
        reason = f"does not support the {option} {echo(name)}" if name else f"needs the {option}"
        raise Unsupported(f"IREE {reason}; expected one of {', '.join(supported)}")


def _device(
    name: str, node: Node, flags: Mapping[str, str], implied: Collection[str] = ()
) -> IreeDevice:
    """Build a device. `flags` are by option; `implied` options hold without a flag."""
    options = compiled_options(node.value)
    written = {option: options[option] for option in flags if option in options}
    return IreeDevice(
        name,
        tuple(
            f"{flags[option]}={_text(value)}" for option, value in written.items() if value != []
        ),
        frozenset({"kind", *written, *(node.value.keys() & implied)}),
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(value)
    return str(value // BITS_OF_BYTE) if isinstance(value, int) else str(value)
