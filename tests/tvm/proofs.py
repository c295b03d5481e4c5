"""Records how far each compiler gets with every leaf of the catalogue.

    make proofs

writes `registry/catalogue/proofs.json`: one row for all leaves that differ in nothing that code
generation reads. A step that fails, or crashes, is left out. With the same compilers and processor,
recorded rows are kept.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from catalogue_tools.facts import table_text
from registry.domain.document import canonical
from registry.domain.errors import Refused
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.keys.proofs import Step, code_options
from registry.domain.keys.tuning import leaves
from registry.services.core import shipped_facts
from registry.services.core.shipped_facts import CATALOGUE
from tests.compilers import tools
from tests.domain.builders import KINDS
from tests.domain.shipped import library
from tests.tvm.compiler import Compiler, TvmError, compiler
from tests.tvm.environment import VARIABLE
from tests.tvm.leaves import compiled, missing, through_llvm

FILE = CATALOGUE / "proofs.json"
SOURCE = "int add(int a, int b) { return a + b; }\n"
PROGRAM = """
func.func @add(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %sum = arith.addi %a, %b : tensor<4xi32>
  return %sum : tensor<4xi32>
}
"""
MAX_ERROR = 1e-4  # of sums of 64 products below one in single precision, in another order
FIELDS = {
    "leaf": "kind and options that code generation reads",
    "steps": "run: TVM's code computed a product of matrices on the processor in `versions`; "
    "tvm-code: TVM generates code for this architecture and processor without a warning; "
    "tvm-target: TVM accepts the target; iree, clang: they generate code",
}


class Compilers:
    """The compilers to follow: TVM in a process of its own, clang and IREE."""

    def __init__(self, tvm: Compiler, folder: Path) -> None:
        from iree.compiler.tools import binaries  # type: ignore[import-untyped, unused-ignore] # noqa: PLC0415

        self.tvm = tvm
        self.folder = folder
        self._iree = str(binaries.find_tool("iree-compile"))
        (folder / "add.c").write_text(SOURCE)
        (folder / "add.mlir").write_text(PROGRAM)

    def versions(self) -> dict[str, str]:
        """Return the versions of the compilers, and the processor of this machine."""
        return {
            "tvm": self.tvm.call("versions")["tvm"],
            "clang": str(tools.clang_version()),
            "iree": metadata.version("iree-base-compiler"),
            "processor": processor(),
        }

    def steps(
        self, leaf: dict[str, Any], candidates: Collection[Step] = tuple(Step)
    ) -> tuple[Step, ...]:
        """Return those of the candidates that the compilers take for a leaf, in their order."""
        tests = {
            Step.RUN: self._runs,
            Step.TVM_CODE: self._generates,
            Step.TVM_TARGET: self._accepts,
            Step.IREE: self._iree_compiles,
            Step.CLANG: self._clang_compiles,
        }
        return tuple(step for step in candidates if tests[step](leaf))

    def _accepts(self, leaf: dict[str, Any]) -> bool:
        try:
            return bool(self.tvm.export(leaf)["kind"] == leaf["kind"])
        except TvmError:
            return False

    def _generates(self, leaf: dict[str, Any]) -> bool:
        form = through_llvm(leaf)
        forms = [form] if form is leaf or leaf["kind"] == "hexagon" else [form, leaf]
        try:
            results = [compiled(self.tvm, form) for form in forms]
        except TvmError:
            return False
        (code, _), *_ = results
        return not any(messages for _, messages in results) and not missing(code, leaf)

    def _runs(self, leaf: dict[str, Any]) -> bool:
        triple = str(leaf.get("mtriple", ""))
        if leaf["kind"] != "llvm" or not triple.startswith(f"{platform.machine()}-"):
            return False
        try:
            result = self.tvm.call("run", target=leaf)
        except TvmError:
            return False
        return bool(result.get("difference", 1) < MAX_ERROR)

    def _clang_compiles(self, leaf: dict[str, Any]) -> bool:
        command = [tools.clang(), "-Werror", "-ffreestanding", "-c", "add.c", "-o", "add.o"]
        return self._compiles("clang", leaf, command)

    def _iree_compiles(self, leaf: dict[str, Any]) -> bool:
        return self._compiles("iree", leaf, [self._iree, "add.mlir", "-o", os.devnull])

    def _compiles(self, form: str, leaf: dict[str, Any], command: list[str]) -> bool:
        """Return whether a compiler generates code with the flags of a format, silently."""
        try:
            subject = Subject("acme/x@1.0.0", leaf, KINDS, cpus=shipped_facts.cpus())
            text = FORMATS[form].write(subject).text
        except Refused:
            return False
        flags = [line for line in text.splitlines() if line and not line.startswith("#")]
        (self.folder / "flags").write_text("\n".join(flags))
        run = partial(subprocess.run, cwd=self.folder, capture_output=True, check=False)
        result = run([*command, "@flags"] if form == "clang" else [*command, *flags])
        return not result.returncode and not result.stderr


def distinct_leaves(tags: Iterable[str]) -> list[dict[str, Any]]:
    """Return the leaves of all versions of these tags, once each as code generation reads them."""
    found = {
        canonical(options): options
        for tag in tags
        for version in library().versions[tag]
        for leaf in leaves(version.resolution.target)
        if (options := code_options(leaf, KINDS))
    }
    return [found[key] for key in sorted(found)]


def processor() -> str:
    """Return the model of this machine's processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def recorded_rows(versions: dict[str, str]) -> dict[bytes, dict[str, Any]]:
    """Return the rows of the file by leaf, if the same compilers took the steps."""
    if not FILE.exists() or shipped_facts.proof_versions() != versions:
        return {}
    return {canonical(row["leaf"]): row for row in json.loads(FILE.read_text())["rows"]}


def rows(compilers: Compilers) -> Iterator[dict[str, Any]]:
    """Yield the row of each leaf of the catalogue."""
    recorded = recorded_rows(compilers.versions())
    for leaf in distinct_leaves(library().versions):
        row = recorded.get(canonical(leaf))
        if row is None:
            row = {"leaf": leaf, "steps": list(compilers.steps(leaf))}
            sys.stderr.write(f"{json.dumps(row)}\n")
        yield row


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with compiler(os.environ[VARIABLE], folder / "log") as tvm:
            compilers = Compilers(tvm, folder)
            header = {
                "title": "How far compilers get with each leaf of the catalogue",
                "versions": compilers.versions(),
                "fields": FIELDS,
            }
            FILE.write_text(table_text(header, list(rows(compilers))))


if __name__ == "__main__":
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "registry.settings"
    django.setup()
    main()
