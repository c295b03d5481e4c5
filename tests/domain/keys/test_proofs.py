"""A proof for a leaf holds for all leaves that code generation cannot distinguish from it."""

from typing import Any

import pytest

from registry.domain.document import Json, canonical
from registry.domain.keys.proofs import LeafProof, Step, code_options, find_proofs
from registry.domain.resolution.composition import Node
from tests.domain.builders import KINDS

LEAF: dict[str, Any] = {"kind": "llvm", "mtriple": "aarch64-linux-gnu", "mcpu": "cortex-a72"}
PROOFS = {canonical(LEAF): (Step.TVM_CODE, Step.CLANG)}


@pytest.mark.parametrize(
    "others",
    [
        {"num-cores": 4},
        {"keys": ["arm_cpu", "cpu"], "device": "arm_cpu", "model": "rk3399"},
        {"hardware": {"vendor": "Acme"}},
        {"executor": {"kind": "aot"}, "runtime": {"kind": "crt"}},
    ],
)
def test_values_that_code_generation_does_not_read_are_left_out(others: dict[str, Any]) -> None:
    assert code_options(Node("", {**LEAF, **others}, ()), KINDS) == LEAF


@pytest.mark.parametrize("change", [{"mcpu": "cortex-a53"}, {"mattr": ["+crc"]}])
def test_values_that_it_reads_are_kept(change: dict[str, Any]) -> None:
    assert code_options(Node("", {**LEAF, **change}, ()), KINDS) == {**LEAF, **change}


def test_every_leaf_has_its_steps() -> None:
    target: Json = {"kind": "opencl", "host": {**LEAF, "num-cores": 6}}
    assert find_proofs(target, KINDS, PROOFS) == [
        LeafProof("", ()),
        LeafProof("/host", (Step.TVM_CODE, Step.CLANG)),
    ]


def test_a_mixin_has_no_leaves() -> None:
    assert find_proofs({"executor": {"kind": "aot"}}, KINDS, PROOFS) == []


@pytest.mark.parametrize(
    ("steps", "furthest"),
    [
        ((Step.RUN, Step.TVM_CODE, Step.TVM_TARGET, Step.CLANG), [Step.RUN, Step.CLANG]),
        ((Step.TVM_TARGET, Step.IREE), [Step.TVM_TARGET, Step.IREE]),
        ((), []),
    ],
)
def test_the_furthest_step_of_each_compiler_tells_most(
    steps: tuple[Step, ...], furthest: list[Step]
) -> None:
    assert LeafProof("", steps).furthest == furthest
