"""TVM itself, imported when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ttag.tvm.errors import TvmUnusable

SUPPORTED = "0.27"  # lowered programs and their linking differ in every release


def load(module: str = "tvm") -> Any:
    """Return TVM or one of its modules. Raises `TvmUnusable`."""
    try:
        tvm = import_module("tvm")
        if not tvm.__version__.startswith(f"{SUPPORTED}."):
            raise TvmUnusable(
                f"This is TVM {tvm.__version__}, but ttag.tvm needs TVM {SUPPORTED}: "
                f"pip install 'apache-tvm=={SUPPORTED}.*'."
            )
        return import_module(module)
    except ImportError as error:
        raise TvmUnusable(
            f"TVM cannot be imported ({error}): pip install 'apache-tvm=={SUPPORTED}.*'."
        ) from error
