"""A code generator in Python: it compiles products of matrices for the host of its target."""

from typing import Any

import tvm  # type: ignore[import-not-found, unused-ignore]
import tvm_ffi.registry  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm.relax import dpl  # type: ignore[import-not-found, unused-ignore]
from tvm.relax.backend import pattern_registry  # type: ignore[import-not-found, unused-ignore]

NAME = "tiny-matmul"
OPTIONS: list[Any] = []  # with which it was called
TAKEN: list[tuple[str, str]] = []  # which libraries took which functions


def register() -> None:
    """Register the code generator and the pattern of what it compiles."""
    tvm.register_global_func(f"relax.ext.{NAME}", compile_all, override=True)
    if not pattern_registry.get_pattern(f"{NAME}.matmul"):
        product = dpl.is_op("relax.matmul")(dpl.wildcard(), dpl.wildcard())
        pattern_registry.register_patterns([(f"{NAME}.matmul", product)])


def compile_all(functions: list[Any], options: Any, _constants: Any) -> list[Any]:
    """Return a library for each function, as TVM expects of a code generator."""
    return _compile_parts(NAME, functions, options)


def register_library(name: str) -> None:
    """Register a library whose code generator compiles each part as a product of matrices."""

    def compile_parts(functions: list[Any], options: Any, _constants: Any) -> list[Any]:
        return _compile_parts(name, functions, options)

    tvm.register_global_func(f"relax.ext.{name}", compile_parts, override=True)


def unregister(name: str) -> None:
    """Remove a global function, so that TVM is without a library again."""
    tvm_ffi.registry.remove_global_func(name)


def _compile_parts(name: str, functions: list[Any], options: Any) -> list[Any]:
    OPTIONS.append(options)
    TAKEN.extend((name, str(each.attrs["global_symbol"])) for each in functions)
    target = options["target"]
    return [_compile(function, target.host or target) for function in functions]


def _compile(function: Any, host: Any) -> Any:
    symbol = str(function.attrs["global_symbol"])
    kernel = worker.multiplication().with_attr("global_symbol", symbol)
    return tvm.tirx.build(tvm.IRModule({symbol: kernel}), target=host)
