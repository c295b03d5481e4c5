"""What TVM had once and has no more: kinds and options, each with the last release that had it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from registry.domain.errors import Code, Fault, echo


@dataclass(frozen=True, slots=True)
class Removed:
    """A kind or option of the past. `instead` says the same today; empty where nothing does."""

    last: str
    instead: str = ""


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
}  # external code generators, kinds of their own from 0.8 on
KINDS: Mapping[str, Removed] = {
    "aocl": Removed("0.19"),
    "aocl_sw_emu": Removed("0.19"),
    "example_target_hook": Removed("0.19"),
    "hybrid": Removed("0.21"),
    "sdaccel": Removed("0.19"),
    "stackvm": Removed("0.19"),
} | {word: Removed(last, f"a byoc with codegen {word}") for word, last in EXTERNAL.items()}

OPTIONS: Mapping[str, Mapping[str, Removed]] = {
    "composite": {"target_host": Removed("0.7", "host")},
    "cuda": {"shared_memory_per_block": Removed("0.8", "max_shared_memory_per_block")},
}  # by kind; those that moved off the target stand apart

# The options that left targets after 0.9 for the executor, the runtime and the flow, by the kinds
# that had them: `registry.domain.tvm.moved` knows where each went.
HOSTS_HAD = frozenset({"interface-api", "link-params", "runtime", "system-lib", "unpacked-api"})
DEVICES_HAD = frozenset({"system-lib"})
MOVED: Mapping[str, frozenset[str]] = {
    "c": HOSTS_HAD | {"executor"},
    "cuda": DEVICES_HAD,
    "ext_dev": DEVICES_HAD,
    "hexagon": DEVICES_HAD | {"link-params"},
    "llvm": HOSTS_HAD,
    "metal": DEVICES_HAD,
    "nvptx": DEVICES_HAD,
    "opencl": DEVICES_HAD,
    "rocm": DEVICES_HAD,
    "vulkan": DEVICES_HAD,
    "webgpu": DEVICES_HAD,
}


def kind_fault(word: str, pointer: str) -> Fault | None:
    """The fault of a kind that TVM removed; None of any other."""
    found = KINDS.get(word)
    if not found:
        return None
    message = f"{word} is a kind that TVM had to {found.last} and has no more"
    return Fault(pointer, Code.KIND_UNKNOWN, message, found.instead or "a known kind", word)


def option_fault(kind: str, name: str, pointer: str) -> Fault | None:
    """The fault of an option that TVM removed from a kind; None of any other."""
    found = OPTIONS.get(kind, {}).get(name)
    if not found:
        return None
    message = (
        f"{name} is an option that TVM's {kind} had to {found.last}: it is {found.instead} now"
    )
    return Fault(pointer, "OPTION_UNKNOWN", message, found.instead, echo(name), (found.instead,))
