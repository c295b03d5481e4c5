"""A code generator in Python: it compiles products of matrices for the host of its target."""

from typing import Any

import tvm  # type: ignore[import-not-found, unused-ignore]
import worker  # type: ignore[import-not-found, unused-ignore]
from tvm.relax import dpl  # type: ignore[import-not-found, unused-ignore]
from tvm.relax.backend import pattern_registry  # type: ignore[import-not-found, unused-ignore]

NAME = "tiny-matmul"
OPTIONS: list[Any] = []  # with which it was called


def register() -> None:
    """Register the code generator and the pattern of what it compiles."""
    tvm.register_global_func(f"relax.ext.{NAME}", compile_all, override=True)
    if not pattern_registry.get_pattern(f"{NAME}.matmul"):
        product = dpl.is_op("relax.matmul")(dpl.wildcard(), dpl.wildcard())
        pattern_registry.register_patterns([(f"{NAME}.matmul", product)])


def compile_all(functions: list[Any], options: Any, _constants: Any) -> list[Any]:
    """Return a library for each function, as TVM expects of a code generator."""
    OPTIONS.append(options)
    return [_compile(function, options["target"].host) for function in functions]


def _compile(function: Any, host: Any) -> Any:
    symbol = str(function.attrs["global_symbol"])
    kernel = worker.multiplication().with_attr("global_symbol", symbol)
    return tvm.tirx.build(tvm.IRModule({symbol: kernel}), target=host)
