"""The modules of a build, and their own statements about the code in them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ttag.tvm.artefacts.objects import ObjectFile, read_object
from ttag.tvm.loading import load

HOST = "llvm"  # TVM's module for machine code of CPUs
OBJECT = "o"  # the ending by which TVM writes an object file
# The texts of the modules that hold code, by TVM's names; the first one that is not empty.
TEXTS: Mapping[str, tuple[str, ...]] = {
    HOST: ("ll",),
    "c": ("",),
    "cuda": ("ptx", ""),
    "hip": ("asm", ""),
    "hexagon": ("ll", ""),
    "metal": ("",),
    "opencl": ("",),
    "trn": ("",),
    "vulkan": ("",),
    "webgpu": ("",),
}
TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)
CPU, FEATURES = re.compile(r'"target-cpu"="([^"]*)"'), re.compile(r'"target-features"="([^"]*)"')
VECTOR = re.compile(r"<(\d+) x (?:i(\d+)|half|bfloat|float|double|ptr)>")
WIDTHS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
# The processor in assembly of GPUs: PTX, and AMD's with its features.
PROCESSOR = re.compile(r'^\.target (\w+)|^\s*\.amdgcn_target "[^"]*-(gfx\w+)', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Content:
    """The code of one module of a build, by TVM's name of its kind, and what it states.

    `object` is what an object file of it states. `cpus` and `features` are those that its functions
    are compiled for, `processors` those that assembly for a GPU names.
    """

    kind: str
    object: ObjectFile | None = None
    triple: str = ""
    cpus: frozenset[str] = frozenset()
    features: frozenset[str] = frozenset()
    processors: frozenset[str] = frozenset()
    text: str = field(default="", repr=False)

    @property
    def is_source_only(self) -> bool:
        """True if nothing tells which processor the code is for: it cannot be checked."""
        return self.object is None and not self.processors

    @property
    def vector_width(self) -> int:
        """The bits of the widest vector in code for a CPU; 0 if there is none."""
        return max((_bits(match) for match in VECTOR.finditer(self.text)), default=0)


def read_back(executable: Any) -> list[Content]:
    """Return the code of an executable or module, the host's first. Needs no compiler but TVM.

    Raises `ValueError` for an object file that cannot be read.
    """
    # An attribute that a module lacks is looked up in its code, for which TVM would load it.
    is_executable = isinstance(executable, load("tvm.runtime").Executable)
    module = executable.mod if is_executable else executable
    return [_content(each) for each in modules(module) if str(each.kind) in TEXTS]


def modules(module: Any) -> Iterator[Any]:
    """Yield a module of TVM and all that it imports."""
    yield module
    for imported in module.imports:
        yield from modules(imported)


def _content(module: Any) -> Content:
    kind = str(module.kind)
    texts = (str(module.inspect_source(name)) for name in TEXTS[kind])
    text = next(filter(None, texts), "")
    if kind != HOST:
        names = {first or second for first, second in PROCESSOR.findall(text)}
        return Content(kind, processors=frozenset(names), text=text)
    triple = TRIPLE.search(text)
    return Content(
        kind,
        _object(module),
        triple[1] if triple else "",
        frozenset(CPU.findall(text)),
        frozenset(FEATURES.findall(text)),
        text=text,
    )


def _object(module: Any) -> ObjectFile:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"module.{OBJECT}"
        module.write_to_file(str(path), OBJECT)
        return read_object(path.read_bytes())


def _bits(vector: re.Match[str]) -> int:
    """Return the bits of an LLVM vector type; pointers are addresses, not what is computed."""
    name = vector[0].rpartition(" ")[2].removesuffix(">")
    return int(vector[1]) * (int(vector[2]) if vector[2] else WIDTHS.get(name, 0))
