"""Options of a question: facts of the build and the machine beyond their targets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FileForm(StrEnum):
    """A form in which code for NVIDIA's GPUs is shipped."""

    CUBIN = "cubin"  # machine code of one architecture
    PTX = "ptx"  # the driver compiles it for its GPU


class Compiler(StrEnum):
    """A compiler of code that states no processor, where each has a baseline of its own."""

    TVM = "tvm"
    IREE = "iree"
    CLANG = "clang"
    GCC = "gcc"
    ZIG = "zig"
    APPLE_CLANG = "apple-clang"


# They ask LLVM's back end, which has the baseline of the architecture; clang's driver has more.
BACK_ENDS = frozenset({Compiler.TVM, Compiler.IREE})
# Decision 164: who builds one of these chooses its default, or its release does.
OTHERS = frozenset(Compiler) - BACK_ENDS - {Compiler.CLANG}


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a question; empty ones are not known.

    `ships` lists the forms of device code in the file: empty means what the kind implies, cubin for
    `cuda`, PTX for `nvptx`. `toolkit` built it and `driver` runs it, as versions. `strict` counts
    guarded instructions as emitted ones: for code that uses all that its target has. `compiler` is
    that of the code; it counts where the code states no processor.
    """

    ships: frozenset[FileForm] = frozenset()
    toolkit: str = ""
    driver: str = ""
    strict: bool = False
    compiler: Compiler | None = None


DEFAULT_OPTIONS = Options()
