"""The modules that the tests build: products of matrices, in TIR and in Relax."""

from collections.abc import Callable
from typing import Any

import numpy as np  # type: ignore[import-not-found, unused-ignore]
import tvm  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm import relax  # type: ignore[import-not-found, unused-ignore]

SIZE = worker.SIZE
KERNELS = ("first", "second")


def kernels() -> Any:
    """Return two functions for TIR, each the product of two matrices."""
    return tvm.IRModule(
        {name: worker.multiplication().with_attr("global_symbol", name) for name in KERNELS}
    )


def nested() -> Any:
    """Return two functions for TIR of which the first calls the second."""
    mod = kernels()
    second = mod.get_global_var("second")
    call = tvm.ir.Call(second, [], ret_ty=tvm.ir.PrimType("int32"))
    first = tvm.tirx.PrimFunc([], tvm.tirx.Evaluate(call)).with_attr("global_symbol", "first")
    mod.update_func(mod.get_global_var("first"), first)
    return mod


def chain(is_dataflow: bool = False) -> Any:
    """Return Relax functions: main multiplies and calls part, which multiplies again.

    Part multiplies in a dataflow block, where patterns match; main does on request.
    """
    builder = relax.BlockBuilder()
    left, right = _matrices()
    with builder.function("part", [left, right], private=False):
        with builder.dataflow():
            result = builder.emit_output(builder.emit(relax.op.matmul(left, right)))
        builder.emit_func_output(result)
    part = builder.get().get_global_var("part")
    left, right = _matrices()
    with builder.function("main", [left, right]):
        if is_dataflow:
            with builder.dataflow():
                product = builder.emit_output(builder.emit(relax.op.matmul(left, right)))
        else:
            product = builder.emit(relax.op.matmul(left, right))
        builder.emit_func_output(builder.emit(relax.Call(part, [product, right])))
    return builder.finalize()


def dense() -> Any:
    """Return a Relax function that multiplies two matrices and adds one of them."""
    builder = relax.BlockBuilder()
    left, right = _matrices()
    with builder.function("main", [left, right]):
        with builder.dataflow():
            product = builder.emit(relax.op.matmul(left, right))
            result = builder.emit_output(builder.emit(relax.op.add(product, right)))
        builder.emit_func_output(result)
    return builder.finalize()


def twins() -> Any:
    """Return two Relax functions, each of which multiplies two matrices."""
    builder = relax.BlockBuilder()
    for name in KERNELS:
        left, right = _matrices()
        with builder.function(name, [left, right]):
            with builder.dataflow():
                result = builder.emit_output(builder.emit(relax.op.matmul(left, right)))
            builder.emit_func_output(result)
    return builder.finalize()


def scanning() -> Any:
    """Return a Relax function that adds up the rows of a product of two matrices."""
    builder = relax.BlockBuilder()
    left, right = _matrices()
    with builder.function("main", [left, right]):
        with builder.dataflow():
            product = builder.emit(relax.op.matmul(left, right))
            result = builder.emit_output(builder.emit(relax.op.cumsum(product, axis=1)))
        builder.emit_func_output(result)
    return builder.finalize()


def vectors() -> Any:
    """Return two functions for TIR that multiply matrices by vectors of eight numbers."""
    return tvm.IRModule({name: _vectorized(name) for name in KERNELS})


def _vectorized(name: str) -> Any:
    schedule = tvm.s_tir.Schedule(worker.multiplication())
    rows, columns, inner = schedule.get_loops(schedule.get_sblock("compute"))
    outer, lanes = schedule.split(columns, [None, 8])
    schedule.reorder(rows, outer, inner, lanes)
    schedule.vectorize(lanes)
    return schedule.mod["main"].with_attr("global_symbol", name)


def lowered() -> Any:
    """Return `dense` with a function for TIR for each of its operations."""
    return relax.transform.LegalizeOps()(dense())


def calling() -> Any:
    """Return a Relax function that calls a function for TIR."""
    builder = relax.BlockBuilder()
    kernel = worker.multiplication().with_attr("global_symbol", "kernel")
    variable = builder.add_func(kernel, "kernel")
    left, right = _matrices()
    with builder.function("main", [left, right]):
        with builder.dataflow():
            result_type = relax.TensorType((SIZE, SIZE), "float32")
            product = builder.emit(relax.call_tir(variable, [left, right], result_type))
            result = builder.emit_output(builder.emit(relax.op.add(product, right)))
        builder.emit_func_output(result)
    return builder.finalize()


def on_devices(*kinds: str) -> Any:
    """Return a Relax function that multiplies on each of several virtual devices."""
    devices = [relax.VDevice({"kind": kind}, 0, "global") for kind in kinds]
    builder = relax.BlockBuilder()
    left, right = _matrices()
    with builder.function("main", [left, right]):
        with builder.dataflow():
            product = left
            for device in devices:
                first, second = (
                    builder.emit(relax.op.to_vdevice(each, device)) for each in (product, right)
                )
                product = builder.emit(relax.op.matmul(first, second))
            result = builder.emit_output(product)
        builder.emit_func_output(result)
    mod = builder.finalize()
    mod.update_global_info("vdevice", devices)
    return mod


def _matrices() -> list[Any]:
    return [relax.Var(name, relax.TensorType((SIZE, SIZE), "float32")) for name in ("a", "b")]


Operation = Callable[[Any, Any], Any]
MODELS: dict[str, tuple[Callable[[], Any], dict[str, Operation]]] = {
    "kernel": (worker.multiplication, {}),
    "kernels": (kernels, dict.fromkeys(KERNELS, np.matmul)),
    "nested": (nested, {}),
    "vectors": (vectors, dict.fromkeys(KERNELS, np.matmul)),
    "twins": (twins, dict.fromkeys(KERNELS, np.matmul)),
    "scanning": (scanning, {"main": lambda a, b: np.cumsum(a @ b, axis=1)}),
    "chain": (chain, {"main": lambda a, b: a @ b @ b, "part": np.matmul}),
    "dataflow chain": (lambda: chain(is_dataflow=True), {"main": lambda a, b: a @ b @ b}),
    "dense": (dense, {"main": lambda a, b: a @ b + b}),
    "lowered": (lowered, {"main": lambda a, b: a @ b + b}),
    "calling": (calling, {"main": lambda a, b: a @ b + b}),
    "cpu and gpu": (lambda: on_devices("llvm", "cuda"), {}),
    "two cpus": (lambda: on_devices("llvm", "llvm"), {}),
}
