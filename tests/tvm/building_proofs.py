"""Builds for what a compiler reads of a target, and reads the result back."""

import json
import platform
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from registry.domain.closed_nodes import close_node
from registry.domain.document import canonical
from registry.domain.exporting import Subject
from registry.domain.formats import FORMATS
from registry.domain.keys.tuning import leaves
from registry.domain.proofs import UNNAMED, Compiler, Proof, Reach
from tests.compilers import tools
from tests.compilers.objects import is_object_for
from tests.domain.builders import KINDS
from tests.tvm.compiler import Compiler as TvmProcess, TvmError
from tests.tvm.leaves import HARMLESS
from ttag_rules.nodes import Node

# One function with floating point, so that a lost unit shows, and one without for cores that have
# none.
SOURCE = """
int add(int a, int b) { return a + b; }
double multiply(double a, double b) { return a * b; }
"""
PROGRAM = """
func.func @add(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %sum = arith.addi %a, %b : tensor<4xi32>
  return %sum : tensor<4xi32>
}
"""
MAX_ERROR = 1e-4  # of a product, a quotient and a sum in single precision, in another order
MAX_REASON = 200  # characters
ON_CPU = "--iree-hal-target-device=local"
TRIPLE = re.compile(r"(?:--target|--iree-llvmcpu-target-triple)=(\S+)")
TEXTS = {".ptx", ".metal"}
MACHINE_CODE = frozenset({"llvm", "hexagon", "cuda_host"})  # kinds for which TVM writes it
NO_UNIT = b"__muldf3"  # the function of a runtime library that multiplies without a unit
NO_REASON = "Back optional access"  # of TVM's FFI, wherever a value is missing
EXCEPTION = re.compile(r"^\w+: ")
MISSING = re.compile(r"Cannot find global function target\.build\.(\w+)")


class Builders:
    """The compilers: TVM in a process of its own, clang and IREE, by default those of the tests."""

    def __init__(self, tvm: TvmProcess, folder: Path, iree: str = "", clang: str = "") -> None:
        self.tvm = tvm
        self.folder = folder
        self._iree = iree or tools.iree_compile()
        self._clang = clang or tools.clang()
        (folder / "code.c").write_text(SOURCE)
        (folder / "code.mlir").write_text(PROGRAM)

    def proof(self, compiler: Compiler, read: bytes) -> Proof:
        """Return how far a compiler gets with what it reads of a target."""
        if compiler is Compiler.TVM:
            return self._build(json.loads(read))
        flags = read.decode()
        return (
            self._iree_compile(flags) if compiler is Compiler.IREE else self._clang_compile(flags)
        )

    def _build(self, target: dict[str, Any]) -> Proof:
        root = _description(target, "")
        devices = [leaf for leaf in leaves(target) if not _is_in_host(leaf)]
        parts = [_description(target, leaf.pointer) for leaf in devices]
        arguments = {"root": root, "parts": parts}
        try:
            result = self.tvm.call("build", **arguments)
        except TvmError as error:
            return _refused(str(error))
        problem = result.get("error") or HARMLESS.sub("", result["messages"])
        problem = problem or _difference(target, result["objects"])
        if problem:
            return _refused(problem)
        if not MACHINE_CODE.issuperset(leaf.kind for leaf in devices):
            return Proof(Reach.SOURCE)
        return Proof(Reach.RUN if self._runs(target, arguments) else Reach.ARTEFACT)

    def _runs(self, target: dict[str, Any], arguments: dict[str, Any]) -> bool:
        triple = str(target.get("mtriple", ""))
        if target["kind"] != "llvm" or not triple.startswith(f"{platform.machine()}-"):
            return False
        try:
            result = self.tvm.call("build_and_run", **arguments)
        except TvmError:  # an instruction that this processor lacks
            return False
        return bool(result.get("difference", 1) < MAX_ERROR)

    def _clang_compile(self, flags: str) -> Proof:
        (self.folder / "flags").write_text(flags)
        command = [self._clang, "-Werror", "-ffreestanding", "-c", "code.c", "-o", "code.o"]
        if problem := self._compile([*command, "@flags"]):
            return _refused(problem)
        content = (self.folder / "code.o").read_bytes()
        triple = TRIPLE.search(flags)
        if triple and not is_object_for(content[:64], triple[1]):
            return _refused("its object is for another machine")
        if "-march=rv" in flags and NO_UNIT in content:
            return _refused("its code does without the floating-point unit")
        return Proof(Reach.ARTEFACT)

    def _iree_compile(self, flags: str) -> Proof:
        binaries = self.folder / "binaries"
        binaries.mkdir(exist_ok=True)
        for old in (*binaries.iterdir(), *self.folder.glob("static.*")):
            old.unlink()
        options = [f"--iree-hal-dump-executable-binaries-to={binaries}"]
        if "--output-format=vm-c" in flags:
            options.append("--iree-llvmcpu-static-library-output-path=static.o")
        command = [self._iree, "code.mlir", "-o", "program", *flags.splitlines(), *options]
        problem = self._compile(command)
        if problem:
            return _refused(problem)
        triple = TRIPLE.search(flags) if ON_CPU in flags else None
        written = [*binaries.iterdir(), *self.folder.glob("static.o")]
        if triple and not any(_is_for(path, triple[1]) for path in written):
            return _refused("its object is for another machine")
        suffixes = {path.suffix for path in written}
        return Proof(Reach.SOURCE if suffixes & TEXTS else Reach.ARTEFACT)

    def _compile(self, command: list[str]) -> str:
        """Run a compiler; return what it reports, or that it failed."""
        result = subprocess.run(
            command, cwd=self.folder, capture_output=True, check=False, errors="replace"
        )
        reported = "\n".join(_reports(result.stderr))
        return reported or (f"exit code {result.returncode}" if result.returncode else "")


def _reports(errors: str) -> Iterator[str]:
    """Yield errors and warnings, but not that IREE knows no features of Arm's CPUs."""
    for line in errors.splitlines():
        if "Resolution of CPU to CPU-features is not implemented" not in line and re.search(
            r"error|warning|not a recognized|Unknown|can't be used", line
        ):
            yield line


def _is_for(path: Path, triple: str) -> bool:
    return path.suffix in {".so", ".o", ".wasm"} and is_object_for(
        path.read_bytes()[:64], triple, is_elf=path.suffix == ".so"
    )


def _difference(target: dict[str, Any], objects: list[dict[str, str]]) -> str:
    """Return how an object of a CPU, or of a device's host, differs from its target."""
    cpu = target if target["kind"] == "llvm" else target.get("host", {})
    for each in objects:
        triple, name = cpu.get("mtriple"), cpu.get("mcpu")
        if triple and not is_object_for(bytes.fromhex(each["head"]), triple):
            return f"its object is not for {triple}"
        if name and f'"target-cpu"="{name}"' not in each["code"]:
            return f"its code is not for {name}"
    return ""


def _description(target: dict[str, Any], pointer: str) -> str:
    """Return a node in the form in which modules record it."""
    part = close_node(target, pointer)
    export = FORMATS["tvm"].write(Subject(UNNAMED, target, KINDS, part=part if pointer else None))
    assert isinstance(export.content, dict)
    dropped = [loss.pointer for loss in export.dropped]
    return canonical(
        {"reference": UNNAMED, "digest": "", **export.content, "dropped": [*dropped]}
    ).decode()


def _is_in_host(leaf: Node) -> bool:
    return any(node.is_host for node in (leaf, *leaf.enclosing))


def _refused(message: str) -> Proof:
    """Return a refusal with the first line of a message, without the names of classes."""
    lines = [line for line in message.strip().splitlines() if line.strip()]
    text = EXCEPTION.sub("", lines[0].strip()) if lines else "it fails"
    text = "TVM fails while it lowers the function" if text == NO_REASON else text
    text = MISSING.sub(r"TVM as PyPI has it was built without \1", text)
    return Proof(Reach.REFUSED, text[:MAX_REASON])
