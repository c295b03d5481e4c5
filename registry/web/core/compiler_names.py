"""The names of compilers as pages write them."""

from __future__ import annotations

from registry.domain.proofs import Compiler

COMPILER_NAMES = {Compiler.TVM: "TVM", Compiler.IREE: "IREE", Compiler.CLANG: "clang"}
