"""Kinds that TVM removed, with the last release that had them, and options that it renamed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.errors import Code, Fault


@dataclass(frozen=True, slots=True)
class RemovedKind:
    """A removed kind. `replacement` is today's equivalent; empty if there is none."""

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
KINDS: Mapping[str, RemovedKind] = {
    "aocl": RemovedKind("0.19"),
    "aocl_sw_emu": RemovedKind("0.19"),
    "example_target_hook": RemovedKind("0.19"),
    "hybrid": RemovedKind("0.21"),
    "sdaccel": RemovedKind("0.19"),
    "stackvm": RemovedKind("0.19"),
} | {name: RemovedKind(last, f"a byoc with codegen {name}") for name, last in EXTERNAL.items()}

# New names of options, by kind and old name.
NEW_NAMES: Mapping[str, Mapping[str, str]] = {
    "composite": {"target_host": "host"},
    "cuda": {"shared_memory_per_block": "max_shared_memory_per_block"},
    "llvm": {"target": "mtriple"},
}

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
    if word in EXTERNAL:
        message = f"{message}: an external code generator, which needs an ordinary target"
    expected = removed.replacement or "a known kind"
    return Fault(pointer, Code.KIND_UNKNOWN, message, expected, word)


def new_name(kind: str, name: str) -> str:
    """Return the new name of a kind's option, or the name itself if it is not an old one."""
    return NEW_NAMES.get(kind, {}).get(name, name)
