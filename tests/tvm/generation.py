"""Generate code for one target with the real TVM: imported by `worker.py` only.

A kernel is a product of two vectors and a sum; for a GPU its loops are bound to threads. TVM has
no compiler driver and no device libraries of NVIDIA and AMD here, so they are replaced by none.
"""

from collections.abc import Callable
from typing import Any

import tvm  # type: ignore[import-not-found, unused-ignore]
import tvm_ffi  # type: ignore[import-not-found, unused-ignore]
from tvm import te
from tvm.s_tir import Schedule  # type: ignore[import-not-found, unused-ignore]
from tvm.target import Target  # type: ignore[import-not-found, unused-ignore]

SIZE = 1024  # elements of the vectors
THREADS = 64  # in a block
CPU_KINDS = frozenset({"llvm", "c", "cuda_host"})
HOST = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}
SOURCES = {"llvm": ("ll", "asm"), "cuda": ("ll", ""), "hip": ("llvm", "asm"), "c": ("",)}
CALLBACKS: dict[str, Callable[..., Any]] = {
    "tvm_callback_libdevice_path": lambda *_: "",
    "tvm_callback_rocm_bitcode_path": lambda *_: [],
    "tvm_callback_rocm_link": lambda code: code,
    "tvm_callback_cuda_compile": lambda code, *_: code,
}


def generate(target: dict[str, Any], config: dict[str, Any] | None = None) -> str:
    """Return the code that TVM generates for a leaf: LLVM code, assembly, or source."""
    for name, callback in CALLBACKS.items():
        tvm_ffi.register_global_func(name, callback, override=True)
    with tvm.transform.PassContext(config=config or {}):
        if target["kind"] in CPU_KINDS:
            built = tvm.compile(tvm.IRModule({"kernel": kernel(vectorized=True)}), target=target)
            return code_of(built.mod)
        leaf = Target({**target, "host": HOST})
        built = tvm.compile(tvm.IRModule({"kernel": kernel(threads=THREADS)}), target=leaf)
        return "\n".join(code_of(module) for module in built.mod.imports)


def kernel(threads: int = 0, *, vectorized: bool = False) -> Any:
    """Return the function; with its loop bound to threads, or vectorized."""
    left, right = te.placeholder((SIZE,), name="left"), te.placeholder((SIZE,), name="right")
    result = te.compute((SIZE,), lambda i: left[i] * right[i] / left[i] + left[i], name="result")
    schedule = Schedule(te.create_prim_func([left, right, result]))
    (loop,) = schedule.get_loops(schedule.get_sblock("result"))
    if threads:
        blocks, inner = schedule.split(loop, [None, threads])
        schedule.bind(blocks, "blockIdx.x")
        schedule.bind(inner, "threadIdx.x")
    elif vectorized:
        _, inner = schedule.split(loop, [None, 8])
        schedule.vectorize(inner)
    return schedule.mod["main"].with_attr("global_symbol", "kernel")


def code_of(module: Any) -> str:
    """Return everything that a module shows of its code."""
    formats = SOURCES.get(str(module.kind), ("",))
    return "\n".join(str(module.inspect_source(name)) for name in formats)
