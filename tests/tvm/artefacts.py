"""The object files that TVM, clang and IREE write for a leaf, and the features of their code."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from registry.domain.errors import Refused
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.services.core import shipped_facts
from tests.compilers import tools
from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler
from ttag.tvm.artefacts.objects import ObjectFile, read_object

SOURCE = "float add(float a, float b) { return a + b; }\n"
PROGRAM = """
func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %a, %b : tensor<4xf32>
  return %sum : tensor<4xf32>
}
"""
OPTIONS = ("mtriple", "mcpu", "mattr")
CPU, FEATURES = re.compile(r'"target-cpu"="([^"]*)"'), re.compile(r'"target-features"="([^"]*)"')
TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.MULTILINE)
IREE_OPTION = re.compile(r'(target_triple|cpu_features|cpu) = "([^"]*)"')
# Flags of IREE for a static library, whose object is not in IREE's own format of executables.
STATIC = ("--iree-llvmcpu-link-embedded=false", "--iree-llvmcpu-link-static")


@dataclass(frozen=True)
class Artefact:
    """The object file of a compiler, and all features that LLVM has for its code."""

    object: ObjectFile
    features: frozenset[str]

    def __str__(self) -> str:
        return f"{self.object} {' '.join(sorted(self.features))}"


@dataclass(frozen=True)
class Writers:
    """Writes objects for leaves, in a folder."""

    tvm: Compiler
    folder: Path
    iree: str

    def artefacts(
        self, leaf: dict[str, Any], compilers: Iterable[str]
    ) -> Iterator[tuple[str, Artefact]]:
        """Yield the artefacts of those of the compilers that have a format for a leaf, by name."""
        writers = {"tvm": self._tvm, "clang": self._clang, "iree": self._iree}
        for name in compilers:
            try:
                text = self._text(name, leaf)
            except Refused:
                continue
            yield name, writers[name](text)

    def _text(self, form: str, leaf: dict[str, Any]) -> Any:
        export = FORMATS[form].write(
            Subject("acme/x@1.0.0", leaf, KINDS, cpus=shipped_facts.cpus())
        )
        return export.content

    def _tvm(self, content: Any) -> Artefact:
        path = self.folder / "tvm.o"
        result = self.tvm.call("write_object", target=content["target"], path=str(path))
        assert "error" not in result, result
        return self._artefact(path, {name: content["target"].get(name) for name in OPTIONS})

    def _clang(self, text: str) -> Artefact:
        for name, content in (("flags", text), ("add.c", SOURCE)):
            (self.folder / name).write_text(content)
        command = (tools.clang(), "@flags", "-ffreestanding", "add.c")
        tools.run(*command, "-c", "-o", "clang.o", cwd=self.folder)
        code = tools.run(*command, "-S", "-emit-llvm", "-o", "-", cwd=self.folder)
        return self._artefact(self.folder / "clang.o", _options(code))

    def _iree(self, text: str) -> Artefact:
        (self.folder / "add.mlir").write_text(PROGRAM)
        (self.folder / "iree-flags").write_text(text)
        files = ("add.mlir", "-o", "add.vmfb", "--iree-llvmcpu-static-library-output-path=iree.o")
        dump = ("--iree-hal-dump-executable-sources-to=dump",)
        tools.run(self.iree, "@iree-flags", *STATIC, *files, *dump, cwd=self.folder)
        (module,) = (self.folder / "dump").iterdir()
        stated = dict(IREE_OPTION.findall(module.read_text()))
        options = {
            "mtriple": stated["target_triple"],
            "mcpu": stated.get("cpu", ""),
            "mattr": [each for each in stated.get("cpu_features", "").split(",") if each],
        }
        return self._artefact(self.folder / "iree.o", options)

    def _artefact(self, path: Path, options: dict[str, Any]) -> Artefact:
        target = {"kind": "llvm"} | {name: value for name, value in options.items() if value}
        return Artefact(
            read_object(path.read_bytes()), frozenset(self.tvm.call("features", target=target))
        )


def _options(code: str) -> dict[str, Any]:
    """Return what LLVM code is compiled for."""
    features = FEATURES.search(code)
    return {
        "mtriple": TRIPLE.findall(code)[0],
        "mcpu": next(iter(CPU.findall(code)), ""),
        "mattr": features[1].split(",") if features and features[1] else [],
    }


def iree_compile() -> str:
    """Return the path of iree-compile, or skip the test."""
    binaries = pytest.importorskip("iree.compiler.tools.binaries")
    return str(binaries.find_tool("iree-compile"))
