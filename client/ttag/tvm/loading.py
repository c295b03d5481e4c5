"""TVM itself, imported when it is first needed."""

from __future__ import annotations

import re
from importlib import import_module, metadata
from typing import Any

from ttag.tvm.errors import TvmUnusable

SUPPORTED = "0.27"  # lowered programs and their linking differ in every release
INSTALL = "pip install 'ttag[tvm]'"  # the pair of releases that the tests build with
FFI = "apache-tvm-ffi"
RELEASE = re.compile(r"\d+(\.\d+)*")
# Releases of the FFI with which TVM 0.27 fails, though its own requirements allow them.
BAD_FFI = {"0.1.15": "crashes when it saves a module as JSON"}


def load(module: str = "tvm") -> Any:
    """Return TVM or one of its modules.

    Raises `TvmUnusable` without TVM, with another release, and with an FFI that crashes it.
    """
    try:
        tvm = import_module("tvm")
        if not tvm.__version__.startswith(f"{SUPPORTED}."):
            raise TvmUnusable(
                f"This is TVM {tvm.__version__}, but ttag.tvm needs TVM {SUPPORTED}: {INSTALL}."
            )
        refuse_bad_ffi(tvm.__version__)
        return import_module(module)
    except ImportError as error:
        raise TvmUnusable(f"TVM cannot be imported ({error}): {INSTALL}.") from error


def refuse_bad_ffi(tvm_version: str) -> None:
    """Raise `TvmUnusable` if the FFI that is installed is known to crash this TVM."""
    try:
        version = metadata.version(FFI)
    except metadata.PackageNotFoundError:  # TVM was built from its sources
        return
    if reason := BAD_FFI.get(_release(version)):
        raise TvmUnusable(f"TVM {tvm_version} {reason} with {FFI} {version}: {INSTALL}.")


def _release(version: str) -> str:
    """Return the release that a version belongs to: 0.1.15 for 0.1.15.post1 and 0.1.15rc1."""
    match = RELEASE.match(version)
    return match[0] if match else version
