"""TVM compiles every leaf that has a tuning key for its own triple, processor and features.

TVM and LLVM print a warning where they replace or ignore one of these; then a key would promise
what the code does not keep. `PROVEN` says for each kind how far this goes.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from registry.domain.formats.tuning import subject_preimages
from registry.domain.keys.tuning import leaves
from registry.domain.proofs import BUILT, Step, compiler_proofs
from registry.services.core import shipped_facts
from tests.domain.builders import KINDS
from tests.domain.formats.subjects import catalogue
from tests.tvm.compiler import Compiler, TvmError
from tests.tvm.leaves import compiled, missing, through_llvm
from ttag_rules.nodes import COMPOSITES, Node

# The furthest step to which the leaves of a kind were followed.
PROVEN = {
    "llvm": Step.RUN,
    "c": Step.TVM_CODE,
    "cuda": Step.TVM_CODE,  # source; its architecture as that of nvptx
    "cuda_host": Step.TVM_CODE,
    "hexagon": Step.TVM_CODE,  # by kind llvm with the same triple, processor and features
    "metal": Step.TVM_CODE,
    "nvptx": Step.TVM_CODE,
    "opencl": Step.TVM_CODE,
    "rocm": Step.TVM_CODE,
    "webgpu": Step.TVM_CODE,
    # TVM accepts the target; its wheel has no code generator for it:
    "ext_dev": Step.TVM_TARGET,
    "test": Step.TVM_TARGET,
    "trn": Step.TVM_TARGET,
    "vulkan": Step.TVM_TARGET,  # tests/compilers/test_iree.py compiles SPIR-V for Adreno
}
SAMPLES: dict[str, dict[str, Any]] = {
    "llvm": {"mtriple": "x86_64-unknown-linux-gnu"},
    "hexagon": {"mtriple": "hexagon", "mcpu": "hexagonv68"},
    "cuda": {"arch": "sm_80"},
    "nvptx": {"mcpu": "sm_80"},
    "rocm": {"mcpu": "gfx90a", "mattr": ["+xnack"]},
}
# Leaves for which TVM is known to replace the processor: LLVM 22 does not know it yet.
REPLACED = {"riscv/spacemit-k3@1.0.0#", "riscv/spacemit-k3@1.0.1#"}
# Architectures without a back end in the LLVM of TVM's wheels: there are records, but no code.
UNBUILT = ("powerpc64-", "powerpc64le-", "s390x-", "loongarch64-")


# Kinds for which the path of users refuses; `compiled` goes around it for hexagon.
NOT_BUILT = {kind for kind, step in PROVEN.items() if step is Step.TVM_TARGET} | {"hexagon"}


def leaves_with_keys() -> Iterator[tuple[str, Node, bool]]:
    """Yield the places of leaves with a tuning key, the leaves, and whether TVM builds them."""
    facts = shipped_facts.compiler_facts()
    for exact, subject in catalogue().items():
        by_pointer = subject_preimages(subject)
        tvm, *_ = compiler_proofs(subject.target, KINDS, facts)
        built = {node.pointer: node.proof.reach in BUILT for node in tvm.nodes}
        assert tvm.compiler == "tvm"
        for leaf in leaves(subject.target):
            if by_pointer.get(leaf.pointer) and not leaf.enclosing_codegens:
                yield f"{exact}#{leaf.pointer}", leaf, built[leaf.pointer]


def test_tvm_replaces_nothing_in_a_leaf_with_a_key() -> None:
    """As recorded: `test_proofs.py` compiles the leaves again."""
    compiled_leaves = {
        place: is_built
        for place, leaf, is_built in leaves_with_keys()
        if leaf.kind not in NOT_BUILT and not _has_no_back_end(leaf)
    }
    assert len(compiled_leaves) > 80
    replaced = {place for place, is_compiled in compiled_leaves.items() if not is_compiled}
    assert replaced == REPLACED


def _has_no_back_end(leaf: Node) -> bool:
    return str(leaf.own.get("mtriple", "")).startswith(UNBUILT)


@pytest.mark.parametrize("kind", sorted(PROVEN))
def test_kinds_are_proven_as_far_as_stated(tvm: Compiler, kind: str) -> None:
    own = {"kind": kind, **SAMPLES.get(kind, {})}
    assert tvm.export(own)["kind"] == kind
    if PROVEN[kind] is Step.TVM_TARGET:
        with pytest.raises(TvmError):
            compiled(tvm, own)
        return
    code, messages = compiled(tvm, through_llvm(own))
    assert code
    assert messages == ""
    assert missing(code, own) == []


def test_every_kind_of_a_leaf_is_in_the_table() -> None:
    assert PROVEN.keys() == KINDS.targets.keys() - COMPOSITES


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"kind": "llvm", "mcpu": "neoverse-v2"}, "using default `-mcpu=generic`"),
        ({"kind": "nvptx", "mcpu": "sm_999"}, "not a recognized processor"),
        (
            {"kind": "llvm", **SAMPLES["llvm"], "mattr": ["+nosuchfeature"]},
            "not a recognized feature",
        ),
    ],
)
def test_replaced_names_are_noticed(tvm: Compiler, own: dict[str, Any], message: str) -> None:
    assert message in compiled(tvm, own)[1]


def test_a_crash_does_not_end_the_run(tvm: Compiler) -> None:
    crashing = {"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "mcpu": "hexagonv68"}
    crashing["kind"] = "hexagon"  # TVM's generator aborts for another architecture
    with pytest.raises(TvmError):
        compiled(tvm, crashing)
    assert tvm.call("versions")
