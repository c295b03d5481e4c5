"""Hints for names that people use where the registry has others.

Most come from the discussion of the TVM community, from older releases of TVM, or from LLVM.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from registry.domain.errors import Code, Fault, echo
from registry.domain.kinds.kinds import EXECUTOR, FLOW, RUNTIME, TARGET, offered
from registry.domain.names.near_names import nearest_names
from registry.domain.tvm import removed_options
from registry.domain.tvm.moved_options import NEW_OWNERS
from ttag_rules.nodes import STRUCTURE


@dataclass(frozen=True, slots=True)
class Hint:
    """The replacement of a name, as a readable text and as names that exist."""

    expected: str
    suggestions: tuple[str, ...] = ()


def _hints(words: str, expected: str, *suggestions: str) -> dict[str, Hint]:
    return dict.fromkeys(words.split(), Hint(expected, suggestions))


def _cpu(words: str, triple: str) -> dict[str, Hint]:
    expected = f'llvm with a triple, such as {{"kind": "llvm", "mtriple": "{triple}"}}, or a tag'
    return _hints(words, expected, "llvm")


COMPOSITE = "composite, a target of several devices"
KIND_HINTS: Mapping[str, Mapping[str, Hint]] = {
    TARGET: _cpu("cpu x86 x86_64 x86-64 amd64 i386 i686 intel", "x86_64-linux-gnu")
    | _cpu("arm arm_cpu arm64 aarch64 armv8 neoverse", "aarch64-linux-gnu")
    | _cpu("armv7 armv7a cortex-a", "armv7a-linux-gnueabihf")
    | _cpu("riscv riscv64 risc-v rv64", "riscv64-linux-gnu")
    | _cpu("wasm wasm32 webassembly", "wasm32-unknown-unknown")
    | _hints(
        "platform board machine system soc heterogeneous multi package", COMPOSITE, "composite"
    )
    | _hints("device target", f"a kind such as llvm or cuda; or {COMPOSITE}", "composite")
    | _hints("c++ cpp cc gcc mcu micro microcontroller cortex-m bare-metal", "c", "c")
    | _hints("nvidia nvgpu ptx", "cuda", "cuda")
    | _hints("amd amdgpu hip", "rocm", "rocm")
    | _hints("mali adreno", "opencl with that device, such as mali", "opencl")
    | _hints("apple mps", "metal", "metal")
    | _hints("dsp qdsp", "hexagon", "hexagon")
    | _hints("wgpu", "webgpu", "webgpu")
    | _hints(
        "gpu", "cuda, rocm, metal, vulkan or opencl", "cuda", "rocm", "metal", "vulkan", "opencl"
    )
    | _hints(
        "npu accel accelerator vta dnnl onednn bnns arm_compute_lib compute-library vitis-ai"
        " ethos-n ethosn ethosu",
        'byoc with its codegen and devices, such as {"kind": "byoc", "codegen": "ethos-u", '
        '"devices": [{"kind": "c"}]}; or ext_dev for a code generator of your own',
        "byoc",
        "ext_dev",
    )
    | _hints("graph vm aot", "a kind; this is an executor", "executor"),
    EXECUTOR: _hints("graph_executor graph-executor graphexecutor graph_runtime", "graph", "graph")
    | _hints("vm_executor vmexecutor virtual-machine virtual_machine relax_vm", "vm", "vm")
    | _hints("aot_executor aot-executor ahead-of-time", "aot", "aot")
    | _hints(
        "c++ c cpp crt cuda-graph", "an executor: aot, graph or vm; this is a runtime", RUNTIME
    ),
    RUNTIME: _hints("c++ cc", "cpp", "cpp")
    | _hints("c micro microtvm standalone_crt standalone-crt", "crt", "crt")
    | _hints("cuda_graph cudagraph cudagraphs", "cuda-graph", "cuda-graph")
    | _hints("vm graph aot", "a runtime: cpp, crt or cuda-graph; this is an executor", EXECUTOR),
}

# Other names of options, and of what stands beside them on a node.
OPTION_HINTS: Mapping[str, str] = {
    "triple": "mtriple",
    "target-triple": "mtriple",
    "target_triple": "mtriple",
    "cpu": "mcpu",
    "processor": "mcpu",
    "march": "mcpu",
    "features": "mattr",
    "attrs": "mattr",
    "compute_capability": "arch",
    "sm": "arch",
    "threads": "num-cores",
    "cores": "num-cores",
    "libraries": "libs",
    "shared_memory_per_block": "max_shared_memory_per_block",
    "target_host": "host",
    "target-host": "host",
    "targets": "devices",
    "sub_targets": "devices",
    "machines": "devices",
    "pass_config": FLOW,
    "flow-config": FLOW,
    "pass-config": FLOW,
}


def unknown_kind(role: str, word: object, pointer: str, known: Collection[str]) -> Fault:
    """Return the fault for a value that is not the name of a kind, executor or runtime.

    `role` is what the value should name, `known` the names that it can have.
    """
    fault = Fault(
        pointer,
        Code.KIND_UNKNOWN,
        f"{echo(word)} is not a known {role}",
        "one of " + ", ".join(offered(known)),
        echo(word),
    )
    if not isinstance(word, str):
        return fault
    if role == "kind" and (removed := removed_options.kind_fault(word, pointer)):
        return removed
    if hint := KIND_HINTS[TARGET if role == "kind" else role].get(word.lower()):
        return replace(fault, expected=hint.expected, suggestions=hint.suggestions)
    return replace(fault, suggestions=nearest_names(word, offered(known)))


def add_option_hints(faults: Iterable[Fault], options: Collection[str]) -> list[Fault]:
    """Return faults of a node, those of unknown options with the name that is meant.

    `options` are those that the node's kind has.
    """
    return [_with_option_hint(fault, options) for fault in faults]


def _with_option_hint(fault: Fault, options: Collection[str]) -> Fault:
    if fault.code != "OPTION_UNKNOWN":
        return fault
    if fault.found in NEW_OWNERS:
        owner, word = NEW_OWNERS[fault.found]
        part = f"{owner} {word}".rstrip()
        return replace(fault, expected=f"{fault.found} in the {part}", suggestions=(owner,))
    name = OPTION_HINTS.get(fault.found, "")
    if name not in options and name not in STRUCTURE:
        return fault
    near = (other for other in fault.suggestions if other != name)
    return replace(fault, expected=name, suggestions=(name, *near))
