"""Kinds and options that TVM removed, with the last release that had them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.errors import Code, Fault, echo


@dataclass(frozen=True, slots=True)
class RemovedName:
    """A removed kind or option. `replacement` is today's equivalent; empty if there is none."""

    last_release: str
    replacement: str = ""


EXTERNAL = {
    "ccompiler": "0.19",
    "clml": "0.19",
    "cmsis-nn": "0.18",
    "cublas": "0.19",
    "cudnn": "0.19",
    "cutlass": "0.19",
    "ethos-u": "0.18",
    "mrvl": "0.19",
    "tensorrt": "0.19",
}  # external code generators, which were kinds from 0.8 on
KINDS: Mapping[str, RemovedName] = {
    "aocl": RemovedName("0.19"),
    "aocl_sw_emu": RemovedName("0.19"),
    "example_target_hook": RemovedName("0.19"),
    "hybrid": RemovedName("0.21"),
    "sdaccel": RemovedName("0.19"),
    "stackvm": RemovedName("0.19"),
} | {name: RemovedName(last, f"a byoc with codegen {name}") for name, last in EXTERNAL.items()}

OPTIONS: Mapping[str, Mapping[str, RemovedName]] = {
    "composite": {"target_host": RemovedName("0.7", "host")},
    "cuda": {"shared_memory_per_block": RemovedName("0.8", "max_shared_memory_per_block")},
}  # by kind, without those that moved off the target

# The options that moved from targets to the executor, the runtime or the flow after 0.9, by the
# kinds that had them: `registry.domain.tvm.moved_options` moves them.
HOST_OPTIONS = frozenset({"interface-api", "link-params", "runtime", "system-lib", "unpacked-api"})
DEVICE_OPTIONS = frozenset({"system-lib"})
MOVED_OPTIONS: Mapping[str, frozenset[str]] = {
    "c": HOST_OPTIONS | {"executor"},
    "cuda": DEVICE_OPTIONS,
    "ext_dev": DEVICE_OPTIONS,
    "hexagon": DEVICE_OPTIONS | {"link-params"},
    "llvm": HOST_OPTIONS,
    "metal": DEVICE_OPTIONS,
    "nvptx": DEVICE_OPTIONS,
    "opencl": DEVICE_OPTIONS,
    "rocm": DEVICE_OPTIONS,
    "vulkan": DEVICE_OPTIONS,
    "webgpu": DEVICE_OPTIONS,
}


def kind_fault(word: str, pointer: str) -> Fault | None:
    """Return the fault for a kind that TVM removed, or None."""
    removed = KINDS.get(word)
    if not removed:
        return None
    message = f"{word} is a kind that TVM removed after {removed.last_release}"
    return Fault(pointer, Code.KIND_UNKNOWN, message, removed.replacement or "a known kind", word)


def option_fault(kind: str, name: str, pointer: str) -> Fault | None:
    """Return the fault for an option that TVM removed from a kind, or None."""
    removed = OPTIONS.get(kind, {}).get(name)
    if not removed:
        return None
    new = removed.replacement
    message = f"TVM's {kind} had the option {name} until {removed.last_release}: it is {new} now"
    return Fault(pointer, "OPTION_UNKNOWN", message, new, echo(name), (new,))
