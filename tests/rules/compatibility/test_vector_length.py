"""Code for one length of vectors computes something else on another."""

from typing import Any

import pytest

from ttag_rules.compatibility.relation import verdict
from ttag_rules.compatibility.verdicts import Answer, Dimension

YES, UNKNOWN, NO = Answer.YES, Answer.UNKNOWN, Answer.NO
GCV = ["+m", "+a", "+f", "+d", "+c", "+v"]

Leaf = dict[str, Any]


def riscv(mcpu: str = "generic-rv64", *mattr: str, limits: str = "", width: int = 0) -> Leaf:
    prefix = "-riscv-v-vector-bits-"
    triple = "riscv64-unknown-linux-gnu"
    leaf: Leaf = {"kind": "llvm", "mtriple": triple, "mcpu": mcpu, "mabi": "lp64d"}
    if mcpu == "generic-rv64":
        leaf["mattr"] = [*GCV, *mattr]
    if width:
        leaf["vector-width"] = width
    return leaf | ({"cl-opt": [prefix + each for each in limits.split()]} if limits else {})


def sve(mcpu: str, limits: str = "") -> Leaf:
    leaf: Leaf = {"kind": "llvm", "mtriple": "aarch64-unknown-linux-gnu", "mcpu": mcpu}
    options = [f"--aarch64-sve-vector-bits-{each}" for each in limits.split()]
    return leaf | ({"cl-opt": options} if options else {})


LENGTHS = [
    # code, machine, answer
    (riscv(), riscv("spacemit-x60"), YES),
    (riscv("generic-rv64", "+zvl256b"), riscv("spacemit-x60"), YES),
    (riscv("generic-rv64", "+zvl512b"), riscv("spacemit-x60"), NO),
    (riscv("generic-rv64", "+zvl256b"), riscv(), UNKNOWN),  # at least 128
    (riscv(limits="min=256"), riscv("spacemit-x60"), YES),
    (riscv(limits="min:uint=512"), riscv("spacemit-x60"), NO),
    (riscv(limits="max=128"), riscv("spacemit-x60"), NO),
    (riscv(limits="max=256"), riscv("spacemit-x60"), UNKNOWN),  # 256 or more
    (riscv(limits="max=256"), riscv("spacemit-x60", limits="max=256"), YES),
    (riscv(limits="min=256 max=256"), riscv(limits="min=256 max=256"), YES),
    (riscv(width=512), riscv("spacemit-x60"), NO),
    (riscv(width=256), riscv("spacemit-x60"), YES),
    (sve("neoverse-v1"), sve("neoverse-v1"), YES),
    (sve("neoverse-v1", "min=256"), sve("neoverse-v1"), UNKNOWN),
    (sve("neoverse-v1", "min=256"), sve("neoverse-v1", "max=128"), NO),
    (sve("neoverse-v1", "max=256"), sve("neoverse-v1", "max=128"), YES),
    (sve("neoverse-v1", "min=512 max=512"), sve("neoverse-v1", "min=512 max=512"), YES),
    (sve("neoverse-v1", "min=512 max=512"), sve("neoverse-v1", "min=256 max=256"), NO),
    (sve("neoverse-n1", "min=512"), sve("neoverse-n1"), YES),  # has none
]


@pytest.mark.parametrize(("code", "machine", "answer"), LENGTHS)
def test_vectors_are_as_long_as_the_code_assumes(code: Leaf, machine: Leaf, answer: Answer) -> None:
    result = verdict(code, machine)
    assert result.answer is answer, result.reason
    if answer is not YES:
        assert {each.dimension for each in result.findings if each.answer is answer} == {
            Dimension.VECTOR_LENGTH
        }
        assert "computes something else, without a fault" in result.reason


def test_a_width_to_vectorise_for_is_no_length_where_lengths_are_fixed() -> None:
    code = {"kind": "llvm", "mtriple": "x86_64-linux-gnu", "mcpu": "haswell", "vector-width": 512}
    assert verdict(code, {**code, "vector-width": 128}).answer is YES
