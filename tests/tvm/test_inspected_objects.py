# ruff: noqa: E501 - tables read best in rows
"""`ttag inspect` reads what TVM compiled, and says where it does not run."""

from pathlib import Path
from typing import Any

import pytest

from tests.compilers import tools
from tests.tvm.compiler import Compiler
from ttag.inspect.inspecting import inspect
from ttag.inspect.running import PartVerdict, part_verdicts
from ttag.judging import Side
from ttag_rules.compatibility.options import DEFAULT_OPTIONS
from ttag_rules.compatibility.verdicts import Answer

X86: dict[str, Any] = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "haswell"}
ARM64: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "aarch64-unknown-linux-gnu",
    "mcpu": "cortex-a72",
}
ARMV7: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "armv7a-unknown-linux-gnueabihf",
    "mcpu": "cortex-a7",
    "mfloat-abi": "hard",
}
RISCV: dict[str, Any] = {
    "kind": "llvm",
    "mtriple": "riscv64-unknown-linux-gnu",
    "mcpu": "sifive-u74",
    "mabi": "lp64d",
}
RISCV_SOFT: dict[str, Any] = {**RISCV, "mabi": "lp64"}
OTHERS = [
    # compiled for, a machine that does not run it, and why
    (X86, ARM64, "The code is for x86_64, and the machine is aarch64."),
    (ARM64, X86, "The code is for aarch64, and the machine is x86_64."),
    (ARMV7, ARM64, "The code is for arm, and the machine is aarch64."),
    (RISCV, X86, "The code is for riscv64, and the machine is x86_64."),
    (RISCV, RISCV_SOFT, "calling convention lp64d"),
]  # fmt: skip


def written(tvm: Compiler, target: dict[str, Any], folder: Path) -> Path:
    path = folder / "kernel.o"
    result = tvm.call("write_object", target=target, path=str(path))
    assert "error" not in result, result
    return path


def only_part(path: Path, machine: dict[str, Any]) -> PartVerdict:
    (part,) = part_verdicts(inspect(path), Side(machine), DEFAULT_OPTIONS)
    return part


@pytest.mark.parametrize(("target", "other", "reason"), OTHERS)
def test_objects_of_tvm_run_where_they_were_built_for_alone(
    tvm: Compiler, tmp_path: Path, target: dict[str, Any], other: dict[str, Any], reason: str
) -> None:
    path = written(tvm, target, tmp_path)
    (program,) = inspect(path).programs
    assert program.body["mtriple"].partition("-")[0] in ("x86_64", "aarch64", "armv7", "riscv64")
    assert program.body.get("mabi", "") == target.get("mabi", "")
    assert only_part(path, target).answer is not Answer.NO
    part = only_part(path, other)
    assert part.answer is Answer.NO
    assert reason in part.reason


def test_libraries_of_tvm_are_lower_bounds(tvm: Compiler, tmp_path: Path) -> None:
    """A library of x86 names no instructions, so nothing says that it runs on an older processor."""
    library = tmp_path / "kernel.so"
    path = written(tvm, X86, tmp_path)
    tools.run(tools.tool("gcc"), "-shared", "-o", str(library), str(path))
    (program,) = inspect(library).programs
    assert not program.is_complete
    nehalem = {**X86, "mcpu": "nehalem"}
    answers = [only_part(library, machine).answer for machine in (X86, nehalem, ARM64)]
    assert answers == [Answer.UNKNOWN, Answer.UNKNOWN, Answer.NO]
