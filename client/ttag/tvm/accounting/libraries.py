"""The libraries of kernels that TVM 0.27 has a way to call, one adapter for each.

TVM gives parts of Relax functions to a library: a partitioner sets them apart, and a code generator
`relax.ext.<library>` compiles them. Thrust is called from functions for TIR instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ttag.tvm.accounting.outcomes import Build, Irrelevant, Lost, Outcome, Step
from ttag.tvm.built_nodes import BuiltNode, Position

GENERATORS = "relax.ext."  # the prefix of code generators among TVM's global functions
BACKEND = "tvm.relax.backend"


@dataclass(frozen=True, slots=True)
class Adapter:
    """A way to call a library from kinds of targets, and the global functions that this needs.

    A partitioner is a function of a module of TVM; a library without one is called by the operators
    for sorting and scanning.
    """

    kinds: frozenset[str]
    needs: tuple[str, ...]
    module: str = ""
    partitioner: str = ""


def _partitioner(library: str, kind: str, module: str) -> Adapter:
    needs = (f"{GENERATORS}{library}",)
    return Adapter(frozenset({kind}), needs, f"{BACKEND}.{module}", f"partition_for_{library}")


ADAPTERS: Mapping[str, Adapter] = {
    "coreml": _partitioner("coreml", "metal", "metal.coreml"),
    "cublas": _partitioner("cublas", "cuda", "cuda.cublas"),
    "cudnn": _partitioner("cudnn", "cuda", "cuda.cudnn"),
    "cutlass": _partitioner("cutlass", "cuda", "cuda.cutlass"),
    "hipblas": _partitioner("hipblas", "rocm", "rocm.hipblas"),
    "nnapi": _partitioner("nnapi", "llvm", "contrib.nnapi"),
    "tensorrt": _partitioner("tensorrt", "cuda", "contrib.tensorrt"),
    "thrust": Adapter(
        frozenset({"cuda", "nvptx"}), ("tvm.contrib.thrust.sort", "tvm.contrib.thrust.sum_scan")
    ),
}
RELAY = "TVM chose its operators in Relay, up to 0.19: remove it"
WITHOUT_ADAPTER: Mapping[str, str] = {
    "dnnl": "TVM 0.27 has no patterns for it, so no operation would reach it: remove it",
    "clml": "TVM 0.27 has only a pass of its own for it, OpenCLMLOffLoad: run that before compile",
    **dict.fromkeys(("cblas", "mkl", "mkldnn", "mlas", "nnpack"), RELAY),
    **dict.fromkeys(("cublaslt", "miopen", "rocblas", "qhl"), RELAY),
}
OTHER_KIND = Irrelevant("a node around this one states it, for devices of another kind")


def library(name: str, built: BuiltNode, build: Build) -> Outcome:
    """Return what becomes of a library that a node states, or a node around it."""
    adapter = ADAPTERS.get(name)
    is_own = name in built.node.value.get("libs", ())
    if adapter and built.node.kind not in adapter.kinds:
        kinds = " and ".join(sorted(adapter.kinds))
        wrong = Lost(f"TVM calls it from {kinds}, not from {built.node.kind}: remove it")
        return wrong if is_own else OTHER_KIND
    if adapter is None:
        return Lost(WITHOUT_ADAPTER.get(name, "TVM 0.27 has no such library: remove it"))
    if built.position is Position.HOST:
        return Lost(f"Relax functions are compiled for {_device(built)}: state it there")
    if built.position is Position.VIRTUAL_DEVICE:
        return Lost(
            f"TVM's patterns do not look at virtual devices: compile for {built.name} by itself"
        )
    if not built.has_relax:
        return Lost("a library takes parts of Relax functions, and only functions for TIR are here")
    if missing := [each for each in adapter.needs if each not in build.registered]:
        return Lost(f"this TVM is built without it, as {missing[0]} is not registered")
    return Step.LIBRARY


def _device(host: BuiltNode) -> str:
    return host.device.name if host.device else "its device"
